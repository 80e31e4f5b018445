"""The Moreau envelope of a convex piecewise linear loss in doubles: one pass over the knots finds the minimiser's piece."""

from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.spec.losses.moreau import piecewise as spec


@kernel()
def place(u: float, h: float, knots: Any, slopes: Any) -> tuple[int, bool]:
    """How many knots the minimiser has passed, and whether it rests at the last of them.

    (u - b) / h falls from knot to knot and the slopes do not: the first knot where it is no more than the slope before
    it has not been reached.
    """
    i = 0
    while i < knots.size and (u - knots[i]) / h > slopes[i]:
        i += 1
        if (u - knots[i - 1]) / h < slopes[i]:
            return i, True
    return i, False


@kernel()
def value_at(u: float, h: float, knots: Any, slopes: Any) -> float:
    passed, rests = place(u, h, knots, slopes)
    last = passed - 1 if rests else passed
    total = 0.0
    for j in range(last):
        total -= (slopes[j + 1] - slopes[j]) * knots[j]
    if rests:
        away = u - knots[last]
        return (total + slopes[last] * knots[last]) + 0.5 * away * (away / h)
    s = slopes[passed]
    return total + s * (u - 0.5 * h * s)


@kernel()
def derivative_at(u: float, h: float, knots: Any, slopes: Any) -> float:
    passed, rests = place(u, h, knots, slopes)
    return (u - knots[passed - 1]) / h if rests else slopes[passed]


def value(u: float, h: float, knots: Any, slopes: Any) -> float:
    return float(value_at(float(u), float(h), *loss(knots, slopes)))


def derivative(u: float, h: float, knots: Any, slopes: Any) -> float:
    return float(derivative_at(float(u), float(h), *loss(knots, slopes)))


def loss(knots: Any, slopes: Any) -> tuple[Any, Any]:
    """The two arrays as C-contiguous doubles; ValueError where they are not knots and slopes of a convex loss."""
    spec.checked(list(knots), list(slopes))
    b, s = (np.ascontiguousarray(a, dtype=np.float64) for a in (knots, slopes))
    return b, s


for implementation, contract in ((value, spec.value), (derivative, spec.derivative)):
    bind(implementation, contract)
