"""Judges of the grid walk."""
