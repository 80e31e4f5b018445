"""The Moreau envelope of the check loss: inf over x of c(x) + (u - x)^2 / (2 h), its closed form, error and comparison.

The check loss is c(u) = r max(u, 0) + (1 - r) max(-u, 0); `h` is the envelope's parameter, 1/h its smoothness.
"""

from dataclasses import replace
from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import SUM_SCALED, ULPS, Inputs, between, contract
from dpsco.spec.domain import Parameter, positive, reals
from dpsco.spec.expressions import E, Phi, absolute, exp, log, maximum, minimum, pi, sqrt, symbols
from dpsco.spec.inputs import RESIDUALS, SLOPES, any_residual, check_loss_at
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import K_BAR, KAPPA_1, H, R, U
from dpsco.spec.predicate import Predicate

K_bar, beta, h, kappa_1, r, u = symbols("K_bar beta h kappa_1 r u")

SCALE = H.means("parameter of the envelope and bandwidth of the convolution")
ENDS = ((r, h) for r in (0.5, 0.3, 1e-17, 0.9999999999999999) for h in (1.0, 0.1, 3e-7, 1e9))
HARD: tuple[Inputs, ...] = (
    *({"u": u, "h": h, "r": r} for u, h in RESIDUALS for r in (0.5, 1e-17, 0.9999999999999999)),
    *({"u": u, "h": h, "r": r} for r, h in ENDS for u in (r * h, (r - 1) * h, h, -h)),
)


def any_point(random: Random) -> Inputs:
    """A residual at an end of the quadratic piece, between the ends or anywhere, a parameter of the envelope, a level."""
    given = {name: value for name, value in any_residual(random).items() if name != "kernel"}
    r, h, at = float(str(given["r"])), float(str(given["h"])), random.random()
    inside = (r * h, (r - 1) * h, (r - at) * h)
    return given if at < 0.4 else {**given, "u": random.choice(inside)}


@contract(metric=ULPS, range=between("0", check_loss_at), inputs=(U, H, R), generate=any_point, hard=HARD)
def value(u: float, h: float, r: float) -> float:
    """The check loss's Moreau envelope.

    inf over x of c(x) + (u - x)^2 / (2 h), c(x) = r max(x, 0) + (1 - r) max(-x, 0)

    Domain   h > 0, r in (0, 1), u any number
    Returns  at least 0, in the unit of the outcome; at most c(u)
    Source   newsvendor, (EC.41)
    """


@contract(metric=ULPS, range=SLOPES, inputs=(U, H, R), generate=any_point, hard=HARD)
def derivative(u: float, h: float, r: float) -> float:
    """The envelope's derivative: u/h cut off at r - 1 and at r.

    Domain   h > 0, r in (0, 1), u any number
    Returns  a number in [r - 1, r], no unit
    Source   newsvendor, Lemma EC.4, part 1
    """


@contract(
    metric=SUM_SCALED,
    range=between(lambda m, u: m.min(u, 0), lambda m, u: m.max(u, 0)),
    inputs=(U, H, R),
    generate=any_point,
    hard=HARD,
)
def proximal_point(u: float, h: float, r: float) -> float:
    """Where the envelope's infimum is attained: soft thresholding at (r - 1) h and r h.

    Domain   h > 0, r in (0, 1), u any number
    Returns  the minimiser, in the unit of the outcome; terms: u and what is taken off it
    Source   newsvendor, (EC.41)
    """


def check_loss(m: Numbers, u: Real, r: Real) -> Real:
    return m.where(m.ge(u, 0), r * u, (r - 1) * u)


def proximal_objective(m: Numbers, u: Real, x: Real, r: Real, h: Real) -> Real:
    """What the envelope minimises over x."""
    return check_loss(m, x, r) + (u - x) ** 2 / (2 * h)


def envelope(m: Numbers, u: Real, r: Real, h: Real) -> Real:
    left = (r - 1) * u - h * (1 - r) ** 2 / 2
    right = r * u - h * r**2 / 2
    return m.where(m.le(u, (r - 1) * h), left, m.where(m.ge(u, r * h), right, u**2 / (2 * h)))


lipschitz = maximum(r, 1 - r)
smoothness = 1 / h


def gap(m: Numbers, u: Real, r: Real, h: Real) -> Real:
    """Envelope minus loss."""
    return envelope(m, u, r, h) - check_loss(m, u, r)


gap_lower = -h * maximum(r**2, (1 - r) ** 2) / 2
gap_largest = -gap_lower
"""Largest error of the envelope: linear in h."""

_v = absolute(u) / h
gap_convolution_gaussian = h * exp(-(_v**2) / 2) / sqrt(2 * pi) - absolute(u) * Phi(-_v)
"""Convolution with the Gaussian kernel minus loss, at u."""

gap_convolution_largest = h * kappa_1 / 2
"""Largest error of the convolution, at u = 0."""

smoothness_convolution = K_bar / h
gap_hellinger_lower = E(0)
"""-h times the printed supremum 0 of the Hellinger function's conjugate."""

gap_hellinger_upper = h * beta
kink_left = (r - 1) * h
kink_right = r * h
far = 2 * h * sqrt(log(1 / minimum(r, 1 - r)))
"""From where on the Gaussian convolution is closer to the loss than the envelope is."""

gap_uniform_largest = gap_convolution_largest.where({"kappa_1": E("1/2"), "h": E("1/2") * h})
"""Largest error of the convolution with the uniform kernel (K_bar = kappa_1 = 1/2) at the bandwidth K_bar h."""

gap_hellinger_lower_amended = h * sqrt(beta**2 - maximum(r, 1 - r) ** 2)
"""-h times the supremum of the Hellinger function's conjugate over the ball of radius max(r, 1 - r)."""

covers_slopes = beta >= maximum(r, 1 - r)


LEMMA = Claim(
    id="newsvendor/lem-EC.4",
    title="Moreau envelope of the newsvendor loss",
    kind=Kind.BOUND,
    unproved=True,
    source=NEWSVENDOR.at("Lemma EC.4"),
    says="The Moreau envelope of the check loss (1) is differentiable once and twice everywhere; (2) is convex, "
    "max(r, 1 - r)-Lipschitz and 1/h-smooth; (3) differs from the loss by something in "
    "[-h max(r^2, (1 - r)^2) / 2, 0] at every u.",
    parameters=(U, R, SCALE),
    formulas={
        "envelope": envelope,
        "lipschitz": lipschitz,
        "smoothness": smoothness,
        "gap": gap,
        "gap_lower": gap_lower,
    },
    asserts=(
        Relation("envelope", "is", "twice differentiable in u"),
        Relation("envelope", "is", "convex in u"),
        Relation("largest |slope| of the envelope", "<=", "lipschitz"),
        Relation("Lipschitz constant of the envelope's slope", "<=", "smoothness"),
        Relation("gap_lower", "<=", "gap"),
        Relation("gap", "<=", "0"),
    ),
    note="Part 1 fails at u = (r - 1) h and u = r h, where the second derivative jumps between 0 and 1/h. "
    "Parts 2 and 3 follow from the closed form.",
)

COMPARISON = Claim(
    id="newsvendor/sec-EC.2-moreau",
    title="convolution against the Moreau envelope",
    kind=Kind.BOUND,
    source=NEWSVENDOR.at("EC.2.2.2, challenge 1", "EC.2.2.3, closing remarks"),
    unproved=True,
    says="Smoothing by convolution approximates the check loss better than Moreau's envelope does: the envelope's error is "
    "linear in h and noticeably larger, while the convolution's may be of smaller order than h, exponentially small where "
    "the kernel's tail decays exponentially; so smoothness costs more with the envelope. The generalised envelope with the "
    "Hellinger function, beta sqrt(1 + |x|^2), has phi(0) = beta and a conjugate with supremum 0, hence an error in "
    "[0, h beta]: it approximates from above, as convolution does, but worse.",
    uses=("newsvendor/lem-EC.4", "newsvendor/lem-EC.5", "newsvendor/table-EC.3"),
    parameters=(
        U,
        R,
        SCALE,
        KAPPA_1,
        K_BAR,
        Parameter("beta", "smoothness of the Hellinger function, at least max(r, 1 - r)", positive),
    ),
    formulas={
        "gap_moreau": gap,
        "gap_moreau_largest": gap_largest,
        "gap_convolution_gaussian": gap_convolution_gaussian,
        "gap_convolution_largest": gap_convolution_largest,
        "smoothness_moreau": smoothness,
        "smoothness_convolution": smoothness_convolution,
        "gap_hellinger_lower": gap_hellinger_lower,
        "gap_hellinger_upper": gap_hellinger_upper,
    },
    asserts=(
        Relation("gap_convolution_largest", "<", "gap_moreau_largest"),
        Relation("gap_convolution_largest at smoothness 1/h", "<", "gap_moreau_largest"),
        Relation("gap_convolution_gaussian", "<", "|gap_moreau|"),
        Relation("gap_convolution_gaussian", "<=O", "exp(-u^2 / (2 h^2)) h for u fixed, h -> 0"),
        Relation("gap_hellinger_lower", "<=", "Hellinger envelope minus loss"),
        Relation("Hellinger envelope minus loss", "<=", "gap_hellinger_upper"),
        Relation("gap_convolution_gaussian", "<", "Hellinger envelope minus loss"),
    ),
    note="No norm or scale of comparison is printed; three readings: at one u, uniformly in u, and uniformly at equal "
    "smoothness (bandwidth K_bar h for the convolution). Only far from the kink is the convolution better: at u = 0 the "
    "envelope is exact and the Gaussian convolution off by h / sqrt(2 pi); uniformly the envelope is off by h/8 at r = "
    "1/2, the Gaussian convolution by 0.399 h, and at equal smoothness by h / (2 pi) = 0.159 h. Its uniform error is "
    "linear in h too. The conjugate of the Hellinger function over |y| <= max(r, 1 - r) has supremum -sqrt(beta^2 - max(r, "
    "1 - r)^2), which is 0 only if beta = max(r, 1 - r); the bound from above survives.",
)

claims = [
    Claim(
        id="newsvendor/moreau",
        title="closed form of the Moreau envelope",
        kind=Kind.IDENTITY,
        unproved=True,
        source=NEWSVENDOR.at("EC.2.2.1", "display (EC.41)", "closed form after (EC.41)"),
        says="For the check loss c on the line, inf over x of c(x) + (u - x)^2 / (2 h) is (r - 1) u - h (1 - r)^2 / 2 if "
        "u <= (r - 1) h, u^2 / (2 h) if (r - 1) h < u < r h, and r u - h r^2 / 2 if u >= r h.",
        parameters=(U, R, SCALE, Parameter("x", "point at which the infimum is sought", reals, "outcome")),
        formulas={"proximal_objective": proximal_objective, "envelope": envelope},
        asserts=(Relation("infimum over x of proximal_objective", "=", "envelope"),),
    ),
    LEMMA,
    replace(
        LEMMA,
        id="newsvendor/lem-EC.4-amended",
        amends="newsvendor/lem-EC.4",
        says="As printed, with part 1: the envelope is differentiable everywhere, and twice except at u = (r - 1) h and "
        "u = r h, where it has no second derivative.",
        formulas={**LEMMA.formulas, "kink_left": kink_left, "kink_right": kink_right},
        asserts=(
            Relation("envelope", "is", "differentiable in u"),
            Relation("envelope", "is", "twice differentiable in u except at kink_left and kink_right"),
            *LEMMA.asserts[1:],
        ),
        note="",
    ),
    COMPARISON,
    replace(
        COMPARISON,
        id="newsvendor/sec-EC.2-moreau-amended",
        amends="newsvendor/sec-EC.2-moreau",
        says="At one u the Gaussian convolution is closer to the loss than the envelope wherever |u| is at least "
        "2 h sqrt(ln(1 / min(r, 1 - r))); uniformly in u and at equal smoothness 1/h the convolution with the uniform kernel "
        "is at least as close as the envelope, at every r; both errors are linear in h uniformly in u. The Hellinger envelope "
        "with beta >= max(r, 1 - r) lies above the loss by between h sqrt(beta^2 - max(r, 1 - r)^2) and h beta, and by more "
        "than the Gaussian convolution.",
        parameters=(*COMPARISON.parameters[:-1], COMPARISON.parameters[-1].means("smoothness of the Hellinger function")),
        formulas={
            **{name: formula for name, formula in COMPARISON.formulas.items() if name != "gap_convolution_largest"},
            "far": far,
            "gap_uniform_largest": gap_uniform_largest,
            "gap_hellinger_lower": gap_hellinger_lower_amended,
        },
        asserts=(
            Relation("gap_convolution_gaussian where |u| >= far", "<", "|gap_moreau|"),
            Relation("gap_uniform_largest at smoothness 1/h", "<=", "gap_moreau_largest"),
            *COMPARISON.asserts[3:],
        ),
        preconditions=(
            Predicate(
                "beta is at least every slope of the loss",
                covers_slopes,
                accepts={"r": "0.3", "beta": "0.75"},
                rejects={"r": "0.3", "beta": "0.6"},
            ),
        ),
        note="",
    ),
]
