"""Smoothing a conjugate function by a strongly convex term in its dual, and the smoothed SPO+ loss.

It also holds the quantities that all claims on private training of the smoothed loss share: the learned matrix Bhat, seen as
the vector B = vec(Bhat) of length p d, predicts c_hat = Bhat x.
"""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.contract import FINITE, SUM_SCALED, contract
from dpsco.spec.domain import Parameter, naturals, nonnegative, positive, reals
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.spo.loss import COST, DECISION, PREDICTION, W_STAR
from dpsco.spec.losses.spo.regions import Table, Vector, any_smoothed
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import BETA
from dpsco.spec.predicate import Predicate

B_B, B_w, D, beta, c_hat_j, c_j, f_mu = symbols("B_B B_w D beta c_hat_j c_j f_mu")
largest_decision_norm, largest_gradient_slope = symbols("largest_decision_norm largest_gradient_slope")
least_d, minimiser_norm, modulus_of_d = symbols("least_d minimiser_norm modulus_of_d")
modulus_of_g, mu, w_j, w_star_j, x_i, x_norm = symbols("modulus_of_g mu w_j w_star_j x_i x_norm")

SMOOTHING = Parameter("mu", "smoothing parameter of the loss", positive, "loss/decision^2")
LIPSCHITZ = Parameter("L", "Lipschitz constant of the smoothed loss in B", positive, "loss/model")
MODEL_BOUND = Parameter("B_B", "bound on the norm of B", positive, "model")
DECISION_BOUND = Parameter("B_w", "bound on the norm of a decision of S", positive, "decision")
STEP = Parameter("eta", "step length", positive, "model^2/loss")
FEATURES = Parameter("p", "number of features, columns of Bhat", naturals)
MINIMISER_NORM = Parameter("minimiser_norm", "norm of the comparator B*", nonnegative, "model")
LARGEST_GRADIENT = Parameter("largest_gradient_norm", "largest norm of a record's gradient in B", nonnegative, "loss/model")
LARGEST_DECISION = Parameter("largest_decision_norm", "largest norm of a decision of S", nonnegative, "decision")


@contract(metric=SUM_SCALED, range=FINITE, generate=any_smoothed)
def smoothed_loss(shape: str, table: Table, c: Vector, c_hat: Vector, mu: float) -> float:
    """The smoothed SPO+ loss: its integrand at the point of S nearest to (c - 2 c_hat)/mu.

    Domain   c, c_hat of the dimension of S, mu > 0; in doubles no polytopes, paths and knapsacks
    Returns  in cost times decision; terms: |c_j| + 2 |c_hat_j| times those of both decisions, mu times half the square of one
    Raises   as `regions.projection`
    Source   spo, Section 3.2, last display
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_smoothed)
def smoothed_gradient(shape: str, table: Table, c: Vector, c_hat: Vector, mu: float) -> Vector:
    """Its gradient in c_hat, 2 (w*(c) - w), w the nearest point; on a sphere around 0 one of them where c = 2 c_hat.

    Domain   as `smoothed_loss`
    Returns  in decisions; terms: twice those of both decisions
    Raises   as `regions.projection`
    Source   spo, Section 3.2, by the envelope theorem
    """


decision_bounded = largest_decision_norm <= B_w
minimiser_bounded = minimiser_norm <= B_B


BOUNDED_GRADIENT = Predicate(
    "every record's smoothed loss has gradients in B of norm at most L",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "2", "L": "2"},
    rejects={"largest_gradient_norm": "3", "L": "2"},
)
BOUNDED_DECISION = Predicate(
    "every decision of S has norm at most B_w",
    decision_bounded,
    accepts={"largest_decision_norm": "1", "B_w": "1"},
    rejects={"largest_decision_norm": "2", "B_w": "1"},
)
BOUNDED_MINIMISER = Predicate(
    "the comparator B* has norm at most B_B",
    minimiser_bounded,
    accepts={"minimiser_norm": "3", "B_B": "4"},
    rejects={"minimiser_norm": "5", "B_B": "4"},
)


smoothness = 1 / mu
smoothed_upper = f_mu + mu * D
smoothed_lower = f_mu
dual_range = B_w**2 / 2
"""D of the SPO+ smoothing: supremum of |w|^2 / 2 over S, as bounded in the proof of Theorem 4."""


def smoothed_integrand(m: Numbers, mu: Real, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
    dual = [-2 * a + 2 * b for a, b in zip(w, w_star, strict=True)]
    half = [-a + b for a, b in zip(w, w_star, strict=True)]
    return m.dot(dual, c_hat) - m.dot(half, c) - mu * m.norm(w) ** 2 / 2


def smoothed_integrand_appendix(m: Numbers, mu: Real, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
    """As Appendix A prints it, the norm without its square."""
    dual = [-2 * a + 2 * b for a, b in zip(w, w_star, strict=True)]
    half = [-a + b for a, b in zip(w, w_star, strict=True)]
    return m.dot(dual, c_hat) - m.dot(half, c) - mu * m.norm(w) / 2


stationary_coordinate = (-2 * c_hat_j + c_j) / mu
"""Coordinate of the unconstrained maximiser; the smoothed loss's maximiser is its projection onto convex S."""

gradient_entry = (-2 * w_j + 2 * w_star_j) * x_i
"""Derivative of the smoothed loss in Bhat[j, i], w being the maximiser."""

smoothness_amended = 4 * x_norm**2 / mu
convex = modulus_of_g >= 0
one_strongly_convex = modulus_of_d >= 1
prox_nonnegative = least_d >= 0
slope_bounded = largest_gradient_slope <= beta


NONNEGATIVE_PROX = Predicate("d is nonnegative", prox_nonnegative, accepts={"least_d": "0"}, rejects={"least_d": "-1"})
LEAST_PROX = Parameter("least_d", "least value of d", reals)

LOSS_PARAMETERS = (
    *(SMOOTHING, COST, PREDICTION, DECISION, W_STAR, DECISION_BOUND),
    Parameter("c_j", "coordinate of c", reals, "cost"),
    Parameter("c_hat_j", "coordinate of c_hat", reals, "cost"),
    Parameter("w_j", "coordinate of the maximiser", reals, "decision"),
    Parameter("w_star_j", "coordinate of w*(c)", reals, "decision"),
    Parameter("x_i", "coordinate of the feature vector", reals, "feature"),
)
FEATURE_NORM = Parameter("x_norm", "norm of the record's feature vector", nonnegative, "feature")

claims = [
    Claim(
        id="spo/lem-1",
        title="Lipschitz continuity of smooth functions",
        kind=Kind.BOUND,
        unproved=True,
        source=SPO.at("Definitions 7 and 8", "Lemma 1"),
        says="A function f from R^n to R that is differentiable with beta-Lipschitz gradient is Lipschitz continuous on a "
        "bounded domain: some K >= 0 has |f(x) - f(y)| <= K |x - y| for all x, y of it.",
        parameters=(
            BETA,
            Parameter("diameter", "diameter of the domain", positive, "decision"),
            Parameter("largest_gradient_slope", "largest |grad f(x) - grad f(y)| / |x - y|", nonnegative, "loss/decision^2"),
        ),
        asserts=(Relation("f beta-smooth on a bounded domain", "=>", "f Lipschitz continuous there"),),
        preconditions=(
            Predicate(
                "the gradient is beta-Lipschitz",
                slope_bounded,
                accepts={"largest_gradient_slope": "2", "beta": "2"},
                rejects={"largest_gradient_slope": "3", "beta": "2"},
            ),
        ),
        over=("every beta-smooth f", "every bounded domain"),
        note="No constant is printed; K = |grad f(x0)| + beta * diameter serves for x0 in the domain, and beta and diameter "
        "alone bound nothing (add a linear function). If f is smooth only on a bounded non-convex open domain, segments leave "
        "it and the claim needs care; Definition 8 has f smooth on all of R^n. The remark before the lemma, that |f(x) - "
        "f(y)| is then bounded by |x - y| itself, is false (f(x) = 5x).",
    ),
    Claim(
        id="spo/sec-3.2-1",
        title="smoothness of a smoothed conjugate",
        kind=Kind.SENSITIVITY,
        unproved=True,
        source=SPO.at("Section 3.2, property 1"),
        says="Let f = g* and f_mu = (g + mu d)*, that is f_mu(x) = sup over z of <z, x> - g(z) - mu d(z), with g convex and d "
        ">= 0 continuous and 1-strongly convex. Then g + mu d is mu-strongly convex and f_mu is (1/mu)-smooth.",
        parameters=(
            SMOOTHING,
            Parameter("modulus_of_g", "largest a such that g - a |z|^2 / 2 is convex", reals),
            Parameter("modulus_of_d", "modulus of strong convexity of d", nonnegative),
            LEAST_PROX,
        ),
        formulas={"smoothness": smoothness},
        asserts=(
            Relation("modulus of g + mu d", ">=", "mu"),
            Relation("smoothness constant of f_mu in x", "<=", "smoothness"),
        ),
        preconditions=(
            Predicate("g is convex", convex, accepts={"modulus_of_g": "0"}, rejects={"modulus_of_g": "-1"}),
            Predicate(
                "d is 1-strongly convex",
                one_strongly_convex,
                accepts={"modulus_of_d": "1"},
                rejects={"modulus_of_d": "0.5"},
            ),
            NONNEGATIVE_PROX,
        ),
        over=("every proper closed convex g", "every such d"),
        note="Convexity of g is not written in the paper but property 1 presupposes it. Read for proper closed g, in the "
        "Euclidean norm. The modulus is in z; the SPO+ smoothing puts mu |w|^2 / 2 on w with z = -2w + 2w*(c), modulus mu/4 "
        "in z.",
    ),
    Claim(
        id="spo/sec-3.2-2",
        title="gap of a smoothed conjugate",
        kind=Kind.BOUND,
        unproved=True,
        source=SPO.at("Section 3.2, property 2"),
        says="With f = g*, f_mu = (g + mu d)*, d >= 0 and D the supremum of d: f_mu(x) <= f(x) <= f_mu(x) + mu D for every x.",
        parameters=(
            SMOOTHING,
            Parameter("f_mu", "value of the smoothed function at x", reals, "loss"),
            Parameter("D", "supremum of d", nonnegative),
            LEAST_PROX,
        ),
        formulas={"lower": smoothed_lower, "upper": smoothed_upper},
        asserts=(Relation("lower", "<=", "f(x)"), Relation("f(x)", "<=", "upper")),
        preconditions=(NONNEGATIVE_PROX,),
        over=("every g and d", "every x"),
        note="The supremum is printed over x; the variable of d is the dual z, and only the effective domain of g counts "
        "(over all of R^n a strongly convex d has D infinite). No convexity is needed.",
    ),
    Claim(
        id="spo/sec-3.2-loss",
        title="smoothed SPO+ loss",
        kind=Kind.DEFINITION,
        source=SPO.at("Section 3.2, last display", "Appendix A", "Section 4"),
        says="The smoothed SPO+ loss is the maximum over w in S of <-2w + 2w*(c), c_hat> - <-w + w*(c), c> - (mu/2) |w|^2. "
        "The maximiser is the projection onto S of (c - 2 c_hat)/mu. The algorithms differentiate in B = vec(Bhat), c_hat = "
        "Bhat x, B of length p d: the derivative in entry (j, i) is (-2 w_j + 2 w*_j(c)) x_i at the maximiser w.",
        uses=("spo/sec-3.1",),
        parameters=LOSS_PARAMETERS,
        formulas={
            "smoothed_integrand": smoothed_integrand,
            "smoothed_integrand_appendix": smoothed_integrand_appendix,
            "stationary_coordinate": stationary_coordinate,
            "gradient_entry": gradient_entry,
            "dual_range": dual_range,
        },
        asserts=(Relation("smoothed SPO+", "=", "max over w in S of smoothed_integrand"),),
        over=("every S: ball, box, polytope, and the sphere of the notation section",),
        note="Main text squares the norm, Appendix A does not, nor does the proof of Theorem 4 in D = sup |w|_2 / 2 = B_w^2 / "
        "2; Appendix A's own derivative and that value need the square, so the square is meant. The gradient is not printed; "
        "it is the envelope theorem's and needs a unique maximiser. Ball of radius r: (c - 2 c_hat)/mu shortened to norm r "
        "where longer; box: clipped by coordinate; sphere: normalised, undefined at c = 2 c_hat, and mu drops out of the "
        "gradient.",
    ),
    Claim(
        id="spo/sec-3.2-smooth",
        title="smoothness of the smoothed SPO+ loss in the parameter",
        kind=Kind.SENSITIVITY,
        source=SPO.at("Section 3.2", "Appendix C, proof of Lemma 6", "Appendix E"),
        says="The smoothed SPO+ loss of a record, as a function of the variable B in which both algorithms take gradients, "
        "has a (1/mu)-Lipschitz gradient; the proofs of Lemma 6 and of Theorems 4 and 7 use it as co-coercivity with modulus "
        "mu.",
        uses=("spo/sec-3.2-1", "spo/sec-3.2-loss"),
        parameters=(SMOOTHING, FEATURE_NORM),
        formulas={"smoothness": smoothness},
        asserts=(Relation("smoothness constant of the smoothed loss in B", "<=", "smoothness"),),
        over=("every record (c, x), without a bound on |x|", "every S of Section 3.1 and the sphere of Section 1.2"),
        note="The gradient in c_hat is 2w*(c) - 2w with w the projection of (c - 2 c_hat)/mu: Lipschitz constant 4/mu in "
        "c_hat, 4 |x|^2/mu in B, attained while (c - 2 c_hat)/mu is interior to S: d = p = 1, S = [-1, 1], mu = x = 1, c = 0 "
        "gives slope 4 near c_hat = 0. So the printed constant serves for |x| <= 1/2 only; on the sphere the gradient jumps "
        "and no constant exists.",
    ),
    Claim(
        id="spo/sec-3.2-loss-amended",
        kind=Kind.DEFINITION,
        source=SPO.at("Section 3.2, last display", "Appendix A", "Section 4"),
        says="The smoothed SPO+ loss is the maximum over w in S of the integrand with the square of the norm. It is attained "
        "at one w, the projection onto S of (c - 2 c_hat)/mu, and the derivative in entry (j, i) of Bhat is (-2 w_j + 2 "
        "w*_j(c)) x_i there.",
        parameters=LOSS_PARAMETERS,
        formulas={
            "smoothed_integrand": smoothed_integrand,
            "stationary_coordinate": stationary_coordinate,
            "gradient_entry": gradient_entry,
            "dual_range": dual_range,
        },
        asserts=(
            Relation("smoothed SPO+", "=", "max over w in S of smoothed_integrand"),
            Relation("maximiser", "=", "projection of stationary_coordinate onto S"),
            Relation("derivative in Bhat[j, i]", "=", "gradient_entry"),
        ),
        over=("every nonempty compact convex S",),
        amends="spo/sec-3.2-loss",
    ),
    Claim(
        id="spo/sec-3.2-smooth-amended",
        kind=Kind.SENSITIVITY,
        source=SPO.at("Section 3.2", "Appendix C, proof of Lemma 6", "Appendix E"),
        says="The smoothed SPO+ loss of a record has in B a gradient with Lipschitz constant 4 |x|^2/mu, attained for some S.",
        parameters=(SMOOTHING, FEATURE_NORM),
        formulas={"smoothness": smoothness_amended},
        asserts=(Relation("smoothness constant of the smoothed loss in B", "<=", "smoothness"),),
        over=("every record (c, x), without a bound on |x|", "every nonempty compact convex S"),
        amends="spo/sec-3.2-smooth",
    ),
]
