"""The empirical risk on the construction S(X) against the error of the answer's signs, coordinate by coordinate.

On S(X) the residual of theta is (half_width sign(mean) - theta)'x_i; the bounds are sums over coordinates of functions of
(mean_j, theta_j), compared on the cells of their signs as polynomials with nonnegative coefficients.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import sympy

from dpsco.reference.analysis.lower_bounds.quantile_minimax import empirical_risk, mean
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

Coordinates = Callable[[Numbers, Real, Real, Sequence[Real], Sequence[Real]], Real]
"""(m, r, B, mean_features, decision): a bound on the risk."""

RESIDUAL = Lemma(
    "mean residual",
    "On S(X) the residual of theta at record i is (B sign(xbar) - theta)'x_i. The check loss is at least rho = min(r, 1 - r) "
    "times its absolute value, and the mean of absolute values is at least the absolute value of the mean: (B sign(xbar) - "
    "theta)'xbar = sum_j |xbar_j| (B - theta_j sign(xbar_j)), each summand nonnegative in the box |theta_j| <= B.",
)
SUMS = Lemma(
    "coordinate by coordinate",
    "Both sides are sums over j of one function of (xbar_j, theta_j), which computer algebra confirms for 2 and 3 coordinates: "
    "the formulas loop over the coordinates. So it is enough to compare one coordinate.",
)


def residual(m: Numbers, r: Real, B: Real, mean_features: Sequence[Real], decision: Sequence[Real]) -> Real:
    """The proved bound of `RESIDUAL`: rho sum_j |xbar_j| (B - theta_j sign(xbar_j))."""
    pairs = zip(mean_features, decision, strict=True)
    return m.min(r, 1 - r) * sum((m.abs(x) * B - t * x for x, t in pairs), start=m.real(0))


def is_at_least(upper: Coordinates, lower: Coordinates) -> bool:
    """Whether upper >= lower for every r in (0, 1), every mean and every decision in the box, by `SUMS` and by cells."""
    if not (_adds_up(upper) and _adds_up(lower)):
        return False
    m = symbolic()
    return all(
        nonnegative(resolved(upper(m, r, B, [x], [t]) - lower(m, r, B, [x], [t])))
        for (x, t, B), r in product(_cells(), levels())
    )


def levels() -> tuple[Any, Any]:
    """r below and above one half, as quotients with a nonnegative symbol."""
    k = sympy.Symbol("k", nonnegative=True)
    return 1 / (2 + k), (1 + k) / (2 + k)


def _cells() -> Iterator[tuple[Any, Any, Any]]:
    p, q = sympy.symbols("p q", positive=True)
    u, z = sympy.symbols("u z", nonnegative=True)
    for x in (p, -p, sympy.Integer(0)):
        yield x, z, z + u
        yield x, -q, q + u


def _adds_up(side: Coordinates) -> bool:
    m = symbolic()
    r, B = sympy.symbols("r B", positive=True)
    xs, ts = sympy.symbols("x1:4", real=True), sympy.symbols("t1:4", real=True)
    alone = [side(m, r, B, [x], [t]) for x, t in zip(xs, ts, strict=True)]
    return all(sympy.expand(side(m, r, B, xs[:d], ts[:d]) - sum(alone[:d])) == 0 for d in (2, 3))


def resolved(value: Any) -> Any:
    """Minima and maxima of two quotients replaced by the one that polynomials with nonnegative coefficients show."""

    def smaller(a: Any, b: Any) -> Any:
        return a if nonnegative(b - a) else b if nonnegative(a - b) else sympy.Min(a, b)

    def larger(a: Any, b: Any) -> Any:
        return b if nonnegative(b - a) else a if nonnegative(a - b) else sympy.Max(a, b)

    return sympy.sympify(value).replace(sympy.Min, smaller).replace(sympy.Max, larger)


def nonnegative(value: Any) -> bool:
    """Whether numerator and denominator have nonnegative coefficients in symbols that are at least 0."""
    top, bottom = sympy.fraction(sympy.together(sympy.sympify(value)))
    return bottom != 0 and all(_coefficients(part) for part in (top, bottom))


def _coefficients(part: Any) -> bool:
    symbols = sorted(part.free_symbols, key=str)
    if not symbols:
        return bool(part >= 0)
    try:
        return all(symbol.is_nonnegative for symbol in symbols) and all(c >= 0 for c in sympy.Poly(part, *symbols).coeffs())
    except sympy.PolynomialError:
        return False


def instances(outside: bool) -> Iterator[tuple[Fraction, Fraction, tuple[tuple[int, ...], ...], tuple[Fraction, ...]]]:
    """(r, B, sign rows, theta): small data, answers at the corners, in the middle and beside 0; outside the box if asked."""
    data: tuple[tuple[tuple[int, ...], ...], ...] = (((1,),), ((-1,),), ((1,), (1,), (-1,)), ((1, -1),), ((1, 1), (1, -1)))
    for r, B, rows in product((Fraction(1, 2), Fraction(1, 10), Fraction(3, 4)), (Fraction(2), Fraction(1, 3)), data):
        beside = B / 10**6
        for theta in product((B, -B, -beside, beside, Fraction(0), *([3 * B] if outside else [])), repeat=len(rows[0])):
            yield r, B, rows, theta


Found = tuple[dict[str, str], Real, Real]


def above_risk(bound: Coordinates, outside: bool) -> Found | None:
    """An instance whose exact empirical risk lies certainly below the bound: what, risk, bound."""
    m = arb()
    for r, B, rows, theta in instances(outside):
        risk = empirical_risk(r, theta, rows, B)
        claimed = bound(m, m.real(r), m.real(B), [m.real(x) for x in mean(rows)], [m.real(t) for t in theta])
        if m.lt(m.real(risk), claimed) is True:
            return _named(r, B, rows, theta), m.real(risk), claimed
    return None


def out_of_order(upper: Coordinates, lower: Coordinates, outside: bool) -> Found | None:
    """An instance at which upper is certainly below lower: what, upper, lower."""
    m = arb()
    for r, B, rows, theta in instances(outside):
        given = (m.real(r), m.real(B), [m.real(x) for x in mean(rows)], [m.real(t) for t in theta])
        high, low = upper(m, *given), lower(m, *given)
        if m.lt(high, low) is True:
            return _named(r, B, rows, theta), high, low
    return None


def _named(r: Fraction, B: Fraction, rows: tuple[tuple[int, ...], ...], theta: tuple[Fraction, ...]) -> dict[str, str]:
    answer = ", ".join(map(str, theta))
    return {"r": str(r), "B": str(B), "rows (times B_x/sqrt(d))": str(rows), "decision": f"({answer})"}
