"""Judges of exponential descent."""
