"""Judges of the family privacy."""
