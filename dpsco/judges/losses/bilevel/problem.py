"""Judges of the bilevel definitions, and of how large a set of lower minimisers Assumption 2.1 admits."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.assertions import known_release, reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.bilevel import neighbouring_minimisers as known
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, named, nonnegative
from dpsco.mutants.losses.bilevel import problem as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

ONE_MINIMISER = Lemma(
    "a strongly convex mean has one minimiser",
    "A mean of strongly convex functions on R^{d_y} is strongly convex, so continuous, and grows with |y|: it has a minimiser. "
    "Between two of them it would be smaller than at both.",
)
DECISION = "the upper decision x"
PRIVATE = Relation("(epsilon, delta)-DP", "=>", "privacy_slack <= 0 for all neighbours and events, and conversely")
DIAMETER = Relation("inner_diameter", "<=", "bound")
CONVEX_DIAMETER = Relation("convex_diameter", "<=", "convex_bound")
MINIMISERS_DIAMETER = Relation("minimisers_diameter", "<=", "minimisers_bound")
KINDS: dict[str, tuple[int, Lemma, Lemma]] = {
    "any compact Y": (4, known.COMPACT, known.THREE_POINTS),
    "convex Y": (2, known.CONVEX, known.SEGMENT),
    "Y the closed convex hull of the lower minimisers": (1, known.HULL, known.PATH),
}
"""For each kind of set: the multiple of L_gy/mu_g that is proved and attained, why, and where."""


def definition(claim: Claim) -> Iterator[Finding]:
    """What the words mean: nothing to decide but whether the printed inequality is the one that is described."""
    yield from known_release(claim, DECISION)
    if PRIVATE not in claim.asserts:
        return
    p, q, epsilon, delta = sympy.symbols("p q epsilon delta", real=True)
    budget: dict[str, Any] = {"epsilon": epsilon, "delta": delta}
    pairs = {"probability": p, "neighbour_probability": q, "probability_under_X": q, "probability_under_Y": p}
    slack, term = (apply(claim.formulas[name], symbolic(), budget | pairs) for name in ("privacy_slack", "privacy_curve_term"))
    differences = (slack - (p - sympy.exp(epsilon) * q - delta), term - delta - slack)
    if any(sympy.simplify(difference) != 0 for difference in differences):
        reason = "the formulas are not those of Definitions 2.3 and B.3"
        yield Finding(scope="the definitions", verdict=Verdict.OPEN, reason=reason, asserts=(PRIVATE,))
        return
    yield Finding(
        scope="the problems with g(x, y, z_i) in the inner mean, their risks, neighbours and privacy",
        verdict=Verdict.STATED,
        method="computer algebra: privacy_slack is P - e^epsilon P' - delta, and privacy_curve_term less delta is the same",
        asserts=(PRIVATE,),
        release=claim.releases,
        adjacency=claim.adjacency,
        reason="Definitions. A strongly convex G_Z(x, .) on R^{d_y} has exactly one minimiser, so (Bilevel ERM) names "
        "something; (Bilevel SO) does only if the expectation of g exists. The curve's direction does not matter for "
        "neighbours, which are unordered. In (Bilevel ERM) g(x, y, z_i) is read, as in Lemma B.5 and (Bilevel SO). To "
        "mend: Z for X as the space of P, W for X as that of S; D_y is never defined, and D_x is half a diameter in "
        "the lower bound.",
    )
    yield refuted(
        "(Bilevel ERM) as printed, g(x, y_Z(x), z_i) in the inner mean: its minimisers over y",
        "exactly one, y_Z(x)",
        "every y, with the value 8",
        {"g": "(y - 1)^2/2", "n": "1", "y_Z(x)": "5"},
        method="the printed mean, 8 here, does not depend on y: every y is a minimiser, the named one too, whatever it is",
        severity=Severity.MISPRINT,
        survives="With y for y_Z(x), as Lemma B.5 and (Bilevel SO) print it, y_Z(x) is the one minimiser, here 1.",
        rung=Rung.EXACT,
    )
    yield certified(
        "(Bilevel ERM) with g(x, y, z_i) in the inner mean: its minimisers over y",
        "written lemma",
        ONE_MINIMISER,
        reading=Reading.MEANT,
    )


def diameter(claim: Claim, kind: str, relation: Relation) -> Finding:
    """The diameter of one kind of set against the claim's formula."""
    times, why, where = KINDS[kind]

    def least(m: Numbers, v: Any) -> Real:
        return times * v["L_gy"] / v["mu_g"]

    stated = named(claim, relation.right)
    slack = expressed(claim, stated) - expressed(claim, least)
    return bounded(
        Side(
            scope=f"diameter of Y, {kind}, every d_y, empirical and population problem",
            claimed=stated,
            reached=least,
            holds=nonnegative(claim, slack),
            method=f"computer algebra: the bound is at least {times} L_gy/mu_g"
            + (", and equal to it" if sympy.simplify(slack) == 0 else ""),
            instances=known.lower_problems(claim),
            severity=Severity.CONSTANT,
            survives="The diameter is at most 4 L_gy/mu_g, 2 L_gy/mu_g for convex Y, and L_gy/mu_g for the set of lower "
            "minimisers if g is L_gy-Lipschitz on its convex hull.",
            lemmas=(why,),
            family=(where,),
            given=known.LOWER_TESTS,
            decisive={"L_gy": "1", "mu_g": "1"},
        )
    )


def any_compact(claim: Claim) -> Iterator[Finding]:
    """The convex ones; where they meet the bound, every Y; where they refute it, what the remark may have meant."""
    found = diameter(claim, "convex Y", DIAMETER)
    if found.verdict is not Verdict.REFUTED:
        yield diameter(claim, "any compact Y", DIAMETER)
        return
    yield replace(found, reason="For a compact Y that is not convex, which the assumption admits too, the factor is 4.")
    yield replace(diameter(claim, "Y the closed convex hull of the lower minimisers", DIAMETER), reading=Reading.MEANT)


READ = {
    DIAMETER: any_compact,
    CONVEX_DIAMETER: lambda claim: [diameter(claim, "convex Y", CONVEX_DIAMETER)],
    MINIMISERS_DIAMETER: lambda claim: [
        diameter(claim, "Y the closed convex hull of the lower minimisers", MINIMISERS_DIAMETER)
    ],
}
by_reading = reading(READ)

JUDGES = {"bilevel/def-erm": definition, "bilevel/asm-2.1": by_reading, "bilevel/asm-2.1-amended": by_reading}
MUTANTS = {"bilevel/asm-2.1-amended": mutants.of_diameters}
