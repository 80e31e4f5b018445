"""Exponential descent, literally."""
