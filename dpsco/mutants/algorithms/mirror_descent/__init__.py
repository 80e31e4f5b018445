"""Mutants of claims about private mirror descent."""
