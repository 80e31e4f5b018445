"""Judges of the family analysis."""
