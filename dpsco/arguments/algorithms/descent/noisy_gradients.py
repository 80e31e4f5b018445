"""What T noisy full gradients release: the whole transcript, or only the average of the iterates.

Both have the privacy profile of one Gaussian; the functions here give its mu from a claim's own formula for sigma.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.privacy.noise_scale import POST, Mu, Scale, suffices
from dpsco.instances.privacy import CONSTANTS, DELTAS, EPSILONS, RECORDS, STEPS
from dpsco.reference.numbers.symbolic import expression
from dpsco.reference.privacy.gaussian import composed
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

Sigma = Callable[[Numbers, Mapping[str, Real]], Real]
Steps = Callable[[Numbers, Real], Real]
Condition = Callable[..., Truth]
AXES = {"epsilon": EPSILONS, "delta": DELTAS, "T": STEPS, "n": RECORDS, "L": CONSTANTS}

LINEAR = Lemma(
    "records with constant gradients",
    "A record whose loss is linear wherever the iterates go has one gradient, and two such records may have the opposite "
    "gradients +g and -g with |g| = L (for the smoothed check loss: outcomes far beyond every prediction, opposite features of "
    "the larger norm; what the noise makes of the tails tends to nothing as the outcomes grow). The empirical gradients then "
    "differ by 2L/n in one direction at every step.",
)
AVERAGE = Lemma(
    "profile of the averaged iterate",
    "Under constant gradients theta_{t+1} = theta_1 - eta (G_1 + ... + G_t), so the average of T iterates is theta_1 minus "
    "eta/T times the sum of (T - t) G_t over t < T: one Gaussian with mu^2 = (sensitivity/sigma)^2 (sum w)^2 / sum w^2, "
    "w = 1..T-1, which is (sensitivity/sigma)^2 3T(T-1)/(2(2T-1)).",
)
TRIANGLE = Lemma(
    "replacing a record of an average",
    "Two averages over n records that differ in one record differ by 1/n of the difference of two gradients, at most 2L/n; "
    "opposite gradients of norm L attain it.",
    (Adjacency.REPLACE_ONE,),
)


def every_step(m: Numbers, steps: Real) -> Real:
    """All T gradients are noisy and released."""
    return steps


def average_steps(m: Numbers, steps: Real) -> Real:
    """The number of steps whose transcript has the profile of the average of `steps` iterates."""
    return 3 * steps * (steps - 1) / (2 * (2 * steps - 1))


def shift(sigma: Sigma, steps: Steps) -> Mu:
    """mu of `steps(m, T)` answers of sensitivity 2L/n under the noise sigma."""
    return lambda m, values: composed(m, sigma(m, values), 2 * values["L"] / values["n"], steps(m, values["T"]))


def both_releases(
    claim: Claim,
    sigma: Sigma,
    name: str,
    *,
    bounded: Condition,
    asserts: Relation,
    noisy: Steps = every_step,
    constant: Lemma = LINEAR,
    decisive: Mapping[str, str],
) -> Iterator[Finding]:
    """Findings on the transcript and on the averaged iterate, which inherits what is proved of the transcript.

    `noisy` counts the noisy steps among T; `bounded` is the precondition that bounds every gradient by L. At the `decisive`
    instance, with the least T that has a noisy step, every gradient is taken at the starting point.
    """
    steps = tuple(t for t in STEPS if int(t) >= int(decisive.get("T", "1")))
    scope, release, lemmas = f"{name}: every T, n, L", "all noisy gradients", (POST, TRIANGLE, constant)
    all_steps = Scale(
        shift(sigma, noisy),
        {**AXES, "T": steps},
        scope,
        claim.adjacency,
        release,
        lemmas=lemmas,
        decisive=decisive,
        asserts=(asserts,),
        given=(bounded,),
    )
    found = list(suffices(claim, all_steps))
    if found[0].verdict is Verdict.OPEN and noisy is not every_step:
        more = next(suffices(claim, replace(all_steps, mu=shift(sigma, every_step))))
        if more.verdict is Verdict.CERTIFIED:
            found = [replace(more, method=f"{more.method} for T noisy steps; fewer leak less")]
    yield from found
    one = replace(
        all_steps,
        mu=shift(sigma, average_steps),
        axes={**AXES, "T": STEPS[1:]},
        release="the average of the T iterates",
        lemmas=(*lemmas, AVERAGE),
        decisive={**decisive, "T": "2"},
    )
    if found[0].verdict is Verdict.CERTIFIED:
        yield replace(found[0], method="a function of the transcript", release=one.release)
    else:
        yield from suffices(claim, one)


def sensitivity(claim: Claim, bounded: Condition) -> Finding:
    """The printed sensitivity of the empirical gradient against the least true one, 2L/n."""
    L, n = sympy.symbols("L n", positive=True)
    share = sympy.simplify(expression(claim.formulas["sensitivity"], claim.parameters) / (2 * L / n))
    base = Finding(
        scope="the empirical gradient moves by at most the printed sensitivity",
        verdict=Verdict.OPEN,
        method="computer algebra: the printed sensitivity over 2L/n, which is attained",
        claimed="1",
        computed=(str(share), str(share)),
        adjacency=claim.adjacency,
        lemmas=(TRIANGLE,),
        given=(bounded,),
        reason="not a multiple of L/n",
    )
    if not share.is_number:
        return base
    if share >= 1:
        return replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, reason=None)
    survives = "The sensitivity is 2L/n."
    return replace(base, verdict=Verdict.REFUTED, rung=Rung.EXACT, reason=None, severity=Severity.CONSTANT, survives=survives)
