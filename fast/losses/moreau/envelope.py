"""The Moreau envelope of the check loss in doubles: the closed form, each piece written without cancellation."""

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.quantile.smoothing import product_error
from dpsco.spec.losses.moreau import envelope as spec

SPLIT = 1e280
"""Magnitudes between 1/SPLIT and SPLIT have products whose rounding error is a double."""


@kernel()
def value_at(u: float, h: float, r: float) -> float:
    side, size = (r, u) if u >= 0.0 else (1.0 - r, -u)
    if size >= side * h:
        return side * (size - 0.5 * (side * h))  # what is taken off is at most half of it
    return 0.5 * size * (size / h)


@kernel(inline="always")
def derivative_at(u: float, h: float, r: float) -> float:
    slope = u / h
    return r if slope > r else r - 1.0 if slope < r - 1.0 else slope


@kernel()
def proximal_at(u: float, h: float, r: float) -> float:
    side = r if u >= 0.0 else r - 1.0
    cut = side * h
    if abs(u) <= abs(cut):
        return 0.0
    # u - side h with the rounding error of the product: the two may be nearly equal
    exact = 1.0 / SPLIT < abs(cut) < SPLIT and 1.0 / SPLIT < h < SPLIT
    return (u - cut) - product_error(side, h, cut) if exact else u - cut


def value(u: float, h: float, r: float) -> float:
    return float(value_at(float(u), float(h), float(r)))


def derivative(u: float, h: float, r: float) -> float:
    return float(derivative_at(float(u), float(h), float(r)))


def proximal_point(u: float, h: float, r: float) -> float:
    return float(proximal_at(float(u), float(h), float(r)))


for implementation, contract in (
    (value, spec.value),
    (derivative, spec.derivative),
    (proximal_point, spec.proximal_point),
):
    bind(implementation, contract)
