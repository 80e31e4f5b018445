"""Output perturbation of the sample quantile, in doubles."""

from typing import Any

from dpsco.fast.algorithms.sample_average import empirical_quantile
from dpsco.fast.kernel import bind
from dpsco.spec.algorithms import output_perturbation as spec

Array = Any


def release(y: Array, normal: float, r: float, sigma: float) -> float:
    if not sigma >= 0:
        raise ValueError(f"sigma={sigma}: must be at least 0")
    return empirical_quantile(y, r) + float(sigma) * float(normal)


bind(release, spec.release)
