"""The grid walk on a convex body inside a cube, literally."""

from collections.abc import Sequence
from typing import Any

from dpsco.reference.algorithms.grid_walk.extension import gauge_penalty, lipschitz_extension
from dpsco.reference.algorithms.grid_walk.walk import kept
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.grid_walk import body as spec
from dpsco.spec.numbers import Numbers, Real


def exponent(
    m: Numbers,
    slopes: Any,
    intercepts: Any,
    rows: Any,
    bounds: Any,
    radius: Real,
    lipschitz: Real,
    penalty: Real,
    theta: Sequence[Real],
) -> Real:
    """fbar + psibar, nats."""
    extended, _ = lipschitz_extension(m, slopes, intercepts, rows, bounds, lipschitz, theta)
    outside, _ = gauge_penalty(m, rows, bounds, radius, theta, penalty)
    return extended + outside


@literal(spec.sample)
def sample(
    m: Numbers,
    slopes: Any,
    intercepts: Any,
    rows: Any,
    bounds: Any,
    radius: Real,
    lipschitz: Real,
    penalty: Real,
    errors: Any,
    alpha: Real,
    least: Real,
    low: Real,
    side: Real,
    cells: int,
    start: int,
    uniforms: Any,
) -> tuple[list[Real], list[Real]]:
    def f(theta: Sequence[Real]) -> Real:
        return exponent(m, slopes, intercepts, rows, bounds, radius, lipschitz, penalty, theta)

    return kept(m, f, len(slopes[0]), errors, alpha, least, low, side, cells, start, uniforms)
