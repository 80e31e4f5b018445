"""Measurements of OpenDP: the privacy map's word at a distance, and a black box that is run against it."""

import math
from typing import Any

from dpsco.audit.connectors import Read

TESTED = ("0.16",)
CONTEXT = ("d_in",)
PURE, APPROXIMATE = "MaxDivergence", "Approximate(MaxDivergence)"
CONVERT = "an (epsilon, delta) map is needed: make_zCDP_to_approxDP, then make_fix_delta"


def read(measurement: Any, adjacency: str, d_in: Any = None) -> Read:
    """What the map declares at d_in; what is behind it is not looked into."""
    if d_in is None:
        raise ValueError("d_in is needed: how far the inputs of neighbours are apart, in the measurement's input metric")
    try:
        measure = str(measurement.output_measure)
        if measure not in (PURE, APPROXIMATE):
            return Read(not_judged=(f"output measure {measure.partition('(')[0]}: {CONVERT}",), run=measurement)
        found = measurement.map(d_in)
    except Exception as error:  # the library's own errors, whatever they are
        raise ValueError(f"d_in: the measurement's map refuses it ({type(error).__name__})") from None
    epsilon, delta = (found, 0.0) if measure == PURE else found
    fine = all(isinstance(x, int | float) and math.isfinite(x) for x in (epsilon, delta)) and epsilon > 0 and 0 <= delta < 1
    if not fine:
        return Read(not_judged=("the map declares no finite epsilon > 0 with a delta in [0, 1)",), run=measurement)
    notes = (f"declared by the map at d_in, and believed: epsilon {epsilon!r}, delta {delta!r}; check(D0, D1) runs it",)
    part = ("composition", {"epsilon0": epsilon, "delta0": delta, "steps": 1})
    return Read((part,), declared={"epsilon": epsilon, "delta": delta}, notes=notes, run=measurement)


def answers(measurement: Any) -> bool:
    """The library's Laplace noise of scale 2 has epsilon = 1/2 at distance 1."""
    from importlib import import_module

    try:
        dp: Any = import_module("opendp.prelude")
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        return math.isclose(dp.m.make_laplace(*space, scale=2.0).map(1.0), 0.5, rel_tol=1e-9)
    except Exception:  # whatever another version raises: it is not the one that is known
        return False
