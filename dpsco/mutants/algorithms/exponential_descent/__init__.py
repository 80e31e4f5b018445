"""Mutants of claims on exponential descent."""
