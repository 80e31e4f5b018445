"""Judges of claims about private bilevel descent."""
