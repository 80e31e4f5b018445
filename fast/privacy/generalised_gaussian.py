"""Generalised Gaussian noise in doubles, from signs, gamma weights and a radius that the caller drew.

The power is e^{ln(ratio)/index} with logarithm and quotient to more than a double, in one loop without branches; what is
too small for it is mended afterwards.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.elementary import HALF_OF_BITS, LN2_HIGH, LN2_LOW, LOG, exp_minus
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.privacy.gaussian import product
from dpsco.spec.privacy import generalised_gaussian as spec

LN2 = math.log(2.0)
LEAST = 1e-300
"""Shares of the weights from here on have logarithms by the bits; below, they are taken by the library."""
SPLIT = 134217729.0
FINE, SHAPES, SIGNS, WEIGHTS, SUM, LAW = range(6)


@kernel(fastmath={"contract"})
def powers(weights: Any, total: float, first: float, second: float, rest: float, size: float, extra: float, found: Any) -> None:
    """found_j = size (weights_j/total)^(first + second), first of few bits.

    rest and extra: what the exponent and the size lost in rounding, relatively.
    """
    whole = first + second
    for j in range(weights.size):
        ratio = weights[j] / total
        ratio = ratio if ratio > LEAST else LEAST
        bits = np.float64(ratio).view(np.int64)
        k = (bits - HALF_OF_BITS) >> 52
        f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
        s = f / (2.0 + f)
        z = s * s
        q = LOG[6]
        for i in range(5, -1, -1):
            q = q * z + LOG[i]
        # ln(ratio) = high + low, by two sums without error
        large, small = k * LN2_HIGH, s * z * q + k * LN2_LOW
        most = large + 2.0 * s
        high = most + small
        low = (2.0 * s - (most - large)) + (small - (high - most))
        # times the exponent
        power = whole * high
        cut = SPLIT * high
        one = cut - (cut - high)
        two = high - one
        low = (((first * one - power) + first * two + second * one) + second * two) + whole * low + power * rest
        rough = size * exp_minus(-power)
        found[j] = rough + rough * (low + extra)


@kernel()
def scaled(signs: Any, weights: Any, radius: float, index: float, sigma: float, found: Any) -> int:
    """The noise into `found`; FINE or what is wrong with the draws."""
    if weights.size == 0 or signs.size != weights.size:
        return SHAPES
    if not (radius >= 0.0 and index >= 1.0 and sigma > 0.0):
        return LAW
    total, off, signed, sized = 0.0, 0.0, True, True
    for j in range(weights.size):
        more = total + weights[j]
        back = more - total
        off += (total - (more - back)) + (weights[j] - back)
        total = more
        signed &= abs(signs[j]) == 1.0
        sized &= weights[j] >= 0.0
    if not signed:
        return SIGNS
    if not sized or not 0.0 < total < math.inf:
        return WEIGHTS
    inverse = 1.0 / index
    back, error = product(index, inverse)
    rest = (1.0 - back) - error
    cut = SPLIT * inverse
    first = cut - (cut - inverse)
    size, lost = product(sigma, radius)
    near = 1e-250 < size < 1e250
    if near:
        powers(weights, total, first, inverse - first, rest, size, lost / size - inverse * (off / total), found)
    else:
        powers(weights, total, first, inverse - first, rest, 1.0, 0.0, found)
    for j in range(weights.size):
        ratio = weights[j] / total
        if ratio < LEAST:
            lost = rest * inverse * LN2 * (math.frexp(ratio)[1] - 0.5)  # ln(ratio), to a factor near 1
            found[j] = ratio**inverse * (1.0 + lost) * (size if near else 1.0) if ratio > 0.0 else 0.0
        found[j] = signs[j] * found[j] if near else sigma * (radius * (signs[j] * found[j]))
    return FINE


@kernel()
def each(signs: Any, weights: Any, radii: Any, index: float, sigma: float, found: Any) -> int:
    """`scaled` for every row, up to the first that is wrong."""
    for t in range(radii.size):
        wrong = scaled(signs[t], weights[t], radii[t], index, sigma, found[t])
        if wrong != FINE:
            return wrong
    return FINE


def refused(wrong: int, signs: Any, weights: Any, radius: object, index: object, sigma: object) -> ValueError:
    """What to raise."""
    if wrong == SIGNS:
        return ValueError("signs are +1 or -1")
    if wrong == WEIGHTS:
        return ValueError("weights are not negative and their sum is positive and finite")
    if wrong == LAW:
        said = f"radius={radius}, index={index}, sigma={sigma}"
        return ValueError(f"{said}: radius >= 0, index >= 1 and sigma > 0 are allowed")
    return ValueError(f"signs and weights have one shape, d at least 1, got {signs.shape} and {weights.shape}")


def noise(signs: Any, weights: Any, radius: float, index: float, sigma: float) -> Any:
    directions, sizes = np.asarray(signs, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    found = np.empty(sizes.shape)
    wrong = scaled(directions, sizes, radius, index, sigma, found) if directions.ndim == sizes.ndim == 1 else SHAPES
    if wrong != FINE:
        raise refused(wrong, directions, sizes, radius, index, sigma)
    return found


def noises(signs: Any, weights: Any, radii: Any, index: float, sigma: float) -> Any:
    """`noise` for T draws in one call, row by row: for short rows a call costs more than its arithmetic.

    Domain   signs, weights (T, d), radii (T,), each row as there
    Returns  (T, d) numbers, in the unit of sigma
    Raises   ValueError as there
    Source   as there
    """
    directions, sizes = np.ascontiguousarray(signs, dtype=np.float64), np.ascontiguousarray(weights, dtype=np.float64)
    lengths, found = np.ascontiguousarray(radii, dtype=np.float64), np.empty(sizes.shape)
    fits = directions.ndim == sizes.ndim == 2 and directions.shape == sizes.shape and lengths.shape == sizes.shape[:1]
    wrong = each(directions, sizes, lengths, float(index), float(sigma), found) if fits else SHAPES
    if wrong != FINE:
        raise refused(wrong, directions, sizes, radii, index, sigma)
    return found


bind(noise, spec.noise)
