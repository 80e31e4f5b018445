"""Calibration of mechanisms: a table of plain data, one solver for whatever is unknown, maps of printed formulas."""
