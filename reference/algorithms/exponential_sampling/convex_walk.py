"""Hit-and-run for a convex loss on a convex body, literally."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from dpsco.reference.algorithms.exponential_sampling.mechanism import draw
from dpsco.reference.algorithms.exponential_sampling.polytope_walk import chord as polytope_chord
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_sampling import convex_walk as spec
from dpsco.spec.numbers import Numbers, Real

Tangent = tuple[Real, Real, Real]
"""Where it touches, the value and the slope there."""


def chord(m: Numbers, A: Any, b: Any, radius: Real, x: Any, v: Any) -> tuple[Real, Real]:
    """Ends of {t: x + t v in the body}; ValueError where there is none."""
    if not m.lt(radius, m.real("inf")):
        return polytope_chord(m, A, b, x, v)
    square, along = m.dot(v, v), m.dot(x, v)
    root = m.sqrt(along**2 + square * (radius**2 - m.dot(x, x)))
    left, right = (-along - root) / square, (-along + root) / square
    for row, bound in zip(A, b, strict=True):
        speed, slack = m.dot(row, v), bound - m.dot(row, x)
        if m.gt(speed, 0):
            right = m.min(right, slack / speed)
        elif m.lt(speed, 0):
            left = m.max(left, slack / speed)
    return left, right


def hull(m: Numbers, tangents: Sequence[Tangent], left: Real, right: Real) -> tuple[list[Real], list[Real]]:
    """Knots and heights of the largest of the tangents on [left, right], in the order of where they touch."""
    knots = [left]
    for (t, h, s), (t_next, h_next, s_next) in pairwise(tangents):
        cross = (t + t_next) / 2 if m.eq(s, s_next) else t + (h_next - h - s_next * (t_next - t)) / (s - s_next)
        if m.gt(cross, knots[-1]) and m.lt(cross, right):
            knots.append(cross)
    knots.append(right)
    return knots, [height(m, tangents, t) for t in knots]


def height(m: Numbers, tangents: Sequence[Tangent], t: Real) -> Real:
    """The largest of the tangents."""
    return m.max(*(h + s * (t - at) for at, h, s in tangents))


def drawn(m: Numbers, tangent: Callable[[Real], Tangent], left: Real, right: Real, pairs: Any) -> Real:
    """A point of the chord, by adaptive rejection."""
    tangents = [tangent(t) for t in sorted({left, m.real(0), right})]
    for place, coin in pairs:
        knots, heights = hull(m, tangents, left, right)
        t = draw(m, knots, heights, m.real(1), place)
        here = tangent(t)
        if m.lt(coin, m.exp(height(m, tangents, t) - here[1])):
            return t
        tangents = sorted([*tangents, here])
    raise ValueError(f"uniforms hold {len(pairs)} pairs for each step: not enough")


@literal(spec.walk)
def walk(
    m: Numbers,
    rows: Any,
    offsets: Any,
    weights: Any,
    k: Real,
    mu: Real,
    A: Any,
    b: Any,
    radius: Real,
    start: Any,
    directions: Any,
    uniforms: Any,
) -> Any:
    x, path = list(start), []
    for v, pairs in zip(directions, uniforms, strict=True):
        origin = x

        def tangent(t: Real, origin: Any = origin, v: Any = v) -> Tangent:
            at = [here + t * along for here, along in zip(origin, v, strict=True)]
            value, slope = mu * m.dot(at, at) / 2, mu * m.dot(at, v)
            for row, offset, weight in zip(rows, offsets, weights, strict=True):
                z = m.dot(row, at) + offset
                value = value + weight * m.log1p(m.exp(z))
                slope = slope + weight * m.dot(row, v) / (1 + m.exp(-z))
            return t, k * value, k * slope

        left, right = chord(m, A, b, radius, x, v)
        t = drawn(m, tangent, left, right, pairs)
        x = [here + t * along for here, along in zip(x, v, strict=True)]
        path.append(x)
    return path
