"""Judge of the order quantity with output noise: its global sensitivity, and how often it misses whatever n is."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import Formula, compare, compared, every_sign, order, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.algorithms import output_perturbation as mutants
from dpsco.reference.algorithms.sample_average import order_quantity, rank
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.algorithms.output_perturbation import quantile_is_in_range, tolerance_is_in_range
from dpsco.spec.claim import Claim
from dpsco.spec.domain import nonnegative, positive
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity

ORDER = Lemma(
    "one order statistic",
    "The order is one of the demands, so two orders differ by at most y_bar. With ceil(n r) - 1 demands at 0, n - ceil(n r) at "
    "y_bar and one that is 0 or y_bar it moves by y_bar; 1 <= ceil(n r) <= n for every r in (0, 1).",
)
EVENTS = Lemma(
    "the two ways to miss",
    "The order q_hat lies in [0, y_bar]. Noise of at least q + tolerance puts the release at q + tolerance or more, noise of at"
    " most -(y_bar + tolerance - q) at q - tolerance or less; as tolerance > 0 the two exclude each other. The noise does not "
    "depend on the sample.",
)
BOTH = Lemma(
    "two arguments, one after the other",
    "With t_1 = (q + tolerance)/sigma > 0 and t_2 = (y_bar + tolerance - q)/sigma > 0 (q >= 0, q <= y_bar) the difference of "
    "the two sides falls in t_1 and in t_2, and tends to 0 as both grow: it is positive.",
)
EXISTS = Lemma(
    "more noise",
    "The Gaussian profile at epsilon falls to 0 as sigma grows: some sigma at or above any given one is private.",
)
AXES = {
    "y_bar": ("0.5", "1", "40"),
    "q": ("0", "0.25", "0.5", "20"),
    "tolerance": ("0.001", "0.2", "0.49", "15"),
    "sigma": ("0.05", "0.3", "1", "50", "1000"),
}
SAMPLES = {"n": ("1", "2", "3", "100"), "r": ("0.001", "0.25", "0.5", "0.999"), "y_bar": ("0.5", "1", "40")}
MISSED = "Pr[|released order - q| >= tolerance]"


def moved_order(instance: Mapping[str, str]) -> Fraction:
    """How far the order moves on the pair of `ORDER`."""
    n, r, most = int(instance["n"]), Fraction(instance["r"]), Fraction(instance["y_bar"])
    k = rank(n, r)
    rest = [Fraction(0)] * (k - 1) + [most] * (n - k)
    return abs(order_quantity([*rest, most], r) - order_quantity([*rest, Fraction(0)], r))


def sensitivity(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed global sensitivity against the order on the attaining pair, computed; the noise that is scaled by it."""
    yield from least_scale(claim)
    printed, tried = claim.formulas["sensitivity"], grid(claim, SAMPLES)
    y_bar, n, r = sympy.symbols("y_bar n r", positive=True)
    known = order(sympy.simplify(y_bar - apply(printed, symbolic(), {"y_bar": y_bar, "n": n, "r": r})))
    m, scope = arb(), "every n, r and y_bar"
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        right, true = apply(printed, m, values), m.real(moved_order(instance))
        if compare(m, true, sign, right) is False:
            yield refuted(
                scope,
                right,
                true,
                instance,
                method="the order on the attaining pair, in exact rationals; no pair moves it farther",
                severity=Severity.CONSTANT,
                survives="The sensitivity is y_bar for every n and r.",
                rung=Rung.EXACT,
                coverage=tried.coverage,
                lemmas=(ORDER,),
            )
            return
    holds = known == "=" and sign in ("=", "<=", ">=")
    yield proved(scope, holds, "the printed sensitivity is y_bar", lemmas=(ORDER,), coverage=tried.coverage)


def _positive_deviations(claim: Claim) -> bool:
    """Whether the claim's domains and conditions make t_1 and t_2 positive."""
    domains = [claim.parameter(name).domain for name in ("q", "tolerance", "sigma")]
    return domains == [nonnegative, positive, positive] and quantile_is_in_range in claim.tests


@cache
def _in_deviations(formula: Formula) -> tuple[Real, Real, Real]:
    """The formula as an expression in t_1 and t_2 (and what else it holds), Phi written out."""
    one, two, sigma, tolerance = sympy.symbols("t_1 t_2 sigma tolerance", positive=True)
    q = one * sigma - tolerance
    values = {"q": q, "y_bar": two * sigma - tolerance + q, "tolerance": tolerance, "sigma": sigma}
    found = apply(formula, symbolic(), values).replace(sympy.Function("Phi"), lambda x: sympy.erfc(-x / sympy.sqrt(2)) / 2)
    return sympy.simplify(found), one, two


def missed(claim: Claim, sign: str) -> Iterator[Finding]:
    """The chance to miss, least at q_hat = q, against the printed sum of two tails."""
    scope, tried = "every sample and distribution on [0, y_bar]", grid(claim, AXES)
    m = arb()
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        right = apply(claim.formulas["miss_probability"], m, values)
        true = 2 * m.Phi(-values["tolerance"] / values["sigma"])
        if compare(m, true, sign, right) is False:
            yield refuted(
                scope,
                right,
                true,
                instance,
                method="a sample whose order is q itself, enclosed",
                severity=Severity.CONSTANT,
                survives="Pr[N >= q + tolerance] + Pr[N >= y_bar + tolerance - q] is a lower bound, N the noise.",
                coverage=tried.coverage,
            )
            return
    printed, one, two = _in_deviations(claim.formulas["miss_probability"])
    tails = (sympy.erfc(one / sympy.sqrt(2)) + sympy.erfc(two / sympy.sqrt(2))) / 2
    holds = sign == ">=" and _positive_deviations(claim) and sympy.simplify(printed - tails) == 0
    given = (quantile_is_in_range,)
    yield proved(scope, holds, "the printed sum is that of the two", lemmas=(EVENTS,), given=given, coverage=tried.coverage)
    slopes = [sympy.simplify(sympy.diff(printed, t)) for t in (one, two)]  # t_1 and t_2 grow with the tolerance
    falls = holds and all(slope.is_negative for slope in slopes)
    method = "the printed sum falls in the tolerance, so its value at max(q, y_bar - q) serves all; n does not enter"
    both = (quantile_is_in_range, tolerance_is_in_range)
    yield proved("link: one constant C > 0 for all tolerances in range and all n", falls, method, lemmas=(EVENTS,), given=both)


@cache
def _falls_to_zero(left: Formula, right: Formula) -> str | None:
    """The sign of left - right, where it falls in t_1 and in t_2 and tends to 0."""
    (a, one, two), (b, *_) = _in_deviations(left), _in_deviations(right)
    gap = a - b
    if not gap.free_symbols <= {one, two}:
        return None
    slopes = [sympy.simplify(sympy.diff(gap, t) * sympy.exp(t**2 / 2)) for t in (one, two)]
    end = sympy.limit(sympy.limit(gap, two, sympy.oo), one, sympy.oo)
    return ">" if all(slope.is_negative for slope in slopes) and end == 0 else None


def tails(claim: Claim, sign: str) -> Iterator[Finding]:
    """The sum of two Gaussian tails against the printed elementary bound: by derivatives, or enclosed."""
    left, right = claim.formulas["miss_probability"], claim.formulas["miss_lower"]
    known = _falls_to_zero(left, right) if _positive_deviations(claim) else None
    yield compared(
        "two tails against their elementary bound, every q, y_bar, tolerance and sigma",
        left,
        sign,
        right,
        known=known,
        instances=list(grid(claim, AXES)),
        method="computer algebra: the slopes of the difference in t_1 and t_2 are negative, its limit is 0",
        severity=Severity.CONSTANT,
        survives="Phi(-t) >= t/(t^2 + 1) phi(t) for t > 0.",
        lemmas=(BOTH,),
        given=(quantile_is_in_range,),
    )


def above_zero(claim: Claim, sign: str) -> Iterator[Finding]:
    """The elementary bound is positive."""

    def zero(m: Numbers) -> Real:
        return m.real(0)

    found, one, two = _in_deviations(claim.formulas["miss_lower"])
    known = order(found) if found.free_symbols <= {one, two} and _positive_deviations(claim) else None
    yield compared(
        "the elementary bound is positive",
        claim.formulas["miss_lower"],
        sign,
        zero,
        known=known,
        instances=list(grid(claim, AXES)),
        method="computer algebra in t_1, t_2 > 0",
        severity=Severity.CONCLUSION,
        survives="The sum of the two tails is positive.",
        given=(quantile_is_in_range,),
    )


def least_scale(claim: Claim) -> Iterator[Finding]:
    """Beside the assertions: is the printed least sigma itself private?"""
    yield proved("link: a private sigma at or above the printed one exists", True, "written lemma", lemmas=(EXISTS,))
    m, axes = arb(), {"epsilon": ("0.1", "1", "10", "100"), "delta": ("1e-6", "0.1", "0.9"), "y_bar": ("40",)}
    shown: list[tuple[Instance, Real]] = []
    for instance in grid(claim, axes):
        values = {name: m.real(value) for name, value in instance.items()}
        mu = values["y_bar"] / apply(claim.formulas["sigma_least"], m, values)
        true = profile(m, values["epsilon"], mu)
        if m.gt(true, values["delta"]) is True:
            shown.append((instance, true))
    for instance, true in shown[:1]:
        yield refuted(
            "the same with sigma equal to the printed least one",
            instance["delta"],
            true,
            instance,
            method="Gaussian profile of the attaining pair, enclosed",
            severity=Severity.DOMAIN,
            survives="The classical scale is private for epsilon < 1, and inconsistency needs only that sigma is fixed.",
            reading=Reading.ANOTHER,
        )


READ: Table = {
    **every_sign("global sensitivity of the sample quantile", "sensitivity", sensitivity),
    **every_sign(MISSED, "miss_probability", missed),
    **every_sign("miss_probability", "miss_lower", tails),
    **every_sign("miss_lower", "0", above_zero),
}

JUDGES = {"newsvendor/prop-EC.1": reading(READ)}

MUTANTS = {"newsvendor/prop-EC.1": mutants.of_proposition}
