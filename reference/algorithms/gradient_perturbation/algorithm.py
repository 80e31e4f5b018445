"""Gradient perturbation, literally: noisy gradients of the whole smoothed empirical risk, their average iterate, projected."""

from typing import Any

from dpsco.reference.algorithms.dp_sgd.algorithm import Vector, average, checked, path, travelled
from dpsco.reference.literal import literal
from dpsco.reference.losses.quantile.smoothing import gradient
from dpsco.spec.algorithms.gradient_perturbation import algorithm as spec
from dpsco.spec.numbers import Numbers, Real


def projected(m: Numbers, theta: Vector, B: Real) -> list[Real]:
    """The point of the ball of radius B that is nearest to theta.

    theta min(1, B/|theta|)

    Domain   theta: d numbers, B > 0 (decision)
    Returns  d numbers (decision)
    """
    size = m.norm(theta)
    return [B * t / size for t in theta] if m.gt(size, B) else list(theta)


@literal(spec.iterates)
def iterates(
    m: Numbers, kernel: str, X: Any, y: Any, normals: Any, eta: Real, h: Real, r: Real, sigma: Real
) -> tuple[list[list[Real]], Real]:
    d = checked(X, y, normals)

    def noisy(t: int, theta: list[Real]) -> list[Real]:
        mean, _ = gradient(m, kernel, X, y, theta, h, r)
        return [g + sigma * w for g, w in zip(mean, normals[t], strict=True)]

    return path(m, d, len(normals), eta, noisy), travelled(m, X, normals, eta, sigma)


@literal(spec.descend)
def descend(
    m: Numbers, kernel: str, X: Any, y: Any, normals: Any, eta: Real, h: Real, r: Real, sigma: Real, B: Real
) -> tuple[list[Real], Real]:
    found, size = iterates(m, kernel, X, y, normals, eta, h, r, sigma)
    return projected(m, average(m, found), B), size
