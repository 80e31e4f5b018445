"""Judges of Gaussian descent: its noise against the (epsilon, delta) asked for, for each thing that may be released."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from dpsco.arguments.algorithms.descent.noisy_gradients import AVERAGE, AXES, average_steps, both_releases, shift
from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import POST, Scale, known_release, suffices
from dpsco.mutants.algorithms.gradient_perturbation import gaussian_descent as mutants
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.losses.spo.smoothing import gradient_bounded
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

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
            bounded=gradient_bounded,
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
        yield _bare(claim)


def _room(mu: Callable[[Numbers, Mapping[str, Real]], Real]) -> Predicate:
    """n - 1 >= 2 epsilon/mu^2, at which the other records can put the decision's threshold where it tells most."""

    def test(m: Numbers, n: Real, L: Real, T: Real, epsilon: Real, delta: Real) -> Truth:
        at = {"n": n, "L": L, "T": T, "epsilon": epsilon, "delta": delta}
        return m.ge((n - 1) * mu(m, at) ** 2, 2 * epsilon)

    inside: dict[str, object] = {"n": 3, "L": 4, "T": 2, "epsilon": "20", "delta": "0.1"}
    return Predicate("n - 1 >= 2 epsilon/mu^2", test, accepts=inside, rejects={**inside, "n": 1})


def _bare(claim: Claim) -> Finding:
    return Finding(
        scope="the reading in which noise N(0, sigma^2 I_d) enters d of the p d coordinates, p > 1",
        reading=Reading.MEANT,
        verdict=Verdict.REFUTED,
        rung=Rung.EXACT,
        method="an event of probability 1 on one data set and 0 on its neighbour",
        claimed="delta",
        computed=("1", "1"),
        adjacency=claim.adjacency,
        release="all noisy gradients",
        lemmas=(BARE,),
        severity=Severity.MISPRINT,
        survives="With noise in all p d coordinates the dimension of the noise does not matter.",
    )


JUDGES = {"spo/thm-6": printed_noise, "spo/thm-6-amended": printed_noise}

MUTANTS = {"spo/thm-6-amended": mutants.of_amended}
