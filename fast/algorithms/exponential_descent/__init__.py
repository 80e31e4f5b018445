"""Exponential descent, fast."""
