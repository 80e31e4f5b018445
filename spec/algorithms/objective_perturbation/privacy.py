"""Privacy of objective perturbation on the smoothed quantile loss, by a cited theorem and its four conditions."""

from collections.abc import Callable

from dpsco.spec.algorithms.objective_perturbation.algorithm import regularisation_least, regularised_enough, variance
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import exp, log, symbols
from dpsco.spec.losses.quantile.smoothing import lipschitz, smoothness
from dpsco.spec.losses.quantile.summaries import LIPSCHITZ
from dpsco.spec.numbers import Real
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, BETA, DELTA, EPSILON, K_BAR, KERNEL, LAMBDA, SIGMA, D, H, N, R
from dpsco.spec.predicate import Predicate

B_x, L, delta, epsilon, feature_norm, sigma = symbols("B_x L delta epsilon feature_norm sigma")


variance_is_defined = all_of(delta > 0, delta <= 2 * exp(epsilon / 2))
noise_is_large_enough = sigma**2 >= variance
variance_replaced = L**2 * (32 * log(2 / delta) + 8 * epsilon) / epsilon**2
"""The variance that suffices where one record replaces another: about four times the printed one."""

features_in_ball = feature_norm <= B_x


REGULARISED = Predicate(
    "lambda >= beta/(n epsilon)",
    regularised_enough,
    accepts={"lambda_": "1", "beta": "2", "n": 10, "epsilon": "1"},
    rejects={"lambda_": "0.1", "beta": "2", "n": 10, "epsilon": "1"},
)
VARIANCE_DEFINED = Predicate(
    "0 < delta <= 2 e^{epsilon/2}: the printed variance is a number and not negative",
    variance_is_defined,
    accepts={"epsilon": "1", "delta": "0.01"},
    rejects={"epsilon": "1", "delta": "9"},
)
DELTA_FROM_ZERO = DELTA.within(nonnegative)
NOISE = SIGMA.means("standard deviation of each entry of b")
FEATURE_NORM = Parameter("feature_norm", "largest l2 norm of a feature vector of the domain", nonnegative, "feature")
OVER = (
    "every two neighbouring data sets with features in the ball of radius B_x",
    "every kernel that is nonnegative, even, unimodal, of integral 1, with finite first two moments and supremum",
)
CONDITIONED = (N, D, EPSILON, DELTA_FROM_ZERO, LIPSCHITZ, BETA, LAMBDA, NOISE, KERNEL, K_BAR, H, B_X, R, FEATURE_NORM)
CONDITIONS: dict[str, Callable[..., Real]] = {
    "lipschitz": lipschitz,
    "smoothness": smoothness,
    "variance": variance,
    "regularisation_least": regularisation_least,
}
MET = (
    Relation("rank of the Hessian of ell_h", "<=", "1", step=True),
    Relation("L", "=", "lipschitz", step=True),
    Relation("beta", "=", "smoothness", step=True),
    Relation("largest norm of the gradient of ell_h", "<=", "L", step=True),
    Relation("largest eigenvalue of the Hessian of ell_h", "<=", "beta", step=True),
    Relation("sigma^2", ">=", "variance", step=True),
    Relation("lambda", ">=", "regularisation_least", step=True),
)
CHOSEN = (
    Predicate(
        "sigma^2 is at least the printed variance",
        noise_is_large_enough,
        accepts={"sigma": "20", "L": "1", "epsilon": "1", "delta": "0.01"},
        rejects={"sigma": "1", "L": "1", "epsilon": "1", "delta": "0.01"},
    ),
    REGULARISED,
    Predicate(
        "features lie in the ball of radius B_x",
        features_in_ball,
        accepts={"feature_norm": "1", "B_x": "2"},
        rejects={"feature_norm": "3", "B_x": "2"},
    ),
)

claims = [
    Claim(
        id="quantile/thm-3.5",
        title="private quantile regression by objective perturbation",
        kind=Kind.PRIVACY,
        source=QUANTILE.at("Definition 2.1", "Algorithm 2", "Theorem 3.5", "Appendix A.4"),
        says="The exact minimiser over R^d of the averaged smoothed quantile loss plus lambda |theta|^2 plus b'theta/n, with "
        "b drawn from N(0, sigma^2 I_d), sigma^2 = L^2 (8 ln(2/delta) + 4 epsilon)/epsilon^2 and lambda >= beta/(n epsilon), "
        "is (epsilon, delta)-DP for every epsilon > 0 when data sets that differ in one record are neighbours.",
        uses=("quantile/alg-2", "quantile/thm-3.5-conditions"),
        parameters=(N, D, EPSILON, DELTA_FROM_ZERO, LIPSCHITZ, BETA.means("K_bar B_x^2/h"), LAMBDA),
        formulas={"variance": variance, "regularisation_least": regularisation_least},
        asserts=(Relation("the minimiser", "is", "(epsilon, delta)-DP"),),
        preconditions=(REGULARISED, VARIANCE_DEFINED),
        over=OVER,
        adjacency=Adjacency.REPLACE_ONE,
        releases="the exact minimiser",
        note="Neighbours are said to differ in one data point, in data sets of the same n. The cited theorem treats one record "
        "more or less with n fixed, a finding beside. delta >= 0 is printed; delta = 0 has no finite variance, and delta >= 1 "
        "asks for nothing.",
    ),
    Claim(
        id="quantile/thm-3.5-amended",
        amends="quantile/thm-3.5",
        kind=Kind.PRIVACY,
        source=QUANTILE.at("Definition 2.1", "Algorithm 2", "Theorem 3.5"),
        says="The same with sigma^2 = L^2 (32 ln(2/delta) + 8 epsilon)/epsilon^2 and delta < 1: (epsilon, delta)-DP for every "
        "epsilon > 0 when data sets that differ in one record are neighbours.",
        parameters=(N, D, EPSILON, DELTA, LIPSCHITZ, BETA.means("K_bar B_x^2/h"), LAMBDA),
        formulas={"variance": variance_replaced, "regularisation_least": regularisation_least},
        asserts=(Relation("the minimiser", "is", "(epsilon, delta)-DP"),),
        preconditions=(REGULARISED,),
        over=OVER,
        adjacency=Adjacency.REPLACE_ONE,
        releases="the exact minimiser",
    ),
    Claim(
        id="quantile/thm-3.5-amended-added",
        amends="quantile/thm-3.5",
        kind=Kind.PRIVACY,
        source=QUANTILE.at("Algorithm 2", "Theorem 3.5", "Appendix A.4"),
        says="The printed variance and ridge with delta < 1: (epsilon, delta)-DP for every epsilon > 0 when neighbours have "
        "one record more or less and the normaliser n is a public constant, the same for both.",
        parameters=(N, D, EPSILON, DELTA, LIPSCHITZ, BETA.means("K_bar B_x^2/h"), LAMBDA),
        formulas={"variance": variance, "regularisation_least": regularisation_least},
        asserts=(Relation("the minimiser", "is", "(epsilon, delta)-DP"),),
        preconditions=(REGULARISED,),
        over=OVER,
        adjacency=Adjacency.ADD_ONE_N_FIXED,
        releases="the exact minimiser",
    ),
    Claim(
        id="quantile/thm-3.5-conditions",
        title="conditions of the cited privacy theorem",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.4"),
        says="In the setting of objective perturbation on the smoothed quantile loss, for every kernel: (1) the Hessian of "
        "the averaged smoothed loss Lhat_h is continuous in theta and has rank at most one; (2) the smoothed loss is "
        "L-Lipschitz and beta-smooth in theta, with L = max(r, 1-r) B_x and beta = K_bar B_x^2/h; (3) b is drawn from N(0, "
        "sigma^2 I_d) with sigma^2 >= L^2 (8 ln(2/delta) + 4 epsilon)/epsilon^2; (4) lambda >= beta/(n epsilon). The cited "
        "theorem asks for these four.",
        uses=("quantile/alg-2", "quantile/lem-3.1-1", "quantile/lem-3.1-2"),
        parameters=CONDITIONED,
        formulas=CONDITIONS,
        asserts=(
            Relation("largest jump in theta of the Hessian of ell_h", "=", "0", step=True),
            Relation("rank of the Hessian of Lhat_h", "<=", "1", step=True),
            *MET,
        ),
        preconditions=CHOSEN,
        over=("every data set", "every kernel of the paper's conditions, in particular the four of its table"),
        note="The averaged Hessian is the one of which (1) speaks; the cited theorem needs rank one of each record's. (3) and "
        "(4) are choices of the algorithm. The cited theorem's adjacency is one record more or less.",
    ),
    Claim(
        id="quantile/thm-3.5-conditions-amended",
        amends="quantile/thm-3.5-conditions",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.4"),
        says="In the same setting: (1) the gradient of each record's smoothed loss ell_h is Lipschitz in theta, so that its "
        "Hessian exists almost everywhere, and where it does it has rank at most one; (2) to (4) as printed. The privacy "
        "argument needs no more.",
        parameters=CONDITIONED,
        formulas=CONDITIONS,
        asserts=MET,
        preconditions=CHOSEN,
        over=("every data set", "every kernel of the paper's conditions, in particular the four of its table"),
    ),
]
