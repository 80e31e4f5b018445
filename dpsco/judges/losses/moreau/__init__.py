"""Judges of claims about Moreau envelopes."""
