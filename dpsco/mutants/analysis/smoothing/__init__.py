"""Mutants of claims on what smoothing the loss does to its minimiser."""
