"""Judges of sampling from a density that falls exponentially in the loss."""
