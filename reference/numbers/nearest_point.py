"""The point of a polytope that is nearest to a given one, by Wolfe's method: finite, and exact in exact arithmetic."""

from collections.abc import Sequence

from dpsco.spec.numbers import Numbers, Real

Vector = Sequence[Real]


def nearest(m: Numbers, vertices: Sequence[Vector], v: Vector) -> list[Real]:
    """The nearest point of the vertices' hull.

    Wolfe 1976: keep affinely independent vertices and the nearest point of their hull; take the vertex that is furthest against
    it, walk towards the nearest point of the affine hull, and drop what gets weight 0. It stops where no vertex is further
    against it than the point itself, the condition that characterises the nearest point.

    Raises   ArithmeticError where rounding keeps it from ending
    """
    points = [[a - b for a, b in zip(w, v, strict=True)] for w in vertices]
    tolerance = _size(m, points) * m.real("1e-35")
    start = min(range(len(points)), key=lambda i: m.dot(points[i], points[i]))
    kept, weights = [start], [m.real(1)]
    for _ in range(100 * len(points)):
        x = _mean(points, kept, weights)
        i = min(range(len(points)), key=lambda i: m.dot(points[i], x))
        if m.ge(m.dot(points[i], x), m.dot(x, x) - tolerance) or i in kept:
            return [a + b for a, b in zip(x, v, strict=True)]
        kept, weights = [*kept, i], [*weights, m.real(0)]
        kept, weights = _inside(m, points, kept, weights)
    raise ArithmeticError("the nearest point was not reached")


def _inside(m: Numbers, points: Sequence[Vector], kept: list[int], weights: list[Real]) -> tuple[list[int], list[Real]]:
    """From weights on the kept points to those of the nearest point of the affine hull, dropping points on the way."""
    while True:
        wanted = _affine(m, [points[i] for i in kept])
        if all(a > 0 for a in wanted):
            return kept, wanted
        steps = [(w / (w - a), k) for k, (w, a) in enumerate(zip(weights, wanted, strict=True)) if a <= 0]
        step, gone = min(steps)
        weights = [w + step * (a - w) for w, a in zip(weights, wanted, strict=True)]
        kept, weights = ([x for k, x in enumerate(of) if k != gone] for of in (kept, weights))


def _affine(m: Numbers, points: Sequence[Vector]) -> list[Real]:
    """Weights of sum 1 of the affine hull's least point: the solution of (1 1' + P P') u = 1, scaled."""
    k = len(points)
    rows = [[m.dot(a, b) + 1 for b in points] + [m.real(1)] for a in points]
    for i in range(k):
        top = max(range(i, k), key=lambda r: abs(rows[r][i]))
        rows[i], rows[top] = rows[top], rows[i]
        for r in range(k):
            if r != i:
                ratio = rows[r][i] / rows[i][i]
                rows[r] = [a - ratio * b for a, b in zip(rows[r], rows[i], strict=True)]
    u = [rows[i][k] / rows[i][i] for i in range(k)]
    total = sum(u[1:], start=u[0])
    return [x / total for x in u]


def _mean(points: Sequence[Vector], kept: list[int], weights: list[Real]) -> list[Real]:
    size = len(points[0])
    return [sum((w * points[i][j] for i, w in zip(kept, weights, strict=True)), start=0) for j in range(size)]


def _size(m: Numbers, points: Sequence[Vector]) -> Real:
    return max(m.dot(p, p) for p in points)
