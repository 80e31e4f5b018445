"""Judges of the privacy of exponential descent: the whole run, the final decision alone, privacy together with utility.

Two questions, each on the claim's own formulas. Does the step length leak? Then the iterates, the prediction and the decision
give the data away, whatever a draw costs. And do the draws together stay within the total?
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from dpsco.arguments.algorithms.descent import rotated_descent
from dpsco.arguments.algorithms.descent.descent_accounting import DRAWS, approximate, pure
from dpsco.arguments.algorithms.descent.descent_paths import (
    SECRET,
    asks_for,
    average,
    disjoint,
    norms_on_the_disc,
    paths,
    share,
    step_of,
)
from dpsco.arguments.assertions import by_assertion, known_release
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import expressed, named
from dpsco.judges.algorithms.exponential_descent.utility import at_chosen_step
from dpsco.mutants.algorithms.exponential_descent import privacy as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.algorithms.exponential_descent import algorithm
from dpsco.spec.algorithms.exponential_descent.privacy import EVERYTHING
from dpsco.spec.algorithms.exponential_descent.utility import eta_appendix
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.randomised_response import favoured, unfavoured
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

ALL_STEPS = "decisions of all steps and the output c_hat, w*(c_hat); the claim's own words name only the algorithm"
FINAL = "only the final decision w*(c_hat)"
ITERATES = "the transcript B_1, ..., B_T"
PREDICTION = "the output c_hat = Bhat x_{n+1}"
DECISION = "the final decision w*(c_hat) alone"

SUPPORTS = Lemma(
    "step lengths can be read off",
    "S = [-1, 1], d = p = n = 1, mu = 1, x_{n+1} = 1: at B_1 = 0 the record (c, x), c >= 1, has the gradient -4 x. After one "
    "step of length s(4 x) the iterate is s or -s, and c_hat = B_2/2 is s/2 or -s/2 (eta, here 1, can be so small that Proj "
    "moves neither). No value of epsilon_0 enters: |c_hat| is certain.",
)
ATOM = Lemma(
    "an atom against a density",
    "The disc of radius 1, d = 2, p = n = 1, T = 2, c = (5, 0), x_{n+1} = 1: for x_1 = 0 the gradient and the step vanish, "
    "B_2 = 0 and the decision is w*(0), one point w_0 of the disc. For x_1 = 1 the step is positive, c_hat is a positive "
    "multiple of -G_1, and the decision is G_1, which has a density on the circle: it is w_0 with probability 0.",
)
INSIDE = Lemma(
    "the decision inside the loss",
    "The proof of Lemma 2 takes for w_t the projection of (c - 2 c_hat)/mu on S, c being a record's cost. On S = [-1, 1] it is "
    "sign(c) with certainty if |c| >= mu + 2 |c_hat|. n = 1, c against -c: two different points, each of probability 1.",
)
ADDS_UP = Lemma(
    "three steps add up",
    "S = [-1, 1], d = p = n = 1, T = 4, x_{n+1} = 1, (c, 1) against (-c, 1), |c| = 100: all gradients are -4 sign(c), all "
    "steps have one length s, and c_hat = -(s/4)(3 G_1 + 2 G_2 + G_3). At 3 G_1 + 2 G_2 + G_3 = 0 the decision is w*(0), one "
    "point w_0; let v be +1 or -1 and not w_0. Of c and -c one favours v: the event that the decision is v has the "
    "probability f (1 - u^2) there and u (1 - f^2) on the neighbour.",
)
SURVIVES = (
    "The directions alone are (epsilon, delta)-DP, for every step length; with the public step eta L in the place of eta "
    "|gradient| all of the run is: spo/thm-3-amended."
)
SURVIVES_FINAL = (
    "With a public step length the whole run, and so the decision, is ((T - 1) epsilon)-DP; one step on the line, with "
    "gradients that do not vanish, has an epsilon-DP decision."
)
SURVIVES_RISK = (
    "spo/thm-3-and-4-amended: the bound with 1/q_0 in the place of the factor, the smoothing charged; it does not fall with "
    "n, and exceeds the risk L B_B of answering 0 wherever epsilon < 34.9."
)
DECISIVE = {"n": "100", "epsilon": "1", "delta": "1e-6", "L": "4"}


def drawn(claim: Claim) -> Claim:
    """The claim with Algorithm 1's odds and step length where it prints none of its own."""
    odds = {} if "likelihood_ratio" in claim.formulas else {"favoured": favoured, "unfavoured": unfavoured}
    return replace(claim, formulas={"step": algorithm.step, **odds, **claim.formulas})


def whole_run(claim: Claim) -> Iterator[Finding]:
    """(epsilon, delta) for the run: what the step lengths give away, then what the directions cost."""
    full, asked = drawn(claim), {"epsilon": "100", "delta": "0.999"}
    leaking = list(_leaks(full, asked, SURVIVES))
    yield from leaking
    if not leaking:
        cost = approximate(full, claim.releases)
        if cost.verdict is Verdict.REFUTED and claim.releases != EVERYTHING:
            reason = "the directions cost more, but this release does not show all of them"
            cost = Finding(scope=cost.scope, verdict=Verdict.OPEN, release=claim.releases, reason=reason)
        yield cost
        return
    if claim.amends is None:
        yield approximate(full, DRAWS, Reading.MEANT)
        yield approximate(full, DRAWS, Reading.MEANT, shift=1)
        yield refuted(
            "the decisions inside the smoothed loss, which the proof of Lemma 2 takes for the decisions of the steps",
            asked["delta"],
            "1",
            {**asked, "T": "1", "n": "1", "d": "1", "p": "1", "c": "1", "c'": "-1"},
            "an event of probability 1 on one data set and 0 on its neighbour: least delta",
            Severity.CONCLUSION,
            SURVIVES,
            Rung.EXACT,
            adjacency=claim.adjacency,
            release="w_1, ..., w_T of the proof",
            lemmas=(INSIDE,),
            reading=Reading.ANOTHER,  # the printed algorithm hands out no w_t
        )


def final_decision(claim: Claim) -> Iterator[Finding]:
    """epsilon-DP of the decision alone, each step having epsilon."""
    full = drawn(claim)
    yield from (f for f in _leaks(full, {"epsilon": "1", "delta": "0"}, SURVIVES_FINAL) if f.release in (DECISION, None))
    m = arb()
    epsilon = m.real(1)
    here, there = (paths(full, m, epsilon, [(c, 1)], 4) for c in (100, -100))
    events = []
    for sign in (1, -1):  # the decision sign, that is c_hat of the other sign, with 3 G_1 + 2 G_2 + G_3 of the sign
        one, other = (share(m, found, lambda path, sign=sign: m.lt(sign * average(m, path), 0)) for found in (here, there))  # type: ignore[misc]
        events.append(m.max(one, other) - m.exp(epsilon) * m.min(one, other))
    if m.eq(*events) is False:
        raise ArithmeticError("the two signs do not mirror each other")
    if m.gt(events[0], 0) is not True:
        yield Finding(scope="T = 4 on the line", verdict=Verdict.OPEN, reason="three steps do not exceed epsilon here")
        return
    yield refuted(
        "T = 4 on the line, all steps of one length: three draws cost more than one",
        "0",
        events[0],
        {"epsilon": "1", "T": "4", "n": "1", "d": "1", "p": "1", "c": "100", "c'": "-100", "x": "1"},
        method="P(w* = v) - e^epsilon P'(w* = v) over all eight paths of the literal algorithm, enclosed: least delta",
        severity=Severity.CONCLUSION,
        survives=SURVIVES_FINAL,
        adjacency=claim.adjacency,
        release=DECISION,
        lemmas=(ADDS_UP,),
    )


def composed(claim: Claim) -> Iterator[Finding]:
    """total-DP of the whole run."""
    full = drawn(claim)
    leaking = list(_leaks(full, {"epsilon": "1", "delta": "0"}, SURVIVES_FINAL))
    yield from leaking
    if not leaking:
        yield pure(full, claim.releases)


def _leaks(claim: Claim, asked: dict[str, str], survives: str) -> Iterator[Finding]:
    """Findings against iterate, prediction and decision if the step length certainly moves with the gradient."""
    if unknown := asks_for(claim) - {SECRET}:
        reason = f"the step length takes {', '.join(sorted(unknown))}: not known to be public"
        yield Finding(scope="step length", verdict=Verdict.OPEN, reason=reason)
        return
    if SECRET not in asks_for(claim):
        return
    m, found = arb(), []
    # the printed Theorem 3 leaves open which number k is
    steps = ", k = T or T - 1" if "step_epsilon" in claim.formulas and claim.amends is None else ""
    every = f"every epsilon and every delta < 1{steps}" if "step_epsilon" in claim.formulas else "every epsilon"
    one, two = (paths(claim, m, m.real(1), [(100, x)], 2) for x in (1, 2))
    common: dict[str, Any] = {
        "adjacency": claim.adjacency,
        "verdict": Verdict.REFUTED,
        "rung": Rung.EXACT,
        "claimed": asked["delta"],
        "computed": ("1", "1"),
        "severity": Severity.CONCLUSION,
        "survives": survives,
    }
    line = {**asked, "T": "2", "n": "1", "d": "1", "p": "1", "c": "100", "x": "1", "x'": "2"}
    if disjoint(m, [average(m, path) for path in one], [average(m, path) for path in two]):
        sizes = [ends(m.abs(average(m, paths[0])))[0] for paths in (one, two)]
        method = f"|c_hat| is {sizes[0]} with certainty on one, {sizes[1]} on the other: disjoint supports, least delta"
        scope = f"T = 2 on the line, {every}"
        found.append(Finding(**common, scope=scope, release=PREDICTION, method=method, at=line, lemmas=(SUPPORTS,)))
    if disjoint(m, [path.iterates[1] for path in one], [path.iterates[1] for path in two]):
        scope = f"T = 2 on the line, the iterates read as released, {every}"
        method = "|B_2| differs with certainty: disjoint supports, least delta"
        given = {**common, "reading": Reading.ANOTHER if claim.amends is None else Reading.PRINTED}
        found.append(Finding(**given, scope=scope, release=ITERATES, method=method, at=line, lemmas=(SUPPORTS,)))
    still, moved = norms_on_the_disc(m)
    step = step_of(claim, m)
    if m.eq(step(still), 0) is True and m.gt(step(moved), 0) is True:
        found.append(
            Finding(
                **common,
                scope=f"T = 2 on the disc, x_1 = 0 against x_1 = 1, {every}",
                release=DECISION,
                method="the event w* = w*(0) has probability 1 on one data set and 0 on the other: least delta",
                at={**asked, "T": "2", "n": "1", "d": "2", "p": "1", "c": "(5, 0)", "x": "0", "x'": "1"},
                lemmas=(ATOM,),
            )
        )
    yield from found
    if not found:
        reason = "the step length takes the gradient's norm, and none of those tried changes it"
        yield Finding(scope="step length", verdict=Verdict.OPEN, reason=reason)


READ = {
    Relation("exponential descent with step_epsilon", "is", "(epsilon, delta)-DP"): whole_run,
    Relation("the final decision", "is", "epsilon-DP"): final_decision,
    Relation("the whole run, and so the final decision", "is", "total-DP"): composed,
}


RELEASES = {"step_epsilon": (ALL_STEPS, EVERYTHING), "total": (EVERYTHING,), "likelihood_ratio": (FINAL,)}
"""What a claim may release for its argument to speak of it, by the formula that tells the claims apart."""


def by_release(claim: Claim) -> Iterator[Finding]:
    """The assertion by its argument, if that speaks of what is released; open otherwise, as events may not be in sight."""
    known = next((releases for name, releases in RELEASES.items() if name in claim.formulas), ())
    unknown = list(known_release(claim, *known))
    yield from unknown or by_assertion(claim, READ)


def private_risk(name: str, claim: Claim) -> Iterator[Finding]:
    """The risk of the run whose directions are drawn with the per-step parameter, against a closed form.

    Where the claim has no step length of its own it is Theorem 4's, at the total epsilon or at epsilon_0.
    """

    def one(m: Numbers, v: Any) -> Real:
        return apply(claim.formulas["step_epsilon_at_n"], m, v)

    def q(m: Numbers, v: Any) -> Real:
        return rotated_descent.factor(m, {**v, "epsilon": one(m, v)})

    told: dict[str, Any] = {"survives": SURVIVES_RISK, "decisive": DECISIVE}
    if "step_length" in claim.formulas:
        drawn_with = expressed(claim, named(claim, "step_epsilon_at_n"))
        yield from at_chosen_step(claim, name, "step_length", " of the run with epsilon_0", q, drawn_with, **told)
        return

    def theorem(m: Numbers, v: Any, own: bool) -> Real:
        return apply(eta_appendix, m, {**v, "epsilon": one(m, v) if own else v["epsilon"]})

    for own, says in ((False, "the total epsilon"), (True, "epsilon_0")):
        scope = f" of the run with epsilon_0, Theorem 4's eta at {says}"
        yield from at_chosen_step(claim, name, "", scope, q, eta=partial(theorem, own=own), **told)


RISKS = {
    Relation("risk of the (epsilon, delta)-DP run", "<=", "regret"): partial(private_risk, "regret"),
    Relation("risk of the (epsilon, delta)-DP run", "<=", "regret_as_private"): partial(private_risk, "regret_as_private"),
    Relation("risk of the run with step_epsilon_at_n", "<=", "regret_as_private"): partial(private_risk, "regret_as_private"),
}


def private_and_useful(claim: Claim) -> Iterator[Finding]:
    """Each bound on the risk: where one falls, the run that is private is not good at any n, which is the conclusion itself."""
    for found in by_assertion(claim, RISKS):
        yield replace(found, severity=Severity.CONCLUSION) if found.verdict is Verdict.REFUTED else found


JUDGES = {
    **dict.fromkeys(("spo/thm-3", "spo/thm-3-amended", "spo/sec-4-final", "spo/sec-4-final-amended"), by_release),
    **dict.fromkeys(("spo/thm-3-and-4", "spo/thm-3-and-4-amended"), private_and_useful),
}

MUTANTS = {
    "spo/thm-3-amended": mutants.of_run,
    "spo/sec-4-final-amended": mutants.of_total,
    "spo/thm-3-and-4-amended": mutants.of_private_risk,
}
