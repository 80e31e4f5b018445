"""Proved bounds on the least delta of each mechanism, as functions of its quantities."""
