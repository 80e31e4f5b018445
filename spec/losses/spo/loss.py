"""The SPO loss, excess cost of acting on a predicted cost vector, and SPO+, its convex upper bound.

S is the set of decisions, z*(c) = min over S of c'w, W*(c) the minimisers and w*(c) the one that the oracle picks.
Formulas take decisions as arguments: `w_hat` is the worst minimiser for the prediction, `w_star` is w*(c), `w_max` attains
the maximum over S that the formula names.
"""

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.contract import FINITE, NONNEGATIVE, SUM_SCALED, contract
from dpsco.spec.domain import Parameter, Vectors, reals
from dpsco.spec.expressions import E
from dpsco.spec.losses.spo.regions import PAIRS, Table, Vector, any_pair
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO

COST = Parameter("c", "realised cost vector", Vectors("d"), "cost")
PREDICTION = Parameter("c_hat", "predicted cost vector", Vectors("d"), "cost")
DECISION = Parameter("w", "a decision of S", Vectors("d"), "decision")
W_STAR = Parameter("w_star", "w*(c), the oracle's minimiser of c'w over S", Vectors("d"), "decision")
W_HAT = Parameter("w_hat", "maximiser of c'w over W*(c_hat)", Vectors("d"), "decision")
W_MAX = Parameter("w_max", "maximiser over S of the expression named in the claim", Vectors("d"), "decision")
ALPHA = Parameter("alpha", "multiplier of the prediction", reals)


@contract(metric=SUM_SCALED, range=NONNEGATIVE, generate=any_pair, hard=PAIRS)
def spo_loss(shape: str, table: Table, c: Vector, c_hat: Vector) -> float:
    """The SPO loss: what the worst of the decisions that are best for c_hat costs above the least cost.

    max over w in W*(c_hat) of c'w, minus z*(c)

    Domain   c, c_hat of the dimension of S; W*(c_hat) by exact ties of the numbers given (in doubles: of the sums computed)
    Returns  nonnegative, in cost times decision; terms: those of the two supports
    Raises   as `regions.minimiser`
    Source   spo, Definition 4
    """


@contract(metric=SUM_SCALED, range=NONNEGATIVE, generate=any_pair, hard=PAIRS)
def spo_plus_loss(shape: str, table: Table, c: Vector, c_hat: Vector) -> float:
    """The SPO+ loss, convex in c_hat, with the oracle w*(c) of `regions.minimiser`.

    max over w in S of (c - 2 c_hat)'w + 2 c_hat'w*(c) - z*(c)

    Domain   c, c_hat of the dimension of S
    Returns  at least the SPO loss, in cost times decision; terms: |c_j| and 2 |c_hat_j| times those of the two decisions
    Raises   as `regions.minimiser`
    Source   spo, Definition 5
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_pair, hard=PAIRS)
def spo_plus_subgradient(shape: str, table: Table, c: Vector, c_hat: Vector) -> Vector:
    """A subgradient of SPO+ in c_hat; times x', it is one in Bhat where c_hat = Bhat x.

    2 (w*(c) - w*(2 c_hat - c))

    Domain   c, c_hat of the dimension of S
    Returns  norm at most twice the diameter of S, in decisions; terms: twice those of the two decisions
    Raises   as `regions.minimiser`
    Source   spo, Section 3.1, display after Definition 5
    """


def spo(m: Numbers, c: Real, w_hat: Real, w_star: Real) -> Real:
    return m.dot(c, w_hat) - m.dot(c, w_star)


def spo_shifted(m: Numbers, alpha: Real, c: Real, c_hat: Real, w_hat: Real, w_star: Real) -> Real:
    """Display (1): the SPO loss with alpha c_hat'w taken off and added back as alpha z*(c_hat)."""
    return m.dot(c, w_hat) - alpha * m.dot(c_hat, w_hat) + alpha * m.dot(c_hat, w_hat) - m.dot(c, w_star)


def spo_relaxed(m: Numbers, alpha: Real, c: Real, c_hat: Real, w_max: Real, w_hat: Real, w_star: Real) -> Real:
    """Right side of display (2) at one alpha; w_max maximises c'w - alpha c_hat'w over S."""
    return m.dot(c, w_max) - alpha * m.dot(c_hat, w_max) + alpha * m.dot(c_hat, w_hat) - m.dot(c, w_star)


def spo_plus(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
    """w_max maximises c'w - 2 c_hat'w over S."""
    return m.dot(c, w_max) - 2 * m.dot(c_hat, w_max) + 2 * m.dot(c_hat, w_star) - m.dot(c, w_star)


def integrand(m: Numbers, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
    """What SPO+ maximises over w, with its constants taken in."""
    return m.dot(c, w) - 2 * m.dot(c_hat, w) + 2 * m.dot(c_hat, w_star) - m.dot(c, w_star)


def conjugate_integrand(m: Numbers, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
    dual = [-2 * a + 2 * b for a, b in zip(w, w_star, strict=True)]
    half = [-a + b for a, b in zip(w, w_star, strict=True)]
    return m.dot(dual, c_hat) - m.dot(half, c)


def euclidean_norm(m: Numbers, w: Real) -> Real:
    return m.norm(w)


unit_radius = E(1)


claims = [
    Claim(
        id="spo/def-4",
        title="SPO loss",
        kind=Kind.DEFINITION,
        source=SPO.at("Section 3.1", "Definition 4"),
        says="S in R^d is nonempty, compact and convex; z*(c) is the least c'w over S. The SPO loss of predicting c_hat when "
        "c is realised is the largest c'w over the minimisers W*(c_hat) of c_hat'w in S, minus z*(c).",
        parameters=(COST, PREDICTION, W_HAT, W_STAR),
        formulas={"spo": spo},
        asserts=(Relation("SPO loss", "=", "spo"),),
        over=("every nonempty compact convex S",),
        note="Arguments are printed as (c_hat, c) in Definitions 4 and 5 and as (c, c_hat) from the conjugate form on; the "
        "meaning does not change. At c_hat = 0 all of S minimises and the loss is the width max c'w - min c'w.",
    ),
    Claim(
        id="spo/eq-2",
        title="SPO loss below its relaxation over all decisions",
        kind=Kind.BOUND,
        source=SPO.at("displays (1) and (2)"),
        says="For every real alpha the SPO loss equals max over w in W*(c_hat) of (c'w - alpha c_hat'w) + alpha z*(c_hat) - "
        "z*(c), and is therefore at most max over w in S of (c'w - alpha c_hat'w) + alpha z*(c_hat) - z*(c); hence also at "
        "most the infimum over alpha.",
        uses=("spo/def-4",),
        parameters=(ALPHA, COST, PREDICTION, W_MAX, W_HAT, W_STAR),
        formulas={"spo": spo, "spo_shifted": spo_shifted, "spo_relaxed": spo_relaxed},
        asserts=(Relation("spo", "=", "spo_shifted"), Relation("spo", "<=", "spo_relaxed")),
        over=("every nonempty compact convex S", "every c and c_hat in R^d"),
        note="w_max maximises c'w - alpha c_hat'w over S; z*(c_hat) = c_hat'w_hat. Negative alpha included. SPO+ does not "
        "follow by alpha = 2 alone: z*(c_hat) is also replaced by the larger c_hat'w*(c).",
    ),
    Claim(
        id="spo/def-5",
        title="SPO+ loss",
        kind=Kind.DEFINITION,
        source=SPO.at("Definition 5"),
        says="The SPO+ loss of predicting c_hat when c is realised is max over w in S of (c'w - 2 c_hat'w) + 2 c_hat'w*(c) - "
        "z*(c).",
        uses=("spo/eq-2",),
        parameters=(COST, PREDICTION, W_MAX, W_STAR),
        formulas={"spo_plus": spo_plus},
        asserts=(Relation("SPO+ loss", "=", "spo_plus"),),
        over=("every nonempty compact convex S",),
        note="w_max maximises c'w - 2 c_hat'w over S. The value depends on which minimiser w*(c) the oracle picks when W*(c) "
        "is not a singleton (c = 0 at least); the definition leaves the oracle free but fixed.",
    ),
    Claim(
        id="spo/sec-3.1",
        title="SPO+ loss as a conjugate function",
        kind=Kind.IDENTITY,
        source=SPO.at("Section 3.1, display after Definition 5", "Appendix A"),
        says="SPO+ equals max over w in S of <-2w + 2w*(c), c_hat> - <-w + w*(c), c>; it is thus a supremum of functions "
        "affine in c_hat, convex in c_hat, and a conjugate g* with dual variable z = -2w + 2w*(c) and g(z) = <z, c>/2 on "
        "2(w*(c) - S).",
        uses=("spo/def-5",),
        parameters=(COST, PREDICTION, DECISION, W_STAR),
        formulas={"integrand": integrand, "conjugate_integrand": conjugate_integrand},
        asserts=(
            Relation("integrand", "=", "conjugate_integrand"),
            Relation("SPO+ loss", "=", "max over w in S of conjugate_integrand"),
            Relation("SPO+ loss", "is", "convex in c_hat"),
        ),
        over=("every compact S", "every c and c_hat in R^d", "every w in S"),
        provenance=Provenance.REPAIRED,
        note="The conjugate is printed as sup over y of <x, c> - g(y); read <x, y> - g(y). The dual variable and g are named "
        "by us: the paper only says that such a g exists. g is convex exactly when S is, so not on the sphere of the "
        "experiments. The proof uses z*(c) = c'w*(c).",
    ),
    Claim(
        id="spo/notation-s",
        title="set of decisions",
        kind=Kind.DEFINITION,
        source=SPO.at("Section 1.2", "Section 3.1"),
        says="S is the domain of the decision w; in the experiments it is the unit sphere, the vectors of Euclidean norm "
        "exactly 1, while the theory takes S nonempty, compact and convex.",
        parameters=(DECISION,),
        formulas={"euclidean_norm": euclidean_norm, "unit_radius": unit_radius},
        asserts=(Relation("euclidean_norm", "=", "unit_radius"),),
        note="Printed in R^n, though n counts records; R^d is meant. The sphere is not convex and has no interior, against "
        "Section 3.1, Appendix A (projection onto convex S) and condition 4 of Section 6. z*, SPO and SPO+ are the same on "
        "sphere and ball. On the sphere the smoothing term mu |w|^2 / 2 is the constant mu/2: it shifts SPO+ and smooths "
        "nothing, the maximiser (c - 2 c_hat)/|c - 2 c_hat| jumps at c = 2 c_hat. The symbol S also denotes sets of outputs "
        "in Definition 1; Appendix D uses S = {w >= -1}, unbounded.",
    ),
]
