"""Mutants of claims on the grid walk."""
