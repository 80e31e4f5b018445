"""Explicit linear quantile models at which claims about the smoothed population risk are tried, and how one is decided.

Each model is exact: piecewise linear densities at the Lipschitz limit, finitely many feature vectors, a uniform kernel of any
second moment. Where the density leans one way given x_2 > 0 and the other way given x_2 < 0, the conditional biases add up.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import sympy

from dpsco.arguments.comparing import admitted, certified, compare, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.analysis.smoothing.bias import Law, leaning, mirrored, peaked, smoothed, spread
from dpsco.reference.bracket import bracket
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Severity, Verdict

FEATURES = (
    ("1", "1", "1", "1", "1"),
    ("1", "1", "1", "3", "1"),
    ("2", "0.75", "1", "1.25", "0.5625"),
    ("2", "0.1", "1", "1.005", "0.01"),
    ("2", "2.4", "1", "2.6", "1"),
    ("2", "9.975", "1", "10.025", "1"),
    ("3", "0.75", "0.75", "1.4578", "0.5625"),
    ("9", "2.4", "0.1", "2.6135", "0.01"),
)
"""d, a, b (x = (1, +-a, +-b, ...)), a bound on |x| (exact for d = 2, but for 1.005), the least eigenvalue of E[x x']."""
ERRORS = (("0.1", "1", "0.5"), ("0.4", "7", "0.3"), ("0.1", "0.3", "0.5"), ("0.001", "1", "0.999"))
"""f, l_1, r: with room for a leaning density."""
SMOOTHINGS = (("0.00001", "1.5"), ("0.001", "1.5"), ("0.02", "0.375"), ("0.1", "3"), ("1", "1.5"))
"""h and half the kernel's width: kappa_1 is half of that, kappa_2 a third of its square (widths whose moments are decimals)."""
DISTANCES = ("0.00001", "0.01", "0.2", "10")


@dataclass(frozen=True, eq=False)
class Model:
    """One model, compared by identity; `at` are the claim's numbers."""

    at: Mapping[str, str]
    a: Fraction
    b: Fraction
    width: Fraction

    def number(self, name: str) -> Fraction:
        return Fraction(self.at[name])

    @property
    def bandwidth(self) -> Fraction:
        return self.number("h") * self.width

    @property
    def d(self) -> int:
        return int(self.at["d"])

    @cached_property
    def leaning(self) -> Law:
        """The density leans up given x_2 > 0, down given x_2 < 0."""
        up = leaning(self.number("f"), self.number("l_1"), self.number("r"))
        down = mirrored(leaning(self.number("f"), self.number("l_1"), 1 - self.number("r")))
        return spread(self.d, self.a, self.b, up, down)

    @cached_property
    def peaked(self) -> Law:
        """The density falls on both sides of 0, for every x."""
        both = peaked(self.number("f"), self.number("l_1"), self.number("r"))
        return spread(self.d, self.a, self.b, both, both)

    def distance(self) -> Real:
        """|theta_h* - theta*| where the density leans: every x has a residual of its own, +-q, at which its slope vanishes."""
        m = arb()
        q = root(self.number("f"), self.number("l_1"), self.number("r"), self.bandwidth)
        return q if self.d == 1 else q / m.real(self.a)


@cache
def root(f: Fraction, l_1: Fraction, r: Fraction, bandwidth: Fraction) -> Real:
    """|q| for the q at which the density that leans up has E calK((-q - error)/h) = r, enclosed; q < 0 for wide windows."""
    hinges = leaning(f, l_1, r)
    above = arb(256).gt(smoothed(arb(256), hinges, arb(256).real(0), arb(256).real(bandwidth)), arb(256).real(r)) is True

    def below(q: Real) -> Truth:
        m = arb(256)
        at, level = smoothed(m, hinges, -q if above else q, m.real(bandwidth)), m.real(r)
        return m.gt(at, level) if above else m.lt(at, level)

    return bracket(below, str(float(bandwidth**2 * l_1 / (6 * f))), relative_bits=40).ball()


@cache
def models() -> tuple[Model, ...]:
    """All combinations of the values above."""
    found = []
    for d, a, b, B_x, rho_1 in FEATURES:
        for f, l_1, r in ERRORS:
            for h, width in SMOOTHINGS:
                kappa_1, kappa_2 = (str(x.normalize()) for x in (Decimal(width) / 2, Decimal(width) ** 2 / 3))
                at = {"d": d, "r": r, "h": h, "B_x": B_x, "kappa_1": kappa_1, "kappa_2": kappa_2, "l_1": l_1, "f": f}
                more = {"rho_1": rho_1, "B": "2", "optimum_norm": "1", "distance": "0"}
                found.append(Model({**at, **more}, Fraction(a), Fraction(b), Fraction(width)))
    return tuple(found)


@dataclass(frozen=True)
class Try:
    """A model with what the claim says there: the claim's numbers, and the value that its left side really has."""

    at: Mapping[str, str]
    true: Callable[[], Real]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One assertion `quantity sign formula`: how it is proved, where it is tried."""

    scope: str
    name: str
    tries: Iterable[Try]
    holds: bool
    """Whether the printed formula was proved on the right side of a proved one, over the whole domain."""
    method: str
    sign: str = "<="
    lemmas: tuple[Lemma, ...] = ()
    given: tuple[Callable[..., Truth], ...] = ()
    severity: Severity | None = Severity.CONSTANT
    survives: str = "The bound with the constant that the lemma proves."
    decisive: Mapping[str, str] | None = None
    remark: str | None = None


def decide(claim: Claim, side: Side) -> Finding:
    """Refuted at the first model (a decisive one, if it is among them) that the claim admits; else certified if proved."""
    names, wrong, count = {p.name for p in claim.parameters}, [], 0
    holds = side.holds and {*side.given} <= claim.tests
    for tried in side.tries:
        at = {name: value for name, value in tried.at.items() if name in names}
        if not admitted(claim, [at]):
            continue
        count, true, m = count + 1, tried.true(), arb()
        claimed = apply(claim.formulas[side.name], m, {name: m.real(value) for name, value in at.items()})
        if claimed.is_finite() and true.is_finite() and compare(m, true, side.sign, claimed) is False:
            wrong.append((at, claimed, true))
    coverage = (f"{count} models",)
    if wrong and holds:
        raise ArithmeticError(f"{side.scope}: proved, and yet contradicted at {wrong[0][0]}")
    if wrong:
        at, claimed, true = next((w for w in wrong if w[0] == {**w[0], **(side.decisive or {})}), wrong[0])
        return refuted(
            side.scope,
            ends(claimed)[1 if side.sign == "<=" else 0],
            true,
            at,
            method="an explicit model with piecewise linear densities and a uniform kernel, enclosed",
            severity=side.severity,
            survives=side.survives,
            coverage=coverage,
            effort=f"{len(wrong)} of {count} models contradict it",
        )
    if not holds:
        reason = f"no contradiction at {count} models, and not proved over the whole domain"
        return Finding(scope=side.scope, verdict=Verdict.OPEN, reason=reason, coverage=coverage)
    return certified(side.scope, side.method, *side.lemmas, coverage=coverage, given=side.given, reason=side.remark)


def norm(m: Numbers, vector: Iterable[Real]) -> Real:
    """l2 norm; sums of squares that are zero up to rounding give a ball around zero."""
    return m.sqrt(m.max(sum((x * x for x in vector), start=m.real(0)), 0))


def no_negative(difference: Any) -> bool:
    """Whether numerator and denominator have nonnegative coefficients only, in symbols that are at least 0."""
    top, bottom = sympy.fraction(sympy.together(sympy.powdenest(sympy.simplify(difference), force=True)))
    symbols = sorted(top.free_symbols | bottom.free_symbols, key=str)
    if not symbols:
        return bool(top / bottom >= 0)
    if not all(x.is_nonnegative for x in symbols):
        return False
    try:
        return all(c >= 0 for part in (top, bottom) for c in sympy.Poly(sympy.expand(part), *symbols).coeffs())
    except (sympy.PolynomialError, TypeError):
        return False
