"""Convolution smoothing of piecewise linear functions with any number of pieces.

The contracts take f(u) = s_0 u + sum over i of (s_i - s_(i-1)) max(u - b_i, 0): slope s_0 left of the first knot b_1, s_i right
of knot b_i. In the claim's terms: J_i = s_i - s_(i-1), s = (s_0 + s_k)/2, a = -(1/2) sum over i of J_i b_i.
"""

from itertools import pairwise
from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, between, contract
from dpsco.spec.domain import Parameter, Vectors, nonnegative, reals
from dpsco.spec.losses.kernels import KERNELS, Kernel
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import KAPPA_1, KERNEL, H, U

Vector = list[float]
FUNCTIONS: tuple[tuple[Vector, Vector], ...] = (
    ([0.0], [-0.3, 0.7]),
    ([-1.0, 0.0, 2.0], [-2.0, -0.5, 0.25, 3.0]),
    ([-1.0, 1.0], [0.0, 1.0, 0.0]),
    ([-1.0, -1.0, 1.0], [3.0, -2.0, 0.125, -1e6]),
    ([1e6, 1e6 + 1e-6], [-1e-9, 0.0, 1e9]),
    ([], [0.7]),
)
"""The check loss; convex; a ramp, neither convex nor concave; a knot twice; knots close together far out; a line."""
HARD: tuple[Inputs, ...] = tuple(
    {"kernel": kernel, "u": u, "h": h, "knots": knots, "slopes": slopes}
    for kernel in KERNELS
    for knots, slopes in FUNCTIONS
    for h in (1.0, 1e-6, 1e6)
    for u in (0.0, -5.0, 1e9, *(b + h * t for b in knots[-2:] for t in (0.0, 1.0, -0.9999999999999999)))
)


def any_function(random: Random) -> Inputs:
    """Up to five knots and any slopes; the point at a knot, a bandwidth or some from one, or anywhere."""
    count, scale, h = random.randint(0, 5), 10 ** random.uniform(-4, 4), 10 ** random.uniform(-6, 6)
    knots = sorted(random.gauss(0, scale) for _ in range(count))
    slopes = [random.gauss(0, 10 ** random.uniform(-3, 3)) for _ in range(count + 1)]
    near = [b + h * t for b in knots for t in (0.0, random.choice((-1.0, 1.0)), random.uniform(-9, 9))]
    u = random.choice([*near, random.gauss(0, 3 * scale)])
    return {"kernel": random.choice(KERNELS), "u": u, "h": h, "knots": knots, "slopes": slopes}


def checked(knots: Vector, slopes: Vector) -> None:
    """ValueError unless there is one slope more than knots and the knots do not fall."""
    if len(slopes) != len(knots) + 1:
        raise ValueError(f"slopes has one entry more than knots, got {len(slopes)} and {len(knots)}")
    if any(not a <= b for a, b in pairwise(knots)):
        raise ValueError(f"knots do not fall, got {list(knots)}")


@contract(metric=SUM_SCALED, range=FINITE, inputs=(KERNEL, U, H), generate=any_function, hard=HARD)
def value(kernel: Kernel, u: float, h: float, knots: Vector, slopes: Vector) -> float:
    """A piecewise linear function smoothed by convolution.

    a + s u + (1/2) sum over i of J_i h integral |(u - b_i)/h + v| K(v) dv

    Domain   h > 0; knots not falling, maybe none; slopes one more than knots, rising or not
    Returns  within h kappa_1 (sum of |J_i|) / 2 of f(u), in the unit of the loss; terms: s u, J_i b_i / 2, J_i / 2 times the
             mean distance from b_i
    Raises   ValueError where knots or slopes are not so, or for an unknown kernel
    Source   quantile, Section 3.1, more general nonsmooth functions
    """


@contract(
    metric=SUM_SCALED,
    range=between(lambda m, slopes: m.min(*slopes), lambda m, slopes: m.max(*slopes)),
    inputs=(KERNEL, U, H),
    generate=any_function,
    hard=HARD,
)
def derivative(kernel: Kernel, u: float, h: float, knots: Vector, slopes: Vector) -> float:
    """The smoothed function's derivative.

    s_0 + sum over i of (s_i - s_(i-1)) calK((u - b_i)/h), calK the kernel's distribution function

    Domain   as for `value`
    Returns  in loss per unit of the outcome; terms: s_0 and those of the sum
    Raises   as for `value`
    Source   quantile, Section 3.1, more general nonsmooth functions
    """


@contract(metric=SUM_SCALED, range=FINITE, inputs=(KERNEL, U, H), generate=any_function, hard=HARD)
def curvature(kernel: Kernel, u: float, h: float, knots: Vector, slopes: Vector) -> float:
    """The smoothed function's second derivative, the kernel's value where the kernel jumps.

    sum over i of (s_i - s_(i-1)) K((u - b_i)/h)/h

    Domain   as for `value`
    Returns  at most K_bar/h times the sum of |s_i - s_(i-1)|; nonnegative where the slopes rise
    Raises   as for `value`
    Source   quantile, Section 3.1, more general nonsmooth functions
    """


JUMPS = Parameter("jumps", "change of slope at each knot", Vectors("knots"), "loss/outcome")
KNOTS = Parameter("knots", "where the slope changes", Vectors("knots"), "outcome")
SMOOTHED_DISTANCES = Parameter(
    "smoothed_distances",
    "h times the integral of |(u - t)/h + v| K(v) over v, for each knot t",
    Vectors("knots", nonnegative),
    "outcome",
)


def piecewise_linear(m: Numbers, u: Real, intercept: Real, mean_slope: Real, jumps: Real, knots: Real) -> Real:
    return intercept + mean_slope * u + m.dot(jumps, [m.abs(u - t) for t in knots]) / 2


def smoothed(m: Numbers, u: Real, intercept: Real, mean_slope: Real, jumps: Real, smoothed_distances: Real) -> Real:
    return intercept + mean_slope * u + m.dot(jumps, smoothed_distances) / 2


def largest_gap(m: Numbers, h: Real, kappa_1: Real, jumps: Real) -> Real:
    return h * kappa_1 * m.norm(jumps, 1) / 2


claims = [
    Claim(
        id="quantile/sec-3.1-piecewise",
        title="smoothing of piecewise linear functions",
        kind=Kind.DEFINITION,
        source=QUANTILE.at("Section 3.1, more general nonsmooth functions", "Figure 3"),
        says="A piecewise linear function f with more than two pieces is smoothed like the quantile loss, by f_h = f * K_h. "
        "The smoothed function is expected to have similar properties. In formulas: f(u) = a + s u + (1/2) sum_j J_j |u - "
        "t_j|, with knots t_j, changes of slope J_j and s the mean of the outer slopes, becomes a + s u + (1/2) sum_j J_j h "
        "int |(u - t_j)/h + v| K(v) dv.",
        parameters=(
            U,
            H,
            KAPPA_1,
            Parameter("intercept", "a", reals, "loss"),
            Parameter("mean_slope", "s: half the sum of the first and the last slope", reals, "loss/outcome"),
            JUMPS,
            KNOTS,
            SMOOTHED_DISTANCES,
        ),
        formulas={"piecewise_linear": piecewise_linear, "smoothed": smoothed, "largest_gap": largest_gap},
        asserts=(
            Relation("smoothed", "=", "f * K_h"),
            Relation("|smoothed - piecewise_linear|", "<=", "largest_gap"),
        ),
        over=("every piecewise linear function with finitely many pieces", "every kernel of the paper's conditions"),
        note="The paper shows a figure, says that analytical results take more effort because of the many pieces, and prints "
        "no formula; the closed form and the gap are ours and follow from linearity, so little effort is needed. Convexity of "
        "f_h needs all J_j >= 0; without it f_h lies neither above nor below f.",
    ),
]
