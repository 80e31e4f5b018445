"""Stochastic gradient perturbation in doubles: the average of DP-SGD's iterates, projected onto the ball."""

from typing import Any

from dpsco.fast.algorithms.dp_sgd import algorithm as sgd
from dpsco.fast.algorithms.gradient_perturbation.algorithm import projected
from dpsco.fast.kernel import bind
from dpsco.spec.algorithms.dp_sgd import stochastic_gradient_perturbation as spec
from dpsco.spec.losses.kernels import Kernel

Array = Any


def descend(
    kernel: Kernel,
    X: Array,
    y: Array,
    indices: Array,
    normals: Array,
    eta: float,
    h: float,
    r: float,
    sigma: float,
    B: float,
) -> Array:
    return projected(sgd.descend(kernel, X, y, indices, normals, eta, h, r, sigma), float(B))


bind(descend, spec.descend)
