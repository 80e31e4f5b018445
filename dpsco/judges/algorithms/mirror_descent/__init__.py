"""Judges of private mirror descent."""
