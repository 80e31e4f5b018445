"""Constructions of lower bounds, literally."""
