"""The newsvendor's two theorems on averaged descent: one table of readers for full gradients and for single records."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dpsco.arguments import descent_utility as read
from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.descent_utility import Descent, below, least_square, slack, squared
from dpsco.arguments.polynomial_slack import named
from dpsco.spec.algorithms.gradient_perturbation.utility import sample_is_large
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Reading, Verdict

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
            below(claim, "bound_first", named(claim, "bound_first"), squared(claim, "bound_first"), "bound_second"),
        ),
        Relation("bound_second", "<=", "bound"): last_link,
        Relation("risk", "<=", "bound"): lambda claim: (read.end(claim, how, "bound", (sample_is_large,)),),
    }


def last_link(claim: Claim) -> Iterator[Finding]:
    """The link that needs the sample to be large."""
    square = squared(claim, "bound_second", **slack(claim))
    yield below(claim, "bound_second", named(claim, "bound_second"), square, "bound", (sample_is_large,))


def judged(claim: Claim, readers: Mapping[Relation, Reader]) -> Iterator[Finding]:
    """Each assertion by its reader."""
    yield from by_assertion(claim, readers)


def projected() -> Finding:
    """The output that the algorithm as rebuilt hands out."""
    return Finding(
        scope="excess risk of the average after its projection onto the ball",
        verdict=Verdict.OPEN,
        release="the projected average",
        reason="the proof is for the average before projection; what projection does to a risk is newsvendor/projection",
        reading=Reading.MEANT,
    )
