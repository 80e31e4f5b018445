"""The grid walk as a sampler on a convex set that holds a ball: every constant explicit, evaluations counted."""

from collections.abc import Callable

from dpsco.spec.algorithms.exponential_sampling.implemented import CONVEX_LIPSCHITZ, SAMPLED, XI, ZETA, evaluations_are_accurate
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import E, exp, sqrt, symbol, symbols
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import BILEVEL
from dpsco.spec.predicate import Predicate

L, alpha, d, inner_radius, inscribed, largest_norm = symbols("L alpha d inner_radius inscribed largest_norm")
radius, slope_of_target, steps, tau, walks, xi = symbols("radius slope_of_target steps tau walks xi")
zeta = symbol("zeta")


penalty_slope = 2 * L * radius + 2 * d - 1
"""alpha, at which half of the mass lies in C."""

largest_slope = sqrt(d) * (L + alpha / inner_radius)
"""Lipschitz constant of extension and penalty in the maximum norm."""

cells_along_edge = 2 * slope_of_target * tau + 1
"""At least the number of cells of side 1/(2 slope), rounded up to divide the edge."""


def walk_steps(m: Numbers, d: Real, tau: Real, xi: Real, slope_of_target: Real, cells: Real) -> Real:
    """Steps of one walk, rounded up."""
    start = slope_of_target * tau + d * m.log(cells) - m.log(m.tanh(xi / 2))
    return 8 * m.e * d**2 * cells**2 * start + 1


def walk_steps_with_errors(m: Numbers, d: Real, tau: Real, xi: Real, zeta: Real, slope_of_target: Real, cells: Real) -> Real:
    """The same with values off by at most zeta: the conductance is e^{2 zeta} times smaller, the rarest cell rarer."""
    return m.exp(4 * zeta) * (walk_steps(m, d, tau, xi, slope_of_target, cells) + 16 * m.e * d**2 * cells**2 * zeta)


rounds = exp(E("5/4")) * (1 + exp(xi))
"""Expected number of walks until one ends inside C and is accepted."""

evaluations = walks * (steps + 2)
"""Each step asks for one new value; the start and the last point for one more each."""

rounds_with_errors = exp(4 * zeta) * rounds
"""The same with values off by at most zeta."""

distance_with_errors = 2 * zeta + xi
set_holds_ball = inscribed >= inner_radius
set_is_near = largest_norm <= radius
cube_is_within_reach = tau >= 2 * inner_radius


_D, _L, _XI, *SHAPE = SAMPLED
POINT = {"gauge", "f_y", "gap", "f_bar"}
SIZES = (
    Parameter("inner_radius", "radius of a ball around 0 inside C", positive, "decision"),
    Parameter("inscribed", "largest such radius", nonnegative, "decision"),
    Parameter("radius", "bound on |x| over C", positive, "decision"),
    Parameter("largest_norm", "largest |x| over C", nonnegative, "decision"),
    Parameter("slope_of_target", "Lipschitz constant of the exponent on A in the maximum norm: largest_slope", positive),
    Parameter("cells", "cells along an edge of A: cells_along_edge", positive),
    Parameter("steps", "steps of a walk: walk_steps, with errors more", positive, "step"),
    Parameter("walks", "expected number of walks: rounds", positive),
)
PARAMETERS = (_D, _L, XI, *(p for p in SHAPE if p.name not in POINT), *SIZES)
FORMULAS: dict[str, Callable[..., Real]] = {
    "alpha": penalty_slope,
    "slope_of_target": largest_slope,
    "cells": cells_along_edge,
    "steps": walk_steps,
    "walks": rounds,
}
FORMULAS_WITH_ERRORS: dict[str, Callable[..., Real]] = {
    **FORMULAS,
    "steps": walk_steps_with_errors,
    "walks": rounds_with_errors,
}
SHAPE_HOLDS = (
    *CONVEX_LIPSCHITZ,
    Predicate(
        "C holds the ball of that radius around 0",
        set_holds_ball,
        accepts={"inscribed": "0.5", "inner_radius": "0.5"},
        rejects={"inscribed": "0.49", "inner_radius": "0.5"},
    ),
    Predicate(
        "|x| is at most that bound on C",
        set_is_near,
        accepts={"largest_norm": "2", "radius": "2"},
        rejects={"largest_norm": "2.01", "radius": "2"},
    ),
    Predicate(
        "the cube's edge is at least the ball's diameter, as it must be",
        cube_is_within_reach,
        accepts={"tau": "1", "inner_radius": "0.5"},
        rejects={"tau": "0.9", "inner_radius": "0.5"},
    ),
)
STEPS = (
    "C closed, 0 inside, in a cube A of edge tau; f extended to A as printed; penalty alpha max(0, gauge - 1). Divide A into "
    "cells^d equal cells, the cells along an edge at least 2 slope_of_target tau; walk that many steps from any cell, draw "
    "theta uniformly from the last cell, centre x, and accept with probability min(1, F(theta)/(e F(x))); start again unless "
    "theta is accepted and lies in C"
)
OVER = ("all closed convex C that hold the ball and convex L-Lipschitz f",)

claims = [
    Claim(
        id="bilevel/thm-B.13-amended",
        amends="bilevel/thm-B.13",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Theorem B.13", "Theorem B.14, proof, steps 1 to 4"),
        says=f"{STEPS}. The law of theta is within xi of pi in |log ratio|, and the expected number of evaluations of the "
        "exponent is at most walks (steps + 2).",
        parameters=PARAMETERS,
        formulas={**FORMULAS, "time": evaluations},
        asserts=(
            Relation("Dist_infinity(law of theta, pi)", "<=", "xi"),
            Relation("expected number of evaluations", "<=", "time"),
        ),
        preconditions=SHAPE_HOLDS,
        over=OVER,
        note="Polynomial in d, L, |C|, 1/inner_radius and ln(1/xi), of degree above 3 in d. What one evaluation of the "
        "extension and of the gauge costs is not counted.",
    ),
    Claim(
        id="bilevel/thm-3.8-amended",
        amends="bilevel/thm-3.8",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Theorem 3.8", "(7)", "Theorem B.14", "(16)"),
        says=f"{STEPS}. The exponent's values are off by at most zeta on A, by a fixed function. The law of theta is within 2 "
        "zeta + xi of pi in |log ratio|, and the expected number of evaluations is at most walks (steps + 2), where steps and "
        "walks grow with zeta as formulas: the printed e^{12 zeta} covers both.",
        parameters=(*PARAMETERS, ZETA, Parameter("largest_error", "supremum over A of the error", nonnegative, "nat")),
        formulas={**FORMULAS_WITH_ERRORS, "distance": distance_with_errors, "time": evaluations},
        asserts=(
            Relation("Dist_infinity(law of theta, pi)", "<=", "distance"),
            Relation("expected number of evaluations", "<=", "time"),
        ),
        preconditions=(
            *SHAPE_HOLDS,
            Predicate(
                "values are off by at most zeta",
                evaluations_are_accurate,
                accepts={"largest_error": "0.25", "zeta": "0.25"},
                rejects={"largest_error": "0.26", "zeta": "0.25"},
            ),
        ),
        over=(*OVER, "all error functions bounded by zeta"),
        note="An extension computed from values of f that are off by at most zeta is off by at most zeta. A walk has e^{4 "
        "zeta} as many steps as with exact values, and 2 zeta more in the bracket; there are e^{4 zeta} as many walks. The "
        "evaluations grow by e^{8 zeta} (1 + 2 zeta/ln 2) at most, below the printed e^{12 zeta}.",
    ),
]
