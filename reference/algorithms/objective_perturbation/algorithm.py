"""Objective perturbation, literally: the perturbed objective, its derivatives, and Newton's method at any precision."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.objective_perturbation import algorithm as spec
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.quantile.smoothing import gradient_factor, second, smoothed
from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]
Matrix: TypeAlias = Sequence[Vector]
STEPS = 10_000
"""Newton steps after which the solver gives back what it has: far beyond what any tested problem takes."""


def promoted(m: Numbers, rows: Any) -> list[list[Real]]:
    """The same doubles as numbers of the context."""
    return [[m.real(x) for x in row] for row in rows]


def objective(
    m: Numbers, kernel: Kernel, X: Matrix, y: Vector, b: Vector, h: Real, r: Real, lambda_: Real, theta: Vector
) -> Real:
    """The perturbed objective at theta.

    J(theta) = (1/n) sum_i c_h(y_i - <x_i, theta>) + lambda |theta|^2 + <b, theta>/n

    Returns  a number in units of the loss
    Source   quantile, Algorithm 2, step 3
    """
    n = len(y)
    risk = sum((smoothed(m, kernel, t - m.dot(x, theta), h, r) for x, t in zip(X, y, strict=True)), start=m.real(0)) / n
    return (
        risk
        + spec.regulariser(m, lambda_=lambda_, norm=m.sqrt(m.dot(theta, theta)))
        + spec.perturbation(m, b_dot_theta=m.dot(b, theta), n=n)
    )


def gradient(
    m: Numbers, kernel: Kernel, X: Matrix, y: Vector, b: Vector, h: Real, r: Real, lambda_: Real, theta: Vector
) -> list[Real]:
    """Gradient of the perturbed objective.

    grad J = (1/n) sum_i (calK_h(<x_i, theta> - y_i) - r) x_i + 2 lambda theta + b/n

    Returns  d numbers in loss/decision
    """
    n = len(y)
    slopes = [gradient_factor(m, kernel, t - m.dot(x, theta), h, r) for x, t in zip(X, y, strict=True)]
    return [
        sum((slope * x[j] for slope, x in zip(slopes, X, strict=True)), start=m.real(0)) / n + 2 * lambda_ * theta[j] + b[j] / n
        for j in range(len(theta))
    ]


def hessian(m: Numbers, kernel: Kernel, X: Matrix, y: Vector, h: Real, lambda_: Real, theta: Vector) -> list[list[Real]]:
    """Hessian of the perturbed objective (one-sided where the kernel jumps).

    H = (1/n) sum_i K_h(y_i - <x_i, theta>) x_i x_i' + 2 lambda I

    Returns  d x d numbers in loss/decision^2
    """
    n, d = len(y), len(theta)
    bends = [second(m, kernel, t - m.dot(x, theta), h) for x, t in zip(X, y, strict=True)]
    return [
        [
            sum((bend * x[j] * x[k] for bend, x in zip(bends, X, strict=True)), start=m.real(0)) / n
            + (2 * lambda_ if j == k else 0)
            for k in range(d)
        ]
        for j in range(d)
    ]


def solve_positive(m: Numbers, A: Matrix, v: Vector) -> list[Real]:
    """x with A x = v for a symmetric positive definite A, by Cholesky's factorisation."""
    d = len(v)
    low = [[m.real(0)] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            rest = A[i][j] - sum((low[i][k] * low[j][k] for k in range(j)), start=m.real(0))
            low[i][j] = m.sqrt(rest) if i == j else rest / low[j][j]
    x = list(v)
    for i in range(d):
        x[i] = (x[i] - sum((low[i][k] * x[k] for k in range(i)), start=m.real(0))) / low[i][i]
    for i in reversed(range(d)):
        x[i] = (x[i] - sum((low[k][i] * x[k] for k in range(i + 1, d)), start=m.real(0))) / low[i][i]
    return x


@literal(spec.solve)
def solve(
    m: Numbers, kernel: Kernel, X: Any, y: Any, b: Any, h: Any, r: Any, lambda_: Any, tolerance: Any
) -> tuple[list[Real], Real]:
    rows, outcomes, noise = promoted(m, X), [m.real(t) for t in y], [m.real(z) for z in b]
    width, level, ridge, small = m.real(h), m.real(r), m.real(lambda_), m.real(tolerance)
    given = (m, kernel, rows, outcomes, noise, width, level, ridge)
    theta = [m.real(0)] * len(noise)
    at = objective(*given, theta)
    slope = gradient(*given, theta)
    norm = m.sqrt(m.dot(slope, slope))
    for _ in range(STEPS):
        if m.le(norm, small):
            break
        step = solve_positive(m, hessian(m, kernel, rows, outcomes, width, ridge, theta), slope)
        descent, length = m.dot(slope, step), m.real(1)
        while True:
            moved = [t - length * s for t, s in zip(theta, step, strict=True)]
            new, new_slope = objective(*given, moved), gradient(*given, moved)
            new_norm = m.sqrt(m.dot(new_slope, new_slope))
            # where digits run out in the objective, the gradient decides
            if m.le(new, at - length * descent / 4) or (m.eq(length, 1) and m.lt(2 * new_norm, norm)):
                break
            length = length / 2
            if m.lt(length, m.real(2) ** -200):
                return theta, norm
        theta, at, slope, norm = moved, new, new_slope, new_norm
    return theta, norm


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """Norm of the gradient at an answer (theta, norm) of any implementation, over the tolerance asked for.

    Domain   inputs: what the contract `solve` takes, by name; answer: doubles
    """
    h, r, ridge = (m.real(inputs[name]) for name in ("h", "r", "lambda_"))
    rows = promoted(m, inputs["X"])
    y, b = [m.real(t) for t in inputs["y"]], [m.real(z) for z in inputs["b"]]
    slope = gradient(m, inputs["kernel"], rows, y, b, h, r, ridge, [m.real(float(t)) for t in answer[0]])
    return m.sqrt(m.dot(slope, slope)) / m.real(inputs["tolerance"])
