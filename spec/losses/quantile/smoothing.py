"""The check loss and its convolution smoothing.

With u the residual y - theta'x and t = u/h: c(u) = |u|/2 + (r - 1/2) u, c_h(u) = (h/2) E|t + V| + (r - 1/2) u with V
distributed by the kernel, and ell_h(theta; x, y) = c_h(y - theta'x).
"""

from collections.abc import Callable
from dataclasses import replace

from dpsco.spec import inputs as made
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.contract import FINITE, NONNEGATIVE, POSITIVE, SUM_SCALED, ULPS, contract
from dpsco.spec.expressions import E, absolute, maximum, symbols
from dpsco.spec.losses.kernels import Kernel, table_density, table_deviation_amended, table_integrated
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import NEWSVENDOR, QUANTILE
from dpsco.spec.parameters import B_X, K_BAR, KAPPA_1, KERNEL, H, R, U
from dpsco.spec.predicate import Predicate

B_x, K_bar, h, kappa_1, r, u = symbols("B_x K_bar h kappa_1 r u")

Rows = list[list[float]]
Vector = list[float]


@contract(metric=ULPS, range=POSITIVE, inputs=(KERNEL, U, H, R), generate=made.any_residual, hard=made.residuals)
def value(kernel: Kernel, u: float, h: float, r: float) -> float:
    """The smoothed check loss.

    c_h(u) = (h/2) integral of |u/h + v| K(v) dv + (r - 1/2) u

    Domain   h > 0, r in (0, 1), u any number
    Returns  c_h(u), positive, in the unit of the outcome
    Raises   ValueError for an unknown kernel
    Source   quantile, equation (2)
    """


@contract(metric=SUM_SCALED, range=made.SLOPES, inputs=(KERNEL, U, H, R), generate=made.any_residual, hard=made.residuals)
def derivative(kernel: Kernel, u: float, h: float, r: float) -> float:
    """The smoothed check loss's derivative in the residual.

    c_h'(u) = calK(u/h) + r - 1, calK the kernel's distribution function

    Domain   h > 0, r in (0, 1), u any number
    Returns  a number in (r - 1, r) or at its ends, no unit; terms: r and 1 - calK for u >= 0, calK and 1 - r for u < 0
    Raises   ValueError for an unknown kernel
    Source   quantile, after equation (2)
    """


@contract(metric=ULPS, range=NONNEGATIVE, inputs=(KERNEL, U, H), generate=made.any_scaled_residual, hard=made.scaled_residuals)
def curvature(kernel: Kernel, u: float, h: float) -> float:
    """The smoothed check loss's second derivative in the residual, the kernel's value where the kernel jumps.

    c_h''(u) = K(u/h) / h

    Domain   h > 0, u any number
    Returns  at least 0, per unit of the outcome
    Raises   ValueError for an unknown kernel
    Source   quantile, after equation (2)
    """


@contract(metric=SUM_SCALED, range=POSITIVE, inputs=(KERNEL, H, R), generate=made.any_sample, hard=made.samples)
def risk(kernel: Kernel, X: Rows, y: Vector, theta: Vector, h: float, r: float) -> float:
    """The smoothed empirical risk of a linear rule.

    (1/n) sum over i of c_h(y_i - theta'x_i)

    Domain   X of shape (n, d), y (n,), theta (d,), n and d at least 1; h > 0; r in (0, 1)
    Returns  the mean loss, in the unit of the outcome
    Raises   ValueError for an unknown kernel
    Source   quantile, Section 3.1
    """


@contract(metric=SUM_SCALED, range=FINITE, inputs=(KERNEL, H, R), generate=made.any_sample, hard=made.samples)
def gradient(kernel: Kernel, X: Rows, y: Vector, theta: Vector, h: float, r: float) -> Vector:
    """The smoothed empirical risk's gradient in the decision.

    (1/n) sum over i of [calK((theta'x_i - y_i)/h) - r] x_i

    Domain   X of shape (n, d), y (n,), theta (d,), n and d at least 1; h > 0; r in (0, 1)
    Returns  d numbers, in the unit of the features; terms: calK x_ij / n and r x_ij / n
    Raises   ValueError for an unknown kernel
    Source   quantile, Lemma 3.1, part 1
    """


@contract(metric=SUM_SCALED, range=FINITE, inputs=(KERNEL, H), generate=made.any_curved_sample, hard=made.curved_samples)
def hessian(kernel: Kernel, X: Rows, y: Vector, theta: Vector, h: float) -> Rows:
    """The smoothed empirical risk's Hessian in the decision, the kernel's value where the kernel jumps.

    (1/n) sum over i of K((y_i - theta'x_i)/h)/h x_i x_i'

    Domain   X of shape (n, d), y (n,), theta (d,), n and d at least 1; h > 0
    Returns  d by d numbers, symmetric, in features^2 per unit of the outcome
    Raises   ValueError for an unknown kernel
    Source   quantile, Lemma 3.1, part 1
    """


check = absolute(u) / 2 + (r - E("1/2")) * u


def smoothed(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    return h / 2 * table_deviation_amended(m, kernel, u, h) + (r - m.frac(1, 2)) * u


def slope(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    return table_integrated(m, kernel, u, h) + r - 1


def second(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    return table_density(m, kernel, u / h) / h


def gradient_factor(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    """What multiplies x in the gradient; theta'x - y = -u."""
    return table_integrated(m, kernel, -u, h) - r


lipschitz = maximum(r, 1 - r) * B_x
smoothness = K_bar * B_x**2 / h
below = 0 * h
above = h * kappa_1 / 2


def from_minus(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    """The form with |u - h v|, whose integral is the other one's at -u."""
    return h / 2 * table_deviation_amended(m, kernel, -u, h) + (r - m.frac(1, 2)) * u


def from_both(m: Numbers, kernel: Kernel, u: Real, h: Real, r: Real) -> Real:
    """The form with the mean of |u + h v| and |u - h v|."""
    return (smoothed(m, kernel, u, h, r) + from_minus(m, kernel, u, h, r)) / 2


def outer_moment(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    """(h/2) times the integral of |v| K(v) over |v| >= |u|/h, in closed form."""
    a = m.abs(u) / h
    tail = table_density(m, kernel, a)
    match kernel:
        case "gaussian":
            return h * tail
        case "logistic":
            return h * (a * table_integrated(m, kernel, -a, m.real(1)) + m.log(1 + m.exp(-a)))
        case "uniform":
            return h * tail * (1 - a**2) / 2
        case _:
            return h * tail * (1 - a**2) / 4


def off_the_jump(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Truth:
    return m.no(m.eq(m.abs(u), h)) if kernel == "uniform" else True


CONTINUOUS = Predicate(
    "the kernel is continuous at u/h",
    off_the_jump,
    accepts={"kernel": "uniform", "u": "1", "h": "2"},
    rejects={"kernel": "uniform", "u": "-2", "h": "2"},
)

FORMS: dict[str, Callable[..., Real]] = {"plus": smoothed, "minus": from_minus, "both": from_both}
CHAIN: dict[str, Callable[..., Real]] = {"lower": below, "middle": outer_moment, "upper": above}
ANY_DATA = ("every theta, every x with norm at most B_x, every y",)
LEMMA = QUANTILE.at("Lemma 3.1", "Appendix A.1")

EQUATION = Claim(
    id="quantile/eq-2",
    title="quantile loss smoothed by convolution",
    kind=Kind.IDENTITY,
    source=QUANTILE.at("equation (2)", "the display after Table 1"),
    says="The convolution of the check loss with K_h is (h/2) integral |u/h + v| K(v) dv + (r - 1/2) u; it is convex and "
    "twice differentiable, with derivative calK(u/h) + r - 1 and second derivative K(u/h)/h >= 0.",
    parameters=(KERNEL, U, H, R),
    formulas={"c": check, "c_h": smoothed, "slope": slope, "second": second},
    asserts=(
        Relation("c", "=", "r u+ + (1 - r)(-u)+"),
        Relation("convolution of c with K_h", "=", "c_h"),
        Relation("derivative of c_h", "=", "slope"),
        Relation("derivative of slope", "=", "second"),
        Relation("second", ">=", "0"),
        Relation("c_h", "is", "convex"),
    ),
    over=("every kernel of Condition 1",),
    note="The closed forms in c_h are those of quantile/table-1-amended, each proved to be the printed integral.",
)

DERIVATIVES = Claim(
    id="quantile/lem-3.1-1",
    title="gradient and Hessian of the smoothed loss",
    kind=Kind.IDENTITY,
    source=LEMMA,
    says="ell_h is twice differentiable in theta with gradient [calK((theta'x - y)/h) - r] x and Hessian K((y - theta'x)/h)/h "
    "xx', positive semidefinite.",
    uses=("quantile/eq-2",),
    parameters=(KERNEL, U.means("y - theta'x"), H, R),
    formulas={"gradient": gradient_factor, "hessian": second},
    asserts=(
        Relation("gradient in theta", "=", "gradient x"),
        Relation("Hessian in theta", "=", "hessian xx'"),
        Relation("hessian", ">=", "0"),
    ),
    over=("every kernel of Condition 1", *ANY_DATA),
    provenance=Provenance.REPAIRED,
    note="The display has lost its backslashes and first letters; nabla is restored where 'abla' stands, nabla^2 (for the "
    "Hessian) where a gap and 'abla' stand, and theta where 'heta' stands. That xx' times the factor is positive semidefinite "
    "is asserted of the factor.",
)

claims = [
    EQUATION,
    replace(
        EQUATION,
        id="quantile/eq-2-amended",
        amends="quantile/eq-2",
        says="As printed, the second derivative only at residuals where the kernel is continuous at u/h (so everywhere, for a "
        "continuous kernel).",
        preconditions=(CONTINUOUS,),
    ),
    DERIVATIVES,
    replace(
        DERIVATIVES,
        id="quantile/lem-3.1-1-amended",
        amends="quantile/lem-3.1-1",
        says="The gradient as printed for every kernel, and the Hessian as printed at every theta with K continuous at "
        "(y - theta'x)/h.",
        preconditions=(CONTINUOUS,),
    ),
    Claim(
        id="quantile/lem-3.1-2",
        title="Lipschitz and smoothness constants of the smoothed loss",
        kind=Kind.SENSITIVITY,
        source=LEMMA,
        says="ell_h is Lipschitz with constant max(r, 1 - r) B_x and smooth with constant K_bar B_x^2 / h in theta (l2).",
        uses=("quantile/lem-3.1-1",),
        parameters=(R, B_X, K_BAR, H),
        formulas={"L": lipschitz, "beta": smoothness},
        asserts=(Relation("Lipschitz constant", "<=", "L"), Relation("smoothness constant", "<=", "beta")),
        over=("every kernel of Condition 1", *ANY_DATA),
    ),
    Claim(
        id="quantile/lem-3.1-3",
        title="gap between the smoothed loss and the loss",
        kind=Kind.BOUND,
        source=LEMMA,
        says="ell <= ell_h <= ell + h kappa_1 / 2, and the upper bound is attained.",
        uses=("quantile/eq-2",),
        parameters=(H, KAPPA_1),
        formulas={"lower": below, "upper": above},
        asserts=(
            Relation("c_h - c", ">=", "lower"),
            Relation("c_h - c", "<=", "upper"),
            Relation("largest c_h - c", "=", "upper"),
        ),
        over=("every kernel of Condition 1", *ANY_DATA),
    ),
    Claim(
        id="quantile/sec-3.1-epi",
        title="epigraphical convergence of the smoothed loss",
        kind=Kind.BOUND,
        source=QUANTILE.at("Section 3.1", "Lemma 3.1, part 3"),
        says="c_h is convex and converges to c as h -> 0 epigraphically, in fact uniformly, at distance at most h kappa_1 / 2.",
        uses=("quantile/lem-3.1-3",),
        parameters=(U, R, H, KAPPA_1),
        formulas={"limit": check, "rate": above},
        asserts=(
            Relation("largest |c_h - limit|", "<=", "rate"),
            Relation("c_h", "is", "epigraphically convergent to limit"),
            Relation("c_h", "is", "convex"),
        ),
        over=("every kernel of Condition 1",),
    ),
    Claim(
        id="newsvendor/lem-5",
        title="smoothed newsvendor loss",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("Lemma 5", "EC.1.1", "(EC.1)", "(EC.2)", "(EC.3)"),
        says="The gradient of ell_h, its Lipschitz constant r_bar B_x and smoothness K_bar B_x^2 / h, three "
        "equal forms of c_h, and 0 <= c_h(u) - c(u) <= (h/2) integral over |v| >= |u|/h of |v| K(v) dv <= h kappa_1 / 2.",
        parameters=(KERNEL, U, H, R, B_X, K_BAR, KAPPA_1),
        formulas=FORMS | CHAIN | {"gradient": gradient_factor, "L": lipschitz, "beta": smoothness},
        asserts=(
            Relation("c_h", "=", "plus"),
            Relation("plus", "=", "minus"),
            Relation("plus", "=", "both"),
            Relation("gradient in theta", "=", "gradient x"),
            Relation("Lipschitz constant", "<=", "L"),
            Relation("smoothness constant", "<=", "beta"),
            Relation("c_h - c", ">=", "lower"),
            Relation("c_h - c", "<=", "middle"),
            Relation("middle", "<=", "upper"),
        ),
        over=("every kernel of Condition 1", *ANY_DATA),
        provenance=Provenance.REBUILT,
        note="The lemma is rebuilt from its proof. Part 1 is read as the gradient: the proof derives no more of it. That a "
        "Hessian exists everywhere, as part 2 of the proof takes for granted, is the sister lemma quantile/lem-3.1-1.",
    ),
]
