"""Judges of claims about bilevel losses."""
