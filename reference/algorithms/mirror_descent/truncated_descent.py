"""Truncated mirror descent, literally: batches, gradients beyond the level set to zero, noise, proximal steps in a ball."""

from collections.abc import Callable
from typing import Any

from dpsco.reference.algorithms.dp_sgd.algorithm import average
from dpsco.reference.algorithms.mirror_descent.regularised import reach, weighted_average
from dpsco.reference.analysis.geometry.regularity import norm, step
from dpsco.reference.literal import literal
from dpsco.reference.losses.quantile.slopes import record_gradient
from dpsco.spec.algorithms.mirror_descent import truncated_descent as spec
from dpsco.spec.numbers import Numbers, Real

Vector = list[Real]


def kept(m: Numbers, gradient: Vector, level: Real, dual: Real) -> Vector:
    """g_x: the gradient where its l_dual norm is at most the level, else zero (it is not shortened).

    Domain   gradient: d numbers, level >= 0 or infinite, 1 <= dual <= inf
    Returns  d numbers in the gradient's unit
    Source   lp, Algorithm 7, line 5
    """
    return gradient if m.le(norm(m, gradient, dual), level) is True else [m.real(0) for _ in gradient]


def descent(
    m: Numbers,
    d: int,
    batches: list[list[Callable[[Vector], Vector]]],
    weights: Any,
    kappa: Real,
    index: Real,
    radius: Real,
) -> tuple[Vector, Real]:
    """The weighted average of w_1, ..., w_T, and how far roundings may reach; a batch lists what is averaged, functions of w.

    Domain   d >= 1, T = len(batches) = len(weights) >= 1, batches not empty
    Returns  (d numbers, one number), in decisions
    """
    w, found, size = [m.real(0)] * d, [], m.real(0)
    for members, gamma in zip(batches, weights, strict=True):
        terms = [member(w) for member in members]
        mean = average(m, terms)
        spread = average(m, [[m.abs(a) for a in term] for term in terms])
        size = size + reach(m, w, spread, [m.real(0)] * d, kappa, index, m.real(0), gamma)
        w = step(m, w, [g / gamma for g in mean], kappa, index, radius)
        found.append(w)
    return weighted_average(m, [1 / gamma for gamma in weights], found), size


def divided(order: list[int], steps: int) -> list[list[int]]:
    """The records in batches of n/T, in their order; ValueError where T does not divide n."""
    if steps < 1 or len(order) % steps:
        raise ValueError(f"weights holds {steps} steps: a divisor of the {len(order)} records is allowed")
    size = len(order) // steps
    return [order[t * size : (t + 1) * size] for t in range(steps)]


@literal(spec.shuffled)
def shuffled(
    m: Numbers,
    kernel: str,
    X: Any,
    y: Any,
    order: Any,
    noise: Any,
    level: Real,
    weights: Any,
    kappa: Real,
    index: Real,
    dual: Real,
    radius: Real,
    h: Real,
    r: Real,
) -> tuple[Vector, Real]:
    def noisy(i: int) -> Callable[[Vector], Vector]:
        x, target, z = X[order[i]], y[order[i]], noise[i]

        def member(w: Vector) -> Vector:
            g = kept(m, record_gradient(m, kernel, x, target, w, h, r), level, dual)
            return [a + b for a, b in zip(g, z, strict=True)]

        return member

    places = divided(list(range(len(y))), len(weights))
    batches = [[noisy(i) for i in batch] for batch in places]
    return descent(m, len(X[0]), batches, weights, kappa, index, radius)


@literal(spec.batched)
def batched(
    m: Numbers,
    kernel: str,
    X: Any,
    y: Any,
    noise: Any,
    level: Real,
    weights: Any,
    kappa: Real,
    index: Real,
    dual: Real,
    radius: Real,
    h: Real,
    r: Real,
) -> tuple[Vector, Real]:
    batches = divided(list(range(len(y))), len(weights))
    each = [z for batch, z in zip(batches, noise, strict=True) for _ in batch]  # the mean of copies of z is z
    return shuffled(m, kernel, X, y, range(len(y)), each, level, weights, kappa, index, dual, radius, h, r)
