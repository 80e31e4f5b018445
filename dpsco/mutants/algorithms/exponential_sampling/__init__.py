"""Mutants of claims about sampling from exponential mechanisms."""
