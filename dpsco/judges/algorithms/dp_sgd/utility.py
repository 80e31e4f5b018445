"""Judge of DP-SGD's risk: empirical excess, the bound at every step length, its minimiser, the printed minimum, the rate."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.algorithms.descent import descent_utility as read
from dpsco.arguments.algorithms.descent.averaged_descent import BALANCE, DRAWN
from dpsco.arguments.algorithms.descent.descent_rates import at_most_rate
from dpsco.arguments.algorithms.descent.descent_utility import Descent, least_square
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.polynomial_slack import Side, bounded, named, nonnegative
from dpsco.instances.descents import admitted
from dpsco.mutants.algorithms.dp_sgd import utility as mutants
from dpsco.spec.algorithms.dp_sgd.algorithm import variance as printed_variance
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Reading, Verdict, as_step

RATE_STANDS = (
    "The risk bound at every step length, the step length that minimises it, and the rate; for the minimum, the kernel term "
    "divided by L^2 and 2/n^3 inside the root."
)
INSIDE = "closed_form_inside_root"
SHOWN_LINK = {"kappa_1": "0.8"}
"""A kernel near the Gaussian one."""


def descent(claim: Claim) -> Descent:
    """n^2 iterates, the printed variance; L is given, so that no condition on features is needed."""
    variance = named(claim, "variance") if "variance" in claim.formulas else None

    def noise(m: Numbers, v: Mapping[str, Real]) -> Real:
        found = variance(m, v) if variance else printed_variance(m, L=v["L"], epsilon=v["epsilon"], delta=v["delta"])
        return m.sqrt(found)

    return Descent("risk_at_step_length", noise, DRAWN, "square", optimum=(optimum_in_ball,))


def optimisation(claim: Claim) -> Iterator[Finding]:
    """Empirical excess of the smoothed loss, for every data set and every theta*."""
    yield read.empirical(claim, descent(claim), "optimisation_bound", "optimum_norm", True)


def at_every_step_length(claim: Claim) -> Iterator[Finding]:
    """The displayed sum."""
    yield read.at_every_step_length(claim, descent(claim))


def least(claim: Claim) -> Iterator[Finding]:
    """The printed step length."""
    yield read.minimiser(claim, named(claim, descent(claim).raw), "square")


def minimum(claim: Claim) -> Iterator[Finding]:
    """The printed minimum, for the risk itself and as the value that the displayed sum takes; both readings of the scan."""
    names = [("closed_form", Reading.PRINTED)]
    names += [(INSIDE, Reading.MEANT)] if INSIDE in claim.formulas else []
    for name, read_as in names:
        says = "" if read_as is Reading.PRINTED else ", the last term read inside the root"
        risk = replace(read.end(claim, descent(claim), name), reading=read_as)
        yield _told(replace(risk, scope=f"{risk.scope}, every kernel{says}"))
        yield _told(replace(_link(claim, name), scope=f"the minimum of the displayed sum{says}", reading=read_as))


def _link(claim: Claim, name: str) -> Finding:
    """The displayed sum at its minimiser against the printed value."""
    how, closed = descent(claim), named(claim, name)
    square = least_square(claim, how, named(claim, how.raw))
    side = Side(
        scope="",
        claimed=closed,
        reached=how.least(claim),
        holds=square is not None and nonnegative(claim, read.squared(claim, name) - square),
        method="squares compared coefficient by coefficient",
        instances=admitted(claim, "targets"),
        severity=PROOF_STEP,
        survives=RATE_STANDS,
        lemmas=(BALANCE,),
        decisive=SHOWN_LINK,
    )
    return bounded(side)


def _told(finding: Finding) -> Finding:
    """The theorem claims a rate, not its constant: what falls is a step of the proof."""
    refuted = finding.verdict is Verdict.REFUTED
    return as_step(replace(finding, survives=RATE_STANDS) if refuted else finding)


def rate(claim: Claim) -> Iterator[Finding]:
    """The rate, with constants that depend on L, B_theta, B_x, kappa_1 and K_bar only."""
    yield at_most_rate(claim, descent(claim), "rate")


READ: Table = {
    Relation("E[Lhat_h(theta_hat) - Lhat_h(theta*)]", "<=", "optimisation_bound"): optimisation,
    Relation("risk", "<=", "risk_at_step_length"): at_every_step_length,
    Relation("risk_at_step_length at step_length", "<=", "risk_at_step_length at every eta"): least,
    Relation("risk at step_length", "<=", "closed_form"): minimum,
    Relation("risk at step_length", "<=O", "rate"): rate,
}

JUDGES = dict.fromkeys(("quantile/thm-3.4", "quantile/thm-3.4-amended"), reading(READ))

MUTANTS = {"quantile/thm-3.4": mutants.of_printed, "quantile/thm-3.4-amended": mutants.of_amended}
