"""Gaussian widths: closed forms, enclosed integrals for the cross-polytope and the simplex, samples; Minkowski norms."""

import itertools
from collections.abc import Callable
from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.analysis.geometry import widths as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.ball_width)
def ball_width(m: Numbers, d: Real) -> Real:
    return spec.width_l2(m, d=d)


@literal(spec.sampled_width)
def sampled_width(m: Numbers, normals: Any, vertices: Any) -> Any:
    zero, count = m.real(0), len(normals)
    total = sum((m.max(*(m.dot(g, v) for v in vertices)) for g in normals), start=zero)
    sizes = (m.max(*(m.dot([m.abs(a) for a in g], [m.abs(a) for a in v]) for v in vertices)) for g in normals)
    return total / count, sum(sizes, start=zero) / count


@literal(spec.minkowski)
def minkowski(m: Numbers, rows: Any, offsets: Any, x: Any) -> Any:
    faces = list(zip(rows, offsets, strict=True))
    size = [m.abs(a) for a in x]
    return m.max(*(m.dot(a, x) / b for a, b in faces)), m.max(*(m.dot([m.abs(c) for c in a], size) / b for a, b in faces))


@literal(spec.least_distance)
def least_distance(m: Numbers, rows: Any, offsets: Any) -> Real:
    return m.min(*(b / m.norm(a) for a, b in zip(rows, offsets, strict=True)))


def cross_polytope_width(m: Numbers, d: int) -> Real:
    """Gaussian width of the unit l_1 ball, E max |g_j|.

    integral over t > 0 of 1 - (1 - 2 Phi(-t))^d

    Domain   d >= 1 an integer
    Returns  a width, enclosed if the context encloses
    Source   E max = integral of P(max > t); beyond the cut it is at most 2 d phi(t)/t^2
    """
    return _integral(m, d, lambda t: _at_least_one(m, d, 2 * m.Phi(-t)))


def simplex_width(m: Numbers, d: int) -> Real:
    """Gaussian width of the probability simplex, E max g_j.

    integral over t > 0 of 1 - (1 - Phi(-t))^d - Phi(-t)^d

    Domain   d >= 1 an integer
    Returns  a width, enclosed if the context encloses; 0 for d = 1
    Source   as `cross_polytope_width`, and E max = integral of P(max > t) - P(max < -t)
    """
    return m.real(0) if d == 1 else _integral(m, d, lambda t: _at_least_one(m, d, m.Phi(-t)) - m.Phi(-t) ** d)


def _at_least_one(m: Numbers, d: int, chance: Real) -> Real:
    """1 - (1 - chance)^d without cancellation."""
    return -m.expm1(d * m.log1p(-chance))


LAST = 24
"""The integrals are cut here: beyond, 2 d phi(t)/t^2 is below d 10^-127."""


def _integral(m: Numbers, d: int, integrand: Callable[[Real], Real]) -> Real:
    near = m.real(2) ** -80  # the logarithm is singular where every |g_j| > 0: at t = 0 the integrand is between 0 and 1
    pieces = [near, *(m.frac(k, 2) for k in range(1, 24)), *(m.real(k) for k in range(12, LAST + 1))]
    inside = sum((m.integral(integrand, a, b) for a, b in itertools.pairwise(pieces)), start=m.real(0))
    rest = 2 * d * m.phi(m.real(LAST)) / LAST**2
    return inside + m.where(None, m.real(0), near) + m.where(None, m.real(0), rest)


def concentration(m: Numbers, radius: Real, count: int, chance: Real) -> Real:
    """How far `sampled_width` over `count` normal draws may be off the Gaussian width, but for a small chance.

    radius sqrt(2 ln(2/chance) / count)

    Domain   radius = |C|_2 > 0, count >= 1, chance in (0, 1)
    Returns  a width
    Source   Gaussian concentration (Tsirelson, Ibragimov and Sudakov) of a radius-Lipschitz function
    """
    return radius * m.sqrt(2 * m.log(2 / chance) / count)


def second_moment_constant(m: Numbers, symmetric: bool) -> Real:
    """E|G|_{C*}^2 <= c sigma^2 G_C^2: c = 1 + pi/2 for C symmetric around the origin, 1 + 2 pi for C that contains it.

    Source   the Gaussian Poincare inequality, Var sup <g, theta> <= |C|_2^2, and G_C >= |C|_2 E|g_1|, or |C|_2 E max(g_1, 0)
    """
    return 1 + m.pi / 2 if symmetric else 1 + 2 * m.pi
