"""Walks on a polytope with exact conditionals, literally."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_sampling import polytope_walk as spec
from dpsco.spec.numbers import Numbers, Real


def chord(m: Numbers, A: Any, b: Any, x: Any, v: Any) -> tuple[Real, Real]:
    """Ends of {t: A(x + t v) <= b}; ValueError where there is none.

    Domain   x inside
    Returns  (left, right), left <= 0 <= right
    """
    left, right = [], []
    for row, bound in zip(A, b, strict=True):
        along, slack = m.dot(row, v), bound - m.dot(row, x)
        if m.gt(along, 0):
            right.append(slack / along)
        elif m.lt(along, 0):
            left.append(slack / along)
    if not (left and right):
        raise ValueError(f"the polytope is bounded along every direction, got none of its rows against {v}")
    return m.min(m.real(0), m.max(*left)), m.max(m.real(0), m.min(*right))


def step(m: Numbers, A: Any, b: Any, c: Any, x: Any, v: Any, uniform: Real) -> list[Real]:
    """x + t v, t from its law on the chord."""
    if not (m.gt(uniform, 0) and m.lt(uniform, 1)):
        raise ValueError(f"uniforms lie in (0, 1), got {uniform}")
    if all(m.eq(along, 0) for along in v):
        raise ValueError("directions are not zero, got one that is")
    left, right = chord(m, A, b, x, v)
    p = m.dot(c, v)
    width = right - left
    t = left + uniform * width if m.eq(p, 0) else left - m.log1p(uniform * m.expm1(-p * width)) / p
    return [here + t * along for here, along in zip(x, v, strict=True)]


def checked(m: Numbers, A: Any, b: Any, c: Any, start: Any) -> int:
    """The dimension; ValueError for shapes that do not fit or a start outside."""
    d = len(start)
    if len(A) != len(b) or len(c) != d or any(len(row) != d for row in A):
        raise ValueError(f"A is m x d, b has m entries, c and start have d, got {len(A)}, {len(b)}, {len(c)} and {d}")
    if not all(m.le(m.dot(row, start), bound) for row, bound in zip(A, b, strict=True)):
        raise ValueError(f"start lies in the polytope, got start={start}")
    return d


@literal(spec.along_coordinates)
def along_coordinates(m: Numbers, A: Any, b: Any, c: Any, start: Any, coordinates: Any, uniforms: Any) -> Any:
    d, x, path = checked(m, A, b, c, start), list(start), []
    for chosen, chances in zip(coordinates, uniforms, strict=True):
        for j, uniform in zip(chosen, chances, strict=True):
            if not 0 <= j < d:
                raise ValueError(f"coordinates lie in [0, {d}), got {j}")
            x = step(m, A, b, c, x, [m.real(int(i == j)) for i in range(d)], uniform)
        path.append(x)
    return path


@literal(spec.along_directions)
def along_directions(m: Numbers, A: Any, b: Any, c: Any, start: Any, directions: Any, uniforms: Any) -> Any:
    checked(m, A, b, c, start)
    x, path = list(start), []
    for v, uniform in zip(directions, uniforms, strict=True):
        x = step(m, A, b, c, x, v, uniform)
        path.append(x)
    return path
