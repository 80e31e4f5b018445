"""Geometry of normed spaces and of constraint sets."""
