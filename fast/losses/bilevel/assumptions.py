"""Whether a problem's functions keep the constants and the derivatives that it declares, at sampled points.

A violation that is found disproves; none found proves nothing, and is never a reason to release.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from dpsco.fast.linear import norm_of
from dpsco.fast.losses.bilevel.problem import Problem, finite

Array = Any
SLACK = 1e-9
"""Relative excess that rounding may cause."""
STEP = 6e-6
"""Of central differences, whose error is of the order of its square."""
DERIVATIVE = 1e-4
"""Relative difference between a derivative and a central difference that is taken for a mistake."""
SHRINK = (1.0, 1e-2, 1e-4)
"""Distances of the second point, as shares of the way to it: far and near."""


@dataclass(frozen=True)
class Violation:
    """A declared number, what was observed beyond it, and where."""

    constant: str
    declared: float
    observed: float
    record: int
    at: tuple[Array, Array, Array, Array]
    """x, x', y, y': the pair of points."""


def sampled_violation(problem: Problem, rng: np.random.Generator, pairs: int, x_scale: float = 1.0) -> Violation | None:
    """The first sampled violation of Assumption 2.1 or 2.2 by a single record, or of a declared derivative; None: none found.

    Points x and x' are normal with standard deviation x_scale (scaled into |x| <= x_radius), y and y' uniform in the ball
    |y| <= radius; the second points also near the first ones.

    Domain   problem.of_record: given; pairs >= 1: pairs of points for each of up to 10 records drawn
    Raises   ValueError without of_record
    """
    if problem.of_record is None:
        raise ValueError("of_record: the assumptions speak of single records, this problem does not give them")
    chosen = rng.permutation(problem.records)[:10]
    for i in chosen:
        one = replace(problem.of_record(int(i)), constants=problem.constants)
        for found in islice(_violations(one, rng, pairs, x_scale), 1):
            return replace(found, record=int(i))
    return None


def _violations(one: Problem, rng: np.random.Generator, pairs: int, x_scale: float) -> Iterator[Violation]:
    declared = {**vars(one.constants)}
    for _ in range(pairs):
        x, far_x = (_inside(rng.normal(size=one.d_x) * x_scale, one.x_radius) for _ in range(2))
        y, far_y = (_in_ball(rng, one.d_y, one.radius) for _ in range(2))
        curved = np.linalg.eigvalsh(finite(one, "lower_yy", x, y))
        if curved[0] < declared["mu_g"] * (1 - SLACK):
            yield Violation("mu_g", declared["mu_g"], float(curved[0]), 0, (x, x, y, y))
        for name, analytic, numerical in _derivatives(one, x, y):
            size = max(np.max(np.abs(analytic)), np.max(np.abs(numerical)), 1e-6)
            if np.max(np.abs(analytic - numerical)) > DERIVATIVE * size:
                yield Violation(name, 0.0, float(np.max(np.abs(analytic - numerical)) / size), 0, (x, x, y, y))
        for share in SHRINK:
            x2, y2 = x + share * (far_x - x), y + share * (far_y - y)
            for name, observed, rounding in _quotients(one, x, x2, y, y2):
                if observed > declared[name] * (1 + SLACK) + rounding:
                    yield Violation(name, declared[name], observed, 0, (x, x2, y, y2))


def _mixed(one: Problem, x: Array, y: Array) -> Array:
    """grad_xy G as a matrix."""
    return np.stack([finite(one, "lower_xy", x, y, v) for v in np.eye(one.d_y)], axis=1)


def _quotients(one: Problem, x: Array, x2: Array, y: Array, y2: Array) -> Iterator[tuple[str, float, float]]:
    """Constant, what the pair shows of it, and what rounding may add."""

    def shown(name: str, of: str, along_x: bool) -> tuple[str, float, float]:
        other = (x2, y) if along_x else (x, y2)
        a, b = (_mixed(one, *p) if of == "mixed" else finite(one, of, *p) for p in ((x, y), other))
        length = norm_of(x2 - x if along_x else y2 - y)
        change = np.linalg.norm(a - b, 2) if a.ndim == 2 else np.linalg.norm(np.atleast_1d(a - b))
        rounding = 1e-13 * (1 + float(np.max(np.abs(a)))) * a.size / length
        return name, float(change / length), rounding

    yield "L_fx", norm_of(finite(one, "upper_x", x, y)), 0.0
    yield "L_fy", norm_of(finite(one, "upper_y", x, y)), 0.0
    yield "L_gy", norm_of(finite(one, "lower_y", x, y)), 0.0
    yield "beta_gyy", float(np.linalg.norm(finite(one, "lower_yy", x, y), 2)), 0.0
    yield "beta_gxy", float(np.linalg.norm(_mixed(one, x, y), 2)), 0.0
    for name, of, along_x in (
        ("beta_fxx", "upper_x", True),
        ("beta_fxy", "upper_x", False),
        ("beta_fxy", "upper_y", True),
        ("beta_fyy", "upper_y", False),
        ("M_gxy", "mixed", True),
        ("M_gyy", "lower_yy", True),
        ("C_gxy", "mixed", False),
        ("C_gyy", "lower_yy", False),
    ):
        if norm_of(x2 - x if along_x else y2 - y) > 0:
            yield shown(name, of, along_x)


def _derivatives(one: Problem, x: Array, y: Array) -> Iterator[tuple[str, Array, Array]]:
    """Each declared derivative and its central difference."""

    def differences(of: str, along_x: bool) -> Array:
        rows = []
        for e in np.eye(one.d_x if along_x else one.d_y) * STEP:
            ends = ((x + e, y), (x - e, y)) if along_x else ((x, y + e), (x, y - e))
            high, low = (finite(one, of, *p) for p in ends)
            rows.append((high - low) / (2 * STEP))
        return np.stack(rows)

    yield "upper_x", finite(one, "upper_x", x, y), differences("upper", True)
    yield "upper_y", finite(one, "upper_y", x, y), differences("upper", False)
    yield "lower_y", finite(one, "lower_y", x, y), differences("lower", False)
    yield "lower_yy", finite(one, "lower_yy", x, y), differences("lower_y", False)
    yield "lower_xy", _mixed(one, x, y), differences("lower_y", True)


def _inside(x: Array, radius: float) -> Array:
    length = norm_of(x)
    return x if length <= radius else x * (radius / length)


def _in_ball(rng: np.random.Generator, d: int, radius: float) -> Array:
    v = rng.normal(size=d)
    return v / norm_of(v) * radius * rng.uniform() ** (1 / d)
