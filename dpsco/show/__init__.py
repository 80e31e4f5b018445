"""What a reader sees of a verdict, as plain data and as text or HTML made of it."""
