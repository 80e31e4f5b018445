"""Output perturbation of the sample quantile, literally."""

from typing import Any

from dpsco.reference.algorithms.sample_average import empirical_quantile
from dpsco.reference.literal import literal
from dpsco.spec.algorithms import output_perturbation as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.release)
def release(m: Numbers, y: Any, normal: Real, r: Real, sigma: Real) -> tuple[Real, Real]:
    if not m.ge(sigma, 0):
        raise ValueError(f"sigma={sigma}: must be at least 0")
    order, noise = empirical_quantile(m, y, r), sigma * normal
    return order + noise, m.abs(order) + m.abs(noise)
