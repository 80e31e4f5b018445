"""Judges of what smoothing the loss does to its minimiser."""
