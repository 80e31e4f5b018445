"""The grid walk, fast."""
