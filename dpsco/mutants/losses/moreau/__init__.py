"""Mutants of claims about Moreau envelopes."""
