"""Judges of claims in proofs of lower bounds."""
