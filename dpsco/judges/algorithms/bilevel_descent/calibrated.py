"""Judge of bilevel descent with constants that hold: privacy and utility at once, the warm start, the combination."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.bilevel_descent.averaged_gradients import average, chosen_steps
from dpsco.arguments.algorithms.bilevel_descent.private_wells import refuted_by_wells
from dpsco.arguments.algorithms.bilevel_descent.two_stages import start_gap, warm
from dpsco.arguments.algorithms.descent.bilevel_gradients import (
    CHAIN,
    GRADIENT,
    MINIMISERS,
    SLOPE_TESTS,
    K_of_12,
    gradient_change,
    never_below,
)
from dpsco.arguments.algorithms.exponential_sampling.gradient_sampling import GIBBS as SAMPLED
from dpsco.arguments.algorithms.exponential_sampling.gradient_sampling import RATIO, SCORES
from dpsco.arguments.assertions import reading
from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.bilevel_descent.algorithm import privacy, query_link
from dpsco.judges.algorithms.exponential_sampling.nonconvex import GIBBS, RESPONSE
from dpsco.mutants.algorithms.bilevel_descent import calibrated as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.bilevel_descent.calibrated import (
    minimiser_is_inside,
    near_minimiser_is_inside,
)
from dpsco.spec.algorithms.exponential_sampling.calibrated import scale_is_positive
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Truth
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Rung, Verdict

WELLS = "No private algorithm has a smaller mean gradient on one of many wells."
MEAN_GAP = Lemma(
    "mean of the gap at the start",
    "Given x_0 the mean square is at most 2 gap(x_0)/(eta T) + B^2 + eta beta Sigma^2 (2 beta gap(x_0) for T = 1), linear in "
    "the gap: with T fixed before, the mean over x_0 needs only the mean of the gap, what X lacks of the infimum plus the "
    "excess over the least value on X.",
)
LEAST = Lemma(
    "choice of the better bound",
    "The four algorithms are each (epsilon, delta)-DP; which bound is least depends on the constants, epsilon, delta, n, d_x "
    "alone, and that one is run: the amended Algorithm 1 from a fixed point of X (gap at most L_bar D_x, for X holds a "
    "minimiser), the amended warm start, the sampler with the gradient's norm as score (least 0 on X), or a fixed point.",
)
PARTS = ("descent", "warm_start", "sampling", "trivial")


def warm_privacy(claim: Claim) -> Iterator[Finding]:
    """The query's printed sensitivity, a link of the second stage, and the two stages together."""
    yield query_link(claim)
    yield from warm(claim)


def warm_utility(claim: Claim) -> Iterator[Finding]:
    """The bound of the warm start: against every private algorithm, then by the mean of the gap and the shares of the bound."""
    broken = refuted_by_wells(claim, "bound", "mean gradient of the warm start", WELLS)
    if broken is not None:
        yield broken
        return
    gap = start_gap(claim) and _defined(claim)
    for finding in chosen_steps(claim, "bound", 2):
        if finding.verdict is Verdict.CERTIFIED and gap:
            given: tuple[Callable[..., Truth], ...] = tuple(
                dict.fromkeys((*finding.given, near_minimiser_is_inside, scale_is_positive))
            )
            yield replace(finding, lemmas=(*finding.lemmas, MEAN_GAP, GIBBS, RESPONSE), given=given)
        elif finding.verdict is Verdict.CERTIFIED:
            reason = "the bound on the gap is not what X lacks and the first stage's excess, with Psi and L_bar as proved"
            yield Finding(scope=finding.scope, verdict=Verdict.OPEN, reason=reason)
        else:
            yield finding


def _defined(claim: Claim) -> bool:
    """Whether Psi and L_bar are what the range of X and the slope of the objective take for them."""
    v = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    proved = {
        "Psi_defined": v["L_fx"] * v["D_x"] + v["L_fy"] * v["D_y"] + v["L_fy"] * v["L_gy"] / v["mu_g"],
        "L_bar_defined": v["L_fx"] + v["beta_gxy"] * v["L_fy"] / v["mu_g"],
    }
    return all(sympy.simplify(apply(claim.formulas[name], symbolic(), v) - own) == 0 for name, own in proved.items())


def least(claim: Claim) -> Iterator[Finding]:
    """Each of the four bounds against the proved one of its algorithm, and the bound against their minimum."""
    base = Finding(
        scope="the least of the four bounds, one of four algorithms",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        release=claim.releases,
        reason="no contradiction, and it is not the minimum of the four proved bounds",
    )
    broken = refuted_by_wells(claim, "bound", base.scope, WELLS)
    if broken is not None:
        yield broken
        return
    m, v = symbolic(), {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    chosen = ("by_descent", "by_warm_start", "by_sampling", "L_bar")
    smallest = apply(claim.formulas["bound"], m, v) == sympy.Min(*(v[name] for name in chosen))
    if smallest and all(_proved(claim, name, v) for name in PARTS):
        yield replace(
            base,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="computer algebra: the parts are the bounds of bilevel/thm-4.2-amended, thm-4.3-amended, sec-C.3-amended, "
            "L_fx + beta_gxy L_fy/mu_g, the bound is their minimum; K of (12) covers the change of the gradient",
            lemmas=(LEAST, MEAN_GAP, GIBBS, RESPONSE, RATIO, SCORES, MINIMISERS, CHAIN, SAMPLED, GRADIENT),
            given=tuple(dict.fromkeys((*SLOPE_TESTS, scale_is_positive, minimiser_is_inside))),
            reason="It rests on the three amendments, each judged by itself.",
        )
    else:
        yield base


def _proved(claim: Claim, part: str, v: dict[str, Any]) -> bool:
    """Whether the part is at least the proved bound of its algorithm, with the claim's own s and Psi."""
    m = symbolic()
    printed = apply(claim.formulas[part], m, v)
    first, second, third = (find(f"bilevel/{label}-amended").formulas for label in ("thm-4.2", "thm-4.3", "sec-C.3"))
    if part == "descent":
        proved = apply(first["bound"], m, {**v, "gap_bound": v["L_bar"] * v["D_x"]})
    elif part == "warm_start":
        own = all(_same(claim.formulas[name], second[name], v) for name in ("s", "Psi_defined"))
        gap = apply(second["gap_bound_chosen"], m, v)
        proved = apply(second["bound"], m, {**v, "gap_bound": gap}) if own else sympy.oo
    elif part == "sampling":
        sound = minimiser_is_inside in claim.tests and never_below(K_of_12(), gradient_change())
        proved = apply(third["rate"], m, v) if sound else sympy.oo
    else:
        proved = v["L_fx"] + v["beta_gxy"] * v["L_fy"] / v["mu_g"]
    share = sympy.simplify(printed / proved)
    return bool(share.is_number and share >= 1)


def _same(left: Any, right: Any, v: dict[str, Any]) -> bool:
    return bool(sympy.simplify(apply(left, symbolic(), v) - apply(right, symbolic(), v)) == 0)


BOUND = Relation("mean_norm", "<=", "bound")
DESCENT = {
    Relation("Algorithm 1", "is", "(epsilon, delta)-DP"): privacy,
    Relation("mean_square", "<=", "averaged_bound"): average,
    BOUND: lambda claim: chosen_steps(claim, "bound"),
}
JUDGES = {
    "bilevel/thm-4.2-amended": reading(DESCENT),
    "bilevel/thm-4.3-amended": reading({Relation("x_priv", "is", "(epsilon, delta)-DP"): warm_privacy, BOUND: warm_utility}),
    "bilevel/eq-3-amended": reading({BOUND: least}),
}

MUTANTS = {
    "bilevel/thm-4.2-amended": mutants.of_descent,
    "bilevel/thm-4.3-amended": mutants.of_warm_start,
    "bilevel/eq-3-amended": mutants.of_least,
}
