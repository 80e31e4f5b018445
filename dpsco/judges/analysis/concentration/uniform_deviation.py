"""Judges of the uniform deviation on a sphere and of what it implies.

The deviation is certified by bounded differences, another route than the printed chain, whose links are findings of their own;
it is contradicted by exact binomial tails of one feature with a fair sign, and by features that vanish.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb
from typing import Any

import sympy

from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import admitted, compared, every_sign, proved, refuted
from dpsco.arguments.formula import apply, quantity
from dpsco.instances.grid import grid
from dpsco.mutants.analysis.concentration import uniform_deviation as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.analysis.concentration.uniform_deviation import no_hill_between, positive_on_sphere
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Severity

SEGMENT = Lemma(
    "segment",
    "Were |theta_hat - theta*| > r_0, the segment from theta* to theta_hat would meet the sphere at a point where Lhat is at "
    "most the larger of its end values (no hill), so at most Lhat(theta*): the sphere's condition excludes it.",
)
SYMMETRISED = Lemma(
    "bounded differences",
    "With R = max(r, 1-r) r_0 B_x each |ell_h(theta* + delta; z) - ell_h(theta*; z)| <= R. The supremum of mean minus average "
    "has expectation at most 2 E sup of (1/n) sum of signs times these, at most 2 R/sqrt(n) by contraction, as E|sum of signs "
    "times x_i| <= B_x sqrt(n). One record moves it by at most 2R/n, so it exceeds its expectation by R sqrt(2 ln(1/gamma)/n) "
    "with probability at most gamma. By Cauchy (2 + sqrt(2 s))^2 <= (4/k + 2)(k d + s) for d >= 1.",
)
EDGE = Lemma(
    "regulariser on the sphere",
    "|theta*|^2 - |theta* + delta|^2 = -2 theta*'delta - r_0^2 is at most 2 r_0 |theta*| - r_0^2, which it is for delta "
    "opposite to theta*.",
)
SIGNS = Lemma(
    "one feature with a fair sign",
    "d = 1 (other features 0), x = +-B_x, theta* > 0, outcomes beyond the window on the side where the loss has slope max(r, "
    "1-r): the loss is linear there. At delta = -r_0 theta*/|theta*| the difference is max(r, 1-r) r_0 B_x S/n + lambda (2 r_0 "
    "|theta*| - r_0^2), S a sum of n fair signs (of the better orientation).",
)
COVERING = Lemma(
    "covering",
    "The unit ball has a covering of this scale with at most (1 + 2/scale)^d points: d ln(1 + 2/scale) enters the exponent.",
)


@dataclass(frozen=True)
class Landscape:
    """A function Lhat of one variable with theta* = 0 as a claim sees it at r_0 = 1; with t/r_0 for t it serves every r_0."""

    words: str
    increase: str
    hill: str
    distance: tuple[str, str]
    """Ends of an interval that holds the distance of a minimiser."""


LANDSCAPES = (
    Landscape("t^2 (t - 3)^2 - t^2, least at (9 + sqrt(17))/4", "3", "3.2275", ("3.2807", "3.2808")),
    Landscape("0.49 - t before 0.49, 1000 (t - 0.49) beyond", "1", "0", ("0.49", "0.49")),
    Landscape("0.99 - t before 0.99, 1000 (t - 0.99) beyond", "1", "0", ("0.99", "0.99")),
    Landscape("a constant, of which 2 is a minimiser", "0", "0", ("2", "2")),
    Landscape("|t - 2|", "-1", "0", ("2", "2")),
)
"""The first has a hill of that height (rounded) before its minimiser."""


def valley_beyond(name: str, claim: Claim, scope: str, reading: Reading) -> Iterator[Finding]:
    """The first function, of those that the claim admits, with a minimiser farther out than the claim says."""
    names, m = {p.name for p in claim.parameters}, arb()
    for land, r_0 in product(LANDSCAPES, ("1", "0.25", "4")):
        at = {"d": "1", "r_0": r_0, "least_increase": land.increase, "hill": land.hill}
        at = {key: text for key, text in at.items() if key in names}
        values = {key: m.real(text) for key, text in at.items()}
        claimed = quantity(claim, name, m, values)
        true = m.real(land.distance[0]).union(m.real(land.distance[1])) * m.real(r_0)
        if admitted(claim, [at]) and m.gt(true, claimed) is True:
            yield refuted(
                scope,
                claimed,
                true,
                at,
                method=f"Lhat = {land.words}, in t/r_0; theta* = 0, L = t^2",
                severity=Severity.DOMAIN,
                survives="It holds for quasi-convex Lhat, so for the convex risks that the paper applies it to.",
                coverage=(f"{len(LANDSCAPES)} functions, 3 radii",),
                reading=reading,
            )
            return


def enclosed_minimiser(name: str, claim: Claim) -> Iterator[Finding]:
    """Functions with a valley beyond the sphere; else the segment, with arbitrary functions beside it."""
    scope, tests = "|theta_hat - theta*|, every function Lhat admitted", claim.tests
    wrong = list(valley_beyond(name, claim, scope, Reading.PRINTED))
    yield from wrong
    s = symbols_of(claim.parameters)
    right = quantity(claim, name, symbolic(), s)
    sound = bool(sympy.simplify(right - s["r_0"]).is_nonnegative) and {positive_on_sphere, no_hill_between} <= tests
    if sound:
        given = (positive_on_sphere, no_hill_between)
        yield proved(scope, True, "printed bound less r_0: nonnegative", lemmas=(SEGMENT,), given=given)
        hilly = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != no_hill_between))
        yield from valley_beyond(name, hilly, "the same for arbitrary functions, not the paper's risks", Reading.ANOTHER)
    elif not wrong:
        yield proved(scope, False, "")


AXES = {
    "n": ("1", "2", "40", "400"),
    "d": ("1", "9"),
    "gamma": ("1e-40", "1e-10", "1e-3", "0.5", "0.999"),
    "r": ("0.5", "0.001", "0.9"),
    "B_x": ("0.3", "7"),
    "lambda_": ("1e-9", "100"),
    "r_0": ("0.1", "3"),
    "optimum_norm": ("2", "0.06"),
}


@cache
def tail(n: int, above: int) -> Fraction:
    """Pr[S > above] for a sum S of n fair signs, exactly."""
    return Fraction(sum(comb(n, heads) for heads in range(n + 1) if 2 * heads - n > above), 2**n)


def exceeding(m: Numbers, claimed: Real, at: Mapping[str, str]) -> Real | None:
    """An enclosed probability above gamma with which the difference exceeds the claimed deviation; None if none was found."""
    v = {name: m.real(text) for name, text in at.items()}
    edge = v["lambda_"] * (2 * v["r_0"] * v["optimum_norm"] - v["r_0"] ** 2)
    if m.gt(edge, claimed) is True:  # features that vanish: the difference is the regulariser's, with certainty
        return m.real(1)
    scale = m.max(v["r"], 1 - v["r"]) * v["r_0"] * v["B_x"]
    needed = m.ceil((claimed - edge) / scale * v["n"])
    top = needed.upper()
    if not top.is_finite() or top >= int(at["n"]):
        return None
    found = m.real(tail(int(at["n"]), int(top.ceil().unique_fmpz())))
    return found if m.gt(found, v["gamma"]) is True else None


def proved_part(claim: Claim, name: str) -> tuple[bool, str]:
    """Whether the formula is C max(r, 1-r) r_0 B_x sqrt((k d + ln(1/gamma))/n) plus lambda times the largest regulariser, with
    C^2 >= 2 + 4/k; and the constants in words."""
    s = symbols_of(claim.parameters)
    full, more = apply(claim.formulas[name], symbolic(), s), sympy.Symbol("s", positive=True)
    regulariser = sympy.expand(full).coeff(s["lambda_"])
    if sympy.simplify(regulariser - 2 * s["r_0"] * s["optimum_norm"] + s["r_0"] ** 2) != 0:
        return False, ""
    rest = sympy.simplify(full - s["lambda_"] * regulariser)
    square = rest**2 * s["n"] / (sympy.Max(s["r"], 1 - s["r"]) * s["r_0"] * s["B_x"]) ** 2
    square = sympy.expand(sympy.simplify(sympy.expand_log(square.subs(s["gamma"], sympy.exp(-more)), force=True)))
    constant, slope = square.coeff(more), square.coeff(s["d"])
    if sympy.simplify(square - constant * more - slope * s["d"]) != 0 or not (constant.is_number and slope.is_number):
        return False, ""
    if not (constant > 0 and slope > 0):
        return False, ""
    holds = bool(constant >= 2 + 4 * constant / slope)
    return holds, f"C^2 = {constant}, k = {sympy.nsimplify(slope / constant)}: C^2 >= 2 + 4/k"


def deviates(name: str, claim: Claim) -> Iterator[Finding]:
    """The supremum on the sphere, with probability at least 1 - gamma."""
    scope = "supremum on the sphere, every distribution, kernel and bandwidth"
    tried, m = grid(claim, AXES), arb()
    for at in tried:
        claimed = apply(claim.formulas[name], m, {key: m.real(text) for key, text in at.items()})
        found = exceeding(m, claimed, at)
        if found is not None:
            yield refuted(
                scope,
                at["gamma"],
                found,
                at,
                method="probability that the difference exceeds the claimed deviation, against gamma: exact binomial tail",
                severity=Severity.CONSTANT,
                survives="The deviation with C^2 >= 2 + 4/k before the root of (k d + ln(1/gamma))/n.",
                coverage=tried.coverage,
                lemmas=(SIGNS, EDGE),
            )
            return
    holds, words = proved_part(claim, name)
    remark = (
        "differences of population risks are read as expectations of differences, which are finite; r_0 < 2 |theta*| and "
        "n >= 2 are not needed"
    )
    lemmas = (SYMMETRISED, EDGE)
    yield proved(scope, holds, words, lemmas=lemmas, remark=remark, coverage=tried.coverage)
    if holds:
        yield from links(claim, name)


def links(claim: Claim, name: str) -> Iterator[Finding]:
    """Steps of the printed proof that the claim states as formulas."""
    s = symbols_of(claim.parameters)
    if "regulariser_deviation" in claim.formulas:
        largest = 2 * s["r_0"] * s["optimum_norm"] - s["r_0"] ** 2
        same = sympy.expand(apply(claim.formulas["regulariser_deviation"], symbolic(), s) - largest) == 0
        yield proved("link: |theta*|^2 - |theta* + delta|^2 on the sphere", same, "identically", lemmas=(EDGE,))
    if "covering_scale" in claim.formulas:
        scale = apply(claim.formulas["covering_scale"], symbolic(), {})
        same = sympy.simplify(1 + 2 / scale - sympy.exp(4)) == 0
        yield proved("link: the covering's scale gives the constant 4 before d", same, "exact", lemmas=(COVERING,))


def factor(bound: str, claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed constant of the covering, enclosed against a number."""

    def right(m: Numbers) -> Real:
        return m.real(bound)

    m = arb()
    left = apply(claim.formulas["covering_factor"], m, {})
    known = "<" if m.lt(left, m.real(bound)) is True else ">" if m.gt(left, m.real(bound)) is True else None
    left_formula: Callable[..., Real] = claim.formulas["covering_factor"]
    yield compared(
        f"link: 2 sqrt(2)/(1 - scale) {sign} {bound}",
        left_formula,
        sign,
        right,
        known=known,
        instances=[{}],
        method="both sides enclosed: constants",
        severity=PROOF_STEP,
        survives="The conclusion, by bounded differences.",
        printed="left",
        remark=f"covering_factor = {left.str(12, radius=False)}",
    )


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions."""
    ends_of: dict[Relation, Any] = {
        relation: partial(enclosed_minimiser, relation.right)
        for relation in claim.asserts
        if (relation.left, relation.sign) == ("|theta_hat - theta*|", "<=") and relation.right in {"r_0", *claim.formulas}
    }
    difference = "supremum of the difference with probability >= 1 - gamma"
    bounds = {Relation(difference, "<=", name): partial(deviates, name) for name in claim.formulas}
    return {**ends_of, **bounds, **every_sign("covering_factor", "3", partial(factor, "3"))}


def uniform_deviation(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table(claim))


JUDGES = {f"quantile/{id}": uniform_deviation for id in ("lem-B.1", "lem-B.2")}

MUTANTS = {"quantile/lem-B.1": mutants.of_sphere, "quantile/lem-B.2": mutants.of_deviation}
