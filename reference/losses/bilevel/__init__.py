"""Bilevel problems at any precision."""
