"""Judges of the packing lower bounds of private predict-then-optimize training: the theorems, and each part of their proof."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.analysis import packed_costs as packed
from dpsco.arguments.analysis.decision_risks import AT_ONCE, ball_risk, packed_risk, population_risk, q
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import certified, every_sign, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.lower_bounds import packing as mutants
from dpsco.reference.analysis.lower_bounds.packing import chance_of_right, unit
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.packing import optimum_covers, packing_is_large, prediction_covers
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Rung, Severity, Verdict

NEAR = "Where d > 2 e^(epsilon n) and c_star_j = e_j, some j has distance at least 1 with probability at least 1/2."
LARGE = 1000
"""A dimension above 2 e^(epsilon n) at small n, where naming the cost does not help."""
COVERING = "For predictions with 2 c_hat >= c in every coordinate."


def loss(claim: Claim) -> Iterator[Finding]:
    """The transformed loss against SPO+ on S = {w >= -1}."""
    scope, bad = "the SPO+ loss on S = {w >= -1} against the displayed one", packed.loss_contradicted(claim)
    if bad is not None:
        case, said, true = bad
        how = f"the loss at a decision with a coordinate {packed.REACH}, or the exact loss; SPO+ is at least that"
        yield refuted(scope, packed.shown(said), true, case.at, how, Severity.DOMAIN, COVERING, lemmas=(packed.CONE,))
    elif packed.is_loss(claim):
        yield certified(scope, "computer algebra, two and three coordinates", packed.CONE, given=(prediction_covers,))
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither identical nor contradicted at the cases tried")


def distance_of_costs(claim: Claim, sign: str) -> Iterator[Finding]:
    """|e_i - e_j|_1 against the printed number, for every two different places of two and of three."""
    scope, holds = f"separation {sign} separation_stated", {"=": "==", "<=": "<=", ">=": ">=", "<": "<", ">": ">"}[sign]
    m = symbolic()
    for d in (2, 3):
        for i, j in ((i, j) for i in range(d) for j in range(d) if i != j):
            pair = {"c_first": unit(m, d, i), "c_second": unit(m, d, j)}
            left, right = apply(claim.formulas["separation"], m, pair), apply(claim.formulas["separation_stated"], m, {})
            if not bool(sympy.Rel(left, right, holds)):
                at = {"c_first": f"e_{i + 1}", "c_second": f"e_{j + 1}", "d": str(d)}
                yield refuted(scope, right, left, at, "exact", Severity.CONSTANT, "The distance is 2.", Rung.EXACT)
                return
    yield certified(scope, "exact: two entries of size 1 remain, in two and three and so in all dimensions")


def average(claim: Claim) -> Iterator[Finding]:
    """The average of the packed matrices: beaten by zero in the printed loss, and not admissible in the exact one."""
    m, (at, ((said, other), (exact, half))) = arb(), packed.average_beaten(claim)
    scope = "the average minimises the mean of packed_loss over nonnegative Bhat"
    severity, kept = Severity.CONCLUSION, "Where all costs are equal the average is one of many optima."
    if m.gt(said, other) is True:
        where = {**at, "other Bhat": "0"}
        lemmas = (packed.SLACK,)
        yield refuted(scope, packed.shown(other), said, where, "both means enclosed", severity, kept, lemmas=lemmas)
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the zero matrix does not beat it")
    if packed.is_loss(claim) and m.gt(exact, half) is True:  # packed_loss stands for the SPO+ loss where predictions cover
        yield refuted(
            "the average minimises the SPO+ risk itself, which packed_loss is where predictions cover",
            packed.shown(half),
            exact,
            {**at, "other Bhat": "prediction (1/2, 1/2)"},
            f"at a decision with a coordinate {packed.REACH}: the risk of the average has no bound; half the largest cost has",
            severity,
            kept,
            lemmas=(packed.CONE, packed.SLACK),
        )


def least(claim: Claim) -> Iterator[Finding]:
    """The repaired optimum."""
    scope, bad = "share times the largest costs has the least risk", packed.share_contradicted(claim)
    if bad is not None:
        where, said, best = bad
        how = "exact SPO+ risks, decisions up to a large coordinate"
        at = {"costs": where}
        yield refuted(scope, packed.shown(best), said, at, how, Severity.CONSTANT, "Half of them has.")
    elif sympy.sympify(apply(claim.formulas["share"], symbolic(), {})) == sympy.Rational(1, 2) and packed.is_loss(claim):
        yield certified(scope, "exact: the share is 1/2, the loss that of the lemma", packed.CONE, packed.SLACK)
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither proved nor contradicted")


def packings(claim: Claim) -> Iterator[tuple[dict[str, str], Numbers, dict[str, Any]]]:
    """n, d, epsilon in the claim's range: small d, d just above 2 e^(epsilon n), and far above."""
    m = arb(256)
    for n, epsilon in (("40", "1"), ("100", "1"), ("1000", "0.01"), ("1", "0.001"), ("1", "1"), ("3", "0.7"), ("2", "20")):
        edge = m.floor(2 * m.exp(m.real(epsilon) * m.real(n))).unique_fmpz()
        for d in (str(1000 * (edge + 1)), str(edge + 1), "1000000", str(LARGE), "100", "2", "1"):
            at = {"n": n, "d": d, "epsilon": epsilon}
            values = {name: m.real(value) for name, value in at.items()}
            if all(p(m, values) is True for p in claim.preconditions):
                yield at, m, values


def mass(claim: Claim) -> Iterator[Finding]:
    """The total probability that is to be above 1."""
    scope = "packed_mass > total_mass for every n, d, epsilon"
    for at, m, v in packings(claim):
        said, whole = (apply(claim.formulas[name], m, v) for name in ("packed_mass", "total_mass"))
        if m.gt(said, whole) is False:
            yield refuted(scope, packed.shown(whole), said, at, "both sides enclosed", Severity.DOMAIN, NEAR)
            return
    more = sympy.Symbol("more", positive=True)
    values = {**q, "d": 2 * sympy.exp(q["epsilon"] * q["n"]) * (1 + more)}
    said, whole = (apply(claim.formulas[name], symbolic(), values) for name in ("packed_mass", "total_mass"))
    proved = values["d"] * sympy.exp(-q["epsilon"] * q["n"]) / 2
    if sympy.simplify(said - proved) == 0 and sympy.simplify(said - whole).is_positive:
        yield certified(scope, "with d = 2 e^(epsilon n) (1 + x) the mass is 1 + x", packed.PACKED, given=(packing_is_large,))
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not the mass that group privacy gives, or not above the total")


def distance(claim: Claim, beyond: bool | None) -> Iterator[Finding]:
    """Distances on the packed data: for n <= n*, for n > n* (n copies, and the padded data), or for every n (None)."""
    which = {None: "n copies", False: "n <= n*", True: "n > n*"}[beyond]
    scope = f"some j has the distance with probability at least 1/2, {which}"
    found = list(closer(claim, beyond, scope, False))
    if found or beyond is not None:
        yield from found or [
            Finding(scope=scope, verdict=Verdict.OPEN, reason="no instance in its range shows a closer answer")
        ]
    else:
        method = "the contrary gives probability above 1"
        yield certified(scope, method, packed.PACKED, adjacency=claim.adjacency, given=(packing_is_large,))
    if beyond is True:
        yield from closer(claim, beyond, f"{scope}, the padded data sets", True)
        yield from no_decision(claim)
    if beyond is False:
        yield from other_optimum(claim)


def in_range(claim: Claim, beyond: bool | None) -> Iterator[tuple[dict[str, str], Numbers, dict[str, Any], Real]]:
    """Instances on the asked side of n*, each with the distance that is printed there: 1, or distance_padded."""
    for at, m, v in packings(claim):
        if beyond is None or m.gt(v["n"], apply(claim.formulas["threshold"], m, v)) is beyond:
            yield at, m, v, apply(claim.formulas["distance_padded"], m, v) if beyond else m.real(1)


def closer(claim: Claim, beyond: bool | None, scope: str, padded: bool) -> Iterator[Finding]:
    """An epsilon-DP answer at distance 0, below the printed one, with probability above 1/2 on every data set."""
    for at, m, v, said in in_range(claim, beyond):
        copies = m.floor(apply(claim.formulas["threshold"], m, v)) if padded else v["n"]
        right = chance_of_right(m, v["d"], copies, v["epsilon"])
        if m.gt(said, m.real(0)) is True and m.ge(copies, 1) is True and m.gt(right, m.frac(1, 2)) is True:
            yield refuted(
                scope,
                "0.5",
                1 - right,
                at,
                f"probability of a distance of {packed.shown(said)} at an epsilon-DP algorithm, largest over j",
                Severity.DOMAIN,
                NEAR,
                lemmas=(packed.NAMING_PADDED if padded else packed.NAMING,),
                adjacency=claim.adjacency,
            )
            return


def no_decision(claim: Claim) -> Iterator[Finding]:
    """The decision for a padding record, where the printed padding has one."""
    for at, m, v, _ in in_range(claim, True):
        far, text = packed.without_end(m)
        if m.ge(apply(claim.formulas["padding"], m, v), 1) is True and m.lt(far, text) is True:
            yield refuted(
                "the padded data sets: the cost -(1, ..., 1) has no w*(c) on S = {w >= -1}, so no SPO+ risk",
                packed.shown(text),
                far,
                {"n": at["n"], "epsilon": at["epsilon"], "c": "-1", "w": packed.REACH, "d": "1"},
                f"exact: c'w at the decision {packed.REACH}, d = 1, and so without end, below that at the text's -c",
                PROOF_STEP,
                NEAR,
                Rung.EXACT,
            )
            return


def other_optimum(claim: Claim) -> Iterator[Finding]:
    """At large d too the constant 0 is nearer than 1 to an optimum."""
    for at, m, v, said in in_range(claim, False):
        if int(at["d"]) != LARGE or packing_is_large(m, d=v["d"], epsilon=v["epsilon"], n=v["n"]) is not True:
            continue
        reached = packed.half_way(m, LARGE)
        if reached is not None and m.lt(reached, said) is True:
            yield refuted(
                "the same for every d, optimum e_j/2 (Part I leaves it free)",
                packed.shown(said),
                reached,
                at,
                "exact: |0 - e_j/2|_1 for the constant 0, with probability 1",
                Severity.DOMAIN,
                NEAR,
                Rung.EXACT,
                lemmas=(packed.SLACK,),
                reason="d = 1000 and more: the optimum may be e_j/2, at distance 1/2 from the constant 0",
            )
            return


def gap(claim: Claim) -> Iterator[Finding]:
    """Difference of two risks on a packed data set."""
    scope, bad = "difference of the SPO+ risks on D^(j)", packed.gap_contradicted(claim)
    if bad is not None:
        case, said, true = bad
        how = f"exact risks, or at a decision with a coordinate {packed.REACH}: SPO+ is at least that"
        yield refuted(scope, packed.shown(said), true, case.at, how, Severity.DOMAIN, COVERING, lemmas=(packed.CONE,))
    elif packed.is_gap(claim):
        given = (prediction_covers, optimum_covers)
        yield certified(scope, "computer algebra, two and three coordinates", packed.CONE, given=given)
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither identical nor contradicted at the cases tried")


def implication(claim: Claim) -> Iterator[Finding]:
    """From a distance to a gap: c_hat = c_star + r e_j."""
    m = arb()
    values = {"c_star": [m.real(1), m.real(0)], "c_hat": [m.real(2), m.real(0)], "w_star": [m.real(-1), m.real(0)]}
    value = apply(claim.formulas["loss_gap"], m, values)
    at = {"c_star": "(1, 0)", "c_hat": "(2, 0)", "w_star": "(-1, 0)", "distance": "1"}
    if m.eq(value, m.real(0)) is True:
        lemmas, severity = (packed.SLACK,), PROOF_STEP
        yield refuted("a distance of 1 with no gap", "a positive gap", value, at, "exact", severity, AT_ONCE, lemmas=lemmas)
    else:
        yield Finding(scope="a distance with no gap", verdict=Verdict.OPEN, reason="the printed gap is not 0 there")


RISK = Relation("risk", ">=Omega", "rate")
PARTS: Table = {
    Relation("SPO+ loss on S = {w >= -1}", "=", "packed_loss"): loss,
    **every_sign("separation for different unit vectors", "separation_stated", distance_of_costs),
    Relation("mean of packed_loss at the average of the Bhat_i", "<=", "mean of packed_loss at every other Bhat"): average,
    Relation("mean of packed_loss at share times the largest costs", "<=", "mean of packed_loss at every covering Bhat"): least,
    Relation("packed_mass", ">", "total_mass"): mass,
    Relation("distance for n <= n*, with probability 1/2", ">=", "1"): partial(distance, beyond=False),
    Relation("distance for n > n*, with probability 1/2", ">=", "distance_padded"): partial(distance, beyond=True),
    Relation("distance for n copies, with probability 1/2", ">=", "1"): partial(distance, beyond=None),
    Relation("risk of c_hat - risk of c_star", "=", "loss_gap"): gap,
    Relation("distance >=Omega h/n", "=>", "loss_gap >=Omega h/n"): implication,
    Relation("risk", ">=Omega", "loss_rate"): partial(packed_risk, name="loss_rate"),
    RISK: partial(packed_risk, name="rate"),
}


def by_reading(claim: Claim, table: Table) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table)


THEOREMS = {"spo/thm-5": population_risk, "spo/thm-8": ball_risk, "spo/thm-8-amended": ball_risk}
STEPS = ("spo/app-d-1", "spo/app-d-2", "spo/app-d-3")
JUDGES = {
    **{id: partial(by_reading, table={RISK: decide}) for id, decide in THEOREMS.items()},
    **{id + ending: partial(by_reading, table=PARTS) for id in STEPS for ending in ("", "-amended")},
}

MUTANTS = {
    "spo/thm-5": mutants.of_population_risk,
    "spo/thm-8-amended": mutants.of_ball_risk,
    "spo/app-d-1-amended": mutants.of_loss,
    "spo/app-d-2-amended": mutants.of_mass,
    "spo/app-d-3-amended": mutants.of_gap,
}
