"""Judges of concentration inequalities and of what they imply."""
