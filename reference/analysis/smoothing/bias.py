"""The smoothed population risk of a linear quantile model whose conditional densities are piecewise linear.

A density is given by its hinges, pairs (place, turn): f(t) = sum of turn (t - place)_+, so F and its primitive are sums of
squares and cubes. The kernel is uniform on [-width, width], with moments kappa_1 = width/2 and kappa_2 = width^2/3: by the
choice of width every second moment occurs. All values are exact in rationals and enclosed in arb.
"""

from collections.abc import Sequence
from fractions import Fraction

from dpsco.spec.numbers import Numbers, Real

Hinges = tuple[tuple[Fraction, Fraction], ...]
Law = Sequence[tuple[Fraction, tuple[Fraction, ...], Hinges]]
"""A law of (x, error) with finitely many x: probability, x, and the hinges of the error's density given x."""


def triangle(left: Fraction, half: Fraction, height: Fraction) -> Hinges:
    """Hinges of a triangle of this height over [left, left + 2 half]."""
    slope = height / half
    return ((left, slope), (left + half, -2 * slope), (left + 2 * half, slope))


def leaning(f: Fraction, l_1: Fraction, r: Fraction) -> Hinges:
    """An l_1-Lipschitz density that is f + l_1 t for |t| <= f/l_1, with r-quantile 0.

    Domain   7 f^2 <= 2 l_1 (1 - r) and f^2 <= 2 l_1 r, so that both sides have room; the rest lies in triangles farther out
    Raises   ValueError where there is no room
    Source   extremal for quantile, display (17): both Lipschitz inequalities are equalities
    """
    s = f / l_1
    return (*triangle(-s, 2 * s, 2 * f), *_rest(r - f**2 / (2 * l_1), l_1, s, -1), *_rest(1 - r - 7 * f * s / 2, l_1, 3 * s, 1))


def mirrored(hinges: Hinges) -> Hinges:
    """The density of minus the error."""
    # (-t - place)_+ = (t + place)_+ - (t + place): the lines cancel in the sum, since turns and turns times places sum to 0
    return tuple((-place, turn) for place, turn in hinges)


def peaked(f: Fraction, l_1: Fraction, r: Fraction) -> Hinges:
    """An l_1-Lipschitz density that is f - l_1 |t| for |t| <= f/l_1, with r-quantile 0.

    Domain   f^2 <= 2 l_1 min(r, 1-r)
    Raises   ValueError where there is no room
    """
    s = f / l_1
    half = f * s / 2
    return (*triangle(-s, s, f), *_rest(r - half, l_1, s, -1), *_rest(1 - r - half, l_1, s, 1))


def _rest(mass: Fraction, l_1: Fraction, start: Fraction, side: int) -> Hinges:
    """A triangle of this mass beyond |t| = start, no steeper than l_1."""
    if mass < 0:
        raise ValueError(f"f must leave room: f^2 is too large for l_1 and r, mass {mass} is left")
    if mass == 0:
        return ()
    half = max(Fraction(1), mass / l_1)
    return triangle(start if side > 0 else -start - 2 * half, half, mass / half)


def density(m: Numbers, hinges: Hinges, t: Real) -> Real:
    """f(t) = sum of turn (t - place)_+."""
    return _powers(m, hinges, t, 1)


def distribution(m: Numbers, hinges: Hinges, t: Real) -> Real:
    """F(t) = sum of turn (t - place)_+^2 / 2."""
    return _powers(m, hinges, t, 2) / 2


def smoothed(m: Numbers, hinges: Hinges, s: Real, bandwidth: Real) -> Real:
    """E calK((s - error)/h) = E F(s - h V), the mean of F over [s - bandwidth, s + bandwidth].

    Domain   bandwidth = h width > 0
    Source   quantile, display (17), third line, at any residual s = (theta - theta*)'x
    """
    return (_powers(m, hinges, s + bandwidth, 3) - _powers(m, hinges, s - bandwidth, 3)) / (12 * bandwidth)


def _powers(m: Numbers, hinges: Hinges, t: Real, power: int) -> Real:
    terms = (m.real(turn) * m.max(t - m.real(place), 0) ** power for place, turn in hinges)
    return sum(terms, start=m.real(0))


def gradient(m: Numbers, law: Law, shift: Sequence[Real], bandwidth: Real, r: Real) -> list[Real]:
    """grad L_h(theta* + shift) = E[(E[calK((shift'x - error)/h) | x] - r) x].

    Shapes   shift and the result have the length d of every x in the law
    Source   quantile, display (18)
    """
    found = [m.real(0)] * len(shift)
    for probability, x, hinges in law:
        features = [m.real(entry) for entry in x]
        slope = m.real(probability) * (smoothed(m, hinges, m.dot(shift, features), bandwidth) - r)
        found = [total + slope * entry for total, entry in zip(found, features, strict=True)]
    return found


def spread(d: int, a: Fraction, b: Fraction, density_at_plus: Hinges, density_at_minus: Hinges) -> Law:
    """x = (1, +-a, +-b, ..., +-b) with independent fair signs; the density goes by the sign of the second entry.

    E[x x'] is diagonal with entries 1, a^2, b^2. For d = 1 the density is the first one.
    """
    points: list[tuple[Fraction, ...]] = [(Fraction(1),)]
    for j in range(1, d):
        points = [(*x, sign * (a if j == 1 else b)) for x in points for sign in (1, -1)]
    share = Fraction(1, len(points))
    return [(share, x, density_at_plus if d == 1 or x[1] > 0 else density_at_minus) for x in points]
