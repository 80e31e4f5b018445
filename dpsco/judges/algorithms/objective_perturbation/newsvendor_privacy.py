"""Judges of the privacy of objective perturbation for the newsvendor loss: the lemma, the theorem on the order quantity."""

from collections.abc import Iterator
from dataclasses import replace
from inspect import signature

from dpsco.arguments.algorithms.objective_perturbation.privacy.noise import (
    Calibration,
    Number,
    by_far_pair,
    changing_normaliser,
    judged,
)
from dpsco.arguments.comparing import refuted
from dpsco.mutants.algorithms.objective_perturbation import newsvendor_privacy as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.objective_perturbation import newsvendor_privacy as spec
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.conditions import gradients_are_bounded, hessians_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, as_step

NO_MINIMISER = Lemma(
    "an unsquared norm does not hold against the noise",
    "Mean loss and lambda |theta| grow at most like (L + lambda)|theta|, while <b, theta>/n falls like -|b| |theta|/n along "
    "-b. Where |b| > n (L + lambda) the objective has no lower bound and no minimiser; Gaussian noise gets there with positive "
    "probability. In one dimension that is 2 Phi(-n (L + lambda)/sigma).",
)
ORDER = Lemma(
    "the order quantity",
    "<theta, x_{n+1}> is a function of theta and of a record that both data sets share, so it is as private as theta; in one "
    "dimension with x_{n+1} = 1 it is theta.",
)
NOISE_TESTS = (spec.noise_suffices, spec.noise_suffices_replaced, spec.noise_suffices_without_scale)
LARGE = 7
"""A Lipschitz constant on the other side of one, where a lost factor shows."""


def scale(claim: Claim, L: int = 1) -> Number:
    """sigma/L from the printed sigma, at a given L where the formula has none."""
    formula = next(f for name, f in claim.formulas.items() if name.startswith("sigma"))

    def share(m: Numbers, epsilon: Real, delta: Real) -> Real:
        if "L" in signature(formula).parameters:
            return formula(m, epsilon=epsilon, delta=delta, L=1)
        return formula(m, epsilon=epsilon, delta=delta) / L

    return share


def curvature(claim: Claim) -> Number:
    """beta/(2 n lambda) at the least lambda."""

    def share(m: Numbers, epsilon: Real, delta: Real) -> Real:
        one = m.real(1)
        return one / (2 * claim.formulas["lambda_least"](m, epsilon=epsilon, n=one, beta=one))

    return share


def calibration(claim: Claim, replaced: bool, scope: str, **rest: object) -> Calibration:
    """The claim's promise for one adjacency."""
    noise = next((p.test for p in claim.preconditions if p.test in NOISE_TESTS), spec.noise_suffices)
    given = (noise, spec.regularisation_suffices, gradients_are_bounded, hessians_are_bounded)
    return Calibration(claim, scale(claim), curvature(claim), replaced, scope, given=given, **rest)  # type: ignore[arg-type]


def lemma(claim: Claim) -> Iterator[Finding]:
    """One more record with n fixed, as the proof has it, and the squared regulariser that is meant; beside it the other
    adjacencies, the first of them the proof's loss of generality, and the regulariser of the display."""
    replaced = claim.adjacency is Adjacency.REPLACE_ONE
    base = calibration(claim, replaced, "every epsilon, delta, d, n, kernel, level; squared regulariser")
    if claim.amends is not None:
        yield from judged(base)
        return
    yield _unsquared(claim)
    yield from (replace(finding, reading=Reading.MEANT) for finding in judged(base))
    for finding in judged(calibration(claim, not replaced, "without loss of generality one record more: one record replaced")):
        yield as_step(finding)
    yield changing_normaliser(base)


def _unsquared(claim: Claim) -> Finding:
    """The regulariser as the display of the lemma has it: the probability that there is nothing to return."""
    m = arb()
    at = {"epsilon": "1", "delta": "0.01", "n": "1", "d": "1", "L": "1", "beta": "1"}
    e, d, one = m.real(at["epsilon"]), m.real(at["delta"]), m.real(1)
    sigma, ridge = scale(claim)(m, e, d), claim.formulas["lambda_least"](m, epsilon=e, n=one, beta=one)
    return refuted(
        "the regulariser lambda |theta| without the square, as in the lemma's display: there is a minimiser",
        "0",
        2 * m.Phi(-(one + ridge) / sigma),
        at,
        method="probability that the perturbed objective has no lower bound",
        severity=Severity.MISPRINT,
        survives="With lambda |theta|^2, as in the proof and the algorithm, the lemma holds.",
        release="the exact minimiser",
        lemmas=(NO_MINIMISER,),
    )


def theorem(claim: Claim) -> Iterator[Finding]:
    """Condition (i) as printed; where it lacks L, at a large L and at L = 1, where it agrees with the lemma's."""
    replaced = claim.adjacency is Adjacency.REPLACE_ONE
    release = "the order quantity"
    bare = "L" not in signature(claim.formulas["sigma_theorem"]).parameters
    survives = "With L^2 and for one record more or less, n fixed, it is the lemma, which holds."
    base = calibration(
        claim,
        replaced,
        "every epsilon, delta, d, n, kernel, level" + (", L = 1" if bare else ""),
        release=release,
        survives=survives,
    )
    if bare:
        large = replace(base, scale=scale(claim, LARGE), scope=f"condition (i) has no factor L^2, L = {LARGE}")
        found = by_far_pair(large)
        if found is not None:
            yield replace(found, at={**found.at, "L": str(LARGE)}, severity=Severity.MISPRINT, lemmas=(*found.lemmas, ORDER))
    for finding in judged(base):
        yield replace(finding, lemmas=(*finding.lemmas, ORDER))
    if claim.amends is None:
        beside = calibration(
            claim, not replaced, "with L^2, one record more or less, n fixed", reading=Reading.MEANT, release=release
        )
        yield from judged(beside)
        yield changing_normaliser(base)


JUDGES = {
    "newsvendor/lem-EC.1": lemma,
    "newsvendor/lem-EC.1-amended": lemma,
    "newsvendor/thm-1": theorem,
    "newsvendor/thm-1-amended": theorem,
    "newsvendor/thm-1-amended-added": theorem,
}

MUTANTS = {
    "newsvendor/lem-EC.1-amended": mutants.of_lemma,
    "newsvendor/thm-1-amended": mutants.of_replaced,
    "newsvendor/thm-1-amended-added": mutants.of_added,
}
