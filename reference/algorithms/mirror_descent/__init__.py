"""Private mirror descent in normed spaces."""
