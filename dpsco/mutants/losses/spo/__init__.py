"""Mutants of claims about the SPO loss and its surrogates."""
