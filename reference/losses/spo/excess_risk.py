"""Risks of one prediction under a law with a density: exact, in fractions.

A law is a mixture of uniform laws on boxes, in one or two dimensions, for one value of the features; S is the hull of finitely
many points. The largest (or least) of finitely many linear forms is linear on polygons, and a linear form's integral over a
polygon is its area times the value at the centroid: everything is rational.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import TypeAlias

Vector: TypeAlias = Sequence[Fraction]
Part: TypeAlias = tuple[Fraction, Vector, Vector]
"""Weight, lower and upper corner."""
Law: TypeAlias = Sequence[Part]
ZERO, ONE = Fraction(0), Fraction(1)


def checked(law: Law) -> None:
    """ValueError unless the law is a mixture of boxes with interior in one or two dimensions."""
    if sum((p for p, _, _ in law), start=ZERO) != 1 or not all(p > 0 for p, _, _ in law):
        raise ValueError(f"law has positive weights that add up to 1, got {[str(p) for p, _, _ in law]}")
    for _, low, high in law:
        if len(low) not in (1, 2) or not all(a < b for a, b in zip(low, high, strict=True)):
            raise ValueError(f"law is on boxes of positive area in one or two dimensions, got {low} to {high}")


def dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), start=ZERO)


def mean(law: Law) -> list[Fraction]:
    """E[c]."""
    checked(law)
    return [sum((p * (low[j] + high[j]) / 2 for p, low, high in law), start=ZERO) for j in range(len(law[0][1]))]


def best(vertices: Sequence[Vector], c: Vector) -> list[Vector]:
    """The vertices of W*(c)."""
    least = min(dot(c, w) for w in vertices)
    return [w for w in vertices if dot(c, w) == least]


def least_cost(law: Law, vertices: Sequence[Vector]) -> Fraction:
    """E[z*(c)]."""
    return -expected_support(law, [[-x for x in w] for w in vertices])


def spo_risk(law: Law, vertices: Sequence[Vector], c_hat: Vector) -> Fraction:
    """E[max over W*(c_hat) of c'w] - E[z*(c)]."""
    return expected_support(law, best(vertices, c_hat)) - least_cost(law, vertices)


def spo_plus_risk(law: Law, vertices: Sequence[Vector], c_hat: Vector) -> Fraction:
    """E[max over S of (c - 2 c_hat)'w] + 2 c_hat'E[w*(c)] - E[z*(c)]; ties have probability 0."""
    shift = [-2 * x for x in c_hat]
    return expected_support(law, vertices, shift) + 2 * dot(c_hat, mean_decision(law, vertices)) - least_cost(law, vertices)


def mean_decision(law: Law, vertices: Sequence[Vector]) -> list[Fraction]:
    """E[w*(c)]."""
    shares = [probability(law, vertices, w) for w in _distinct(vertices)]
    return [dot(shares, column) for column in zip(*_distinct(vertices), strict=True)]


def probability(law: Law, vertices: Sequence[Vector], w: Vector) -> Fraction:
    """The probability that this vertex is the best decision for c."""
    turned = [[-x for x in v] for v in vertices]
    return sum((p * area(cell) / area(whole) for p, whole, cell in _cells(law, turned, [-x for x in w], None)), start=ZERO)


def expected_support(law: Law, vertices: Sequence[Vector], shift: Vector | None = None) -> Fraction:
    """E[max over the vertices of (c + shift)'w]."""
    checked(law)
    total = ZERO
    for w in _distinct(vertices):
        for p, whole, cell in _cells(law, vertices, w, shift):
            if area(cell):
                centre = [x + s for x, s in zip(centroid(cell), _padded(shift or [ZERO, ZERO], ZERO), strict=True)]
                total += p * area(cell) / area(whole) * dot(centre, _padded(w, ZERO))
    return total


Polygon: TypeAlias = list[list[Fraction]]


def _cells(law: Law, vertices: Sequence[Vector], w: Vector, shift: Vector | None) -> list[tuple[Fraction, Polygon, Polygon]]:
    """Each box with its weight, and the part of it where the vertex attains the maximum."""
    found = []
    for p, low, high in law:
        (a, b), (c, d) = _padded(low, ZERO), _padded(high, ONE)  # the line is a strip, the second coordinate unused
        whole = [[a, b], [c, b], [c, d], [a, d]]
        cell = whole
        for other in vertices:
            step = _padded([x - y for x, y in zip(w, other, strict=True)], ZERO)
            cell = clip(cell, step, dot(step, _padded(shift, ZERO)) if shift else ZERO)
        found.append((p, whole, cell))
    return found


def _padded(u: Vector, last: Fraction) -> list[Fraction]:
    return [*u, last] if len(u) == 1 else list(u)


def _distinct(vertices: Sequence[Vector]) -> list[list[Fraction]]:
    return [list(w) for w in dict.fromkeys(tuple(w) for w in vertices)]


def clip(polygon: Polygon, a: Vector, b: Fraction) -> Polygon:
    """The part of a convex polygon where a'c + b >= 0."""
    kept: Polygon = []
    for one, other in pairwise([*polygon, *polygon[:1]]):
        f, g = dot(a, one) + b, dot(a, other) + b
        if f >= 0:
            kept.append(one)
        if f * g < 0:
            kept.append([x + (y - x) * f / (f - g) for x, y in zip(one, other, strict=True)])
    return kept


def area(polygon: Polygon) -> Fraction:
    """Of a polygon whose corners run counterclockwise."""
    return sum((u[0] * v[1] - u[1] * v[0] for u, v in pairwise([*polygon, *polygon[:1]])), start=ZERO) / 2


def centroid(polygon: Polygon) -> list[Fraction]:
    """Of a polygon with interior."""
    total = [ZERO, ZERO]
    for u, v in pairwise([*polygon, *polygon[:1]]):
        cross = u[0] * v[1] - u[1] * v[0]
        total = [t + (x + y) * cross for t, x, y in zip(total, u, v, strict=True)]
    return [t / (6 * area(polygon)) for t in total]


def inner_radius(vertices: Sequence[Vector]) -> Fraction:
    """A radius such that S holds a ball of it, positive exactly where S has interior: the largest triangle's inscribed circle.

    That of a triangle is twice its area over its sides' lengths, for which the larger sums of coordinates stand here.
    """
    if len(vertices[0]) == 1:
        return (max(w[0] for w in vertices) - min(w[0] for w in vertices)) / 2
    largest = ZERO
    for u, v, w in combinations(vertices, 3):
        twice = abs((v[0] - u[0]) * (w[1] - u[1]) - (w[0] - u[0]) * (v[1] - u[1]))
        round_it = sum(
            (abs(a - b) for one, other in ((u, v), (v, w), (w, u)) for a, b in zip(one, other, strict=True)), start=ZERO
        )
        largest = max(largest, twice / round_it if twice else ZERO)
    return largest


def asymmetry(law: Law) -> Fraction:
    """Total variation between the laws of c - E[c] and E[c] - c, on the cells of both laws' boxes."""
    centre = mean(law)
    turned = [(p, _about(centre, high), _about(centre, low)) for p, low, high in law]
    sides = [sorted({c[j] for _, low, high in (*law, *turned) for c in (low, high)}) for j in range(len(centre))]
    total = ZERO
    for cell in product(*(list(pairwise(side)) for side in sides)):
        total += abs(_mass(law, cell) - _mass(turned, cell))
    return total / 2


def _about(centre: Vector, corner: Vector) -> list[Fraction]:
    """The corner's mirror image in the centre."""
    return [2 * m - x for m, x in zip(centre, corner, strict=True)]


def _mass(law: Law, cell: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    total = ZERO
    for p, low, high in law:
        for a, b, (left, right) in zip(low, high, cell, strict=True):
            p = p * max(ZERO, min(b, right) - max(a, left)) / (b - a)
        total += p
    return total
