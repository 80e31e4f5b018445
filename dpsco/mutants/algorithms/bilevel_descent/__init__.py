"""Mutants of claims about private bilevel descent."""
