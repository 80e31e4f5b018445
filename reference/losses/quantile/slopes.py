"""The table of derivatives, literally: each from the room of its loss."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses.moreau import envelope
from dpsco.reference.losses.quantile import smoothing
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile import slopes as spec
from dpsco.spec.numbers import Numbers, Real

Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


@literal(spec.slope)
def slope(m: Numbers, loss: str, u: Real, h: Real, r: Real) -> Sums:
    if loss == spec.CHECK:
        found = spec.subgradient(m, u, r)
        return found, m.abs(found)
    if loss == spec.MOREAU:
        found = envelope.derivative(m, u, h, r)
        return found, m.abs(found)
    if loss not in KERNELS:
        raise spec.known(loss)
    return smoothing.derivative(m, loss, u, h, r)


def record_gradient(m: Numbers, loss: str, x: Any, target: Real, theta: Any, h: Real, r: Real) -> list[Real]:
    """(Sub)gradient of one record's loss at theta.

    -slope(y - theta'x) x

    Returns  d numbers in loss/decision
    """
    factor, _ = slope(m, loss, target - m.dot(x, theta), h, r)
    return [-factor * z for z in x]
