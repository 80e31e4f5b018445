"""Judges of published experiments."""
