"""The grid walk, literally."""
