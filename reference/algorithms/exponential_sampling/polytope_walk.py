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


def walls(m: Numbers, A: Any, b: Any, x: Any, around: Any, v: Any, side: int) -> list[tuple[Real, Real, Any, Real]]:
    """For each row on that side its end of the line through x, the end's terms, the row and its speed; `around`: terms of x."""
    found = []
    for row, bound in zip(A, b, strict=True):
        along = m.dot(row, v)
        if m.gt(side * along, 0):
            far = (bound - m.dot(row, x)) / along
            terms = m.abs(bound) + sum(m.abs(a) * (y + m.abs(far * z)) for a, y, z in zip(row, around, v, strict=True))
            found.append((far, terms / m.abs(along), row, along))
    return found


def uncertain(m: Numbers, end: Real, found: Any) -> Real:
    """Terms of a chord's end: another wall that is as near as roundings can tell may be the one that is met."""
    return m.max(*(terms for far, terms in found if m.abs(far - end) <= terms * m.real(2) ** -50))


def felt(m: Numbers, A: Any, b: Any, c: Any, x: Any, sizes: Any, v: Any, uniform: Real, new: Any) -> list[Real]:
    """How far each coordinate after a step moves, to first order, per relative change of all terms it is a sum or quotient of.

    A step that starts beside a wall and runs nearly along it divides the wall's slack by a small speed: that, and no more, is
    what the roundings of the state before it, `sizes`, grow by.
    """
    left, right = chord(m, A, b, x, v)
    p, width = m.dot(c, v), right - left
    e = m.exp(-p * width)
    rest = 1 - uniform + uniform * e
    down, up = (1 - uniform) / rest, uniform * e / rest  # of t to both ends; their sum is 1
    t = m.dot([z - y for z, y in zip(new, x, strict=True)], v) / m.dot(v, v)
    bend = width**2 if m.eq(p, 0) else m.abs((t - left - width * up) / p)
    local = width + bend * sum(m.abs(slope * along) for slope, along in zip(c, v, strict=True))
    turn, around = [m.real(0) for _ in x], [m.abs(y) for y in x]
    for end, share, side in ((left, down, -1), (right, up, 1)):
        found = walls(m, A, b, x, around, v, side)
        local = local + share * uncertain(m, end, [(far, terms) for far, terms, *_ in found])
        _, _, row, along = min(found, key=lambda wall: m.abs(wall[0] - end))
        turn = [was + share * a / along for was, a in zip(turn, row, strict=True)]
    return [
        m.abs(z) + m.abs(along) * local + sum(m.abs(int(j == k) - along * turn[k]) * sizes[k] for k in range(len(x)))
        for j, (z, along) in enumerate(zip(new, v, strict=True))
    ]


def states(m: Numbers, A: Any, b: Any, c: Any, start: Any, moves: Any) -> Any:
    """The state after each move (v, uniform)."""
    checked(m, A, b, c, start)
    x = list(start)
    for v, uniform in moves:
        x = step(m, A, b, c, x, v, uniform)
        yield x


def axes(m: Numbers, d: int, coordinates: Any, uniforms: Any) -> list[Any]:
    """The moves along coordinates; ValueError for one that is none."""
    pairs = [pair for row, chances in zip(coordinates, uniforms, strict=True) for pair in zip(row, chances, strict=True)]
    for j, _ in pairs:
        if not 0 <= j < d:
            raise ValueError(f"coordinates lie in [0, {d}), got {j}")
    return [([m.real(int(i == j)) for i in range(d)], uniform) for j, uniform in pairs]


def walked(m: Numbers, A: Any, b: Any, c: Any, start: Any, moves: Any) -> tuple[Any, Any]:
    """The state after each move, and its terms' sizes as `felt` counts them."""
    path, sizes = [list(start)], [[m.abs(y) for y in start]]
    for (v, uniform), new in zip(moves, states(m, A, b, c, start, moves), strict=True):
        sizes.append(felt(m, A, b, c, path[-1], sizes[-1], v, uniform, new))
        path.append(new)
    return path[1:], sizes[1:]


@literal(spec.along_coordinates)
def along_coordinates(m: Numbers, A: Any, b: Any, c: Any, start: Any, coordinates: Any, uniforms: Any) -> tuple[Any, Any]:
    path, sizes = walked(m, A, b, c, start, axes(m, len(start), coordinates, uniforms))
    wide = len(coordinates[0])
    return path[wide - 1 :: wide], sizes[wide - 1 :: wide]


@literal(spec.along_directions)
def along_directions(m: Numbers, A: Any, b: Any, c: Any, start: Any, directions: Any, uniforms: Any) -> tuple[Any, Any]:
    return walked(m, A, b, c, start, list(zip(directions, uniforms, strict=True)))
