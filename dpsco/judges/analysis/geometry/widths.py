"""Judge of Gaussian widths, of the second moment of a support function, and of Minkowski norms against the l2 norm."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.analysis.geometry.sets import BALL, CHI, CONTAINED, JENSEN, MAXIMUM, SIMPLEX, SUM
from dpsco.arguments.analysis.geometry.support_moments import second_moment
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.geometry import widths as mutants
from dpsco.reference.analysis.geometry.widths import cross_polytope_width, simplex_width
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbol, symbolic, symbols_of
from dpsco.spec.analysis.geometry.widths import ball_lies_inside
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Integers, Interval
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Severity, Verdict

Width = Callable[[Numbers, Real, Real], Real]
Given = tuple[Callable[..., Truth], ...]
DIMENSIONS = ("1", "2", "3", "4", "9", "100", "1000000")
HOLDS = "It holds with the constant that is printed in the paper's examples."


def _share(claim: Claim, name: str, true: Any) -> Any:
    """The printed formula over a value, in lowest terms."""
    return _simplified(apply(claim.formulas[name], symbolic(), symbols_of(claim.parameters)), true)


@cache
def _simplified(printed: Any, true: Any) -> Any:
    share = sympy.simplify(printed.replace(sympy.loggamma, lambda x: sympy.log(sympy.gamma(x))) / true)
    return sympy.simplify(sympy.gammasimp(sympy.powsimp(sympy.expand_log(share, force=True), force=True)))


def width(
    claim: Claim,
    name: str,
    body: str,
    equal: bool,
    known: Any,
    true: Width,
    at: Sequence[dict[str, str]],
    lemma: Lemma,
) -> Iterator[Finding]:
    """A printed width or bound: against the true width at instances, against `known`, proved to be it or to bound it."""
    m = arb(128)
    for one in at:
        values = {key: m.real(value) for key, value in one.items()}
        printed, width = apply(claim.formulas[name], m, values), true(m, values["d"], values.get("p", m.real(2)))
        if m.lt(printed, width) is True or (equal and m.gt(printed, width) is True):
            yield refuted(
                body,
                printed,
                width,
                one,
                method="the width, enclosed, against the printed formula, enclosed",
                severity=Severity.CONSTANT,
                survives=HOLDS,
            )
            return
    share = _share(claim, name, known)
    enough = share == 1 if equal else bool(share.is_number and share >= 1)
    if enough and claim.parameter("d").domain == Integers(1) and claim.parameter("p").domain == Interval("1", "inf"):
        yield certified(
            body,
            f"computer algebra: the printed formula over {known} is {share}",
            lemma,
            coverage=(f"{len(at)} instances enclosed",),
        )
        return
    yield Finding(scope=body, verdict=Verdict.OPEN, reason=f"{share} times what is proved, and no instance contradicts it")


def _each(**fixed: str) -> list[dict[str, str]]:
    return [{"d": d, **fixed} for d in DIMENSIONS]


def _chi(m: Numbers, d: Real, p: Real) -> Real:
    return m.sqrt(m.real(2)) * m.gamma((d + 1) / 2) / m.gamma(d / 2) if d < 1000 else m.sqrt(d - m.frac(1, 2) + 1 / (8 * d))


def l2(claim: Claim) -> Iterator[Finding]:
    d = symbol(claim.parameter("d"))
    known = sympy.sqrt(2) * sympy.gamma((d + 1) / 2) / sympy.gamma(d / 2)
    yield from width(claim, "width_l2", "the l2 ball", True, known, _chi, _each()[:-1], CHI)


def linf(claim: Claim) -> Iterator[Finding]:
    known = symbol(claim.parameter("d")) * sympy.sqrt(2 / sympy.pi)
    yield from width(claim, "width_linf", "the l_inf ball", True, known, lambda m, d, p: d * m.sqrt(2 / m.pi), _each(), SUM)


def l1(claim: Claim) -> Iterator[Finding]:
    known = sympy.sqrt(2 * sympy.log(2 * symbol(claim.parameter("d"))))
    true: Width = lambda m, d, p: cross_polytope_width(m, int(d.unique_fmpz()))  # noqa: E731
    yield from width(claim, "width_l1_bound", "the l_1 ball", False, known, true, _each(), MAXIMUM)


def simplex(claim: Claim) -> Iterator[Finding]:
    known = sympy.sqrt(2 * sympy.log(symbol(claim.parameter("d"))))
    true: Width = lambda m, d, p: simplex_width(m, int(d.unique_fmpz()))  # noqa: E731
    yield from width(claim, "width_simplex_bound", "the probability simplex", False, known, true, _each(), SIMPLEX)


def lp(claim: Claim) -> Iterator[Finding]:
    """Jensen's bound; the true width is known for p = 2, and on the line."""
    s = symbols_of(claim.parameters)
    q = s["p"] / (s["p"] - 1)
    known = (s["d"] * 2 ** (q / 2) * sympy.gamma((q + 1) / 2) / sympy.sqrt(sympy.pi)) ** (1 / q)
    at = [*_each(p="2")[:-1], *({"d": "1", "p": p} for p in ("1.01", "1.5", "3", "100"))]
    yield from width(claim, "width_lp_bound", "the l_p balls", False, known, _chi, at, JENSEN)


def contained(
    claim: Claim, name: str, units: tuple[str, str], true: Callable[[Any, Any], Any], lemma: Lemma, given: Given
) -> Iterator[Finding]:
    """A printed lower bound, a multiple by at most 1 of what a lemma proves and l2 balls around the origin attain."""
    s = symbols_of(claim.parameters)
    known = true(*(s[unit] for unit in units))
    share = sympy.simplify(apply(claim.formulas[name], symbolic(), s) / known)
    if share.is_number and share <= 1:
        method = f"computer algebra: the printed bound over {known} is {share}"
        yield certified(name, method, lemma, given=given)
        return
    m = arb()
    for one, other in (("1", "1"), ("7", "0.5"), ("0.3", "4"), ("5", "9"), ("0.2", "0.1")):
        values = {units[0]: m.real(one), units[1]: m.real(other)}
        printed, reached = apply(claim.formulas[name], m, values), true(*values.values())
        if m.gt(printed, reached) is True:
            yield refuted(
                name,
                printed,
                reached,
                {units[0]: one, units[1]: other},
                method="an l2 ball around the origin, where both sides of the proved bound are equal",
                severity=Severity.CONSTANT,
                survives=f"It holds with {known}.",
                lemmas=(BALL,),
            )
            return
    yield Finding(scope=name, verdict=Verdict.OPEN, reason=f"{share} times the proved bound, and no ball contradicts it")


def minkowski(claim: Claim) -> Iterator[Finding]:
    """|v|_C against |v|_2 over |C|_2."""
    units = ("euclidean_norm", "C_norm")
    yield from contained(claim, "minkowski_lower_bound", units, lambda length, radius: length / radius, CONTAINED, ())


def inscribed(claim: Claim) -> Iterator[Finding]:
    """|x|_2 against |x|_C C_min."""
    units = ("minkowski_norm", "C_min")
    yield from contained(claim, "bound", units, lambda size, radius: size * radius, BALL, (ball_lies_inside,))


TABLE = {
    Relation("Gaussian width of the unit l2 ball", "=", "width_l2"): l2,
    Relation("Gaussian width of the unit l_inf ball", "=", "width_linf"): linf,
    Relation("Gaussian width of the unit l_1 ball", "<=", "width_l1_bound"): l1,
    Relation("Gaussian width of the probability simplex", "<=", "width_simplex_bound"): simplex,
    Relation("Gaussian width of the unit l_p ball", "<=", "width_lp_bound"): lp,
    Relation("minkowski_norm", ">=", "minkowski_lower_bound"): minkowski,
    Relation("E|G|_{C*}^2", "<=O", "dual_norm_rate"): second_moment,
}
widths = reading(TABLE)

JUDGES = {
    "lp/gaussian-width": widths,
    "lp/lem-10": reading({Relation("euclidean_norm", ">=", "bound"): inscribed}),
}

MUTANTS = {"lp/gaussian-width": mutants.of_widths, "lp/lem-10": mutants.of_inscribed_balls}
