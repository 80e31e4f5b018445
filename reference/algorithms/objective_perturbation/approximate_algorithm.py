"""Approximate objective perturbation over a ball, literally: the least ridge whose minimiser fits, and a certified accuracy."""

from collections.abc import Sequence
from typing import Any

from dpsco.reference.algorithms.objective_perturbation import algorithm
from dpsco.reference.algorithms.objective_perturbation.algorithm import gradient, promoted
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.objective_perturbation import approximate_algorithm as spec
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.numbers import Numbers, Real

HALVINGS = 200
"""Bisections of the multiplier after which the solver gives back what it has."""


def projected(m: Numbers, point: Sequence[Real], radius: Real) -> list[Real]:
    """point min(1, radius/|point|)."""
    length = m.sqrt(m.dot(point, point))
    return list(point) if m.le(length, radius) else [x * radius / length for x in point]


def accuracy(m: Numbers, slope: Sequence[Real], theta: Sequence[Real], lambda_: Real, radius: Real) -> Real:
    """A bound of J(theta) - min over the ball, J being 2 lambda-strongly convex with the gradient `slope` at theta.

    max over |v| <= radius of <slope, theta - v> - lambda |theta - v|^2, at v the projection of theta - slope/(2 lambda)
    """
    v = projected(m, [t - s / (2 * lambda_) for t, s in zip(theta, slope, strict=True)], radius)
    step = [t - x for t, x in zip(theta, v, strict=True)]
    return m.dot(slope, step) - lambda_ * m.dot(step, step)


@literal(spec.minimise)
def minimise(
    m: Numbers, kernel: Kernel, X: Any, y: Any, G: Any, h: Any, r: Any, lambda_: Any, radius: Any, alpha: Any
) -> tuple[list[Real], Real]:
    rows, outcomes, noise = promoted(m, X), [m.real(t) for t in y], [m.real(z) for z in G]
    width, level, ridge, size, small = (m.real(x) for x in (h, r, lambda_, radius, alpha))
    # unconstrained J - min J <= |grad J|^2/(4 lambda)
    tolerance = m.sqrt(ridge * small)
    least = tolerance / 10**8  # no finer than the context's digits allow

    def reached(multiplier: Real) -> tuple[list[Real], Real, Real]:
        """The minimiser of J + multiplier |theta|^2, its projection's accuracy for J, its length."""
        given = (kernel, rows, outcomes, noise, width, level, ridge + multiplier, tolerance)
        free, _ = algorithm.solve(m, *given)
        theta = projected(m, free, size)
        slope = gradient(m, kernel, rows, outcomes, noise, width, level, ridge, theta)
        return theta, accuracy(m, slope, theta, ridge, size), m.sqrt(m.dot(free, free))

    theta, gap, length = reached(m.real(0))
    if m.le(gap, small):
        return theta, gap
    # the multiplier of |theta| <= radius: the length falls as it grows
    low, high = m.real(0), ridge
    while m.gt(length, size) and m.gt(gap, small):
        low, high = high, 4 * high
        theta, gap, length = reached(high)
    for _ in range(HALVINGS):
        if m.le(gap, small):
            break
        middle = (low + high) / 2
        theta, gap, length = reached(middle)
        low, high = (middle, high) if m.gt(length, size) else (low, middle)
        tolerance = m.max(tolerance / 2, least)
    return theta, gap


@literal(spec.project)
def project(m: Numbers, theta: Any, H: Any, radius: Any) -> tuple[list[Real], list[Real]]:
    before = [m.real(t) for t in theta]
    noise = [m.real(z) for z in H]
    moved = [t + z for t, z in zip(before, noise, strict=True)]
    after = projected(m, moved, m.real(radius))
    share = m.norm(after) / m.norm(moved) if m.gt(m.norm(moved), 0) else m.real(1)
    return after, [share * (m.abs(t) + m.abs(z)) for t, z in zip(before, noise, strict=True)]


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """The certified accuracy at an answer (theta, ...) of any implementation over the alpha asked for; infinite off the ball.

    Domain   inputs: what the contract `minimise` takes, by name; answer: doubles
    """
    h, r, ridge, radius = (m.real(inputs[name]) for name in ("h", "r", "lambda_", "radius"))
    theta = [m.real(float(t)) for t in answer[0]]
    if m.gt(m.sqrt(m.dot(theta, theta)), radius * (1 + m.real(2) ** -50)):
        return m.inf
    y, noise = [m.real(t) for t in inputs["y"]], [m.real(z) for z in inputs["G"]]
    slope = gradient(m, inputs["kernel"], promoted(m, inputs["X"]), y, noise, h, r, ridge, theta)
    return accuracy(m, slope, theta, ridge, radius) / m.real(inputs["alpha"])
