"""The newsvendor's two theorems on averaged descent: one table of readers for full gradients and for single records."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dpsco.arguments.algorithms.descent import averaged_descent as known
from dpsco.arguments.algorithms.descent import descent_utility as read
from dpsco.arguments.algorithms.descent.averaged_descent import lipschitz
from dpsco.arguments.algorithms.descent.descent_utility import Descent, below, least_square, slack, squared
from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.polynomial_slack import Side, bounded, named
from dpsco.spec.algorithms.gradient_perturbation.utility import UNPROJECTED, sample_is_large
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Severity, Verdict

EQUAL = {"n": "4000", "d": "145", "epsilon": "1", "delta": "1e-6", "B": "1", "B_x": "1", "r_bar": "0.5"} | {
    "kappa_1": "0.5",
    "K_bar": "0.5",
    "optimum_norm": "1",
    "largest_feature_norm": "1",
}
"""The uniform kernel, and as many dimensions as make the noise across x as long as the decision."""
Reader = Callable[[Claim], Iterable[Finding]]


def table(how: Descent, sigma: str, prefix: str) -> Mapping[Relation, Reader]:
    """Readers by assertion; `prefix` stands before "distance of the t-th iterates", `sigma` names the noise of the end."""

    def one(reader: Callable[..., Finding], *given: Any) -> Reader:
        return lambda claim: (reader(claim, how, *given),)

    at_step = f"bound_raw at step_length, T = n^2, {sigma}"
    return {
        Relation(f"{prefix}distance of the t-th iterates", "<=", "distance"): one(read.distance, "distance"),
        Relation("expected population minus empirical risk", "<=", "generalisation"): one(
            read.generalisation, "generalisation"
        ),
        Relation("expected empirical excess risk", "<=", "empirical"): one(read.empirical, "empirical", "B", False),
        Relation("risk", "<=", "bound_raw"): lambda claim: (
            read.at_every_step_length(claim, how),
            read.minimiser(claim, named(claim, how.raw), how.kind),
        ),
        Relation(at_step, "<=", "bound_first"): lambda claim: (
            below(claim, at_step, how.least(claim), least_square(claim, how, named(claim, "bound_raw")), "bound_first"),
        ),
        Relation("bound_first", "<=", "bound_second"): lambda claim: (
            below(
                claim,
                "from the first line of the bound to the second",
                named(claim, "bound_first"),
                squared(claim, "bound_first"),
                "bound_second",
            ),
        ),
        Relation("bound_second", "<=", "bound"): last_link,
        Relation("risk", "<=", "bound"): lambda claim: (read.end(claim, how, "bound", (sample_is_large,)),),
    }


def last_link(claim: Claim) -> Iterator[Finding]:
    """The link that needs the sample to be large."""
    square = squared(claim, "bound_second", **slack(claim))
    scope = "from the second line of the bound to the theorem's"
    yield below(claim, scope, named(claim, "bound_second"), square, "bound", (sample_is_large,))


def judged(claim: Claim, readers: Mapping[Relation, Reader]) -> Iterator[Finding]:
    """Each assertion by its reader."""
    yield from by_assertion(claim, readers)


def projected(claim: Claim, how: Descent) -> Iterator[Finding]:
    """The output that the algorithm hands out: open, as the place of the projection is not at hand; refuted at the end."""
    if claim.releases == UNPROJECTED:
        return
    yield Finding(
        scope="excess risk of what the algorithm returns, the projected decision",
        verdict=Verdict.OPEN,
        release="the projected average",
        reason="the proof is for the average before projection; where the projection stands is not at hand: in every step the "
        "proof goes through, at the end the last bound is false (n = 4000 equal records x = e_1, y = B = B_x = 1, d = 145)",
    )
    yield replace(projected_at_end(claim, how), reading=Reading.ANOTHER)


def projected_at_end(claim: Claim, how: Descent) -> Finding:
    """The risk of the average projected at the end against the last bound: noise across x makes projection shrink the rest."""
    bandwidth, step = named(claim, "bandwidth"), how.step(claim)

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        w = {**v, "L": lipschitz(v), "T": v["n"] ** 2, "eta": step(m, v)}
        w["sigma"] = how.sigma(m, w)
        return known.projected(m, w, bandwidth(m, w))

    side = Side(
        scope="excess risk of the average projected at the end onto the ball",
        claimed=named(claim, "bound"),
        reached=reached,
        holds=False,
        method="",
        instances=(EQUAL,),
        severity=Severity.RATE,
        survives="The bound holds for the average before projection, and for projection in every step.",
        family=(known.SHRUNK, known.REGRET, known.SMOOTH),
        release="the average, projected at the end",
    )
    return bounded(side)
