"""Exponential descent, literally: decisions, the gradient of the smoothed SPO+ loss, half-sphere directions, the iterates.

B = vec(Bhat) holds the rows of the d by p matrix Bhat one after the other.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_descent import algorithm as spec
from dpsco.spec.losses.spo.smoothing import gradient_entry, stationary_coordinate
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.randomised_response import favoured

Vector: TypeAlias = Sequence[Real]
Draw: TypeAlias = Callable[[int, list[Real]], Vector]
"""From the number of the step, counted from 0, and the gradient to the direction of the step."""


@literal(spec.decide)
def decide(m: Numbers, shape: str, cost: Any, radius: Real) -> list[Real]:
    known(shape)
    if shape == "box":
        return [-radius if m.gt(c, 0) else radius if m.lt(c, 0) else m.real(0) for c in cost]
    size = m.norm(cost)
    return [-radius * c / size if m.gt(size, 0) else m.real(0) for c in cost]


def projected(m: Numbers, shape: str, w: Vector, radius: Real) -> list[Real]:
    """The point of S that is nearest to w; ValueError for an unknown shape."""
    known(shape)
    if shape == "box":
        return [m.max(-radius, m.min(radius, x)) for x in w]
    size = m.norm(w)
    return [radius * x / size if m.gt(size, radius) else x for x in w]


def known(shape: str) -> str:
    """The shape itself; ValueError if it is none of `SHAPES`."""
    if shape not in spec.SHAPES:
        raise ValueError(f"shape={shape!r}: must be one of {', '.join(spec.SHAPES)}")
    return shape


def applied(m: Numbers, B: Vector, x: Vector) -> list[Real]:
    """Bhat x."""
    p = len(x)
    return [m.dot(B[j * p : (j + 1) * p], x) for j in range(len(B) // p)]


def gradient(m: Numbers, shape: str, costs: Any, features: Any, mu: Real, radius: Real, B: Vector) -> list[Real]:
    """Gradient at B of the mean smoothed SPO+ loss.

    (1/n) sum_i (-2 w_i + 2 w*(c_i)) x_i^T, w_i the point of S nearest to (c_i - 2 Bhat x_i)/mu

    Returns  p d numbers in loss/model
    Source   spo, Section 3.2, last display, by the envelope theorem
    """
    n, total = len(costs), [m.real(0)] * len(B)
    for c, x in zip(costs, features, strict=True):
        predicted = applied(m, B, x)
        free = [stationary_coordinate(m, mu=mu, c_j=a, c_hat_j=b) for a, b in zip(c, predicted, strict=True)]
        inside, best = projected(m, shape, free, radius), decide(m, shape, c, radius)
        entries = [gradient_entry(m, w_j=w, w_star_j=v, x_i=z) for w, v in zip(inside, best, strict=True) for z in x]
        total = [a + b / n for a, b in zip(total, entries, strict=True)]
    return total


def turned(m: Numbers, normals: Vector, g: Vector, along: bool) -> list[Real]:
    """normals/|normals|, or its opposite, on the side of g (`along`) or on the other; as it is where <normals, g> = 0."""
    size, side = m.norm(normals), m.dot(normals, g)
    flip = m.lt(side, 0) if along else m.gt(side, 0)
    return [-z / size if flip else z / size for z in normals]


def iterates(
    m: Numbers,
    shape: str,
    costs: Any,
    features: Any,
    mu: Real,
    radius: Real,
    steps: int,
    step: Callable[[Real], Real],
    draw: Draw,
) -> list[list[Real]]:
    """B_1, ..., B_T for T - 1 = `steps`; `step` gives a step's length from |g|, `draw` its direction."""
    B = [m.real(0)] * (len(costs[0]) * len(features[0]))  # (1)
    found = [B]
    for t in range(steps):  # (2)
        g = gradient(m, shape, costs, features, mu, radius, B)
        length = step(m.norm(g))
        B = [b - length * v for b, v in zip(B, draw(t, g), strict=True)]
        found.append(B)
    return found


@literal(spec.descend)
def descend(
    m: Numbers,
    shape: str,
    costs: Any,
    features: Any,
    normals: Any,
    uniforms: Any,
    epsilon: Real,
    eta: Real,
    mu: Real,
    radius: Real,
    public_norm: Real,
) -> tuple[list[list[Real]], Real]:
    def draw(t: int, g: list[Real]) -> list[Real]:
        return turned(m, normals[t], g, m.lt(uniforms[t], favoured(m, epsilon=epsilon)))

    def step(norm: Real) -> Real:
        return spec.step(m, eta=eta, gradient_norm=public_norm if m.gt(public_norm, 0) else norm)

    found = iterates(m, shape, costs, features, mu, radius, len(normals), step, draw)
    # 4 radius |x| sqrt(d) is the largest gradient of a record
    reach = sum(4 * radius * m.sqrt(len(costs[0])) * m.norm(x) for x in features) / len(features)
    return found, eta * len(normals) * m.max(reach, public_norm)


@literal(spec.predict)
def predict(m: Numbers, iterates: Any, feature: Any, bound: Real) -> tuple[list[Real], list[Real]]:
    T, p = len(iterates), len(feature)
    average = [sum(column[1:], start=column[0]) / T for column in zip(*iterates, strict=True)]  # (3)
    size = m.norm(average)
    B = [bound * b / size for b in average] if m.gt(size, bound) else average
    terms = [sum(abs(b) for b in column) / T for column in zip(*iterates, strict=True)]
    rows = [[t * abs(x) for t, x in zip(terms[k : k + p], feature, strict=True)] for k in range(0, len(B), p)]
    return applied(m, B, feature), [sum(row[1:], start=row[0]) for row in rows]  # (4)
