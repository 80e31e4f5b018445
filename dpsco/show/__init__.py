"""What a person sees: cards, graphs and reports, as plain data and text."""
