"""Judges of printed noise scales for one answer of the Gaussian mechanism."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.assertions import known_release
from dpsco.arguments.formula import apply, threshold
from dpsco.arguments.privacy.noise_scale import POST, Scale, suffices
from dpsco.instances.privacy import CONSTANTS, DELTAS, EPSILONS
from dpsco.mutants.privacy import gaussian as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.gaussian import composed
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

PRIVATE = Relation("N(0, sigma^2) noise", "is", "(epsilon, delta)-DP")
ANSWER = "the noisy answer"
TWO_STEPS = Lemma(
    "a replaced record is two steps",
    "Replacing a record is a removal and an addition, so answers may move by twice the largest change that one addition or "
    "removal makes; a counting query with both changes in one direction attains it.",
)


def least_noise(claim: Claim) -> Iterator[Finding]:
    """The printed sigma, used with the sensitivity that it was printed for, against the (epsilon, delta) asked for."""

    def mu(m: Numbers, values: Mapping[str, Real]) -> Real:
        return composed(m, _sigma(claim, m, values), values["sensitivity"], 1)

    axes = {"epsilon": EPSILONS, "delta": DELTAS, "sensitivity": CONSTANTS}
    scope = "one answer, every query, every dimension"
    yield from known_release(claim, ANSWER)
    yield from suffices(claim, Scale(mu, axes, scope, claim.adjacency, ANSWER, asserts=(PRIVATE,)))


def noise_for_constant(claim: Claim) -> Iterator[Finding]:
    """The same where the claim leaves a constant c free above a threshold: judged in the limit of the least c."""
    counted_by = 2 if claim.adjacency is Adjacency.REPLACE_ONE else 1

    def at_threshold(steps: int) -> Callable[[Numbers, Mapping[str, Real]], Real]:
        def mu(m: Numbers, values: Mapping[str, Real]) -> Real:
            known = {**values, "c": _least_c(claim, m, values["delta"])}
            return steps * composed(m, _sigma(claim, m, known), values["sensitivity"], 1)

        return mu

    axes = {"epsilon": EPSILONS, "delta": DELTAS, "sensitivity": CONSTANTS}
    scope = "one answer, every query, every dimension, every c above its threshold"
    lemmas = (POST, TWO_STEPS) if counted_by == 2 else (POST,)
    mu = at_threshold(counted_by)
    scale = Scale(mu, axes, scope, claim.adjacency, ANSWER, lemmas=lemmas, asserts=(PRIVATE,))
    yield from known_release(claim, ANSWER)
    yield from suffices(claim, scale)
    if claim.adjacency is not Adjacency.REPLACE_ONE:
        beside = replace(
            scale,
            mu=at_threshold(2),
            scope="the same if neighbours replace a record (the paper's Definition 6) while Delta_2 is over |x - y|_1 = 1",
            adjacency=Adjacency.REPLACE_ONE,
            lemmas=(POST, TWO_STEPS),
        )
        for finding in suffices(claim, beside):
            refuted = finding.verdict is Verdict.REFUTED
            yield replace(
                finding,
                reading=Reading.ANOTHER,
                severity=Severity.CONSTANT if refuted else None,
                survives="It holds again with Delta_2 taken over replaced records." if refuted else None,
            )


def _sigma(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    return apply(claim.formulas["sigma"], m, values)


def _least_c(claim: Claim, m: Numbers, delta: Real) -> Real:
    """The least c that the precondition admits, or 1e-6 where it admits every c > 0."""
    square = _least_square(claim, m, delta)
    return m.sqrt(square if isinstance(square, sympy.Basic) else m.max(square, m.real("1e-12")))


def _least_square(claim: Claim, m: Numbers, delta: Real) -> Real:
    """The right side of the precondition c^2 > f(delta), in the context m."""
    predicate = claim.preconditions[0]
    c = sympy.Symbol("c", positive=True)
    condition = predicate.test(symbolic(), c=c, delta=sympy.Symbol("delta", positive=True))
    if condition.lhs != c**2:
        raise ValueError(f"{claim.id}: the precondition is not of the form c^2 > f(delta): {condition}")
    return threshold("gt", predicate.test, m, {"c": m.real(1), "delta": delta})


JUDGES = {
    "spo/thm-2": noise_for_constant,
    "bilevel/lem-A.3": least_noise,
    "bilevel/lem-A.3-amended": least_noise,
}

MUTANTS = {"spo/thm-2": mutants.of_threshold, "bilevel/lem-A.3-amended": mutants.of_amended}
