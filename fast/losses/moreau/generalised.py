"""The generalised Moreau envelope of the check loss in doubles: phi near the kink, a line of the loss's slope beyond.

On the side of u the loss has the slope s = r or 1 - r. The envelope is h phi(u/h) as long as phi' stays below s, and from
there on s |u| - h phi*(s).
"""

import math

from dpsco.fast.kernel import bind, kernel
from dpsco.spec.losses.moreau import generalised as spec
from dpsco.spec.losses.moreau.generalised import FUNCTIONS, unknown

CODES = {name: number for number, name in enumerate(FUNCTIONS)}
SQUARED_NORM, HUBER, HELLINGER = range(3)


def code(phi: str) -> int:
    """The int that stands for a function's name in compiled code; ValueError for another name."""
    if phi not in CODES:
        raise unknown(phi)
    return CODES[phi]


@kernel()
def times_ratio(beta: float, u: float, h: float) -> float:
    """beta u / h; u/h alone may lose bits to underflow, beta u too, but not both in these orders."""
    return (beta * u) / h if beta >= 1.0 else beta * (u / h)


@kernel()
def value_at(which: int, u: float, h: float, r: float, beta: float) -> float:
    side, size = (r, u) if u >= 0.0 else (1.0 - r, -u)
    if which == HELLINGER:
        if side < beta:
            # beta^2 - s^2 as a product; its error in s = 1 - r does not matter where the line holds: |u| is large there
            root = math.sqrt(beta - side) * math.sqrt(beta + side)
            if (size / h) * root >= side:
                return side * size + h * root
        return math.hypot(beta * h, beta * size) if beta < 1.0 else beta * math.hypot(h, size)
    line = size / h >= side / beta
    if which == HUBER and beta < side:  # phi' never reaches s
        if size >= h:
            return beta * (size - 0.5 * h)
        line = False
    if line:
        return side * (size - 0.5 * h * (side / beta))
    return 0.5 * size * times_ratio(beta, size, h)


@kernel()
def derivative_at(which: int, u: float, h: float, r: float, beta: float) -> float:
    t = u / h
    if which == HUBER and abs(t) >= 1.0:
        slope = math.copysign(beta, u)
    elif which == HELLINGER and abs(t) > 1e-100:
        slope = beta * (t / math.hypot(1.0, t)) if abs(t) < 1e300 else math.copysign(beta, u)
    else:
        slope = times_ratio(beta, u, h)
    return max(r - 1.0, min(r, slope))


def value(phi: str, u: float, h: float, r: float, beta: float) -> float:
    return float(value_at(code(phi), float(u), float(h), float(r), float(beta)))


def derivative(phi: str, u: float, h: float, r: float, beta: float) -> float:
    return float(derivative_at(code(phi), float(u), float(h), float(r), float(beta)))


for implementation, contract in ((value, spec.value), (derivative, spec.derivative)):
    bind(implementation, contract)
