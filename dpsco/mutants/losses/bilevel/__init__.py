"""Mutants of claims about bilevel losses."""
