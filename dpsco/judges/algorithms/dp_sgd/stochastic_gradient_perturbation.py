"""Judges of stochastic gradient perturbation for the newsvendor: its numbers, its noise in two readings, its risk."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.algorithms.descent.averaged_descent import DRAWN
from dpsco.arguments.algorithms.descent.descent_chain import Reader, judged, projected, table
from dpsco.arguments.algorithms.descent.descent_utility import Descent, minimiser
from dpsco.arguments.algorithms.descent.sampled_gradients import AVERAGE_ONLY, TRANSCRIPT, Sampled, findings
from dpsco.arguments.formula import apply
from dpsco.arguments.missing_range import readings
from dpsco.arguments.polynomial_slack import Side, bounded, named
from dpsco.instances.descents import admitted
from dpsco.judges.algorithms.gradient_perturbation.algorithm import ones, same, short_steps
from dpsco.mutant import with_formula
from dpsco.mutants.algorithms.dp_sgd import stochastic_gradient_perturbation as mutants
from dpsco.spec.algorithms.dp_sgd import stochastic_gradient_perturbation as spec
from dpsco.spec.algorithms.dp_sgd.algorithm import EPSILON_UP_TO_ONE
from dpsco.spec.algorithms.gradient_perturbation.utility import steps_are_short
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import features_are_bounded, optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Part, Reading, Verdict

PLACES = (
    "1 1e-40 4", "1 1e-40 20", "1 1e-6 8", "0.1 1e-6 10", "1 0.01 5", "1 0.5 2", "1 0.5 10", "20 0.01 5", "100 0.1 2",
    "1000 0.1 2", "1 0.99 4", "1 0.99 10", "1 0.999 10", "9.5 1e-40 20", "3.7 1e-6 8", "1000 0.1 4",
)  # fmt: skip
AVERAGE_PLACES = (
    "1 1e-40 4", "1 1e-6 8", "1 0.01 5", "1 0.5 2", "20 0.01 5", "100 0.1 2", "1000 0.1 2", "1 0.9 5", "1 0.999999 16",
)  # fmt: skip
SQUARE = "With L^2/n^3, which the proof's own sum gives, every link and the end hold for the average before projection."
DECISIVE = ("100 0.1 2", "1000 0.1 2", "1 0.99 10")


def _instances(places: tuple[str, ...]) -> list[dict[str, str]]:
    return [dict(zip(("epsilon", "delta", "n"), place.split(), strict=True)) for place in places]


def up_to_one(claim: Claim) -> Claim:
    """The claim with epsilon <= 1."""
    return replace(claim, parameters=tuple(EPSILON_UP_TO_ONE if p.name == "epsilon" else p for p in claim.parameters))


def both_readings(claim: Claim) -> Iterator[Finding]:
    """The cited variance and the one that the utility bound stands for; the theorem's range of epsilon is not at hand."""
    found = _at_both_variances(claim)
    yield from found if claim.amends is not None else readings(claim, found)


def _at_both_variances(claim: Claim) -> Iterator[Finding]:
    for name, says in (
        ("sigma_cited", "the cited variance"),
        ("sigma_implied", "the variance that the utility bound stands for"),
    ):
        relation = Relation(f"n^2 sampled gradients with N(0, {name}^2 I)", "is", "(epsilon, delta)-DP")
        small = replace(relation, left=f"{relation.left}, epsilon <= 1")
        read = tuple(r for r in claim.asserts if r in (relation, small))
        asserts = {TRANSCRIPT: read, AVERAGE_ONLY: read}
        places, decisive = (_instances(PLACES), _instances(AVERAGE_PLACES)), _instances(DECISIVE)
        where = up_to_one(claim) if small in read else claim
        yield from findings(where, Sampled(says, named(claim, name), *places, asserts, decisive))


def numbers(claim: Claim) -> Iterator[Finding]:
    """A rebuilt text is stated; that its numbers fit together is said of the text as rebuilt, and would count if false."""
    for finding in fitting(claim):
        yield replace(finding, reading=Reading.MEANT) if finding.verdict is Verdict.CERTIFIED else finding
    reason = "rebuilt from proofs: the variance it takes, its draws and the place of its projection are not at hand"
    yield Finding(scope="the text of the algorithm", verdict=Verdict.STATED, reason=reason)


def fitting(claim: Claim) -> Iterator[Finding]:
    """Weights, bandwidth and step length, and how far the two readings of the noise are apart."""
    f = {name: named(claim, name) for name in claim.formulas}
    yield same(claim, "the weights of T iterates add up to 1", ones, lambda m, v: v["T"] * f["weight"](m, v), ("T",))
    yield short_steps(claim, 2)
    yield minimiser(claim, lambda m, v: apply(spec.bound_raw, m, v), "free")
    scope = "sigma_cited^2 = 2 ln(n/delta) sigma_implied^2"

    def times(m: Numbers, v: Mapping[str, Real]) -> Real:
        return 2 * m.log(v["n"] / v["delta"]) * f["sigma_implied"](m, v) ** 2

    yield same(claim, scope, times, lambda m, v: f["sigma_cited"](m, v) ** 2, ("epsilon", "delta", "n", "L"))


def descent(claim: Claim) -> Descent:
    """The noise that the bound stands for, and the theorem's conditions."""
    sigma = named(claim, "sigma_implied")
    return Descent("bound_raw", sigma, DRAWN, "free", (steps_are_short,), (features_are_bounded,), (optimum_in_ball,))


def risk(claim: Claim) -> Iterator[Finding]:
    """Each assertion of the theorem; beside the two links that L/n^3 breaks, the same with L^2/n^3."""
    readers = table(descent(claim), "sigma_implied", "expected ")
    moved = claim.formulas["bound_first"] is not spec.bound_first_amended
    for finding in judged(claim, readers):
        broken = moved and finding.about is Part.PROOF and finding.verdict is Verdict.REFUTED
        yield replace(finding, survives=SQUARE) if broken else finding
    if moved:
        yield from squared_lipschitz(claim, readers)
    yield from projected(claim, descent(claim))
    yield with_cited_noise(claim)


def squared_lipschitz(claim: Claim, readers: Mapping[Relation, Reader]) -> Iterator[Finding]:
    """The two links of the first display with L^2/n^3 in it, as the terms around it ask for."""
    meant = with_formula(claim, "bound_first", spec.bound_first_amended)
    for relation in (r for r in claim.asserts if "bound_first" in (r.left, r.right)):
        for finding in readers[relation](meant):
            yield replace(finding, scope=f"{relation}, with L^2/n^3 for L/n^3", reading=Reading.MEANT)


def with_cited_noise(claim: Claim) -> Finding:
    """The proved bound at the cited variance against the theorem's: the other reading of sigma."""
    cited = replace(
        descent(claim), sigma=lambda m, v: spec.sigma_cited(m, n=v["n"], L=v["L"], epsilon=v["epsilon"], delta=v["delta"])
    )
    side = Side(
        scope="the minimised risk bound with the cited variance",
        claimed=named(claim, "bound"),
        reached=cited.least(claim),
        holds=False,
        method="",
        instances=admitted(claim, "targets"),
        severity=PROOF_STEP,
        survives="With the cited variance the proof gives 16 d ln(n/delta) ln(1/delta) for 8 d ln(1/delta) under the root.",
        release="the average of the iterates, not projected",
    )
    return replace(bounded(side), reading=Reading.ANOTHER)


JUDGES = {
    "newsvendor/thm-5": both_readings,
    "newsvendor/thm-5-amended": both_readings,
    "newsvendor/alg-SGP": numbers,
    "newsvendor/thm-6": risk,
    "newsvendor/thm-6-amended": risk,
}

MUTANTS = {
    "newsvendor/thm-5-amended": mutants.of_amended,
    "newsvendor/alg-SGP": mutants.of_numbers,
    "newsvendor/thm-6-amended": mutants.of_risk,
}
