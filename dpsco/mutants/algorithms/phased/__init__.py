"""Mutants of claims about phased algorithms."""
