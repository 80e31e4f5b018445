"""Norms l_u, the mirror map of their squares, its inverse, Bregman divergences and one proximal step, in doubles.

Entries are scaled by a power of two first, exactly, so that no power over- or underflows and |x_j|^(u-1) does not multiply a
rounding error by u - 1. One power a coordinate: |x_j|^u is |x_j| times |x_j|^(u-1).
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.privacy.gaussian import product
from dpsco.spec.analysis.geometry import regularity as spec

LARGEST_INDEX = 1000.0
"""Beyond it powers of entries in [1/2, 1] underflow: they are taken of entries over the largest one, see `share`."""
LN2 = math.log(2.0)
TINY = 1e-280
"""Powers below it are taken with their exponents apart."""


@kernel()
def scale(x: Any) -> Any:
    """Two powers of two whose product takes the largest |x_j| into [1/2, 1); 0, 0 for the zero vector."""
    largest = 0.0
    for a in x:
        largest = max(largest, abs(a))
    if largest == 0.0:
        return 0.0, 0.0
    exponent = math.frexp(largest)[1]
    half = exponent // 2
    return math.ldexp(1.0, -half), math.ldexp(1.0, half - exponent)


@kernel()
def powers(x: Any, first: float, second: float, exponent: float, rest: float, found: Any) -> Any:
    """found_j = |y_j|^(exponent (1 + rest)), y the scaled x; the sum of |y_j| found_j, the least for x_j not 0."""
    total, least, lost = 0.0, 1.0, exponent * rest * LN2
    for j in range(x.size):
        y = abs(x[j]) * first * second
        power = y if exponent == 1.0 else y**exponent
        if lost != 0.0:  # what the exponent lost in rounding, times ln y to within ln 2: the exponent in y's bits
            power *= 1.0 + lost * float((np.float64(y).view(np.int64) >> 52) - 1023)
        found[j] = power
        total += y * power
        if x[j] != 0.0:
            least = min(least, power)
    return total, least


@kernel()
def length(x: Any, index: float, found: Any) -> float:
    first, second = scale(x)
    if first == 0.0:
        return 0.0
    if index > LARGEST_INDEX:
        largest, whole = largest_entry(x), 0.0
        for a in x:
            whole += share(a, largest, index)
        return largest * whole ** (1.0 / index)
    total, _ = powers(x, first, second, index - 1.0, 0.0, found)
    root = math.sqrt(total) if index == 2.0 else total if index == 1.0 else total ** (1.0 / index)
    return root / first / second


@kernel()
def largest_entry(x: Any) -> float:
    largest = 0.0
    for a in x:
        largest = max(largest, abs(a))
    return largest


@kernel()
def share(a: float, largest: float, exponent: float) -> float:
    """(|a|/largest)^exponent for a large exponent: near 1 the difference is exact, and the logarithm of the share with it."""
    size = abs(a)
    if size == 0.0:
        return 0.0
    return math.exp(exponent * (math.log1p((size - largest) / largest) if 2.0 * size >= largest else math.log(size / largest)))


@kernel()
def steep(x: Any, kappa: float, exponent: float, power: float, found: Any) -> None:
    """`gradient` for an exponent beyond `LARGEST_INDEX`: by shares of the largest entry, in halves that do not underflow."""
    largest, total = largest_entry(x), 0.0
    for j in range(x.size):
        total += share(x[j], largest, exponent + 1.0)
    factor = kappa * total**power
    for j in range(x.size):
        half = share(x[j], largest, 0.5 * exponent)
        found[j] = math.copysign((half * largest) * (half * factor), x[j])


@kernel()
def distant(a: float, shift: int, exponent: float, rest: float, factor: float) -> float:
    """factor unit (|a|/unit)^(exponent (1 + rest)), unit = 2^(shift - 1), where |a|/unit or its power is below the doubles."""
    fraction, places = math.frexp(abs(a))
    high, low = product(float(places - shift + 1), exponent)
    whole = math.floor(high)
    low += high * rest
    if whole + shift < -2000:
        return 0.0
    return math.ldexp(factor * fraction**exponent * 2.0 ** (high - whole) * (1.0 + LN2 * low), int(whole) + shift - 1)


@kernel()
def gradient(x: Any, kappa: float, exponent: float, rest: float, power: float, found: Any) -> None:
    """found = kappa |x|^(2-u) sign(x) |x|^(u-1), exponent (1 + rest) = u - 1, power = (2 - u)/u."""
    first, second = scale(x)
    if first == 0.0:
        for j in range(x.size):
            found[j] = 0.0
        return
    if exponent > LARGEST_INDEX:
        steep(x, kappa, exponent, power, found)
        return
    total, least = powers(x, first, second, exponent, rest, found)
    factor = kappa if power == 0.0 else kappa * total**power
    back, again = 1.0 / first, 1.0 / second
    if least > TINY:
        for j in range(x.size):
            found[j] = math.copysign(factor * found[j] * back * again, x[j])
        return
    for j in range(x.size):
        if found[j] > TINY or x[j] == 0.0:
            found[j] = math.copysign(factor * found[j] * back * again, x[j])
        else:
            shift = math.frexp(back)[1] + math.frexp(again)[1] - 1  # their product may be 2^1024
            found[j] = math.copysign(distant(x[j], shift, exponent, rest, factor), x[j])


@kernel()
def exponents(index: float) -> Any:
    """v - 1 = 1/(index - 1) in a double and what it lost, relatively; (2 - v)/v = (index - 2)/index; v = index/(index - 1)."""
    below = index - 1.0
    exponent = 1.0 / below
    back, error = product(below, exponent)
    return exponent, (1.0 - back) - error, (index - 2.0) / index


@kernel()
def mirrored(x: Any, kappa: float, index: float, found: Any) -> None:
    gradient(x, kappa, index - 1.0, 0.0, (2.0 - index) / index, found)


@kernel()
def unmirrored(x: Any, kappa: float, index: float, found: Any) -> None:
    exponent, rest, power = exponents(index)
    gradient(x, 1.0 / kappa, exponent, rest, power, found)


@kernel()
def stepped(z: Any, slope: Any, kappa: float, index: float, radius: float, y: Any, found: Any) -> None:
    """The proximal step into `found`; `y` is room for d numbers."""
    mirrored(z, kappa, index, y)
    for j in range(z.size):
        y[j] -= slope[j]
    unmirrored(y, kappa, index, found)
    if radius < math.inf:
        size = length(found, index, y)
        if size > radius:
            for j in range(z.size):
                found[j] *= radius / size


@kernel()
def divergence(x: Any, z: Any, kappa: float, index: float, room: Any) -> float:
    here, there = length(x, index, room), length(z, index, room)
    mirrored(z, kappa, index, room)
    total, lost = 0.5 * kappa * here * here - 0.5 * kappa * there * there, 0.0
    for j in range(x.size):
        term = -room[j] * (x[j] - z[j]) - lost
        raised = total + term
        lost = (raised - total) - term
        total = raised
    return max(total, 0.0)


def vector(name: str, x: Any) -> Any:
    """The argument as an array of finite doubles with at least one entry; ValueError otherwise."""
    found = np.ascontiguousarray(x, dtype=np.float64)
    if found.ndim != 1 or found.size == 0 or not np.isfinite(found).all():
        raise ValueError(f"{name} is a vector of at least one finite number, got shape {found.shape}")
    return found


def checked(kappa: float, index: float) -> tuple[float, float]:
    """Weight and index of a potential as doubles; ValueError for others."""
    if not 0.0 < kappa < math.inf:
        raise ValueError(f"kappa={kappa}: a positive finite number is allowed")
    if not 1.0 < index < math.inf:
        raise ValueError(f"index={index}: 1 < index < inf is allowed, other norms have no mirror map")
    return float(kappa), float(index)


def within(name: str, found: Any) -> Any:
    """What was found; ValueError where it is beyond the doubles."""
    if not np.isfinite(found).all():
        raise ValueError(f"{name} is beyond the doubles: arguments so large, or a kappa so far from 1, are not allowed")
    return found


def norm(x: Any, index: float) -> float:
    entries = vector("x", x)
    if not index >= 1.0:
        raise ValueError(f"index={index}: 1 <= index <= inf is allowed")
    return float(length(entries, float(index), np.empty(entries.size)))


def mirror(x: Any, kappa: float, index: float) -> Any:
    entries = vector("x", x)
    found = np.empty(entries.size)
    mirrored(entries, *checked(kappa, index), found)
    return within("mirror(x)", found)


def inverse_mirror(x: Any, kappa: float, index: float) -> Any:
    entries = vector("x", x)
    found = np.empty(entries.size)
    unmirrored(entries, *checked(kappa, index), found)
    return within("inverse_mirror(x)", found)


def bregman(x: Any, z: Any, kappa: float, index: float) -> float:
    one, other = vector("x", x), vector("z", z)
    if one.size != other.size:
        raise ValueError(f"x and z have one length, got {one.size} and {other.size}")
    first, second = scale(np.concatenate((one, other)))
    if first == 0.0:
        first = second = 1.0
    one, other = one * first * second, other * first * second  # a power of two: no square over- or underflows
    found = float(divergence(one, other, *checked(kappa, index), np.empty(one.size)))
    return float(within("bregman(x, z)", found / first / second / first / second))


def step(z: Any, slope: Any, kappa: float, index: float, radius: float = math.inf) -> Any:
    """One proximal step in the l_index ball: the minimiser of <slope, x> + D_Phi(x, z) over |x| <= radius.

    inverse_mirror(mirror(z) - slope), shortened to the length `radius` where it is longer

    Domain   z, slope (d,) finite; kappa > 0; 1 < index < inf; radius > 0, inf for the whole space
    Returns  d numbers, in the unit of z; z - slope/kappa for index = 2 and radius = inf
    Raises   ValueError for other values
    Source   first-order condition, see the reference
    """
    start, push = vector("z", z), vector("slope", slope)
    if start.size != push.size:
        raise ValueError(f"z and slope have one length, got {start.size} and {push.size}")
    if not radius > 0.0:
        raise ValueError(f"radius={radius}: a positive number or inf is allowed")
    found = np.empty(start.size)
    stepped(start, push, *checked(kappa, index), float(radius), np.empty(start.size), found)
    return within("the step", found)


def potential_of(p: float, d: int) -> tuple[float, float]:
    """Weight kappa and index u for which (kappa/2) |x|_u^2 is 1-strongly convex with respect to l_p^d.

    u = r/(r-1), kappa = (r-1) d^{2/r - 2/q}, r = min(q, max(2, 2 ln d)), q = p/(p-1) for p < 2; kappa = 1, u = 2 for p >= 2

    Domain   1 <= p <= inf, d >= 1 an integer; on the line every l_p is the absolute value
    Returns  (kappa, u), 1 < u <= 2; kappa at most min(1/(p-1), 2 e ln d) for p < 2 and d >= 2
    Raises   ValueError for other values
    Source   see the reference
    """
    if not p >= 1.0:
        raise ValueError(f"p={p}: 1 <= p <= inf is allowed")
    if not (float(d).is_integer() and d >= 1):
        raise ValueError(f"d={d}: an integer of at least 1 is allowed")
    if p >= 2.0 or d == 1:
        return 1.0, 2.0
    q = math.inf if p == 1.0 else p / (p - 1.0)
    r = min(q, max(2.0, 2.0 * math.log(d)))
    return (r - 1.0) * float(d) ** (2.0 / r - 2.0 / q), p if r == q else r / (r - 1.0)


for _function, _contract in ((norm, spec.norm), (mirror, spec.mirror), (inverse_mirror, spec.inverse_mirror)):
    bind(_function, _contract)
bind(bregman, spec.bregman)
