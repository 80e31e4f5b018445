"""The population risk of the check loss where the error is independent of the features: slopes, minimisers, exact laws.

A law is a list of pieces (low, high, mass), each uniform on [low, high] or an atom where low = high; all numbers are rational.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import sympy

from dpsco.arguments.assertions import Table
from dpsco.arguments.comparing import admitted, compare, every_sign, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.objective_perturbation.asymptotics import means_are_finite, quantile_is_first
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity

SLOPES = Lemma(
    "one-sided slopes of the risk",
    "For E|x| and E|e| finite the risk L(theta_true + a) = E c(e - <a, x>) is finite and convex, and by dominated "
    "convergence its slope at a in direction v is E[<v, x> (Pr[e < <a, x>] - r)] + E[<v, x>^+ Pr[e = <a, x>]]. It is linear "
    "in v, so L has a gradient, where Pr[e = <a, x>] = 0. At a = (q, 0, ..., 0), <a, x> = q: the slope is E[<v, x>^+ (F(q) - "
    "r)] + E[<v, x>^- (r - Pr[e < q])] >= 0 for every v, so a is a minimiser; along the intercept the right and left slopes "
    "are F(q) - r, Pr[e < q] - r.",
)
ALONE = Lemma(
    "one minimiser",
    "L(a + v) - L(a) at a = (q, 0, ..., 0) is E of the integral of F(q + t) - r from t = 0 to <v, x>. q is the least number "
    "with F(q) >= r, so F(q + t) < r for t < 0; with F(q + t) > r for t > 0 the integral is positive wherever <v, x> is not "
    "0, which has positive probability for v != 0 if E[x x'] is positive definite.",
)
SHIFTED = Lemma(
    "the new error",
    "y - <theta*, x> = e - q x_1 = e - q, independent of x: its distribution function at 0 is F(q), which is r where F is "
    "continuous at q (F(t) < r for t < q), and at least r by right-continuity.",
)
READ_IN = "E|x| and E|e| finite are read in: without them the risk is infinite everywhere"


@dataclass(frozen=True)
class Law:
    """An error's law, named, and the level r; x = 1 and theta_true = `start`."""

    name: str
    r: Fraction
    pieces: tuple[tuple[Fraction, Fraction, Fraction], ...]
    start: Fraction = Fraction(0)

    def below(self, t: Fraction, inclusive: bool) -> Fraction:
        """Pr[e <= t] or Pr[e < t]."""
        total = Fraction(0)
        for low, high, mass in self.pieces:
            if low == high:
                total += mass if low < t or (inclusive and low == t) else 0
            else:
                total += mass * min(max((t - low) / (high - low), Fraction(0)), Fraction(1))
        return total

    def quantile(self) -> Fraction:
        """The least number t with Pr[e <= t] >= r."""
        ends_ = sorted({x for low, high, _ in self.pieces for x in (low, high)})
        last = ends_[0]
        for t in ends_:
            if self.below(t, inclusive=False) >= self.r and t > last:
                start, rise = (
                    self.below(last, inclusive=True),
                    self.below(t, inclusive=False) - self.below(last, inclusive=True),
                )
                return last if start >= self.r else last + (self.r - start) / rise * (t - last)
            if self.below(t, inclusive=True) >= self.r:
                return t
            last = t
        raise ArithmeticError(f"{self.name}: masses below r")

    def risk(self, a: Fraction) -> Fraction:
        """E c(e - a), c(u) = r u^+ + (1 - r) u^-."""
        total = Fraction(0)
        for low, high, mass in self.pieces:
            cuts = [low, *([a] if low < a < high else []), high]
            for left, right in pairwise(cuts):
                share = mass * (right - left) / (high - low) if high > low else mass
                u = (left + right) / 2 - a
                total += share * (self.r * u if u > 0 else (self.r - 1) * u)
        return total

    def numbers(self) -> dict[str, str]:
        """The claim's numbers as decimal strings."""
        q = self.quantile()
        found = {"quantile": q, "mass_below": self.below(q, False), "mass_up_to": self.below(q, True), "r": self.r}
        return {**{k: str(float(v)) for k, v in found.items()}, "intercept_true": str(float(self.start)), "mean_size": "2"}


def _law(name: str, r: str, *pieces: tuple[str, str, str], start: str = "3") -> Law:
    return Law(name, Fraction(r), tuple((Fraction(a), Fraction(b), Fraction(c)) for a, b, c in pieces), Fraction(start))


KINK = _law("e = 0 surely", "0.75", ("0", "0", "1"))
FLAT = _law("e = -1 or 1 with probability 1/2 each", "0.5", ("-1", "-1", "0.5"), ("1", "1", "0.5"))
APART = _law(
    "e uniform on [-1, 0] or on [1, 2], with probability 1/2 each", "0.5", ("-1", "0", "0.5"), ("1", "2", "0.5"), start="0"
)
REACHED = _law("e uniform on [-1, 0] or e = 0, with probability 1/2 each", "0.5", ("-1", "0", "0.5"), ("0", "0", "0.5"))
SMOOTH = _law("e uniform on [-1, 3]", "0.75", ("-1", "3", "1"))
MIXED = _law("e uniform on [0, 1] or e = 5, with probability 1/2 each", "0.25", ("0", "1", "0.5"), ("5", "5", "0.5"))
LAWS = (KINK, FLAT, APART, REACHED, SMOOTH, MIXED)


def _refuted(
    scope: str, law: Law, method: str, claimed: str, found: tuple[str, str], how: Severity | None, survives: str
) -> Finding:
    at = {**law.numbers(), "law": law.name, "x": "1"}
    at.pop("mean_size")
    return refuted(scope, claimed, found, at, method, how, survives, rung=Rung.EXACT, coverage=(f"{len(LAWS)} exact laws",))


def _certified(claim: Claim, scope: str, lemma: Lemma, method: str = "written lemma") -> Finding:
    finite = means_are_finite in claim.tests
    given = (quantile_is_first, means_are_finite) if finite else (quantile_is_first,)
    return proved(scope, True, method, lemmas=(lemma,), given=given, remark=None if finite else READ_IN)


def differentiable_everywhere(claim: Claim) -> Iterator[Finding]:
    """Two kinks: at the quantile (part 2), and away from it (part 1)."""
    for law, part in ((KINK, 2), (MIXED, 1)):
        kink = next((low for low, high, _ in law.pieces if low == high), law.quantile())
        jump = law.below(kink, True) - law.below(kink, False)
        if jump == 0 or not admitted(claim, [law.numbers()]):
            yield proved(f"differentiability, part {part}", False, "")
            continue
        yield _refuted(
            f"differentiability, part {part}",
            law,
            "the slopes of the risk on both sides of theta_true + the atom, exactly",
            f"one slope at {float(law.start + kink)}",
            (str(float(law.below(kink, False) - law.r)), str(float(law.below(kink, False) - law.r + jump))),
            PROOF_STEP,
            "The risk is convex with one-sided slopes, and differentiable where Pr[y = <theta, x>] = 0; the minimiser stays.",
        )


def differentiable_off_atoms(claim: Claim) -> Iterator[Finding]:
    """Where no outcome lies on the fit with positive probability."""
    yield _certified(claim, "the risk, every law", SLOPES)


def _same(claim: Claim, name: str, wanted: Any) -> bool:
    s = symbols_of(claim.parameters)
    return sympy.expand(apply(claim.formulas[name], symbolic(), s) - wanted(s)) == 0


def first_coordinate(only: bool, claim: Claim) -> Iterator[Finding]:
    """The printed intercept is a minimiser; the only one where the error's distribution function is not flat at r."""
    scope, m = "the intercept, every law", arb()
    if not _same(claim, "intercept", lambda s: s["intercept_true"] + s["quantile"]):
        for law in LAWS:
            printed = apply(claim.formulas["intercept"], m, {k: m.real(v) for k, v in law.numbers().items()})
            exact = (printed * 2**20).unique_fmpz()
            at = law.quantile() if exact is None else Fraction(int(exact), 2**20) - law.start
            if law.risk(at) > law.risk(law.quantile()):
                best = str(float(law.start + law.quantile()))
                method = "the risk at the printed intercept is above that at the computed one, exactly"
                right = "The intercept is that of theta_true plus q."
                yield _refuted(scope, law, method, ends(printed)[0], (best, best), Severity.CONSTANT, right)
                return
    flat = ((APART, 1, (0, 1)), (FLAT, 2, (-1, 1)))
    for law, part, (first, last) in flat if only else ():
        least = law.risk(law.quantile())
        if not (law.risk(Fraction(first)) == law.risk(Fraction(last)) == least and admitted(claim, [law.numbers()])):
            yield replace(proved(f"read as the only minimiser, part {part}", False, ""), reading=Reading.ANOTHER)
            continue
        only_one = _refuted(
            f"read as the only minimiser, part {part}",
            law,
            "F = r on an interval: every number of it is a minimiser, exactly",
            str(float(law.start + law.quantile())),
            (str(float(law.start + first)), str(float(law.start + last))),
            Severity.DOMAIN,
            "It is one of the minimisers, and the only one if F(q + t) > r for t > 0 and E[x x'] is positive definite.",
        )
        yield replace(
            only_one, reading=Reading.ANOTHER, reason="arg min is any minimiser; the proof shows 'an optimal solution'"
        )
    yield _certified(claim, f"{scope}: it is a minimiser", SLOPES)
    if means_are_finite not in claim.tests:
        yield refuted(
            "the intercept: errors without expectation",
            "a finite least risk",
            "inf",
            {"x": "1", "r": "0.5", "quantile": "2"},
            method="Pr[e > s] = 1/s for s >= 1: E min(e, s) = 1 + ln s, so the risk is infinite at every theta",
            severity=Severity.DOMAIN,
            survives="It holds for E|x| and E|e| finite; for E|x| finite alone, differences of the risk have this minimiser.",
            rung=Rung.EXACT,
            reading=Reading.ANOTHER if only else Reading.PRINTED,
            reason="demand is bounded elsewhere in the paper" if only else None,
        )


def slope(name: str, claim: Claim, sign: str, atoms_only: bool = False) -> Iterator[Finding]:
    """A one-sided slope along the intercept against 0, its formula against the lemma's; part 2 speaks of atoms at q only."""
    up, m = name == "slope_right", arb()
    side = "mass_up_to" if up else "mass_below"
    for law in LAWS:
        values = {k: m.real(v) for k, v in law.numbers().items()}
        true = m.real(law.below(law.quantile(), inclusive=up) - law.r)
        printed = apply(claim.formulas[name], m, values)
        counts = not atoms_only or law.below(law.quantile(), True) > law.below(law.quantile(), False)
        if m.eq(printed, true) is False or (counts and compare(m, true, sign, m.real(0)) is False):
            claimed = ends(printed)[0] if m.eq(printed, true) is False else f"{sign} 0"
            kept = "The right slope is F(q) - r >= 0, the left one Pr[e < q] - r <= 0."
            method = "the one-sided slope of the risk at theta_true + q, exactly"
            yield _refuted(f"{name} {sign} 0", law, method, claimed, ends(true), PROOF_STEP, kept)
            return
    known = _same(claim, name, lambda s: s[side] - s["r"]) and sign == (">=" if up else "<=")
    if known:
        yield _certified(claim, f"{name} {sign} 0", SLOPES, "the precondition, and the formula is the slope of the lemma")
    else:
        yield proved(f"{name} {sign} 0", False, "")


def _written(lemma: Lemma, scope: str, claim: Claim) -> Iterator[Finding]:
    yield _certified(claim, scope, lemma)


RISK, NEW = "population risk", "Pr[new error <= 0 | x]"
READ: Table = {
    Relation(RISK, "is", "differentiable at every theta"): differentiable_everywhere,
    Relation(RISK, "is", "differentiable at every theta with Pr[y = <theta, x>] = 0"): differentiable_off_atoms,
    Relation("first coordinate of the minimiser", "=", "intercept"): partial(first_coordinate, True),
    Relation("first coordinate of a minimiser", "=", "intercept"): partial(first_coordinate, False),
    Relation("other coordinates of the minimiser", "=", "those of theta_true"): partial(
        _written, SLOPES, "other coordinates, of that minimiser"
    ),
    Relation("other coordinates of that minimiser", "=", "those of theta_true"): partial(
        _written, SLOPES, "other coordinates, of that minimiser"
    ),
    Relation("that minimiser", "is", "the only one if F(q + t) > r for t > 0 and E[x x'] is positive definite"): partial(
        _written, ALONE, "uniqueness"
    ),
    Relation(NEW, "=", "r (part 1)"): partial(_written, SHIFTED, "the new error, part 1"),
    Relation(NEW, ">=", "r (part 2)"): partial(_written, SHIFTED, "the new error, part 2"),
    **every_sign("slope_right", "0", partial(slope, "slope_right")),
    **every_sign("slope_left", "0", partial(slope, "slope_left")),
    Relation("slope_left", "<", "0 (part 2)"): lambda claim: slope("slope_left", claim, "<", atoms_only=True),
}
