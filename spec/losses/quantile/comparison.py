"""Convolution smoothing of the quantile loss against its Moreau envelope, and kernels against each other.

Smoothness is the largest second derivative: K_bar/h after convolution, beta for the envelope with penalty beta/2 |.|^2.
"""

from dataclasses import replace
from random import Random

from dpsco.spec import inputs as made
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import ULPS, Inputs, between, contract
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import E, maximum, symbols
from dpsco.spec.losses.kernels import table_density, table_deviation_amended
from dpsco.spec.losses.quantile.smoothing import above, check
from dpsco.spec.losses.quantile.summaries import KERNEL_NUMBERS
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import BETA, K_BAR, KAPPA_1, KERNEL, H, R, U
from dpsco.spec.predicate import Predicate

K_bar, K_bar_lighter, beta, h, kappa_1 = symbols("K_bar K_bar_lighter beta h kappa_1")
kappa_1_lighter, r = symbols("kappa_1_lighter r")

PENALTY = BETA.means("penalty of the envelope, which is its smoothness in u")
LIGHTER_MOMENT = Parameter("kappa_1_lighter", "first absolute moment of the kernel with the lighter tail", positive)
LIGHTER_SUPREMUM = Parameter("K_bar_lighter", "supremum of the kernel with the lighter tail", positive)
HARD: tuple[Inputs, ...] = tuple(
    {"u": u, "beta": beta, "r": r}
    for beta in (1.0, 0.3, 1e-9, 1e9)
    for r in (0.5, 0.3, 1e-17, 0.9999999999999999)
    for u in (0.0, 1e-9, -1.0, 1e9, r / beta, (r - 1) / beta, 0.5 * r / beta)
)


def any_point(random: Random) -> Inputs:
    """A residual at, between or beyond the ends of the envelope's quadratic piece, a penalty, a level."""
    r, beta = float(str(made.any_residual(random)["r"])), 10 ** random.uniform(-9, 9)
    at = random.choice((1.0, random.random(), random.uniform(1, 3), 10 ** random.uniform(-9, 9)))
    return {"u": random.choice((r, r - 1)) * at / beta, "beta": beta, "r": r}


@contract(
    metric=ULPS,
    range=between("0", lambda m, h: h * m.log(2)),
    inputs=(KERNEL, U, H),
    generate=made.any_scaled_residual,
    hard=made.scaled_residuals,
)
def convolution_gap(kernel: str, u: float, h: float) -> float:
    """How far the smoothed check loss lies above the check loss, at any level.

    c_h(u) - c(u) = h integral of v - |u|/h, where positive, over K(v) dv

    Domain   h > 0, u any number
    Returns  between 0 and h kappa_1 / 2, in the unit of the outcome
    Raises   ValueError for an unknown kernel
    Source   quantile, proof of Lemma 3.1, part 3
    """


@contract(
    metric=ULPS,
    range=between("0", lambda m, beta, r: m.max(r, 1 - r) ** 2 / (2 * beta)),
    inputs=(U, PENALTY, R),
    generate=any_point,
    hard=HARD,
)
def envelope_gap(u: float, beta: float, r: float) -> float:
    """How far the Moreau envelope lies below the check loss.

    c(u) - inf over x of c(x) + (beta/2) (u - x)^2

    Domain   beta > 0, r in (0, 1), u any number
    Returns  between 0 and max(r, 1 - r)^2 / (2 beta), in the unit of the outcome
    Source   quantile, Section 3.1, comparison to the Moreau envelope
    """


def envelope(m: Numbers, r: Real, beta: Real, u: Real) -> Real:
    right = r * u - r**2 / (2 * beta)
    left = -(1 - r) * u - (1 - r) ** 2 / (2 * beta)
    middle = beta * u**2 / 2
    return m.where(m.gt(beta * u, r), right, m.where(m.lt(beta * u, r - 1), left, middle))


envelope_gap_right = r**2 / (2 * beta)
"""Loss minus envelope for u >= r/beta."""

envelope_gap_left = (1 - r) ** 2 / (2 * beta)
"""Loss minus envelope for u <= -(1-r)/beta."""

envelope_largest_gap = maximum(r, 1 - r) ** 2 / (2 * beta)
convolution_largest_gap_at_smoothness = kappa_1 * K_bar / (2 * beta)
"""At the bandwidth h = K_bar/beta."""

lighter_gap = h * kappa_1_lighter / 2
lighter_gap_at_smoothness = kappa_1_lighter * K_bar_lighter / (2 * beta)


def kernel_largest_gap_at_smoothness(m: Numbers, kernel: str, beta: Real) -> Real:
    """c_h(0) - c(0) at the bandwidth K(0)/beta."""
    bandwidth = table_density(m, kernel, m.real(0)) / beta
    return bandwidth / 2 * table_deviation_amended(m, kernel, m.real(0), bandwidth)


SUFFICIENT_LEVELS = {"uniform": (1, 2), "epanechnikov": (27, 50), "gaussian": (113, 200), "logistic": (589, 1000)}
"""From this max(r, 1 - r) on, as a fraction, the kernel's largest gap is no larger than the envelope's."""


def far_enough_from_the_median(m: Numbers, kernel: str, r: Real) -> Truth:
    return m.ge(m.max(r, 1 - r), m.frac(*SUFFICIENT_LEVELS[kernel]))


a_lighter_kernel_has_these = kappa_1_lighter * K_bar_lighter >= E("1/4")


LIGHTER = Claim(
    id="quantile/fig-1b",
    title="kernel tails and the smoothing gap",
    kind=Kind.BOUND,
    unproved=True,
    source=QUANTILE.at("Section 3.1", "Figure 1(b)"),
    says="A kernel with lighter tails approximates the quantile loss better. Made exact, for the kernels of Table 1 that the "
    "figure shows: if K_lighter lies strictly below K for all large |u|, then the largest gap of its smoothed loss is at most "
    "that of K, at equal bandwidth (h kappa_1/2) and at equal smoothness beta (kappa_1 K_bar/(2 beta)).",
    parameters=(
        KAPPA_1.means("first absolute moment of the kernel with the heavier tail"),
        K_BAR.means("supremum of the kernel with the heavier tail"),
        LIGHTER_MOMENT,
        LIGHTER_SUPREMUM,
        H,
        PENALTY,
        Parameter("crossing", "from where on the lighter kernel lies strictly below the other", nonnegative),
    ),
    formulas={
        "lighter_gap": lighter_gap,
        "heavier_gap": above,
        "lighter_gap_at_smoothness": lighter_gap_at_smoothness,
        "heavier_gap_at_smoothness": convolution_largest_gap_at_smoothness,
    },
    asserts=(
        Relation("lighter_gap", "<=", "heavier_gap"),
        Relation("lighter_gap_at_smoothness", "<=", "heavier_gap_at_smoothness"),
    ),
    preconditions=(
        KERNEL_NUMBERS,
        Predicate(
            "kappa_1_lighter K_bar_lighter >= 1/4: a kernel with these numbers exists",
            a_lighter_kernel_has_these,
            accepts={"kappa_1_lighter": "1", "K_bar_lighter": "0.5"},
            rejects={"kappa_1_lighter": "1", "K_bar_lighter": "0.2"},
        ),
    ),
    over=("every pair of kernels of Table 1 with strictly ordered tails",),
    note="The paper points to a figure of kernels that is not at hand, and prints no measure and no general statement. For "
    "the tabulated kernels the order of tails, logistic > Gaussian > compact, is the order of kappa_1 (1.386, 0.798, then 1/2 "
    "and 3/8) and of kappa_1 K_bar (0.347, 0.318, then 1/4 uniform, 9/32 Epanechnikov); the two compact kernels are not "
    "ordered, both being 0 beyond 1. Read of every pair of kernels it is false: at equal bandwidth scaling changes kappa_1 at "
    "will (uniform on [-4, 4] against exp(-|v|)/2); at equal smoothness a compact kernel with a narrow peak has kappa_1 K_bar "
    "as large as one likes.",
)

claims = [
    Claim(
        id="quantile/sec-3.1-moreau",
        title="Moreau envelope of the quantile loss",
        kind=Kind.BOUND,
        source=QUANTILE.at("Section 3.1, comparison to the Moreau envelope", "Figure 2"),
        unproved=True,
        says="The Moreau envelope inf_x {c(x) + (beta/2) (u - x)^2} of the quantile loss lies below the loss, and its gap is "
        "large when u is away from 0; the convolution c_h lies above the loss and tolerates extreme u better: its gap is "
        "largest at 0 and tends to 0 as |u| grows.",
        parameters=(R, PENALTY, U, H, KAPPA_1),
        formulas={
            "quantile_loss": check,
            "envelope": envelope,
            "envelope_gap_right": envelope_gap_right,
            "envelope_gap_left": envelope_gap_left,
            "convolution_largest_gap": above,
        },
        asserts=(
            Relation("envelope", "<=", "quantile_loss"),
            Relation("quantile_loss", "<=", "c_h"),
            Relation("c_h - quantile_loss", "<=", "convolution_largest_gap"),
            Relation("quantile_loss - envelope for u >= r/beta", "=", "envelope_gap_right"),
            Relation("quantile_loss - envelope for u <= -(1-r)/beta", "=", "envelope_gap_left"),
            Relation("c_h - quantile_loss as |u| -> infinity", "~", "0"),
        ),
        over=("every kernel of the paper's conditions",),
        note="The paper prints the definition of the envelope and a figure at r = 0.7; the closed form and the gaps are ours. "
        "The envelope's gap does not grow: beyond the middle piece it is the constant r^2/(2 beta) or (1-r)^2/(2 beta), so an "
        "additive constant removes it on one side (on both iff r = 1/2), and minimisers do not see it.",
    ),
    Claim(
        id="quantile/sec-3.1-better",
        title="convolution against the Moreau envelope",
        kind=Kind.BOUND,
        source=QUANTILE.at("Abstract", "Section 1.1", "Section 3.1, comparison to the Moreau envelope"),
        unproved=True,
        says="Convolution smoothing approximates the quantile loss better than the Moreau envelope does: when u is away from 0 "
        "the envelope's gap is large, while convolution tolerates extreme values of u. Made exact: for every level, bandwidth "
        "and penalty, the convolution is closer to the loss than the envelope is for all u with |u| large enough; and, as the "
        "abstract has it without 'away from 0', its largest gap at equal smoothness, h = K_bar/beta, is at most the "
        "envelope's.",
        uses=("quantile/sec-3.1-moreau",),
        parameters=(R, PENALTY, U, H, KAPPA_1, K_BAR),
        formulas={
            "quantile_loss": check,
            "envelope": envelope,
            "convolution_largest_gap_at_smoothness": convolution_largest_gap_at_smoothness,
            "envelope_largest_gap": envelope_largest_gap,
        },
        asserts=(
            Relation("c_h - quantile_loss for all large |u|", "<", "quantile_loss - envelope"),
            Relation("convolution_largest_gap_at_smoothness", "<=", "envelope_largest_gap"),
        ),
        over=("every kernel of the paper's conditions",),
        note="The first sense is that of Section 3.1: 'when u is away from 0', 'extreme values of u'. The abstract says 'a "
        "better approximation than those obtained from existing methods such as Moreau Envelope': of the largest gaps, kappa_1 "
        "K_bar/(2 beta) against max(r, 1-r)^2/(2 beta), it is false near r = 1/2: the Epanechnikov kernel is worse for max(r, "
        "1-r) < 0.530, the Gaussian for < 0.564, the logistic for < 0.589, the uniform kernel never.",
    ),
    Claim(
        id="quantile/sec-3.1-better-amended",
        amends="quantile/sec-3.1-better",
        kind=Kind.BOUND,
        source=QUANTILE.at("Abstract", "Section 1.1", "Section 3.1, comparison to the Moreau envelope"),
        says="The abstract's sentence alone, as the sense of Section 3.1 holds as printed. "
        "At equal smoothness beta the largest gap of the convolution with a kernel of Table 1 is at most the envelope's: "
        "with the uniform kernel at every level, with the Epanechnikov kernel where max(r, 1 - r) >= 0.54, with the Gaussian "
        "kernel where it is at least 0.565, and with the logistic kernel where it is at least 0.589.",
        parameters=(KERNEL, R, PENALTY),
        formulas={
            "kernel_largest_gap_at_smoothness": kernel_largest_gap_at_smoothness,
            "envelope_largest_gap": envelope_largest_gap,
        },
        asserts=(Relation("kernel_largest_gap_at_smoothness", "<=", "envelope_largest_gap"),),
        preconditions=(
            Predicate(
                "the level is far enough from 1/2 for the kernel: max(r, 1 - r) >= 0.5, 0.54, 0.565, 0.589",
                far_enough_from_the_median,
                accepts={"kernel": "gaussian", "r": "0.7"},
                rejects={"kernel": "gaussian", "r": "0.5"},
            ),
        ),
        note="The gap at 0 is the largest (quantile/lem-3.1-3). The kernels of Condition 1 reach every kappa_1 K_bar from 1/4 "
        "on, so no level is far enough from 1/2 for all of them.",
    ),
    LIGHTER,
    replace(
        LIGHTER,
        id="quantile/fig-1b-amended",
        amends="quantile/fig-1b",
        says="If the densities of two kernels cross once in |u|, the lighter one nowhere below the other before the crossing "
        "and nowhere above it beyond, then its largest gap is at most the other's at equal bandwidth, and at equal smoothness "
        "if they cross so once both are scaled to the same supremum.",
        over=(
            "every pair of kernels of the paper's conditions whose densities cross once in |u|, the lighter one nowhere below "
            "before and nowhere above beyond: for the first bound as they are, for the second scaled to equal suprema",
        ),
        note="Then the gaps are ordered at every u, not only the largest ones.",
    ),
]
