"""Mutants of concentration inequalities."""
