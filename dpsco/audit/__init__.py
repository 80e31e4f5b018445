"""Audits of what others run: published failures, and tests of one's own mechanisms."""
