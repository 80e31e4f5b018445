"""Mutants of claims about published experiments."""
