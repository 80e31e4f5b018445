"""The exponential mechanism in one dimension in doubles: the inverse distribution function, from the nearer end."""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.exponential_sampling import mechanism as spec


@kernel()
def cut(drop: float, u: float, v: float) -> float:
    """Share t of an interval with P(T <= t) = u = 1 - v, density proportional to exp(-drop t) on [0, 1]."""
    if not drop < 0.0:
        return cut_down(drop, u, v)
    share = 1.0 - cut_down(-drop, v, u)
    if 1e-9 <= -drop < 700.0 and share < 0.5:  # a small share keeps its own digits, not those of what is left of 1
        return math.log1p(u * math.expm1(-drop)) / -drop
    return share if -drop >= 1e-9 else u - 0.5 * drop * u * v


@kernel()
def cut_down(drop: float, u: float, v: float) -> float:
    if drop < 1e-9:  # to first order
        return u - 0.5 * drop * u * v
    if u < 0.5 or drop < 1.0:
        return -math.log1p(u * math.expm1(-drop)) / drop
    rest = v + u * math.exp(-drop)  # a sum of positive numbers
    return min(1.0, -math.log(rest) / drop)


@kernel()
def mass_of(width: float, drop: float, height: float) -> float:
    """Integral of exp(-height - drop t) over an interval of that width, t from 0 to 1 along it."""
    if abs(drop) < 1e-9:
        return width * math.exp(-height) * (1.0 - 0.5 * drop)
    if drop > 0.0:
        return -width * math.exp(-height) * math.expm1(-drop) / drop
    return width * math.exp(-height - drop) * math.expm1(drop) / drop


@kernel()
def drawn(knots: Any, heights: Any, uniform: float) -> float:
    """x with P(X <= x) = uniform, density proportional to exp(-heights), linear between the knots."""
    pieces, least = knots.size - 1, heights.min()
    total = 0.0
    parts = np.empty(pieces)
    for i in range(pieces):
        parts[i] = mass_of(knots[i + 1] - knots[i], heights[i + 1] - heights[i], heights[i] - least)
        total += parts[i]
    # from the end that is nearer: what is left of a tail keeps its digits
    left = uniform <= 0.5
    wanted = (uniform if left else 1.0 - uniform) * total
    for j in range(pieces):
        i = j if left else pieces - 1 - j
        if wanted <= parts[i] or j == pieces - 1:
            share = min(1.0, wanted / parts[i]) if parts[i] > 0.0 else 0.0
            rest = max(0.0, (parts[i] - wanted) / parts[i]) if parts[i] > 0.0 else 1.0
            width, drop = knots[i + 1] - knots[i], heights[i + 1] - heights[i]
            if left:
                return knots[i] + width * cut(drop, share, rest)
            return knots[i + 1] - width * cut(-drop, share, rest)
        wanted -= parts[i]
    return knots[pieces]


def draw(knots: Any, values: Any, k: float, uniform: float) -> float:
    x, phi = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or x.size < 2 or phi.shape != x.shape:
        raise ValueError(f"knots and values have one length, at least 2, got {x.shape} and {phi.shape}")
    if not (np.all(np.diff(x) > 0) and np.all(np.isfinite(x)) and np.all(np.isfinite(phi))):
        raise ValueError(f"knots increase and all numbers are finite, got knots={knots}, values={values}")
    if not (k > 0 and math.isfinite(k)):
        raise ValueError(f"k is an inverse temperature, positive, got {k}")
    if not 0 < uniform < 1:
        raise ValueError(f"uniform lies in (0, 1), got {uniform}")
    return float(drawn(x, k * (phi - phi.min()), float(uniform)))


bind(draw, spec.draw)
