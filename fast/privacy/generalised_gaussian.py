"""Generalised Gaussian noise in doubles, from signs, gamma weights and a radius that the caller drew."""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.privacy.gaussian import product
from dpsco.spec.privacy import generalised_gaussian as spec

LN2 = math.log(2.0)


@kernel()
def scaled(signs: Any, weights: Any, radius: float, index: float, sigma: float) -> Any:
    total = 0.0
    for weight in weights:
        total += weight
    inverse = 1.0 / index
    back, error = product(index, inverse)
    rest = ((1.0 - back) - error) * inverse * LN2  # what 1/index loses counts ln(ratio) times, to a factor near 1
    found = np.empty(weights.size)
    for j in range(weights.size):
        ratio = weights[j] / total
        share = ratio**inverse * (1.0 + rest * (math.frexp(ratio)[1] - 0.5)) if ratio > 0.0 else 0.0
        found[j] = sigma * (radius * (signs[j] * share))
    return found


def noise(signs: Any, weights: Any, radius: float, index: float, sigma: float) -> Any:
    directions, sizes = (np.ascontiguousarray(a, dtype=np.float64) for a in (signs, weights))
    if sizes.ndim != 1 or sizes.size == 0 or directions.shape != sizes.shape:
        raise ValueError(f"signs and weights have one shape (d,), d at least 1, got {directions.shape} and {sizes.shape}")
    if not (np.abs(directions) == 1.0).all():
        raise ValueError("signs are +1 or -1")
    if not ((sizes >= 0.0) & (sizes < math.inf)).all() or not 0.0 < sizes.sum() < math.inf:
        raise ValueError("weights are not negative and their sum is positive and finite")
    if not (radius >= 0.0 and index >= 1.0 and sigma > 0.0):
        raise ValueError(f"radius={radius}, index={index}, sigma={sigma}: radius >= 0, index >= 1 and sigma > 0 are allowed")
    return scaled(directions, sizes, float(radius), float(index), float(sigma))


bind(noise, spec.noise)
