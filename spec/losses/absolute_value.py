"""Convolution smoothing of |u|_1 in several dimensions with the Gaussian kernel, and losses that contain it.

The losses have the form |A(z) theta|_1 + f(z' theta) with f smooth; only the first term is smoothed.
"""

from dataclasses import replace
from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import SUM_SCALED, ULPS, Inputs, Range, at_least, between, contract
from dpsco.spec.domain import Parameter, Vectors, naturals, nonnegative, reals
from dpsco.spec.expressions import E, absolute, maximum, sqrt, symbols
from dpsco.spec.inputs import RESIDUALS
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import H, R, U

h, prediction, r, size, tau, u, y = symbols("h prediction r size tau u y")

Vector = list[float]
HARD: tuple[Inputs, ...] = (
    *({"residuals": [u], "h": h} for u, h in RESIDUALS),
    *({"residuals": [u, -u, 0.0, h, -h], "h": h} for u, h in RESIDUALS[:96:3]),
    {"residuals": [1e16, 1.0, -1e16, 1e-8], "h": 1.0},
)


def any_vector(random: Random) -> Inputs:
    """One to six residuals, each zero, on the scale of the bandwidth or far from it."""
    h = 10 ** random.uniform(-9, 9)
    scales = (0.0, 1.0, 10 ** random.uniform(-9, 0), random.uniform(0, 8), random.uniform(0, 40))
    return {"residuals": [random.choice((-1, 1)) * random.choice(scales) * h for _ in range(random.randint(1, 6))], "h": h}


@contract(
    metric=SUM_SCALED, range=at_least(lambda m, residuals: m.norm(residuals, 1)), inputs=(H,), generate=any_vector, hard=HARD
)
def value(residuals: Vector, h: float) -> float:
    """The smoothed l1-norm.

    sum over j of E|u_j + h V|, V standard normal

    Domain   residuals of length at least 1, h > 0
    Returns  at least the sum of |u_j|, in the unit of the outcome; all terms are positive
    Raises   ValueError for an empty vector
    Source   newsvendor, Lemma EC.6, part 2
    """


@contract(metric=ULPS, range=between("-1", "1"), inputs=(H,), generate=any_vector, hard=HARD)
def gradient(residuals: Vector, h: float) -> Vector:
    """The smoothed l1-norm's gradient: 2 Phi(u_j / h) - 1.

    Domain   residuals of length at least 1, h > 0
    Returns  as many numbers in [-1, 1], no unit
    Raises   ValueError for an empty vector
    Source   newsvendor, Lemma EC.6
    """


@contract(
    metric=ULPS,
    range=Range("0", lambda m, residuals, h: len(residuals) * h * m.sqrt(2 / m.pi), high_open=False),
    inputs=(H,),
    generate=any_vector,
    hard=HARD,
)
def gap(residuals: Vector, h: float) -> float:
    """How far the smoothed l1-norm lies above the norm.

    sum over j of h sqrt(2/pi) exp(-u_j^2 / (2 h^2)) - 2 |u_j| Phi(-|u_j| / h)

    Domain   residuals of length at least 1, h > 0
    Returns  between 0 and m h sqrt(2/pi), in the unit of the outcome
    Raises   ValueError for an empty vector
    Source   newsvendor, the display after Lemma EC.6
    """


def absolute_sum(m: Numbers, residuals: Real) -> Real:
    return sum(m.abs(u) for u in residuals)


def smoothed(m: Numbers, residuals: Real, h: Real) -> Real:
    return absolute_sum(m, residuals) + excess(m, residuals, h)


def excess(m: Numbers, residuals: Real, h: Real) -> Real:
    """Smoothed minus original."""
    return sum(h * m.sqrt(2 / m.pi) * m.exp(-(u**2) / (2 * h**2)) - 2 * m.abs(u) * m.Phi(-m.abs(u) / h) for u in residuals)


def gap_upper(m: Numbers, residuals: Real, h: Real) -> Real:
    return m.sqrt(2 / m.pi) * h * sum(m.exp(-(u**2) / (2 * h**2)) for u in residuals)


lipschitz = sqrt(size)
smoothness = sqrt(size) / h
check_loss = r * maximum(u, 0) + (1 - r) * maximum(-u, 0)
newsvendor_form = absolute((y - prediction) / 2) + (y + prediction) / 2
"""|A(z) theta|_1 + f(z' theta) as printed: A(z) theta = (y - prediction) / 2, z' theta = y + prediction, f halves."""

newsvendor_form_of_residual = absolute(u / 2) + u / 2
"""The same with z' theta read as the residual u = y - prediction."""

newsvendor_form_amended = absolute((y - prediction) / 2) + (r - E("1/2")) * (y - prediction)
"""As printed, with f(t) = (r - 1/2) t of the residual."""

newsvendor_form_of_residual_amended = absolute(u / 2) + (r - E("1/2")) * u
relu = maximum(0, u)
relu_form = absolute(u / 2) + u / 2
soft_threshold = maximum(absolute(u) - tau, 0)
soft_threshold_form = absolute((u + tau) / 2) + absolute((u - tau) / 2) - tau


EXAMPLES = Claim(
    id="newsvendor/sec-EC.2.3-examples",
    title="losses made of an l1 norm and a smooth part",
    kind=Kind.IDENTITY,
    source=NEWSVENDOR.at("EC.2.3, examples 1 to 3"),
    unproved=True,
    says="With z = (x, y), losses of the form |A(z) theta|_1 + f(z' theta), f smooth, include: the newsvendor loss, with "
    "theta = (1, theta_{-1}), f(t) = t/2 and A(z) = (y, -x)/2; the function max(0, u) = (|u| + u)/2, with A(z) = z'/2 and "
    "f(u) = u/2, u being the residual z' theta; soft thresholding, (|u| - tau)^+ = |((u + tau)/2, (u - tau)/2)|_1 - tau.",
    parameters=(
        U,
        R,
        Parameter("y", "outcome", reals, "outcome"),
        Parameter("prediction", "inner product of x and theta_{-1}", reals, "outcome"),
        Parameter("tau", "threshold", nonnegative, "outcome"),
    ),
    formulas={
        "check_loss": check_loss,
        "newsvendor_form": newsvendor_form,
        "newsvendor_form_of_residual": newsvendor_form_of_residual,
        "relu": relu,
        "relu_form": relu_form,
        "soft_threshold": soft_threshold,
        "soft_threshold_form": soft_threshold_form,
    },
    asserts=(
        Relation("check_loss at u = y - prediction", "=", "newsvendor_form"),
        Relation("check_loss", "=", "newsvendor_form_of_residual"),
        Relation("relu", "=", "relu_form"),
        Relation("soft_threshold", "=", "soft_threshold_form"),
    ),
    note="Two readings of z' theta in the first example, literal and residual; neither gives the check loss for r in (0, "
    "1): the check loss is |u|/2 + (r - 1/2) u, so f must be t -> (r - 1/2) t of the residual, and t/2 is its limit r = 1. "
    "In the third example A(z) theta is affine, so z must carry a constant coordinate.",
)

claims = [
    Claim(
        id="newsvendor/lem-EC.6",
        title="smoothed l1 norm",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("Lemma EC.6", "display after its proof"),
        says="Let c(u) = |u|_1 on R^m and c_h(u) = E c(u + h v) with v standard normal in R^m. Then c_h is convex, "
        "sqrt(m)-Lipschitz and sqrt(m)/h-smooth in l2; c_h(u) = |u|_1 + sum over j of h sqrt(2/pi) exp(-u_j^2 / (2 h^2)) - "
        "2 |u_j| Phi(-|u_j|/h); and so c_h(u) - c(u) <= sqrt(2/pi) h sum over j of exp(-u_j^2 / (2 h^2)), which is called "
        "exponentially small.",
        parameters=(
            Parameter("residuals", "the point u in R^m", Vectors("size"), "outcome"),
            Parameter("size", "dimension m of u", naturals),
            H,
        ),
        formulas={
            "absolute_sum": absolute_sum,
            "smoothed": smoothed,
            "gap": excess,
            "gap_upper": gap_upper,
            "lipschitz": lipschitz,
            "smoothness": smoothness,
        },
        asserts=(
            Relation("E |u + h v|_1", "=", "smoothed"),
            Relation("smoothed", "is", "convex in u"),
            Relation("l2-Lipschitz constant of smoothed", "<=", "lipschitz"),
            Relation("l2-Lipschitz constant of its gradient", "<=", "smoothness"),
            Relation("smoothed minus absolute_sum", "=", "gap"),
            Relation("gap", "<=", "gap_upper"),
        ),
        note="Exponentially small only where every |u_j| is large against h; at u = 0 the gap is m h sqrt(2/pi). The "
        "smoothness constant is loose: sqrt(2/pi)/h holds for every m.",
    ),
    EXAMPLES,
    replace(
        EXAMPLES,
        id="newsvendor/sec-EC.2.3-examples-amended",
        amends="newsvendor/sec-EC.2.3-examples",
        says="As printed, with f(t) = (r - 1/2) t of the residual t = y - x' theta_{-1} in the first example.",
        formulas={
            **EXAMPLES.formulas,
            "newsvendor_form": newsvendor_form_amended,
            "newsvendor_form_of_residual": newsvendor_form_of_residual_amended,
        },
        note="In the third example A(z) theta is affine, so z must carry a constant coordinate.",
    ),
]
