"""Judges of randomised response between regions: the draw itself, one iteration built on it, and its mean direction."""

from collections.abc import Iterator
from dataclasses import replace
from inspect import signature
from typing import Any

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.half_spheres import (
    DENSITY,
    DIMENSIONS,
    REGIONS,
    enclosed,
    largest_quotient,
    never_negative,
    odds_hold,
    odds_proved,
    probabilities,
)
from dpsco.arguments.privacy.mean_direction import by_halves, mean_direction
from dpsco.instances.grid import grid
from dpsco.instances.privacy import EPSILONS
from dpsco.mutants.privacy import randomised_response as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Lemma, Part, Reading, Rung, Severity, Verdict

SPHERE = Lemma("the radius is not noised", "B_{t+1} lies at the distance `step` from B_t for every direction drawn.")
RECORD = Lemma(
    "gradients of single records",
    "Let S = [-1, 1], d = p = 1, |c| >= mu: at B_1 = 0 the smoothed loss of (c, x) has the gradient 2 (w*(c) - sign(c)) x = -4 "
    "sign(c) x. So x = 1 and x = 2 have gradients of norm 4 and 8, and (c, 1) and (c, -1) together have the mean gradient 0.",
)
TIE = Lemma(
    "a decision that does not move",
    "n = 2, x_{n+1} = 1, D = (c, 1), (c, -1) against D' = (c, 1), (c, 1). On D the step is 0, so B_2 = 0 and the decision is "
    "w*(0), one point w_0. On D' it is w*(-eta 4 G) = sign(G), +1 or -1, and the sign of c says which of them is favoured: let "
    "it be one that differs from w_0. The event 'not w_0' has probability 0 on D and at least f on D'.",
)
PUBLIC = Lemma(
    "post-processing", "With a public step B_{t+1}, and from it the decision, is a function of G_t that is free of the data."
)
SMOOTHED = Lemma(
    "the decision inside the loss",
    "The proof's w_t is the projection of (c - 2 c_hat)/mu on S = [-1, 1], c being a record's cost: it is sign(c), with "
    "certainty, if |c| >= mu + 2 |c_hat|. n = 1, c against -c: an event of probability 1 on one data set and 0 on the other.",
)
POINTS = Lemma("points", "For d >= 2 a direction uniform on a half-sphere has probability 0 of being any one point.")


def draw(claim: Claim) -> Iterator[Finding]:
    """One draw between half-spheres; beside it the regions of any shape for which the scheme is private, and is not."""
    yield _odds(claim, "the drawn direction alone", "one draw between half-spheres, every dimension, zero gradients included")
    common: dict[str, Any] = {"adjacency": claim.adjacency, "release": "the drawn point", "reading": Reading.MEANT}
    keep = "It holds for regions with one union and one share s of it, 1/2 <= s <= e^(2 epsilon)/(e^(2 epsilon) + 1)."
    rest: dict[str, Any] = {
        **common,
        "reading": Reading.ANOTHER,
        "rung": Rung.EXACT,
        "severity": Severity.DOMAIN,
        "survives": keep,
    }
    how = "P1, P2 = [0, 1], [1, 2] against [2, 3], [3, 4]: disjoint supports; least delta"
    yield refuted("every pair of disjoint regions, as the section prints them", "0", "1", {}, how, **rest)
    how = "P1, P2 = [0, 1], (1, 11] against [0, 10], (10, 11]: the densities u/10 and u on (10, 11]; their quotient"
    allowed = apply(claim.formulas["allowed_ratio"], arb(), enclosed({"epsilon": "1"}))
    yield refuted("disjoint regions of one union", allowed, "10", {"epsilon": "1"}, how, **rest)
    yield _shares(claim, common)


def _odds(claim: Claim, release: str, scope: str) -> Finding:
    tried = grid(claim, {"epsilon": EPSILONS, "d": DIMENSIONS})
    common: dict[str, Any] = {"scope": scope, "adjacency": claim.adjacency, "release": release, "coverage": tried.coverage}
    m = arb(2200)  # at epsilon = 700 the two probabilities differ by 2^-1010
    for instance in tried:
        values = enclosed(dict(instance), 2200)
        if odds_hold(m, claim, values) is False:
            return refuted(
                **common,
                claimed=apply(claim.formulas["allowed_ratio"], m, values),
                computed=largest_quotient(m, claim, values),
                at=instance,
                method="the largest quotient of densities, enclosed",
                severity=Severity.CONSTANT,
                survives="The draw is private with the logarithm of the odds.",
                lemmas=(DENSITY,),
            )
    if odds_proved(claim):
        method = "computer algebra: every quotient of densities is at most the allowed one, as polynomials in e^epsilon - 1"
        return Finding(**common, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=(DENSITY,))
    return Finding(**common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and no proof")


def adds_up(claim: Claim) -> Iterator[Finding]:
    """The two probabilities make 1."""
    f, u = probabilities(symbolic(), claim, {"epsilon": sympy.Symbol("epsilon", positive=True)})
    rest = sympy.simplify(f + u - 1)
    yield Finding(
        scope="the two probabilities add up to 1",
        verdict=Verdict.CERTIFIED if rest == 0 else Verdict.REFUTED,
        rung=Rung.EXACT,
        method="computer algebra: the sum less 1",
        claimed="0",
        computed=(str(rest), str(rest)),
        severity=None if rest == 0 else Severity.MISPRINT,
        survives=None if rest == 0 else "The draw itself is judged by its densities.",
    )


def ratio_within(claim: Claim) -> Iterator[Finding]:
    """The printed quotient of the two probabilities against the printed e^epsilon."""
    tried = grid(claim, {"epsilon": EPSILONS})
    m = arb(2200)
    scope = "the quotient of the two probabilities is at most the allowed one"
    for instance in tried:
        values = enclosed(dict(instance), 2200)
        ratio, allowed = (apply(claim.formulas[name], m, values) for name in ("likelihood_ratio", "allowed_ratio"))
        if m.gt(ratio, allowed) is True:
            how, kept = "both enclosed", "It is at most its own value."
            yield refuted(scope, allowed, ratio, instance, how, Severity.CONSTANT, kept, coverage=tried.coverage)
            return
    y = sympy.Symbol("y", positive=True)
    ratio, allowed = (
        apply(claim.formulas[name], symbolic(), {"epsilon": sympy.log(1 + y)}) for name in ("likelihood_ratio", "allowed_ratio")
    )
    proved = never_negative(allowed - ratio, [y])
    yield Finding(
        scope=scope,
        verdict=Verdict.CERTIFIED if proved else Verdict.OPEN,
        rung=Rung.EXACT if proved else None,
        method="computer algebra: the difference, in e^epsilon - 1, has no minus sign",
        coverage=tried.coverage,
        reason=None if proved else f"no violation at {len(tried)} instances, and no proof",
    )


def _shares(claim: Claim, common: dict[str, Any]) -> Finding:
    """Regions of one union and one share: for which shares the quotient stays within e^epsilon, at the ends of the range."""
    y, z = sympy.symbols("y z", positive=True)
    f, u = probabilities(symbolic(), claim, {"epsilon": sympy.log(1 + y)})
    allowed = apply(claim.formulas["allowed_ratio"], symbolic(), {"epsilon": sympy.log(1 + y)})
    s = (1 + z) / (2 + z)  # from 1/2 up
    # the inverse quotient (u/f) s/(1 - s) grows with s and reaches the allowed ratio a at s = a f/(a f + u)
    top = sympy.simplify(allowed * f / (allowed * f + u) - (1 + y) ** 2 / ((1 + y) ** 2 + 1))
    holds = never_negative(allowed - (f / u) * (1 - s) / s, [y, z]) and top == 0
    return Finding(
        **common,
        scope="regions of one union, P1 of the same share s for all data sets, 1/2 <= s <= e^(2 epsilon)/(e^(2 epsilon) + 1)",
        verdict=Verdict.CERTIFIED if holds else Verdict.OPEN,
        rung=Rung.EXACT if holds else None,
        method="computer algebra: e^epsilon (1 - s)/s <= e^epsilon from s = 1/2 on; its inverse reaches e^epsilon at the upper "
        "end",
        lemmas=(REGIONS,),
        reason=None if holds else "the two ends of the range do not follow from the printed probabilities",
    )


def iteration(claim: Claim) -> Iterator[Finding]:
    """What one iteration may be taken to release: direction, iterate, decision; and the quotient that the proof writes down."""
    direction = _odds(claim, "the direction G_t", "one iteration, every dimension and data set")
    yield direction
    moves = list(_step_from_data(claim))
    yield from moves
    if not moves and "gradient_norm" in signature(claim.formulas["step"]).parameters:
        reason = "the printed step takes the gradient's norm, and none of those tried changes it"
        yield Finding(scope="iterate and decision", verdict=Verdict.OPEN, adjacency=claim.adjacency, reason=reason)
    elif not moves:
        for release in ("the iterate B_{t+1}, given B_t", "the decision w*(B_{t+1} x_{n+1}), given B_t"):
            yield replace(direction, release=release, lemmas=(*direction.lemmas, PUBLIC))
    if claim.amends is not None:
        return
    survives = "The direction alone is epsilon-DP; with a public step length all that follows from it is."
    common: dict[str, Any] = {"adjacency": claim.adjacency, "verdict": Verdict.REFUTED, "rung": Rung.EXACT}
    yield Finding(
        **common,
        scope="one iteration, the decision of the proof",
        release="the decision w_t inside the smoothed loss",
        method="an event of probability 1 on one data set and 0 on its neighbour: least delta",
        claimed="0",
        computed=("1", "1"),
        lemmas=(SMOOTHED,),
        severity=Severity.CONCLUSION,
        survives=survives,
    )
    yield Finding(
        **common,
        scope="the proof's quotient P(w_t = W)/P(w_t' = W) of point probabilities, d >= 2",
        release="the direction G_t",
        method="both probabilities of a point, which the proof takes as e^epsilon/(e^epsilon + 1) and 1/(e^epsilon + 1)",
        claimed="positive",
        computed=("0", "0"),
        at={"d": "2"},
        lemmas=(POINTS,),
        about=Part.PROOF,
        survives="The quotient of densities is what is meant, and is at most e^epsilon for the direction.",
    )


def _step_from_data(claim: Claim) -> Iterator[Finding]:
    """Findings against the iterate and the decision if the printed step length certainly moves with the gradient's norm."""
    m = arb()
    known = enclosed({"eta": "1", "L": "8", "epsilon": "1", "d": "1"})
    still, one, two = (apply(claim.formulas["step"], m, {**known, "gradient_norm": m.real(g)}) for g in (0, 4, 8))
    common: dict[str, Any] = {
        "adjacency": claim.adjacency,
        "verdict": Verdict.REFUTED,
        "claimed": "0",
        "severity": Severity.CONCLUSION,
        "survives": "The direction alone is epsilon-DP; with a public step length all that follows from it is.",
    }
    if m.eq(one, two) is False:
        yield Finding(
            **common,
            scope="one iteration from B_1 = 0, n = 1, d = p = 1, S = [-1, 1]: (c, 1) against (c, 2)",
            release="the iterate B_{t+1}, given B_t",
            rung=Rung.EXACT,
            method=f"|B_2| is {ends(one)[0]} eta with certainty on one data set, {ends(two)[0]} eta on the other: least delta",
            computed=("1", "1"),
            at={"n": "1", "d": "1", "x": "1", "x'": "2", "c": "mu"},
            lemmas=(SPHERE, RECORD),
        )
    if m.eq(still, 0) is True and m.gt(one, 0) is True:
        f, _ = probabilities(m, claim, known)
        yield Finding(
            **common,
            scope="one iteration from B_1 = 0, n = 2, d = p = 1, S = [-1, 1]: (c, 1), (c, -1) against (c, 1), (c, 1)",
            release="the decision w*(B_{t+1} x_{n+1}), given B_t",
            rung=Rung.POINT,
            method="the event 'not w*(0)' has probability 0 on one data set; at least this much on the other",
            computed=ends(f),
            at={"epsilon": "1", "n": "2", "d": "1", "c": "mu or -mu"},
            lemmas=(RECORD, TIE),
        )


READ = {
    Relation("favoured + unfavoured", "=", "1"): adds_up,
    Relation("likelihood_ratio", "<=", "allowed_ratio"): ratio_within,
    Relation("one draw between half-spheres", "is", "epsilon-DP"): draw,
    Relation("one iteration of exponential descent", "is", "epsilon-DP"): iteration,
    Relation("one iteration of exponential descent with a public step", "is", "epsilon-DP"): iteration,
    Relation("E[M_t v]", "=", "mean_factor * v"): mean_direction,
    Relation("mean_factor_by_halves", "=", "mean_factor"): by_halves,
}

JUDGES = dict.fromkeys(("spo/sec-2.1", "spo/lem-2", "spo/lem-2-amended", "spo/def-12", "spo/def-12-amended"), reading(READ))

MUTANTS = {
    "spo/sec-2.1": mutants.of_draw,
    "spo/lem-2-amended": mutants.of_iteration,
    "spo/def-12-amended": mutants.of_mean,
}
