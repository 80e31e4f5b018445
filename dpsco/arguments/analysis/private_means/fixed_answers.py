"""Answers that read no data and yet have excess 0: where the loss is forced, and where the data come before the algorithm.

A lower bound on the excess with a positive rate fails there, whatever its hidden constant is.
"""

from collections.abc import Iterator, Mapping

from dpsco.arguments.analysis.private_means.bodies import CONSTANTS
from dpsco.arguments.analysis.private_means.rates import BITS, formula
from dpsco.arguments.comparing import admits, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.analysis.geometry.widths import ball_width
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.analysis.lower_bounds.gaussian_width import ONE_DATA_SET, ONE_LAW
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity

ONE = (Adjacency.REPLACE_ONE,)
RIGID = Lemma(
    "1-Lipschitz and 1-strongly convex on the unit ball",
    "C the unit ball, C_min = |C|_2 = 1, |.|_C = |.|_2. On a diameter h(s) = l(s u, x), |u| = 1, has |h'| <= 1, and h'(t) - "
    "h'(s) >= t - s for s < t, as h - s^2/2 is convex; from -1 to 1 that is 2, so h'(s) = s throughout: l(theta, x) = c(x) + "
    "|theta|^2/2. Every mean of it is least at theta = 0, the answer of an algorithm that reads nothing. (A modulus above 1 "
    "leaves no loss at all.)",
    ONE,
)
CHOSEN = Lemma(
    "the best answer to one data set",
    "The loss and the data set (the distribution) come before the algorithm: some algorithm answers, whatever it is given, a "
    "minimiser of that one mean loss. It is (0, 0)-DP, and its excess there is 0.",
    ONE,
)
ESCAPES = "With half the modulus, that of the loss halved, the unit ball is no exception: the amendment."
SWAPPED = "With the order swapped, a data set or distribution for each algorithm, as the proof has it: the amendment."
PLACE = {"d": "9", "n": "7", "epsilon": "0.5", "delta": "0.01"}


def unit_ball(m: Numbers, place: Mapping[str, str]) -> dict[str, Real]:
    """The instance with C the unit ball, its width enclosed, the hidden constants 1."""
    v = {name: m.real(value) for name, value in {**CONSTANTS, **place}.items()}
    return {**v, "G_C": ball_width(m, v["d"])}


def no_excess(claim: Claim, scope: str) -> Iterator[Finding]:
    """The two refutations, each where the claim's own formulas and quantifiers allow it and the rate is positive."""
    m = arb(BITS)
    v = unit_ball(m, PLACE)
    rate = formula(claim, "rate")(m, v) if admits(claim, m, v) else m.real(0)
    if m.gt(rate, 0) is not True:
        return
    forced = m.ge(apply(claim.formulas["strong_convexity"], m, v), 1) is True
    before = {ONE_DATA_SET, ONE_LAW} & {*claim.over}
    for holds, lemma, severity, survives in (
        (forced, RIGID, Severity.CONSTANT, ESCAPES),
        (bool(before), CHOSEN, Severity.MISPRINT, SWAPPED),
    ):
        if holds:
            yield refuted(
                f"{scope}: {lemma.name}",
                f"at least a constant times {ends(rate)[0]}",
                "0",
                {"C": "the unit ball", **PLACE, "hidden constants": "1"},
                method="exact: the excess is 0 at every n, d, epsilon and delta, the printed rate is positive",
                severity=severity,
                survives=survives,
                rung=Rung.EXACT,
                adjacency=claim.adjacency,
                release=claim.releases,
                lemmas=(lemma,),
            )
