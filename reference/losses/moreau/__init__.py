"""Moreau envelopes of the check loss and of piecewise linear losses."""
