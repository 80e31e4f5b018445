"""Judges of the family algorithms."""
