"""Arguments on algorithms, a folder a family."""
