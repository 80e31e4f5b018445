"""Stochastic gradient perturbation, literally: the average of DP-SGD's iterates, projected onto the ball."""

from typing import Any

from dpsco.reference.algorithms.dp_sgd import algorithm as sgd
from dpsco.reference.algorithms.gradient_perturbation.algorithm import projected
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.dp_sgd import stochastic_gradient_perturbation as spec
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.numbers import Numbers, Real


@literal(spec.descend)
def descend(
    m: Numbers, kernel: Kernel, X: Any, y: Any, indices: Any, normals: Any, eta: Real, h: Real, r: Real, sigma: Real, B: Real
) -> tuple[list[Real], Real]:
    mean, size = sgd.descend(m, kernel, X, y, indices, normals, eta, h, r, sigma)
    return projected(m, mean, B), size
