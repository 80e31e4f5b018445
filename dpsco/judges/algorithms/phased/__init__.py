"""Judges of claims about phased algorithms."""
