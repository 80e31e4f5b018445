"""Gauge, gauge penalty and Lipschitz extension, literally: the extension by every face that may hold the nearest point.

On a face f is affine, with slope g along it; of the points of its affine hull y = p - g h/sqrt(L^2 - |g|^2) is best, p the
projection of theta and h its distance. The minimum is attained on a face where that point lies in the polytope, or |g| >= L
and it is attained on the rim.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.grid_walk import extension as spec
from dpsco.spec.numbers import Numbers, Real

TOLERANCE = -80
"""Binary exponent of what counts as zero; the numbers have more digits than twice that."""


def size_of(m: Numbers, u: Any, v: Any) -> Real:
    """Sum of |u_j v_j|."""
    return sum((m.abs(a * b) for a, b in zip(u, v, strict=True)), start=m.real(0))


@literal(spec.gauge)
def gauge(m: Numbers, rows: Any, bounds: Any, radius: Real, theta: Any) -> tuple[Real, Real]:
    far = m.norm(theta) / radius
    shares = [m.dot(row, theta) / bound for row, bound in zip(rows, bounds, strict=True)]
    sizes = [size_of(m, row, theta) / bound for row, bound in zip(rows, bounds, strict=True)]
    return m.max(m.real(0), far, *shares), m.max(far, *sizes)


@literal(spec.gauge_penalty)
def gauge_penalty(m: Numbers, rows: Any, bounds: Any, radius: Real, theta: Any, alpha: Real) -> tuple[Real, Real]:
    psi, size = gauge(m, rows, bounds, radius, theta)
    return alpha * m.max(m.real(0), psi - 1), alpha * (size + 1)


def largest_affine(m: Numbers, slopes: Any, intercepts: Any, theta: Sequence[Real]) -> Real:
    """f(theta) = max_k (<slopes_k, theta> + intercepts_k)."""
    return m.max(*(m.dot(a, theta) + b for a, b in zip(slopes, intercepts, strict=True)))


def hull(m: Numbers, equations: Sequence[tuple[list[Real], Real]]) -> list[tuple[list[Real], Real]] | None:
    """Orthonormal equations <q, y> = c for the same affine set, None where those given depend on each other."""
    found: list[tuple[list[Real], Real]] = []
    for row, value in equations:
        for q, c in found:
            along = m.dot(q, row)
            row, value = [a - along * b for a, b in zip(row, q, strict=True)], value - along * c
        size = m.norm(row)
        if m.le(size, m.real(2) ** TOLERANCE):
            return None
        found.append(([a / size for a in row], value / size))
    return found


def faces(m: Numbers, slopes: Any, intercepts: Any, rows: Any, bounds: Any) -> Iterator[tuple[int, list[Any]]]:
    """A piece of f, and orthonormal equations, for each set of tight constraints and equal pieces of at most d equations."""
    d = len(slopes[0])
    for count in range(1, min(d + 1, len(slopes)) + 1):
        for pieces in combinations(range(len(slopes)), count):
            first = pieces[0]
            equal = [
                ([a - b for a, b in zip(slopes[k], slopes[first], strict=True)], intercepts[first] - intercepts[k])
                for k in pieces[1:]
            ]
            for tight in range(d + 2 - count):
                for chosen in combinations(range(len(rows)), tight):
                    found = hull(m, [*equal, *((list(rows[i]), bounds[i]) for i in chosen)])
                    if found is not None:
                        yield first, found


def candidate(m: Numbers, slope: Any, equations: Any, lipschitz: Real, theta: Any) -> list[Real] | None:
    """The best point of the affine hull of a face, None where there is none."""
    p, g = list(theta), list(slope)
    for q, c in equations:
        off, along = m.dot(q, p) - c, m.dot(q, g)
        p = [a - off * b for a, b in zip(p, q, strict=True)]
        g = [a - along * b for a, b in zip(g, q, strict=True)]
    room = lipschitz**2 - m.dot(g, g)
    if not m.gt(room, 0):
        return None
    share = m.norm([a - b for a, b in zip(theta, p, strict=True)]) / m.sqrt(room)
    return [a - share * b for a, b in zip(p, g, strict=True)]


@literal(spec.lipschitz_extension)
def lipschitz_extension(
    m: Numbers, slopes: Any, intercepts: Any, rows: Any, bounds: Any, lipschitz: Real, theta: Any
) -> tuple[Real, Real]:
    reach = m.norm(theta) + m.norm(bounds) if len(bounds) else m.norm(theta)
    size = sum((m.abs(b) for b in intercepts), start=m.real(0)) + lipschitz * reach
    inside = all(m.le(m.dot(row, theta), bound) for row, bound in zip(rows, bounds, strict=True))
    if inside:
        return largest_affine(m, slopes, intercepts, theta), size
    values = []
    for piece, equations in faces(m, slopes, intercepts, rows, bounds):
        y = candidate(m, slopes[piece], equations, lipschitz, theta)
        if y is not None and all(
            m.le(m.dot(row, y), bound + m.real(2) ** TOLERANCE) for row, bound in zip(rows, bounds, strict=True)
        ):
            apart = m.norm([a - b for a, b in zip(theta, y, strict=True)])
            values.append(largest_affine(m, slopes, intercepts, y) + lipschitz * apart)
    return m.min(*values), size
