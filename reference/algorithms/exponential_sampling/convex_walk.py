"""Hit-and-run for a convex loss on a convex body, literally."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from dpsco.reference.algorithms.exponential_sampling.mechanism import draw
from dpsco.reference.algorithms.exponential_sampling.polytope_walk import chord as polytope_chord
from dpsco.reference.algorithms.exponential_sampling.polytope_walk import uncertain, walls
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


def drawn(
    m: Numbers, tangent: Callable[[Real], Tangent], left: Real, right: Real, pairs: Any
) -> tuple[Real, Real, list[Real], list[Real]]:
    """A point of the chord by adaptive rejection, its share of the hull's law, and the hull's knots and heights."""
    tangents = [tangent(t) for t in sorted({left, m.real(0), right})]
    for place, coin in pairs:
        knots, heights = hull(m, tangents, left, right)
        t = draw(m, knots, heights, m.real(1), place)
        here = tangent(t)
        if m.lt(coin, m.exp(height(m, tangents, t) - here[1])):
            return t, place, knots, heights
        tangents = sorted([*tangents, here])
    raise ValueError(f"uniforms hold {len(pairs)} pairs for each step: not enough")


def felt(
    m: Numbers, A: Any, b: Any, radius: Real, x: Any, sizes: Any, v: Any, found: Any, exponent: Callable[[Real], Real]
) -> Real:
    """How far a step's t moves, to first order, per relative change of the terms of the chord's ends and of the exponents.

    An end moves t by at most as much: (1 - F)/f falls for log-concave densities. Exponents that are off by a nat at most move
    it by min(F, 1 - F)/f.
    """
    t, share, knots, heights = found
    left, right = knots[0], knots[-1]
    pieces = [(p, q, h, g) for (p, q), (h, g) in zip(pairwise(knots), pairwise(heights), strict=True)]
    here = next(h + (g - h) * (t - p) / (q - p) for p, q, h, g in pieces if t <= q)
    mass = sum((q - p) * m.exp(here - h) * (1 if m.eq(h, g) else -m.expm1(h - g) / (g - h)) for p, q, h, g in pieces)
    moved = right - left + m.max(*(exponent(at) for at in (left, m.real(0), right))) * m.min(share, 1 - share) * mass
    for end, side, weight, height in ((left, -1, 1 - share, heights[0]), (right, 1, share, heights[-1])):
        ends = [(far, terms) for far, terms, *_ in walls(m, A, b, x, sizes, v, side)]
        if m.lt(radius, m.real("inf")):
            at = [y + end * z for y, z in zip(x, v, strict=True)]
            far = end + (radius - m.norm(at)) * radius / m.dot(at, v)
            terms = radius**2 + sum(m.abs(a) * (y + m.abs(end * z)) for a, y, z in zip(at, sizes, v, strict=True))
            ends.append((far, terms / m.abs(m.dot(at, v))))
        moved = moved + m.min(1, weight * m.exp(here - height)) * uncertain(m, end, ends)
    return moved


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
) -> tuple[Any, Any]:
    x, path = list(start), []
    around, sizes = [m.abs(y) for y in start], []
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

        def terms(t: Real, origin: Any = origin, v: Any = v, around: Any = around) -> Real:
            near = [size + m.abs(t * along) for size, along in zip(around, v, strict=True)]
            at = [here + t * along for here, along in zip(origin, v, strict=True)]
            total = mu * sum(size * size for size in near)
            for row, offset, weight in zip(rows, offsets, weights, strict=True):
                z, felt_z = (
                    m.dot(row, at) + offset,
                    m.abs(offset) + sum(m.abs(a) * size for a, size in zip(row, near, strict=True)),
                )
                total = total + weight * (m.log1p(m.exp(z)) + felt_z / (1 + m.exp(-z)))
            return k * total

        left, right = chord(m, A, b, radius, x, v)
        found = drawn(m, tangent, left, right, pairs)
        moved = felt(m, A, b, radius, x, around, v, found, terms)
        x = [here + found[0] * along for here, along in zip(x, v, strict=True)]
        around = [m.abs(y) + size + m.abs(along) * moved for y, size, along in zip(x, around, v, strict=True)]
        path.append(x)
        sizes.append(around)
    return path, sizes
