"""Penalties of ridge regression, selected on the validation loss: rho(p, b) = (p - b)^2/2, |b| <= outcome_bound.

The records, the penalties and the derivation of the constants are those of selection.py.
"""

from random import Random

from dpsco.spec.contract import FINITE, SUBOPTIMALITY, SUM_SCALED, Inputs, between, contract
from dpsco.spec.expressions import E, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel import selection
from dpsco.spec.numbers import Numbers, Real

b, bound, low, outcome_bound, p = symbols("b bound low outcome_bound p")

OUTCOMES = (-1.0, -0.5, 0.0, 0.25, 1.0)


loss = (p - b) ** 2 / 2
slope = p - b
"""rho' in p."""

curvature = E(1)
"""rho'' in p."""

radius = minimum(bound * outcome_bound / low, outcome_bound / sqrt(low))
"""Of a ball that holds every lower minimiser y.

low |y|^2 <= y'(mean of a a' + penalties) y = <y, mean of b a> <= |y| bound outcome_bound; and low |y|^2/2 <= G(x, y) <=
G(x, 0) <= outcome_bound^2/2.
"""


def constants(m: Numbers, bound: Real, outcome_bound: Real, low: Real, high: Real) -> dict[str, Real]:
    """Of Assumptions 2.1 and 2.2 on the ball: |rho'| <= bound radius + outcome_bound, rho'' = 1, rho''' = 0."""
    ball, one = radius(m, bound=bound, outcome_bound=outcome_bound, low=low), low / low
    return selection.constants(m, bound * ball + outcome_bound, one, 0 * one, ball, bound, low, high)


def any_records(random: Random) -> Inputs:
    given = dict(selection.any_records(random, OUTCOMES))
    reach = min(given["bound"] / given["low"], 0.99 / given["low"] ** 0.5)  # type: ignore[operator]
    given["y"] = [reach * t for t in given["y"]]  # type: ignore[attr-defined]
    return given | {"outcome_bound": 1.0}


@contract(metric=SUM_SCALED, range=FINITE, generate=any_records)
def approximate_gradient(
    x: object,
    y: object,
    A: object,
    b: object,
    C: object,
    e: object,
    groups: object,
    bound: float,
    outcome_bound: float,
    low: float,
    high: float,
) -> object:
    """barF_Z(x, y), the gradient of the selection objective where y is the lower minimiser.

    Domain   x: d_x, y: d_y with |y| <= radius, A and C: n x d_y with rows of norm at most `bound`, b and e: n
             numbers of size at most `outcome_bound`, groups: d_y integers from 0 to d_x - 1, 0 < low <= high
    Returns  d_x numbers (loss per unit of x); their error is measured against |G_xy| |G_yy^{-1}| (|G_yy| |w| + sum of |terms|
             of F_y), w = G_yy^{-1} F_y
    Raises   ValueError for shapes that do not fit, for y outside the ball
    Source   bilevel, (9)
    """


@contract(
    metric=SUBOPTIMALITY,
    range=(FINITE, between("0", lambda m, accuracy: accuracy)),
    generate=lambda random: selection.lower_only(any_records(random)),
)
def lower_minimiser(
    x: object,
    A: object,
    b: object,
    groups: object,
    bound: float,
    outcome_bound: float,
    low: float,
    high: float,
    accuracy: float,
) -> tuple[object, float]:
    """The trained model, with proof of its distance from the exact one.

    Domain   as for `approximate_gradient`; accuracy > 0
    Returns  (y: d_y, error) with |y - y_Z(x)| <= error <= accuracy. What `regress` measures is the exact distance over the
             accuracy: at most 1
    Raises   ValueError as there, and where the accuracy is not reached
    Source   bilevel, Algorithm 1, line 3
    """
