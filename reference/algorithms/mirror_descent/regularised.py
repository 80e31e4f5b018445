"""Regularised mirror descent, literally: full gradients with noise, proximal steps over the whole space, a weighted average."""

from typing import Any

from dpsco.reference.algorithms.mirror_descent.proximal_step import proximal_step
from dpsco.reference.analysis.geometry.regularity import mirror, norm
from dpsco.reference.literal import literal
from dpsco.reference.losses.quantile.smoothing import gradient
from dpsco.spec.algorithms.mirror_descent import regularised as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.iterates)
def iterates(
    m: Numbers,
    kernel: str,
    X: Any,
    y: Any,
    noise: Any,
    kappa: Real,
    index: Real,
    alpha: Real,
    beta: Real,
    h: Real,
    r: Real,
) -> tuple[list[list[Real]], Real]:
    w, found, size = [m.real(0)] * len(X[0]), [], m.real(0)
    for noise_t in noise:
        mean, terms = gradient(m, kernel, X, y, w, h, r)
        noisy = [g + z for g, z in zip(mean, noise_t, strict=True)]
        size = size + reach(m, w, terms, noise_t, kappa, index, alpha, beta)
        w = proximal_step(m, w, noisy, kappa, index, alpha, beta)
        found.append(w)
    return found, size


def reach(m: Numbers, w: Any, terms: Any, noise: Any, kappa: Real, index: Real, alpha: Real, beta: Real) -> Real:
    """How far a step moves if the terms of its dual point add up without cancelling: roundings are of this size.

    |beta |grad Phi(w)| + terms + |noise||_* / ((alpha + beta) kappa c), c = min(1, index - 1)

    Domain   as of the step; terms: d, sums of |terms| of the gradient
    Returns  a number in decisions
    Source   Phi is kappa (index - 1)-strongly convex in l_index, 1 < index <= 2, so the inverse mirror map is Lipschitz
    """
    parts = [beta * m.abs(z) + t + m.abs(g) for z, t, g in zip(mirror(m, w, kappa, index), terms, noise, strict=True)]
    return norm(m, parts, index / (index - 1)) / ((alpha + beta) * kappa * m.min(m.real(1), index - 1))


@literal(spec.descend)
def descend(
    m: Numbers,
    kernel: str,
    X: Any,
    y: Any,
    noise: Any,
    kappa: Real,
    index: Real,
    alpha: Real,
    beta: Real,
    h: Real,
    r: Real,
) -> tuple[list[Real], Real]:
    found, size = iterates(m, kernel, X, y, noise, kappa, index, alpha, beta, h, r)
    return averaged(m, found, alpha, beta), size


def averaged(m: Numbers, found: Any, alpha: Real, beta: Real) -> list[Real]:
    """The average of w_2, ..., w_{T+1} with weight `spec.weight` at t = 1, ..., T.

    Domain   found: T x d, alpha >= 0, beta > 0
    Returns  d numbers (decision)
    """
    return weighted_average(m, [spec.weight(m, alpha=alpha, beta=beta, t=m.real(t)) for t in range(1, len(found) + 1)], found)


def weighted_average(m: Numbers, weights: Any, rows: Any) -> list[Real]:
    """sum of w_t x_t / sum of w_t, coordinate by coordinate.

    Domain   weights: T >= 1 positive numbers, rows: T x d
    Returns  d numbers in the rows' unit
    """
    total = sum(weights[1:], start=weights[0])
    return [m.dot(weights, column) / total for column in zip(*rows, strict=True)]
