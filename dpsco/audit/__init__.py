"""Audit what people run."""
