"""One step of regularised mirror descent: Young's inequality for the noise, the size of the minimisers, a rewriting."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from dpsco.spec.algorithms.mirror_descent.regularised_steps import NOISE_NORM, STEP, STRONGLY_CONVEX, YOUNG
from dpsco.spec.analysis.geometry.regularity import ALPHA
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUBOPTIMALITY, Inputs, contract
from dpsco.spec.domain import Parameter, reals
from dpsco.spec.expressions import Expr, equal, symbol, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA
from dpsco.spec.predicate import Predicate
from dpsco.spec.statement import Statement, Symbol, statement

a, alpha, beta, distance, inner_product = symbols("a alpha beta distance inner_product")
least_loss, linear, loss_at_regularised = symbols("least_loss linear loss_at_regularised")
noise_norm, phi_slope, phi_t, phi_w = symbols("noise_norm phi_slope phi_t phi_w")
step_divergence = symbol("step_divergence")


def _step(random: Random) -> Inputs:
    d, spread = random.choice((1, 2, 3, 9, 50)), random.choice((0, 2))
    w, gradient = ([random.gauss(0, 1) * 10 ** random.uniform(-spread, spread) for _ in range(d)] for _ in range(2))
    return {
        "w": random.choice((w, [0.0] * d)),
        "gradient": gradient,
        "kappa": 10 ** random.uniform(-1, 2),
        "index": random.choice((2.0, 1.5, random.uniform(1.05, 2), random.uniform(2, 6))),
        "alpha": random.choice((0.0, 10 ** random.uniform(-3, 3))),
        "beta": 10 ** random.uniform(-3, 3),
    }


@contract(metric=SUBOPTIMALITY, range=FINITE, generate=_step)
def proximal_step(
    w: Sequence[float], gradient: Sequence[float], kappa: float, index: float, alpha: float, beta: float
) -> Sequence[float]:
    """One step of regularised mirror descent over the whole space.

    argmin over v of <gradient, v - w> + beta D_Phi(v, w) + alpha Phi(v), Phi = (kappa/2) |v|^2 in the l_index norm: the v
    with (alpha + beta) grad Phi(v) = beta grad Phi(w) - gradient

    Domain   w, gradient: d finite numbers, gradient with its noise (loss/decision); kappa > 0, 1 < index < inf, alpha >= 0 and
             beta > 0 (loss/decision^2)
    Returns  d numbers (decision); (beta kappa w - gradient)/((alpha + beta) kappa) for index = 2
    Raises   ValueError for other values, lengths that differ (fast only)
    Source   lp, Algorithm 3; first-order condition
    """


young_left = inner_product
young_middle = a * noise_norm**2 + distance**2 / (2 * a)
young_middle_amended = a * noise_norm**2 + distance**2 / (4 * a)
young_right = a * noise_norm**2 + step_divergence / (2 * a)
optimality_gap = (loss_at_regularised - least_loss) / alpha
objective_before = linear + beta * (phi_w - phi_t - phi_slope) + alpha * phi_w
objective_after = linear + alpha * phi_slope + (alpha + beta) * (phi_w - phi_t - phi_slope) + alpha * phi_t
product_obeys_duality = inner_product <= noise_norm * distance
least_is_least = loss_at_regularised >= least_loss


def scalar(name: str, meaning: str, unit: str) -> Parameter:
    return Parameter(name, meaning, reals, unit)


PRINTED = Claim(
    id="lp/thm-7-young",
    title="one step of regularised mirror descent",
    kind=Kind.BOUND,
    source=LP.at("proof of Theorem 7", "displays (10) and (13)", "rewriting of the objective before Lemma 12"),
    says="(13): for every a > 0, <g_t, w - w_{t+1}> <= a |g_t|_*^2 + |w - w_{t+1}|^2 / (2a) <= a |g_t|_*^2 + D_Phi(w, "
    "w_{t+1}) / (2a), the second by 1-strong convexity of Phi. (10): with w*_alpha the regularised and w~* the empirical "
    "minimiser, Phi(w~*) - Phi(w*_alpha) >= (empirical loss at w*_alpha - at w~*) / alpha > 0. Rewriting: <grad + g_t, w "
    "- w_t> + beta D_Phi(w, w_t) + alpha Phi(w) equals <grad + alpha grad Phi(w_t) + g_t, w - w_t> + (alpha + beta) "
    "D_Phi(w, w_t) + alpha Phi(w_t).",
    uses=("lp/alg-3", "lp/lem-11", "lp/lem-12", "lp/phi"),
    parameters=(
        YOUNG,
        ALPHA,
        BETA,
        scalar("inner_product", "<g_t, w - w_{t+1}>", "loss"),
        NOISE_NORM,
        *STEP,
        scalar("loss_at_regularised", "empirical loss at w*_alpha", "loss"),
        scalar("least_loss", "empirical loss at w~*", "loss"),
        scalar("linear", "<grad + g_t, w - w_t>", "loss"),
        scalar("phi_w", "Phi(w)", "decision^2"),
        scalar("phi_t", "Phi(w_t)", "decision^2"),
        scalar("phi_slope", "<grad Phi(w_t), w - w_t>", "decision^2"),
    ),
    symbols={
        "distance": r"\|w - w_{t+1}\|",
        "inner_product": r"\langle g_t, w - w_{t+1} \rangle",
        "step_divergence": r"D_\Phi(w, w_{t+1})",
    },
    formulas={
        "left": young_left,
        "middle": young_middle,
        "right": young_right,
        "optimality_gap": optimality_gap,
        "objective_before": objective_before,
        "objective_after": objective_after,
    },
    asserts=(
        Relation("left", "<=", "middle", step=True),
        Relation("middle", "<=", "right", step=True),
        Relation("Phi(w~*) - Phi(w*_alpha)", ">=", "optimality_gap", step=True),
        Relation("optimality_gap", ">", "0", step=True),
        Relation("objective_before", "=", "objective_after", step=True),
    ),
    preconditions=(
        Predicate(
            "<g, v> <= |g|_* |v|",
            product_obeys_duality,
            accepts={"inner_product": "1", "noise_norm": "1", "distance": "2"},
            rejects={"inner_product": "3", "noise_norm": "1", "distance": "2"},
        ),
        STRONGLY_CONVEX,
        Predicate(
            "w~* minimises the empirical loss",
            least_is_least,
            accepts={"loss_at_regularised": "1", "least_loss": "0"},
            rejects={"loss_at_regularised": "0", "least_loss": "1"},
        ),
    ),
    over=("norms and potentials Phi", "data sets"),
    note="The second inequality of (13) needs |v|^2 <= D_Phi, strong convexity gives |v|^2 <= 2 D_Phi "
    "(Phi = |.|_2^2/2: D = |v|^2/2); left <= right survives, since Young's inequality has |v|^2/(4a). (10) is not "
    "strict: both sides vanish when the empirical minimiser is 0. The rewriting holds; the print has Phi(x) for Phi(w) "
    "in one line.",
)

claims = [
    PRINTED,
    replace(
        PRINTED,
        id="lp/thm-7-young-amended",
        amends="lp/thm-7-young",
        says="(13): for every a > 0, <g_t, w - w_{t+1}> <= a |g_t|_*^2 + |w - w_{t+1}|^2 / (4a) <= a |g_t|_*^2 + D_Phi(w, "
        "w_{t+1}) / (2a), the second by 1-strong convexity of Phi. (10): Phi(w~*) - Phi(w*_alpha) >= (empirical loss at "
        "w*_alpha - at w~*) / alpha >= 0. The rewriting as printed.",
        formulas={**PRINTED.formulas, "middle": young_middle_amended},
        asserts=tuple(replace(relation, sign=">=") if relation.sign == ">" else relation for relation in PRINTED.asserts),
        note="",
    ),
]

_phi_regularised, _phi_least = symbols("phi_regularised phi_least")
_GAP = (loss_at_regularised - least_loss) / alpha


def _young(id: str, title: str, middle: Expr, *, strict: bool, amends: str | None = None) -> Statement:
    before = linear + beta * (phi_w - phi_t - phi_slope) + alpha * phi_w
    after = linear + alpha * phi_slope + (alpha + beta) * (phi_w - phi_t - phi_slope) + alpha * phi_t
    return statement(
        id,
        title,
        inner_product <= middle,
        middle <= a * noise_norm**2 + step_divergence / (2 * a),
        _phi_least - _phi_regularised >= _GAP,
        _GAP > 0 if strict else _GAP >= 0,
        equal(before, after),
        source=str(PRINTED.source),
        symbols=(
            Symbol("a", "constant of Young's inequality", unit="decision^2/loss"),
            Symbol("alpha", "weight of the potential Phi", unit="loss/decision^2"),
            Symbol("beta", "smoothness constant of the loss", unit="loss/decision^2"),
            Symbol("inner_product", "<g_t, w - w_{t+1}>", unit="loss"),
            Symbol("noise_norm", "|g_t|_*", unit="loss/decision"),
            Symbol("distance", "|w - w_{t+1}|", unit="decision"),
            Symbol("step_divergence", "D_Phi(w, w_{t+1})", unit="decision^2"),
            Symbol("loss_at_regularised", "empirical loss at w*_alpha", unit="loss"),
            Symbol("least_loss", "empirical loss at w~*", unit="loss"),
            Symbol("phi_regularised", "Phi(w*_alpha)", unit="decision^2"),
            Symbol("phi_least", "Phi(w~*)", unit="decision^2"),
            Symbol("linear", "<grad + g_t, w - w_t>", unit="loss"),
            Symbol("phi_w", "Phi(w)", unit="decision^2"),
            Symbol("phi_t", "Phi(w_t)", unit="decision^2"),
            Symbol("phi_slope", "<grad Phi(w_t), w - w_t>", unit="decision^2"),
        ),
        domain={
            a > 0: {"a": 0},
            alpha > 0: {"alpha": 0},
            beta > 0: {"beta": 0},
            noise_norm >= 0: {"noise_norm": -1},
            distance >= 0: {"distance": -1},
            inner_product <= noise_norm * distance: {"inner_product": 9},
            distance**2 <= 2 * step_divergence: {"step_divergence": 0},
            least_loss <= loss_at_regularised: {"least_loss": 9},
            loss_at_regularised + alpha * _phi_regularised <= least_loss + alpha * _phi_least: {"phi_regularised": 9},
        },
        inside=dict.fromkeys(("a", "alpha", "beta", "inner_product", "noise_norm", "distance", "phi_least"), 1)
        | {"step_divergence": 1, "loss_at_regularised": 1, "least_loss": 1, "phi_regularised": 0}
        | dict.fromkeys(("linear", "phi_w", "phi_t", "phi_slope"), 0),
        amends=amends,
        note="The last conditions say what w~* and w*_alpha minimise: the empirical loss, and that plus alpha Phi.",
    )


statements: list[Statement] = [
    _young(
        "lp/thm-7-young",
        "Links in the proof of Theorem 7: Young's inequality through |v|^2/(2a), the strict display (10), the rewriting",
        a * noise_norm**2 + distance**2 / (2 * a),
        strict=True,
    ),
    _young(
        "lp/thm-7-young-amended",
        "The same through |v|^2/(4a), and with >= in display (10)",
        a * noise_norm**2 + distance**2 / (4 * a),
        strict=False,
        amends="lp/thm-7-young",
    ),
]
