"""Judge of DP-SGD's text: the two constants of the loss that it takes as input, and the variance of its noise."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, identical, named, nonnegative
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.dp_sgd import algorithm as mutants
from dpsco.spec.algorithms.dp_sgd.algorithm import variance_is_defined
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity

AXES = {
    "r": ("1e-9", "0.1", "0.5", "0.7", "0.999"),
    "B_x": ("0.3", "7"),
    "K_bar": ("0.25", "3"),
    "h": ("0.01", "5"),
}
EXISTS = (
    "It is a variance for 0 < delta <= 1; L, beta and the count of the iterates stand. The input line also admits delta = 0, "
    "where ln(1/delta) has no value."
)
OUTSIDE = "our own question about the input line: there is no such noise, so the text says nothing there"
STEEPEST = Lemma(
    "steepest record",
    "The gradient of one record is (calK - r) x with calK in [0, 1], the check loss's subgradients are the two ends: norms up "
    "to max(r, 1 - r) B_x, approached for every kernel by a record with |x| = B_x and y far out on the side of the larger "
    "slope. So the least Lipschitz constant of either loss over all records is max(r, 1 - r) B_x.",
)
BENT = Lemma(
    "most curved record",
    "calK' = K <= K_bar: the gradient of one record changes by at most K_bar |x|^2/h times the distance, and near a residual "
    "where K is K_bar (zero, K being even and unimodal) by no less in the limit, also where K jumps. So the least smoothness "
    "constant is K_bar B_x^2/h.",
)


def least_lipschitz(m: Numbers, v: Mapping[str, Real]) -> Real:
    return m.max(v["r"], 1 - v["r"]) * v["B_x"]


def least_smoothness(m: Numbers, v: Mapping[str, Real]) -> Real:
    return v["K_bar"] * v["B_x"] ** 2 / v["h"]


def lipschitz(claim: Claim) -> Iterator[Finding]:
    """The printed L against the least Lipschitz constant."""
    yield identical(
        claim,
        "L is the least Lipschitz constant of the loss and of the smoothed loss",
        least_lipschitz,
        named(claim, "lipschitz"),
        grid(claim, {name: AXES[name] for name in ("r", "B_x")}),
        severity=Severity.CONSTANT,
        survives="The least Lipschitz constant is max(r, 1 - r) B_x.",
        lemmas=(STEEPEST,),
    )


def smoothness(claim: Claim) -> Iterator[Finding]:
    """The printed beta against the least smoothness constant."""
    yield identical(
        claim,
        "beta is the least smoothness constant of the smoothed loss",
        least_smoothness,
        named(claim, "smoothness"),
        grid(claim, {name: AXES[name] for name in ("K_bar", "B_x", "h")}),
        severity=Severity.CONSTANT,
        survives="The least smoothness constant is K_bar B_x^2/h.",
        lemmas=(BENT,),
    )


def variance_exists(claim: Claim) -> Iterator[Finding]:
    """The printed variance is at least zero over the claim's domain; where it is not, there is no noise to draw, and the text
    says nothing: a finding about the input line beside the algorithm."""
    variance = named(claim, "variance")
    side = Side(
        scope="the variance is at least 0 for every epsilon and delta that the input admits",
        claimed=variance,
        reached=lambda m, v: m.real(0),
        holds=nonnegative(claim, expressed(claim, variance)),
        method="ln(1/delta) = s >= 0; all coefficients are nonnegative",
        instances=grid(claim, {"L": ("0.3", "7"), "epsilon": ("0.001", "1"), "delta": ("1e-40", "0.5", "1", "1.5")}),
        severity=Severity.DOMAIN,
        survives=EXISTS,
        given=(variance_is_defined,) if variance_is_defined in claim.tests else (),
    )
    found = bounded(side)
    yield found if claim.amends is not None else replace(found, reading=Reading.ANOTHER, reason=OUTSIDE)


READ = {
    Relation("L", "=", "lipschitz"): lipschitz,
    Relation("beta", "=", "smoothness"): smoothness,
    Relation("variance", "is", "a variance, for every epsilon and delta that the input admits"): variance_exists,
}


def text(claim: Claim) -> Iterator[Finding]:
    """The constants, and what else the text says of its own numbers; what it leaves to its theorems is judged with them."""
    yield from by_assertion(claim, READ)
    yield identical(
        claim,
        "steps and iterates: the average divides by n^2",
        lambda m, v: v["n"] ** 2,
        lambda m, v: named(claim, "steps")(m, v) + 1,
        grid(claim, {"n": ("1", "2", "3", "1000")}),
        severity=Severity.MISPRINT,
        survives="The average of all iterates, whatever their number.",
    )


JUDGES = {"quantile/alg-1": text, "quantile/alg-1-amended": text}

MUTANTS = {"quantile/alg-1": mutants.of_printed, "quantile/alg-1-amended": mutants.of_constants}
