"""The report: every judgement as a static site that needs no network."""
