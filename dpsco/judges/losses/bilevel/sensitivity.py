"""Judges of how a bilevel objective and its lower minimiser change with one record, or with the upper variable."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import CENTRED, SHIFT, centred_range
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.losses.bilevel import neighbouring_minimisers as known
from dpsco.arguments.losses.bilevel.response_judgements import changed, difference, minimiser_response, smooth, unchanged
from dpsco.arguments.losses.bilevel.sides import side
from dpsco.arguments.polynomial_slack import expressed, named, nonnegative
from dpsco.mutants.losses.bilevel import sensitivity as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.algorithms.exponential_sampling import calibrated
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers
from dpsco.verdict import PROOF_STEP, Finding, Reading, Rung, Severity, Verdict

SHIFT_KEPT = "|y_Z(x) - y_Z'(x)| <= 2 L_gy/(mu_g n), where one Y holds the minimisers of all data sets."
RANGE_KEPT = "The change is at most (2/n)(L_fx D_x + L_fy D_y) + 4 (n - 1) L_fy L_gy/(mu_g n^2)."
SCORE_KEPT = "Phi_Z - Phi_Z' less a number that does not depend on x is at most s/2: the law of (4) sees nothing else."


def shift(claim: Claim) -> Iterator[Finding]:
    """Lower minimisers of neighbours: by values of g on the one Y of all data sets."""
    yield side(
        claim,
        "shift of the lower minimiser, every d_y, Hessians of any kind",
        "minimiser_shift",
        known.shift_bound,
        known.reached_shift,
        known.shifted_problems(claim),
        severity=Severity.CONSTANT,
        survives=SHIFT_KEPT,
        lemmas=(SHIFT,),
        family=(known.OPPOSITE,),
        given=known.LOWER_TESTS,
        remark="Attained at n = 1, and up to the factor 2n/(2n + 1) at every n: half of it does not suffice. One Y holds the "
        "minimisers of all data sets, as Assumption 2.1 has it; with a Y for each data set alone (g = (y - z)^2/2, Y = {z}) "
        "L_gy = 0 and y_Z moves by 1.",
    )


def centred(claim: Claim) -> Iterator[Finding]:
    """The centred score against s as printed, then against s with 1/n throughout, as the proof adds up."""
    values, s = known.shifted_problems(claim), named(claim, "s")
    spare = expressed(claim, s) - expressed(claim, known.range_bound) - expressed(claim, _inner_term)
    idle = nonnegative(claim, spare)
    found = side(
        claim,
        "centred change of the score, every d_x, d_y",
        "s",
        centred_range,
        known.reached_range,
        values,
        also=known.range_bound,
        severity=Severity.CONSTANT,
        survives=RANGE_KEPT,
        lemmas=known.RANGE_LEMMAS,
        family=known.RANGE_FAMILIES,
        given=known.LOSS_TESTS,
        remark="The term L_fy D_y is not needed beside a last term without 1/n: |y_Z(x) - y_Z(x0)| <= 2 L_gy/mu_g covers it, "
        "whatever D_y means. D_x is the diameter of X."
        if idle
        else None,
    )
    yield found
    repaired = replace(claim, formulas={**claim.formulas, "s": calibrated.score_scale})
    if found.verdict is Verdict.CERTIFIED and sympy.simplify(_flat(claim)) != 0:
        meant = side(
            repaired,
            "centred change against s with 1/n in its last term too, as the proof gives it",
            "s",
            centred_range,
            known.reached_range,
            values,
            severity=Severity.CONSTANT,
            survives=RANGE_KEPT,
            lemmas=(SHIFT, CENTRED),
            family=known.RANGE_FAMILIES,
            given=known.LOSS_TESTS,
            remark="The printed s is not O(1/n), against the rate of Theorem 3.2.",
        )
        yield replace(meant, reading=Reading.MEANT)


def _inner_term(m: Numbers, v: Any) -> Any:
    return 2 * v["L_fy"] * v["D_y"] / v["n"]


def _flat(claim: Claim) -> Any:
    """What of s does not fall with n."""
    n = expressed(claim, lambda m, v: v["n"])
    return sympy.limit(expressed(claim, named(claim, "s")), n, sympy.oo)


def summed(claim: Claim) -> Iterator[Finding]:
    """The sum of the proof's steps against s."""
    steps = named(claim, "s_of_proof")
    yield side(
        claim,
        "link: the steps of the proof add up to at most s",
        "s",
        steps,
        steps,
        known.shifted_problems(claim),
        severity=PROOF_STEP,
        survives=RANGE_KEPT,
        lemmas=(),
        family=(),
        given=(),
    )
    yield side(
        claim,
        "link: the steps of the proof against the proved bound",
        "s_of_proof",
        centred_range,
        known.reached_range,
        known.shifted_problems(claim),
        severity=PROOF_STEP,
        survives=RANGE_KEPT,
        lemmas=(SHIFT, CENTRED),
        family=known.RANGE_FAMILIES,
        given=known.LOSS_TESTS,
    )


def own_number(claim: Claim) -> Iterator[Finding]:
    """The score itself: a loss that is a number of the record's own changes it by as much as the record says."""
    m = arb(128)
    at = known.full(claim, dict.fromkeys(("n", "L_fx", "L_fy", "L_gy", "mu_g", "D_x", "D_y"), Fraction(1)))
    stated = named(claim, "s")(m, {name: m.real(value) for name, value in at.items()})
    conditions = claim.tests
    if not conditions <= {*known.LOSS_TESTS} or not stated.is_finite():
        yield Finding(scope="the score", verdict=Verdict.OPEN, reason="no argument under other conditions than Assumption 2.1")
        return
    moved = m.ceil(stated + 1)
    yield refuted(
        "the score itself, n = 1",
        stated,
        moved,
        {**at, "c": ends(moved)[0]},
        method="f(x, y, z) = z, z in {0, c}: slopes 0 in x and y, Phi_Z - Phi_Z' = c/n, and c is free; here the least integer "
        "from s + 1 on",
        severity=PROOF_STEP,
        survives=SCORE_KEPT,
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
    )


def up_to_a_number(claim: Claim) -> Iterator[Finding]:
    """Half the range of Phi_Z - Phi_Z' against s/2."""
    yield side(
        claim,
        "score less the best number, every d_x, d_y",
        "half_s",
        lambda m, v: centred_range(m, v) / 2,
        lambda m, v: known.reached_range(m, v) / 2,
        known.shifted_problems(claim, record_range=Fraction(1)),
        also=lambda m, v: known.range_bound(m, v) / 2,
        severity=Severity.CONSTANT,
        survives=RANGE_KEPT,
        lemmas=(*known.RANGE_LEMMAS, known.RANGE),
        family=(*known.RANGE_FAMILIES, known.RANGE),
        given=known.LOSS_TESTS,
    )


def with_records(claim: Claim) -> Iterator[Finding]:
    """The score itself where f changes by at most record_range between records."""
    yield side(
        claim,
        "score itself, f of bounded range between records",
        "record_bound",
        known.record_change_bound,
        known.reached_record_change,
        known.shifted_problems(claim, record_range=Fraction(8)),
        severity=Severity.CONSTANT,
        survives="It changes by at most record_range/n + 2 L_fy L_gy/(mu_g n).",
        lemmas=(SHIFT, known.RECORDS),
        family=(known.OPPOSITE,),
        given=known.LOSS_TESTS[1:],
    )


READ = {
    Relation("centred_change", "<=", "s"): centred,
    Relation("largest_shift", "<=", "minimiser_shift"): shift,
    Relation("s_of_proof", "<=", "s"): summed,
    Relation("score_change", "<=", "s"): own_number,
    Relation("shifted_change", "<=", "half_s"): up_to_a_number,
    Relation("score_change", "<=", "record_bound"): with_records,
    Relation("minimiser_quotient", "<=", "bound"): minimiser_response,
    Relation("difference_quotient", "<=", "bound"): difference,
    Relation("unchanged_quotient", "<=", "unchanged_record"): unchanged,
    Relation("changed_quotient", "<=", "changed_record"): changed,
    Relation("smooth_quotient", "<=", "smooth_bound"): smooth,
}
by_reading = reading(READ)


JUDGES = {
    "bilevel/thm-3.2-sensitivity": by_reading,
    "bilevel/score-sensitivity": by_reading,
    "bilevel/score-sensitivity-amended": by_reading,
    "bilevel/lem-B.5": by_reading,
    "bilevel/lem-B.6": by_reading,
    "bilevel/lem-B.6-amended": by_reading,
}
MUTANTS = {
    "bilevel/thm-3.2-sensitivity": mutants.of_sensitivity,
    "bilevel/score-sensitivity-amended": mutants.of_score,
    "bilevel/lem-B.5": mutants.of_response,
    "bilevel/lem-B.6-amended": mutants.of_slopes,
}
