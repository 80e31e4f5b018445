"""DP-SGD, literally: the path of a noisy descent, the gradient of one record, the average of the iterates."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.dp_sgd import algorithm as spec
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile.smoothing import gradient_factor
from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]
Noisy: TypeAlias = Callable[[int, list[Real]], Vector]
"""From the number of the step, counted from 0, and the iterate to a gradient with its noise."""


def path(m: Numbers, d: int, steps: int, eta: Real, noisy: Noisy) -> list[list[Real]]:
    """theta_1, ..., theta_T of a descent from zero along noisy gradients.

    theta_1 = 0, theta_{t+1} = theta_t - eta noisy(t - 1, theta_t)

    Domain   d, T - 1 = steps >= 0; `noisy` gives d numbers (loss/decision)
    Returns  T x d numbers (decision)
    Source   quantile, Algorithm 1; newsvendor, proof of Theorem 4
    """
    theta = [m.real(0)] * d  # 1
    found = [theta]
    for t in range(steps):  # 2
        theta = [a - eta * g for a, g in zip(theta, noisy(t, theta), strict=True)]  # 5
        found.append(theta)
    return found


def average(m: Numbers, found: Sequence[Vector]) -> list[Real]:
    """(theta_1 + ... + theta_T)/T. Source: quantile, Algorithm 1, step 7."""
    return [sum(column, start=m.real(0)) / len(found) for column in zip(*found, strict=True)]


def record_gradient(m: Numbers, kernel: Kernel, x: Vector, target: Real, theta: Vector, h: Real, r: Real) -> list[Real]:
    """Gradient of the smoothed loss of one record.

    [calK((theta'x - y)/h) - r] x

    Returns  d numbers in loss/decision
    Source   quantile, Algorithm 1, line after step 7; Lemma 3.1, part 1
    """
    factor = gradient_factor(m, kernel, target - m.dot(x, theta), h, r)
    return [factor * z for z in x]


def travelled(m: Numbers, X: Sequence[Vector], normals: Sequence[Vector], eta: Real, sigma: Real) -> Real:
    """An upper bound on the path's length, eta times the sum of (largest |x| + sigma |w_t|): what errors are measured by."""
    largest = m.max(*(m.norm(x) for x in X))
    return eta * sum((largest + sigma * m.norm(w) for w in normals), start=m.real(0))


def checked(X: Any, y: Any, normals: Any, indices: Any = ()) -> int:
    """The dimension d; ValueError where shapes do not fit or a draw is no record."""
    n = len(X)
    d = len(X[0]) if n else 0
    if not d or any(len(x) != d for x in X):
        raise ValueError("X has shape (n, d) with n and d at least 1, all rows of one length")
    if len(y) != n or any(len(w) != d for w in normals):
        raise ValueError(f"y and normals fit X of shape {(n, d)}, got {len(y)} outcomes and other noise vectors")
    if any(not 0 <= i < n for i in indices):
        raise ValueError(f"indices={list(indices)}: every draw is one of 0, ..., {n - 1}")
    return d


@literal(spec.iterates)
def iterates(
    m: Numbers, kernel: Kernel, X: Any, y: Any, indices: Any, normals: Any, eta: Real, h: Real, r: Real, sigma: Real
) -> tuple[list[list[Real]], Real]:
    d = checked(X, y, normals, indices)
    if len(indices) != len(normals):
        raise ValueError(f"one draw for each noise vector, got {len(indices)} draws and {len(normals)} vectors")

    def noisy(t: int, theta: list[Real]) -> list[Real]:
        i = indices[t]  # 3
        gradient = record_gradient(m, kernel, X[i], y[i], theta, h, r)
        return [g + sigma * w for g, w in zip(gradient, normals[t], strict=True)]  # 4

    return path(m, d, len(indices), eta, noisy), travelled(m, X, normals, eta, sigma)


@literal(spec.descend)
def descend(
    m: Numbers, kernel: Kernel, X: Any, y: Any, indices: Any, normals: Any, eta: Real, h: Real, r: Real, sigma: Real
) -> tuple[list[Real], Real]:
    found, size = iterates(m, kernel, X, y, indices, normals, eta, h, r, sigma)
    return average(m, found), size  # 7
