"""Phased descents and phased minimisation, literally."""
