"""Penalties of logistic regression, selected on the validation loss: rho(p, b) = log(1 + e^(-b p)), b = 1 or -1.

The records, the penalties and the derivation of the constants are those of selection.py.
"""

from random import Random

from dpsco.spec.contract import FINITE, SUBOPTIMALITY, SUM_SCALED, Inputs, between, contract
from dpsco.spec.expressions import exp, log, log1p, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel import selection
from dpsco.spec.numbers import Numbers, Real

b, bound, low, p = symbols("b bound low p")

SIGNS = (-1.0, 1.0)


loss = log1p(exp(-b * p))
slope = -b / (1 + exp(b * p))
"""rho' in p."""

curvature = 1 / ((1 + exp(b * p)) * (1 + exp(-b * p)))
"""rho'' in p."""

radius = minimum(bound / low, sqrt(2 * log(2) / low))
"""Of a ball that holds every lower minimiser y.

low |y| <= |sum of penalty gradients| = |mean of rho' a| <= bound; and low |y|^2/2 <= G(x, y) <= G(x, 0) = log 2.
"""


def constants(m: Numbers, bound: Real, low: Real, high: Real) -> dict[str, Real]:
    """Of Assumptions 2.1 and 2.2: |rho'| <= 1, rho'' = s (1 - s) <= 1/4, |rho'''| = |s (1 - s)(1 - 2s)| <= 1/(6 sqrt 3)."""
    one = low / low
    return selection.constants(m, one, one / 4, one / (6 * m.sqrt(3)), radius(m, bound=bound, low=low), bound, low, high)


def any_records(random: Random) -> Inputs:
    given = dict(selection.any_records(random, SIGNS))
    reach = min(given["bound"] / given["low"], (2 * 0.69 / given["low"]) ** 0.5)  # type: ignore[operator]
    given["y"] = [reach * t for t in given["y"]]  # type: ignore[attr-defined]
    return given


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
    low: float,
    high: float,
) -> object:
    """barF_Z(x, y), the gradient of the selection objective where y is the lower minimiser.

    Domain   x: d_x, y: d_y with |y| <= radius, A and C: n x d_y with rows of norm at most `bound`, b and e: n signs, groups:
             d_y integers from 0 to d_x - 1, 0 < low <= high
    Returns  d_x numbers (loss per unit of x); their error is measured against |G_xy| |G_yy^{-1}| (|G_yy| |w| + sum of |terms|
             of F_y), w = G_yy^{-1} F_y
    Raises   ValueError for shapes that do not fit, for outcomes that are no signs, for y outside the ball
    Source   bilevel, (9)
    """


@contract(
    metric=SUBOPTIMALITY,
    range=(FINITE, between("0", lambda m, accuracy: accuracy)),
    generate=lambda random: selection.lower_only(any_records(random)),
)
def lower_minimiser(
    x: object, A: object, b: object, groups: object, bound: float, low: float, high: float, accuracy: float
) -> tuple[object, float]:
    """The trained model, with proof of its distance from the exact one.

    Domain   as for `approximate_gradient`; accuracy > 0
    Returns  (y: d_y, error) with |y - y_Z(x)| <= error <= accuracy. What `regress` measures is the exact distance over the
             accuracy: at most 1
    Raises   ValueError as there, and where the accuracy is not reached
    Source   bilevel, Algorithm 1, line 3
    """
