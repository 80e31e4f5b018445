"""Judge of the moments of truncated heavy-tailed gradients: size, bias and spread of their mean's error.

Everything is reached on the line by laws of two atoms, a batch of one record, and proved in every norm.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import sympy

from dpsco.arguments.algorithms.mirror_descent.truncation import ATOMS, KEPT, MEANS, Values, bias, fourth, height, size, spread
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.missing_range import beside
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, named, nonnegative, quantities
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.algorithms.mirror_descent import truncated_gradients as mutants
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import (
    slopes_are_covered,
    threshold_covers_diameter,
    threshold_covers_slope,
)
from dpsco.spec.algorithms.mirror_descent.truncated_utility import moments_are_bounded
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Severity, Verdict

Quantity = Callable[[Numbers, Values], Real]
AXES = {
    "beta": ("0.01", "1", "10"),
    "M": ("0.1", "1", "20"),
    "lambda_": ("0.3", "1", "10", "200"),
    "sigma": ("0.001", "0.5", "1", "30"),
}
SLOPES = ("0", "0.1", "1", "10", "20", "200", "3000")
FREE_SLOPES = "if Assumption 4 does not bound the population gradient"
ASSUMED = (
    "Assumption 4 is not at hand. Theorem 15 adds to it that the population gradient vanishes at the optimum and is bounded, "
    "which suggests that it says neither; then this fails."
)
SURVIVES = "It holds where the population gradient has dual norm at most beta M on C."


BETA_LOST = "the population gradient vanishes in C, so nothing of Assumption 4 is missed: M stands where Lemma 17 has beta M"
PLAIN = "With beta M for M, and plainly as printed, where beta M <= lambda and the population gradient is at most beta M."
SHOWN = {
    True: {"beta": "1", "M": "1", "lambda_": "1", "sigma": "0.001", "slope": "20"},
    False: {"beta": "10", "M": "1", "lambda_": "1", "slope": "10"},
}
"""Plain instances to show; where beta M may exceed lambda, with a population gradient of at most beta M."""


def _sharp(m: Numbers, v: Values) -> Real:
    return 2 * v["beta"] * v["M"] + v["lambda_"]


def _bias(m: Numbers, v: Values) -> Real:
    return height(v) * v["sigma"] ** 2 / v["lambda_"] ** 2


@dataclass(frozen=True)
class Moment:
    """A quantity: what two atoms reach, and what is proved of it where the population gradient is covered."""

    scope: str
    reached: Quantity
    proved: Quantity


def times(moment: Moment, scope: str) -> Moment:
    """The same of <x_t, z - w_{t-1}>, |z - w_{t-1}| = M."""
    return Moment(scope, lambda m, v: v["M"] * moment.reached(m, v), lambda m, v: v["M"] * moment.proved(m, v))


def squared(moment: Moment, scope: str) -> Moment:
    return Moment(scope, lambda m, v: moment.reached(m, v) ** 2, lambda m, v: moment.proved(m, v) ** 2)


SIZE = Moment("the size of x_t", size, _sharp)
BIAS = Moment("the bias |E x_t|_*", bias, _bias)
SPREAD = Moment("the root mean square of |x_t|_*", spread, lambda m, v: v["sigma"])
FOURTH = Moment("the root mean square of |x_t|_*^2", fourth, lambda m, v: _sharp(m, v) * v["sigma"])


def _covered(v: Instance) -> bool:
    return float(v.get("largest_slope") or v["slope"]) <= float(v["beta"]) * float(v["M"])


def _ranged(claim: Claim, value: Quantity) -> sympy.Expr:
    """The value as an expression on the claim's range of lambda."""
    s, more = quantities(claim), sympy.Symbol("more", nonnegative=True)
    least = s["M"] if threshold_covers_diameter in claim.tests else 0
    least = s["beta"] * s["M"] if threshold_covers_slope in claim.tests else least
    return expressed(claim, value, lambda_=least + more) if least != 0 else expressed(claim, value)


def instances(claim: Claim) -> list[Instance]:
    """Hard values, with every slope of the population gradient that the claim allows."""
    if any(p.name == "largest_slope" for p in claim.parameters):
        return list(grid(claim, {**AXES, "largest_slope": SLOPES}))
    return [{**instance, "slope": s} for instance in grid(claim, AXES) for s in SLOPES]


def moment(name: str, what: Moment, claim: Claim) -> Iterator[Finding]:
    """The quantity against the claim's formula: as printed, and where the population gradient is covered."""
    claimed = named(claim, name)
    dominated = threshold_covers_slope in claim.tests and moments_are_bounded in claim.tests
    dominated = dominated and nonnegative(claim, _ranged(claim, claimed) - _ranged(claim, what.proved))
    covered = slopes_are_covered in claim.tests
    side = Side(
        scope=what.scope,
        claimed=claimed,
        reached=what.reached,
        holds=dominated and covered,
        method="the formula less what is proved has nonnegative coefficients on the range of lambda",
        instances=instances(claim),
        severity=Severity.DOMAIN,
        survives=SURVIVES if dominated else PLAIN,
        lemmas=(KEPT, MEANS),
        given=(moments_are_bounded, threshold_covers_slope, slopes_are_covered),
        family=(ATOMS,),
        decisive=SHOWN[threshold_covers_slope in claim.tests],
    )
    found = bounded(side)
    plain = found.verdict is Verdict.REFUTED and _covered(found.at)
    if plain:
        yield replace(found, reason=BETA_LOST)
    elif found.verdict is Verdict.REFUTED and not covered and claim.amends is None:
        yield from beside(found, FREE_SLOPES, ASSUMED)
    else:
        yield found
    if not dominated:
        yield from _as_used(claim, name, what, side)
    if dominated and not covered:
        meant = replace(
            side,
            scope=f"{what.scope}, population gradient at most beta M",
            holds=True,
            instances=[v for v in side.instances if _covered(v)],
            given=(moments_are_bounded, threshold_covers_slope),
            remark=None,
        )
        yield replace(bounded(meant), reading=Reading.MEANT)


def _as_used(claim: Claim, name: str, what: Moment, side: Side) -> Iterator[Finding]:
    """What survives for the theorems, whose lambda is at least max(beta, 1) M: the plain bound, and this one for beta <= 1."""
    s, more, b = quantities(claim), sympy.Symbol("more", nonnegative=True), sympy.Symbol("b", nonnegative=True)
    for says, claimed, at in (
        ("the plain bound", named(claim, name.replace("_sharp", "_plain")), {"lambda_": s["beta"] * s["M"] + more}),
        ("the sharp bound for beta <= 1", named(claim, name), {"beta": 1 / (1 + b), "lambda_": s["M"] + more}),
    ):
        if not nonnegative(claim, expressed(claim, claimed, **at) - expressed(claim, what.proved, **at)):
            continue
        small = [v for v in side.instances if float(v["beta"]) * float(v["M"]) <= float(v["lambda_"]) and _covered(v)]
        instances = [v for v in small if float(v["beta"]) <= 1 or "plain" in says]
        meant = replace(side, claimed=claimed, holds=True, instances=instances, given=(moments_are_bounded,), remark=None)
        scope = f"{what.scope}, {says}, lambda >= max(beta, 1) M, population gradient at most beta M"
        yield replace(bounded(replace(meant, scope=scope)), reading=Reading.MEANT)


def simplification(left: str, right: str, claim: Claim) -> Iterator[Finding]:
    """The sharper formula against the plainer one."""
    yield bounded(
        Side(
            scope=f"{left} <= {right}",
            claimed=named(claim, right),
            reached=named(claim, left),
            holds=nonnegative(claim, _ranged(claim, named(claim, right)) - _ranged(claim, named(claim, left))),
            method="the difference has nonnegative coefficients on the range of lambda",
            instances=list(grid(claim, AXES)),
            severity=Severity.CONSTANT,
            survives="The sharper bound.",
            given=tuple(t for t in (threshold_covers_slope, threshold_covers_diameter) if t in claim.tests),
        )
    )


READ: Table = {
    Relation("|x_t|_*", "<=", "error_sharp"): partial(moment, "error_sharp", SIZE),
    Relation("|<x_t, z - w_{t-1}>|", "<=", "product_bound"): partial(
        moment, "product_bound", times(SIZE, "the size of the product")
    ),
    Relation("|E x_t|_*", "<=", "bias_sharp"): partial(moment, "bias_sharp", BIAS),
    Relation("|E<x_t, z - w_{t-1}>|", "<=", "product_bias"): partial(
        moment, "product_bias", times(BIAS, "the bias of the product")
    ),
    Relation("(E|x_t|_*^2)^{1/2}", "<=", "spread_sharp"): partial(moment, "spread_sharp", SPREAD),
    Relation("(E<x_t, z - w_{t-1}>^2)^{1/2}", "<=", "product_spread"): partial(
        moment, "product_spread", times(SPREAD, "the root mean square of the product")
    ),
    Relation("E phi_t", "<=", "square_mean_sharp"): partial(moment, "square_mean_sharp", squared(SPREAD, "the mean of phi_t")),
    Relation("phi_t", "<=", "square_sharp"): partial(moment, "square_sharp", squared(SIZE, "the size of phi_t")),
    Relation("(E phi_t^2)^{1/2}", "<=", "square_spread_sharp"): partial(moment, "square_spread_sharp", FOURTH),
    **{
        Relation(f"{name}_sharp", "<=", f"{name}_plain"): partial(simplification, f"{name}_sharp", f"{name}_plain")
        for name in ("error", "bias", "spread", "square_mean", "square", "square_spread")
    },
}


def lost_beta_first(claim: Claim) -> list[Finding]:
    """Lemma 19's own slip before what it shares with Lemma 17."""
    return sorted(reading(READ)(claim), key=lambda found: found.scope != "the size of phi_t")


JUDGES = dict.fromkeys(("lp/lem-17", "lp/lem-17-amended"), reading(READ))
JUDGES |= dict.fromkeys(("lp/lem-19", "lp/lem-19-amended"), lost_beta_first)

MUTANTS = {"lp/lem-17-amended": mutants.of_gradients, "lp/lem-19-amended": mutants.of_squares}
