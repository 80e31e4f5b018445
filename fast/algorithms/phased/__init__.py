"""Phased descents and phased minimisation in doubles."""
