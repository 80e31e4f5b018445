"""Judges of the family losses."""
