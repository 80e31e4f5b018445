"""Stability of objective perturbation: how far its minimiser moves when a record is replaced, or when the noise is left out.

Both papers argue through chains of displays. A display's line is one formula here, so that each link can be judged; the
quantities in it (values of the objective at two minimisers, values of a loss) are parameters.
"""

from collections.abc import Callable

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import symbols
from dpsco.spec.numbers import Real
from dpsco.spec.papers import NEWSVENDOR, QUANTILE
from dpsco.spec.parameters import LAMBDA, SIGMA, B, D, L, N
from dpsco.spec.predicate import Predicate

J2_other, J2_own, J_other, J_own, b_min, b_norm = symbols("J2_other J2_own J_other J_own b_min b_norm")
b_op, b_square, d, lambda_, largest_slope = symbols("b_op b_square d lambda_ largest_slope")
loss2_other, loss2_own, loss_other, loss_own = symbols("loss2_other loss2_own loss_other loss_own")
moved, n, norm_op, norm_star, op_min, op_op = symbols("moved n norm_op norm_star op_min op_op")
risk_op, risk_star, sharp_min, sharp_op = symbols("risk_op risk_star sharp_min sharp_op")
sharp_star, shift, sigma = symbols("sharp_star shift sigma")


distance = 2 * L / (n * lambda_)
uniform_stability = 2 * L**2 / (n * lambda_)
noise_distance = b_norm / (n * lambda_)
growth = lambda_ * moved**2
objective_gap = J_other - J_own
gap_through_neighbour = J2_other - J2_own + (loss_other - loss_own) / n + (loss2_own - loss2_other) / n
lipschitz_gap = 2 * L * moved / n
noise_growth = lambda_ * shift**2
noise_gap = op_min - op_op
noise_gap_split = sharp_min - sharp_op + b_min / n - b_op / n
noise_gap_bound = b_norm * shift / n
risk_gap = risk_op - risk_star
risk_gap_regularised = sharp_op - lambda_ * norm_op**2 - (sharp_star - lambda_ * norm_star**2)
risk_gap_minimised = sharp_op - sharp_min + lambda_ * (norm_star**2 - norm_op**2)
risk_gap_dropped = sharp_op - sharp_min + lambda_ * norm_star**2
risk_gap_perturbed = op_op - b_op / n - (op_min - b_min / n) + lambda_ * norm_star**2
risk_gap_replaced = op_op - b_op / n - (op_op - b_min / n) + lambda_ * norm_star**2
risk_gap_noise = b_norm * shift / n + lambda_ * norm_star**2
risk_gap_bound = b_norm**2 / (n**2 * lambda_) + lambda_ * norm_star**2
expected_gap = b_square / (n**2 * lambda_) + lambda_ * norm_star**2
expected_gap_bound = d * sigma**2 / (n**2 * lambda_) + lambda_ * B**2
star_in_ball = norm_star <= B
lipschitz_slope = largest_slope <= L


def _value(name: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, reals, "loss")


B_NORM = Parameter("b_norm", "norm of the noise vector b", nonnegative, "loss/decision")
MOVED = Parameter("moved", "|theta - theta'|, minimisers for D and for its neighbour D' under one b", nonnegative, "decision")
SHIFT = Parameter("shift", "distance of the minimisers with noise b and without", nonnegative, "decision")
SLOPE = Parameter("largest_slope", "largest norm of a record's gradient", positive, "loss/decision")
COMMON = (L, N, LAMBDA, B_NORM, SHIFT, SLOPE)
NOISE_CHAIN = (
    _value("op_min", "perturbed objective at the minimiser without noise"),
    _value("op_op", "perturbed objective at its own minimiser"),
    _value("sharp_min", "regularised risk at its own minimiser"),
    _value("sharp_op", "regularised risk at the minimiser with noise"),
    _value("b_min", "<b, minimiser without noise>"),
    _value("b_op", "<b, minimiser with noise>"),
)
NOISE_FORMULAS: dict[str, Callable[..., Real]] = {
    "noise_growth": noise_growth,
    "noise_gap": noise_gap,
    "noise_gap_split": noise_gap_split,
    "noise_gap_bound": noise_gap_bound,
    "noise_distance": noise_distance,
}
NOISE_ASSERTS = (
    Relation("noise_growth", "<=", "noise_gap", step=True),
    Relation("noise_gap", "=", "noise_gap_split", step=True),
    Relation("noise_gap_split", "<=", "noise_gap_bound", step=True),
    Relation("shift", "<=", "noise_distance", step=True),
)
LIPSCHITZ = Predicate(
    "every gradient of the smoothed loss has norm at most L",
    lipschitz_slope,
    accepts={"largest_slope": "0.9", "L": "1"},
    rejects={"largest_slope": "1.1", "L": "1"},
)
DATA = ("every pair of data sets of n records that differ in one", "every noise vector b, the same for both", "every kernel")

claims = [
    Claim(
        id="quantile/thm-3.6-stability",
        title="stability of the perturbed minimiser",
        kind=Kind.SENSITIVITY,
        source=QUANTILE.at("Theorem 3.6", "A.5, part 1, steps 1 and 2"),
        says="With the noise held fixed, replacing one record moves the minimiser of the perturbed objective by at most "
        "2L/(n lambda), so that the algorithm is 2L^2/(n lambda)-uniformly stable; leaving the noise out moves it by at most "
        "|b|/(n lambda).",
        parameters=(*COMMON, *NOISE_CHAIN),
        symbols={"largest_slope": r"\sup \|\nabla \ell_h\|_2"},
        formulas={"distance": distance, "uniform_stability": uniform_stability, **NOISE_FORMULAS},
        asserts=(
            Relation("|theta(D) - theta(D')|", "<=", "distance", step=True),
            Relation("uniform stability with respect to the check loss", "<=", "uniform_stability", step=True),
            *NOISE_ASSERTS,
        ),
        preconditions=(LIPSCHITZ,),
        over=DATA,
        adjacency=Adjacency.REPLACE_ONE,
        note="The first bound is cited, not derived; the regulariser is lambda times the squared norm (Table 3).",
    ),
    Claim(
        id="newsvendor/thm-2-stability",
        title="stability of the perturbed minimiser",
        kind=Kind.SENSITIVITY,
        source=NEWSVENDOR.at("Theorem 2", "EC.13", "EC.14", "EC.15", "EC.16", "EC.17"),
        says="Replacing one record moves the minimiser of the perturbed objective by at most 2L/(n lambda), shown by a chain "
        "through the neighbour's objective; the expected risk of the released decision exceeds its empirical risk by at most "
        "2L^2/(n lambda); its smoothed empirical risk exceeds that of theta* by at most |b|^2/(n^2 lambda) + "
        "lambda |theta*|^2 for every b, in expectation by at most d sigma^2/(n^2 lambda) + lambda B^2.",
        parameters=(
            *COMMON,
            *NOISE_CHAIN,
            MOVED,
            _value("J_other", "objective of D at the minimiser for D'"),
            _value("J_own", "objective of D at its own minimiser"),
            _value("J2_other", "objective of D' at its own minimiser, that is at the minimiser for D'"),
            _value("J2_own", "objective of D' at the minimiser for D"),
            _value("loss_other", "loss of D's record at the minimiser for D'"),
            _value("loss_own", "loss of D's record at the minimiser for D"),
            _value("loss2_own", "loss of D's replacement at the minimiser for D"),
            _value("loss2_other", "loss of D's replacement at the minimiser for D'"),
            _value("risk_op", "smoothed empirical risk at the minimiser with noise"),
            _value("risk_star", "smoothed empirical risk at theta*"),
            _value("sharp_star", "regularised risk at theta*"),
            Parameter("norm_op", "norm of the minimiser with noise", nonnegative, "decision"),
            Parameter("norm_star", "norm of theta*", nonnegative, "decision"),
            Parameter("b_square", "E |b|^2", positive, "loss^2/decision^2"),
            B.means("bound on the norm of theta*"),
            SIGMA,
            D,
        ),
        symbols={"largest_slope": r"\sup \|\nabla \ell_h\|_2"},
        formulas={
            "growth": growth,
            "objective_gap": objective_gap,
            "gap_through_neighbour": gap_through_neighbour,
            "lipschitz_gap": lipschitz_gap,
            "distance": distance,
            "uniform_stability": uniform_stability,
            **NOISE_FORMULAS,
            "risk_gap": risk_gap,
            "risk_gap_regularised": risk_gap_regularised,
            "risk_gap_minimised": risk_gap_minimised,
            "risk_gap_dropped": risk_gap_dropped,
            "risk_gap_perturbed": risk_gap_perturbed,
            "risk_gap_replaced": risk_gap_replaced,
            "risk_gap_noise": risk_gap_noise,
            "risk_gap_bound": risk_gap_bound,
            "expected_gap": expected_gap,
            "expected_gap_bound": expected_gap_bound,
        },
        asserts=(
            Relation("growth", "<=", "objective_gap", step=True),
            Relation("objective_gap", "=", "gap_through_neighbour", step=True),
            Relation("gap_through_neighbour", "<=", "lipschitz_gap", step=True),
            Relation("|theta(D) - theta(D')|", "<=", "distance", step=True),
            Relation("uniform stability with respect to the check loss", "<=", "uniform_stability", step=True),
            Relation("E[population risk - empirical risk] of the released decision", "<=", "uniform_stability", step=True),
            *NOISE_ASSERTS,
            Relation("risk_gap", "=", "risk_gap_regularised", step=True),
            Relation("risk_gap_regularised", "<=", "risk_gap_minimised", step=True),
            Relation("risk_gap_minimised", "<=", "risk_gap_dropped", step=True),
            Relation("risk_gap_dropped", "=", "risk_gap_perturbed", step=True),
            Relation("risk_gap_perturbed", "<=", "risk_gap_replaced", step=True),
            Relation("risk_gap_replaced", "<=", "risk_gap_noise", step=True),
            Relation("risk_gap_noise", "<=", "risk_gap_bound", step=True),
            Relation("expected_gap", "<=", "expected_gap_bound", step=True),
        ),
        preconditions=(
            LIPSCHITZ,
            Predicate(
                "theta* lies in the ball of radius B",
                star_in_ball,
                accepts={"norm_star": "1", "B": "2"},
                rejects={"norm_star": "3", "B": "2"},
            ),
        ),
        over=(*DATA, "every distribution with a finite risk"),
        adjacency=Adjacency.REPLACE_ONE,
        provenance=Provenance.REBUILT,
        note="Main text not at hand: rebuilt from the proof. The regulariser is lambda times the squared norm (Table EC.1 and "
        "the proof of Lemma EC.1); the statement of Lemma EC.1 prints the norm without the square, a second reading of the "
        "algorithm with which the proof's first inequality has no ground. (EC.15) needs a distribution whose risk is finite.",
    ),
]
