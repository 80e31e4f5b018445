"""Mutants of claims of the family `analysis`."""
