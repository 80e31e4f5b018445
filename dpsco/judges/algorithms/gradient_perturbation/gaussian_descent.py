"""Judges of Gaussian descent: its noise against the (epsilon, delta) asked for, for each release; its risk."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.decision_risk import (
    at_most_regret,
    exceeded,
    rate_exceeded,
    rate_of_average,
    regret_is_of_order,
)
from dpsco.arguments.algorithms.descent.noisy_gradients import AVERAGE, AXES, average_steps, both_releases, shift
from dpsco.arguments.assertions import Table, by_assertion, known_release, reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, identical, named, nonnegative, quantities
from dpsco.arguments.privacy.noise_scale import POST, Scale, suffices
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.gradient_perturbation import gaussian_descent as mutants
from dpsco.reference.algorithms.exponential_descent.algorithm import gradient
from dpsco.reference.algorithms.gradient_perturbation.gaussian_descent import variance
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.gradient_perturbation.gaussian_descent import smoothing_is_small
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Part, Reading, Rung, Severity, Verdict

PRIVATE = Relation("Gaussian descent with sigma_squared", "is", "(epsilon, delta)-DP")
RELEASES = (
    "the algorithm's output c_hat and w*(c_hat); the transcript of T - 1 noisy gradients is the stronger reading",
    "the transcript of all noisy gradients, and so c_hat and w*(c_hat)",
)
SATURATED = Lemma(
    "records with constant gradients",
    "Let S = [-1, 1], d = p = 1, and (c, x) a record with |c| >= mu + 2 |B x|. The maximiser of the smoothed SPO+ loss is "
    "sign(c), w*(c) = -sign(c), so the gradient in B is -4 sign(c) x: two records with opposite costs have opposite gradients "
    "of the largest norm L = 4 |x|, and the mean gradients differ by 2L/n. At T = 2 the one noisy gradient is taken at B_1 = 0 "
    "and |c| >= mu suffices; for larger T let |c| grow.",
    (Adjacency.REPLACE_ONE,),
)
DECISION = Lemma(
    "the decision alone",
    "With S = [-1, 1] the decision w*(c_hat) is -sign(c_hat) at x_{n+1} = 1, which projection onto a centred ball keeps. The "
    "other n - 1 records add any constant in [-L (n-1)/n, L (n-1)/n] to the mean gradient, so they put any threshold that is "
    "at most eps/mu^2 times 2L/n from the middle under that sign, where n - 1 >= 2 epsilon/mu^2: the best event of the pair.",
    (Adjacency.REPLACE_ONE,),
)
BARE = Lemma(
    "coordinates without noise",
    "N(0, sigma^2 I_d) added to a gradient of length p d, p > 1, leaves (p - 1) d coordinates as they are; two data sets whose "
    "gradients differ there are told apart with certainty.",
)


def noise(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """The standard deviation that the claim prints as a variance."""
    return m.sqrt(apply(claim.formulas["sigma_squared"], m, values))


def but_one(m: Numbers, steps: Real) -> Real:
    """The first of the T iterates is the starting point: T - 1 gradients are noisy."""
    return steps - 1


def printed_noise(claim: Claim) -> Iterator[Finding]:
    """The decision alone, all noisy gradients, their average; and the reading in which noise has d coordinates only."""
    yield from known_release(claim, *RELEASES)
    yield from by_assertion(claim, {PRIVATE: _every_release})


def _every_release(claim: Claim) -> Iterator[Finding]:
    sigma = partial(noise, claim)
    found = list(
        both_releases(
            claim,
            sigma,
            "printed variance",
            bounded=gradients_are_bounded,
            asserts=PRIVATE,
            noisy=but_one,
            constant=SATURATED,
            decisive={"T": "2"},
        )
    )
    alone = "the decision w*(c_hat) alone"
    if found[0].verdict is Verdict.CERTIFIED:
        yield from found
        yield replace(found[0], method="a function of the transcript", release=alone)
        return
    mu = shift(sigma, average_steps)
    # the pair of the lemma needs room for its threshold: its condition joins those of the claim
    roomy = replace(claim, preconditions=(*claim.preconditions, _room(mu)))
    axes = {**AXES, "T": ("2", "3", "1000000"), "n": ("3", "1000")}
    lemmas = (POST, SATURATED, AVERAGE, DECISION)
    scale = Scale(mu, axes, "printed variance", claim.adjacency, alone, lemmas=lemmas, decisive={"T": "2", "n": "3"})
    yield from suffices(roomy, scale)
    yield from found
    if claim.amends is None:
        yield from _bare(claim)


def _room(mu: Callable[[Numbers, Mapping[str, Real]], Real]) -> Predicate:
    """n - 1 >= 2 epsilon/mu^2, at which the other records can put the decision's threshold where it tells most."""

    def test(m: Numbers, n: Real, L: Real, T: Real, epsilon: Real, delta: Real) -> Truth:
        at = {"n": n, "L": L, "T": T, "epsilon": epsilon, "delta": delta}
        return m.ge((n - 1) * mu(m, at) ** 2, 2 * epsilon)

    inside: dict[str, object] = {"n": 3, "L": 4, "T": 2, "epsilon": "20", "delta": "0.1"}
    return Predicate("n - 1 >= 2 epsilon/mu^2", test, accepts=inside, rejects={**inside, "n": 1})


def _bare(claim: Claim) -> Iterator[Finding]:
    """One of (p - 1) d coordinates without noise: the event has probabilities 1 and 0, so delta is 1 at every epsilon."""
    m = arb()
    at = {"p": "2", "d": "1", "epsilon": "1", "delta": "0.1"}
    v = {name: m.real(value) for name, value in at.items()}
    certain = m.min(m.real(1), (v["p"] - 1) * v["d"])
    reached = certain - m.exp(v["epsilon"]) * (1 - certain)
    inside = claim.parameter("delta").domain.contains(m, at["delta"]) is True
    if not inside or m.gt(reached, v["delta"]) is not True:
        return
    yield refuted(
        "the reading in which noise N(0, sigma^2 I_d) enters d of the p d coordinates, p > 1: no formula of the claim",
        at["delta"],
        reached,
        at,
        method="an event of probability 1 on one data set and 0 on its neighbour",
        severity=Severity.MISPRINT,
        survives="With noise in all p d coordinates the dimension of the noise does not matter.",
        rung=Rung.EXACT,
        reading=Reading.ANOTHER,
        adjacency=claim.adjacency,
        release="all noisy gradients",
        lemmas=(BARE,),
    )


def text(claim: Claim) -> Iterator[Finding]:
    """The printed variance against what T steps of the printed sensitivity ask for; and the coordinates without noise."""
    tried = grid(claim, {name: TEXT[name] for name in ("epsilon", "delta", "n", "T", "L")})

    def asked(m: Numbers, v: Mapping[str, Real]) -> Real:
        return apply(variance, m, v)

    scope = "sigma^2 = 2 (2L/n)^2 T ln(1/delta)/epsilon^2"
    rest: dict[str, Any] = {
        "severity": Severity.CONSTANT,
        "survives": "The steps of the algorithm.",
        "lemmas": (replace(SATURATED, adjacencies=()),),
    }
    said = named(claim, "sigma_squared")
    yield identical(claim, scope, asked, said, tried, asserts=(VARIANCE,), **rest)
    yield from (replace(found, adjacency=None) for found in _bare(claim))
    yield Finding(scope="the text of the algorithm", verdict=Verdict.STATED)


def squared_noise(claim: Claim) -> Iterator[Finding]:
    """E|z|^2 for noise of deviation sigma: in d coordinates, as printed, and beside it in all p d entries of B, as amended."""

    def printed(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["d"] * v["sigma"] ** 2

    def in_all(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["p"] * v["d"] * v["sigma"] ** 2

    tried = grid(claim, {"p": ("1", "2", "9"), "d": ("1", "3"), "sigma": ("0.1", "7")})
    rest: dict[str, Any] = {"severity": Severity.CONSTANT, "survives": "For p = 1, or with p d for d."}
    said, scope = named(claim, "noise_norm"), "expected squared norm of the noise of a step"
    beside = identical(claim, f"{scope}, noise in all p d entries of B", in_all, said, tried, **rest)
    if claim.amends is not None:
        yield beside
        return
    yield identical(claim, f"{scope}, from N(0, sigma^2 I_d) as printed", printed, said, tried, **rest)
    yield replace(beside, reading=Reading.ANOTHER)


def last_step(claim: Claim) -> Iterator[Finding]:
    """The line before the last against the last, the noise put in as the claim has it."""
    noise_norm, before, last = (named(claim, name) for name in ("noise_norm", "line_before_last", "last_line"))

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        return before(m, {**v, "noise_square": noise_norm(m, v)})

    tied = smoothing_is_small in claim.tests
    more = {"eta": 2 * quantities(claim)["mu"] + sympy.Symbol("longer", nonnegative=True)} if tied else {}
    difference = expressed(claim, last, **more) - expressed(claim, reached, **more)
    yield bounded(
        Side(
            scope="the smoothing error in the last line of the chain",
            claimed=last,
            reached=reached,
            holds=nonnegative(claim, difference),
            method="with eta = 2 mu + x the difference has nonnegative coefficients",
            instances=grid(claim, CHAIN),
            severity=PROOF_STEP,
            survives="Where mu <= eta/2; the step is then non-expansive for |x|^2 <= mu/(2 eta) only.",
            given=(smoothing_is_small,) if tied else (),
            decisive={"mu": "1", "eta": "1"},
        )
    )


def expansive(claim: Claim) -> Iterator[Finding]:
    """Both parts of the printed proof together: at mu = eta/2 a step drives two iterates apart, by the literal gradient."""
    m = arb()
    data = ([[m.real(0)]], [[m.real(1)]], m.real(1), m.real(1))
    start = [m.frac(1, 10)]
    moved = start[0] - 2 * gradient(m, "box", *data, start)[0]
    still = -2 * gradient(m, "box", *data, [m.real(0)])[0]
    scope = "non-expansive steps of the generalisation part at mu = eta/2, which the last line of the other part needs"
    if m.gt(m.abs(moved - still), start[0]) is not True:
        reason = "the two points do not move apart"
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, about=Part.PROOF)
        return
    yield refuted(
        scope,
        "0.1",
        m.abs(moved - still),
        {"S": "[-1, 1]", "c": "0", "x": "1", "mu": "1", "eta": "2", "B": "0.1", "B'": "0"},
        method="one step of the literal algorithm from two points",
        severity=PROOF_STEP,
        survives="Steps are non-expansive for eta <= mu/(2 |x|^2).",
        rung=Rung.EXACT,
    )


def risk(claim: Claim) -> Iterator[Finding]:
    """The theorem's assertions, for the projected output, or for the average where the claim is about that."""
    if "smoothing" in claim.formulas:
        yield from by_assertion(claim, {AT_MOST: at_most_regret, OF_RATE: rate_of_average, ENDS: regret_is_of_order})
        return
    yield from by_assertion(claim, {AT_MOST: exceeded, OF_RATE: rate_exceeded, ENDS: regret_is_of_order})
    yield from expansive(claim)


VARIANCE = Relation("variance of each noise coordinate", "=", "sigma_squared")
AT_MOST, OF_RATE = Relation("risk", "<=", "regret_calibrated"), Relation("risk", "<=O", "rate")
ENDS = Relation("regret_calibrated", "<=O", "rate")
PARTS: Table = {
    Relation("noise_square", "=", "noise_norm"): squared_noise,
    Relation("line_before_last", "<=", "last_line"): last_step,
}

TEXT = {
    "epsilon": ("0.1", "20"),
    "delta": ("1e-40", "0.1", "0.999"),
    "n": ("1", "2", "1000"),
    "T": ("1", "3", "1000000"),
    "L": ("0.3", "7"),
}
CHAIN = {
    "mu": ("0.01", "1", "30"),
    "eta": ("0.02", "1", "5"),
    "T": ("1", "100"),
    "p": ("1", "9"),
    "d": ("1", "3"),
    "L": ("0.3", "7"),
    "sigma": ("0.1", "7"),
    "B_w": ("0.5", "3"),
    "minimiser_norm": ("0", "2"),
}
JUDGES = {
    "spo/alg-2": text,
    "spo/thm-6": printed_noise,
    "spo/thm-6-amended": printed_noise,
    "spo/thm-7": risk,
    "spo/thm-7-amended": risk,
    **dict.fromkeys(("spo/app-e-smoothing", "spo/app-e-smoothing-amended"), reading(PARTS)),
}

MUTANTS = {
    "spo/alg-2": mutants.of_text,
    "spo/thm-6-amended": mutants.of_amended,
    "spo/thm-7-amended": mutants.of_risk,
    "spo/app-e-smoothing-amended": mutants.of_chain,
}
