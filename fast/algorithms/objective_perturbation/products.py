"""Several products in doubles: the budget split by the printed formulas, then one objective perturbation for each."""

from typing import Any

import numpy as np

from dpsco.fast.algorithms.objective_perturbation.algorithm import solve
from dpsco.fast.doubles import DOUBLES
from dpsco.fast.kernel import bind
from dpsco.spec.algorithms.objective_perturbation import products as spec
from dpsco.spec.algorithms.objective_perturbation.newsvendor_privacy import sigma_lemma
from dpsco.spec.losses.kernels import Kernel

Array = Any


def policies(
    kernel: Kernel,
    X: Array,
    Y: Array,
    normals: Array,
    h: float,
    r: Array,
    lambda_: float,
    epsilon: float,
    delta: float,
    B_x: float,
    tolerance: float,
) -> tuple[Array, Array]:
    demands, vectors = (np.ascontiguousarray(a, dtype=np.float64) for a in (Y, normals))
    levels = [float(level) for level in r]
    S = len(demands)
    if not S == len(vectors) == len(levels):
        raise ValueError(f"one noise vector and one level for each product, got {S}, {len(vectors)} and {len(levels)}")
    epsilon_0 = spec.epsilon_product(DOUBLES, S=S, epsilon=float(epsilon), delta=float(delta))
    delta_0 = spec.delta_product(DOUBLES, S=S, delta=float(delta))
    sigmas = [sigma_lemma(DOUBLES, epsilon=epsilon_0, delta=delta_0, L=max(level, 1 - level) * float(B_x)) for level in levels]
    found = [
        solve(kernel, X, y, sigma * z, h, level, lambda_, tolerance)
        for y, z, sigma, level in zip(demands, vectors, sigmas, levels, strict=True)
    ]
    return np.array([theta for theta, _ in found]), np.array([norm for _, norm in found])


bind(policies, spec.policies)
