"""The generalised Moreau envelope inf over x of c(x) + h phi((u - x) / h), and the functions phi that a table offers for it."""

from dataclasses import replace
from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import NONNEGATIVE, ULPS, Inputs, contract
from dpsco.spec.domain import Choice, Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import equal, sqrt, symbols
from dpsco.spec.inputs import SLOPES
from dpsco.spec.losses.moreau.envelope import HARD as POINTS
from dpsco.spec.losses.moreau.envelope import any_point
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import BETA, H, L, R, U
from dpsco.spec.predicate import Predicate

beta, conjugate_radius, h, largest_subgradient, p = symbols("beta conjugate_radius h largest_subgradient p")
phi_0, phi_conjugate_bar, q, x_norm, y_norm = symbols("phi_0 phi_conjugate_bar q x_norm y_norm")

FUNCTIONS = ("squared_norm", "huber", "hellinger")
PHI = Parameter("phi", "function of the envelope", Choice(FUNCTIONS))

POINT = Parameter("x_norm", "l2-norm of the argument of phi", nonnegative)
DUAL = Parameter("y_norm", "l2-norm of the argument of the conjugate", nonnegative)
SMOOTHNESS = Parameter("beta", "smoothness of phi", positive)
HARD: tuple[Inputs, ...] = tuple(
    {"phi": phi, **point, "beta": beta} for phi in FUNCTIONS for point in POINTS[::3] for beta in (1.0, 0.5, 1e-9, 1e9)
)


def unknown(phi: str) -> ValueError:
    """The error for a name that is none of the functions."""
    return ValueError(f"phi is one of {', '.join(FUNCTIONS)}, got {phi!r}")


def any_case(random: Random) -> Inputs:
    """A function, a point, and a smoothness from far below to far above the loss's slopes, at and beside them too."""
    point = any_point(random)
    r = float(str(point["r"]))
    beta = random.choice((r, 1 - r, max(r, 1 - r), max(r, 1 - r) * (1 + 1e-12), 10 ** random.uniform(-9, 9), 1.0))
    return {"phi": random.choice(FUNCTIONS), **point, "beta": beta}


@contract(metric=ULPS, range=NONNEGATIVE, inputs=(PHI, U, H, R, SMOOTHNESS), generate=any_case, hard=HARD)
def value(phi: str, u: float, h: float, r: float, beta: float) -> float:
    """The check loss's generalised Moreau envelope.

    inf over x of c(x) + h phi((u - x) / h), c(x) = r max(x, 0) + (1 - r) max(-x, 0)

    Domain   phi a name of `FUNCTIONS`, h > 0, beta > 0, r in (0, 1), u any number
    Returns  at least 0, in the unit of the outcome; at most c(u) + h phi(0)
    Raises   ValueError for another name
    Source   newsvendor, (EC.42), Table EC.3
    Deviation: the table's energy is left out: it meets the paper's condition for p = 2 only, where it is a squared norm
    """


@contract(metric=ULPS, range=SLOPES, inputs=(PHI, U, H, R, SMOOTHNESS), generate=any_case, hard=HARD)
def derivative(phi: str, u: float, h: float, r: float, beta: float) -> float:
    """The generalised envelope's derivative: phi'(u / h) cut off at r - 1 and at r.

    Domain   phi a name of `FUNCTIONS`, h > 0, beta > 0, r in (0, 1), u any number
    Returns  a number in [r - 1, r], no unit
    Raises   ValueError for another name
    Source   newsvendor, Lemma EC.5, part 1
    """


energy = x_norm**p / p
energy_conjugate = y_norm**q / q
squared_norm = beta * x_norm**2 / 2
squared_norm_conjugate = y_norm**2 / (2 * beta)


def huber(m: Numbers, x_norm: Real, beta: Real) -> Real:
    return m.where(m.le(x_norm, 1), beta * x_norm**2 / 2, beta * x_norm - beta / 2)


huber_conjugate = y_norm**2 / (2 * beta)
"""On the ball |y| <= beta."""

hellinger = beta * sqrt(1 + x_norm**2)
hellinger_conjugate = -sqrt(beta**2 - y_norm**2)
"""On the ball |y| <= beta."""

strong_convexity_of_conjugate = 1 / beta
exponents_are_conjugate = equal(p + q, p * q)
dual_point_is_in_ball = y_norm <= beta
envelope_smoothness = beta / h
gap_lower = -h * phi_conjugate_bar
gap_upper = h * phi_0
subgradients_are_in_domain = largest_subgradient <= conjugate_radius
loss_is_lipschitz = largest_subgradient <= L
subgradients_are_inside = largest_subgradient < conjugate_radius


TABLE = Claim(
    id="newsvendor/table-EC.3",
    title="functions for the generalised envelope, with conjugates",
    kind=Kind.IDENTITY,
    unproved=True,
    source=NEWSVENDOR.at("Condition 1", "Table EC.3"),
    says="Four functions phi with their conjugates phi*(y) = sup of <y, u> - phi(u), each smooth with the stated constant, "
    "each conjugate strongly convex with the stated constant, all with respect to the l2-norm: "
    "energy, |x|^p / p on R with conjugate |y|^q / q on R, p, q > 0, 1/p + 1/q = 1, constants 1 and 1; "
    "squared norm, beta |x|^2 / 2 on R^d with |y|^2 / (2 beta) on R^d, constants beta and 1/beta; "
    "Huber, beta |x|^2 / 2 for |x| <= 1 and beta |x| - beta/2 beyond, with |y|^2 / (2 beta) on the ball of radius beta, "
    "constants beta and 1/beta; "
    "Hellinger, beta sqrt(1 + |x|^2) with -sqrt(beta^2 - |y|^2) on the ball of radius beta, constants beta and 1/beta. "
    "All are offered as meeting the condition: continuously differentiable, strictly convex, beta-smooth, and the domain "
    "of the conjugate contains every subgradient of the loss.",
    parameters=(
        POINT,
        DUAL,
        SMOOTHNESS,
        Parameter("p", "exponent of the energy", positive),
        Parameter("q", "exponent of the energy's conjugate", positive),
    ),
    symbols={"x_norm": r"\|x\|_2"},
    formulas={
        "energy": energy,
        "energy_conjugate": energy_conjugate,
        "squared_norm": squared_norm,
        "squared_norm_conjugate": squared_norm_conjugate,
        "huber": huber,
        "huber_conjugate": huber_conjugate,
        "hellinger": hellinger,
        "hellinger_conjugate": hellinger_conjugate,
        "strong_convexity_of_conjugate": strong_convexity_of_conjugate,
    },
    asserts=(
        Relation("conjugate of energy", "=", "energy_conjugate"),
        Relation("conjugate of squared_norm", "=", "squared_norm_conjugate"),
        Relation("conjugate of huber", "=", "huber_conjugate"),
        Relation("conjugate of hellinger", "=", "hellinger_conjugate"),
        Relation("smoothness of energy", "=", "1"),
        Relation("strong convexity of energy_conjugate", "=", "1"),
        Relation("smoothness of squared_norm, huber, hellinger", "=", "beta"),
        Relation("strong convexity of the other conjugates", "=", "strong_convexity_of_conjugate"),
        Relation("energy, squared_norm, huber, hellinger", "is", "continuously differentiable, strictly convex and smooth"),
    ),
    preconditions=(
        Predicate(
            "1/p + 1/q = 1 (energy only)",
            exponents_are_conjugate,
            accepts={"p": "3", "q": "1.5"},
            rejects={"p": "3", "q": "3"},
        ),
        Predicate(
            "|y| <= beta (Huber and Hellinger only)",
            dual_point_is_in_ball,
            accepts={"y_norm": "1", "beta": "2"},
            rejects={"y_norm": "3", "beta": "2"},
        ),
    ),
    over=("dimensions d",),
    note="One footnote mark stands for both the norm of convexity and the condition on p and q. The energy is 1-smooth and "
    "its conjugate 1-strongly convex for p = q = 2 only; the Huber function is linear beyond the unit ball, so convex but not "
    "strictly.",
)

LEMMA = Claim(
    id="newsvendor/lem-EC.5",
    title="generalised Moreau envelope",
    kind=Kind.BOUND,
    unproved=True,
    source=NEWSVENDOR.at("Lemma EC.5", "display (EC.42)", "Condition 1"),
    says="Let c be closed, proper, convex and L-Lipschitz in l2, phi beta-smooth, continuously differentiable and strictly "
    "convex, with a conjugate whose domain contains all subgradients of c, and phi_h(.) = h phi(./h). Then the envelope "
    "inf over x of c(x) + phi_h(u - x) (1) has gradient grad phi_h(u - x*(u)) with x*(u) the minimiser; (2) is convex, "
    "L-Lipschitz and beta/h-smooth in l2; (3) differs from c(u) by something in [-h phi_bar, h phi(0)], where phi_bar is "
    "the supremum of phi* over the ball of radius L.",
    parameters=(
        L,
        BETA.means("smoothness constant of phi"),
        H.means("parameter of the envelope"),
        Parameter("phi_0", "phi(0)", reals, "loss/outcome"),
        Parameter("phi_conjugate_bar", "supremum of the conjugate over the ball of radius L", reals, "loss/outcome"),
        Parameter("largest_subgradient", "largest l2-norm of a subgradient of c", nonnegative, "loss/decision"),
        Parameter("conjugate_radius", "radius of a ball that the conjugate is finite on", nonnegative, "loss/decision"),
    ),
    formulas={"envelope_smoothness": envelope_smoothness, "gap_lower": gap_lower, "gap_upper": gap_upper},
    asserts=(
        Relation("gradient of the envelope at u", "=", "gradient of phi_h at u - x*(u)"),
        Relation("envelope", "is", "convex and L-Lipschitz"),
        Relation("Lipschitz constant of the envelope's gradient", "<=", "envelope_smoothness"),
        Relation("gap_lower", "<=", "envelope minus loss"),
        Relation("envelope minus loss", "<=", "gap_upper"),
    ),
    preconditions=(
        Predicate(
            "the loss is L-Lipschitz",
            loss_is_lipschitz,
            accepts={"largest_subgradient": "0.7", "L": "1"},
            rejects={"largest_subgradient": "1.3", "L": "1"},
        ),
        Predicate(
            "the conjugate is finite at every subgradient of the loss",
            subgradients_are_in_domain,
            accepts={"largest_subgradient": "0.7", "conjugate_radius": "2"},
            rejects={"largest_subgradient": "0.7", "conjugate_radius": "0.5"},
        ),
    ),
    over=("closed proper convex losses", "functions phi", "dimensions"),
    note="Condition 1 lets a subgradient lie on the boundary of the conjugate's domain, where the infimum need not be "
    "attained and part 1 has no x*(u): Hellinger phi, beta = L, c(x) = L x. Part 2's Lipschitz constant and part 3 "
    "survive.",
)

claims = [
    TABLE,
    replace(
        TABLE,
        id="newsvendor/table-EC.3-amended",
        amends="newsvendor/table-EC.3",
        says="The table's functions, domains and conjugates as printed; the energy is 1-smooth and its conjugate 1-strongly "
        "convex for p = q = 2; the squared norm and the Hellinger function meet the first half of the condition, the energy "
        "for p = q = 2, the Huber function without strictness: it is linear beyond the unit ball.",
        asserts=(
            *TABLE.asserts[:4],
            Relation("smoothness of energy at p = q = 2", "=", "1"),
            Relation("strong convexity of energy_conjugate at p = q = 2", "=", "1"),
            *TABLE.asserts[6:8],
            Relation("squared_norm, hellinger", "is", "continuously differentiable, strictly convex and smooth"),
            Relation("energy at p = q = 2", "is", "continuously differentiable, strictly convex and smooth"),
            Relation("huber", "is", "continuously differentiable, convex and smooth"),
        ),
        note="Huber and Hellinger meet the second half of the condition if beta is at least the loss's Lipschitz constant.",
    ),
    LEMMA,
    replace(
        LEMMA,
        id="newsvendor/lem-EC.5-amended",
        amends="newsvendor/lem-EC.5",
        says=LEMMA.says.replace(
            "domain contains all subgradients of c", "domain contains a larger ball than all subgradients of c"
        ),
        preconditions=(
            LEMMA.preconditions[0],
            Predicate(
                "the conjugate is finite on a larger ball than the loss's subgradients fill",
                subgradients_are_inside,
                accepts={"largest_subgradient": "0.7", "conjugate_radius": "2"},
                rejects={"largest_subgradient": "0.75", "conjugate_radius": "0.75"},
            ),
        ),
        note="",
    ),
]
