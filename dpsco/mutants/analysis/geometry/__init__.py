"""Mutants of claims about norms and convex sets."""
