"""Uniform stability of DP-SGD: coupled runs on neighbouring data sets move apart by at most 2 eta L at a drawn difference."""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Integers
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.quantile.summaries import LIPSCHITZ
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import BETA, ETA, D, N, T
from dpsco.spec.predicate import Predicate

L, beta, eta, n = symbols("L beta eta n")

STEP = T.means("index t of the iterate, 1 <= t <= n^2").within(Integers(1))


distance_after = 2 * L * eta * T / n
distance_of_averages = (1 + n**2) * eta * L / n
stability = L**2 * eta * (1 + n**2) / n
step_is_nonexpansive = eta <= 2 / beta
is_an_iterate = T <= n**2


STEP_LENGTH = Predicate(
    "eta <= 2/beta",
    step_is_nonexpansive,
    accepts={"eta": "1", "beta": "2"},
    rejects={"eta": "2", "beta": "2"},
)

claims = [
    Claim(
        id="quantile/lem-3.3",
        title="uniform stability of DP-SGD",
        kind=Kind.SENSITIVITY,
        source=QUANTILE.at("Lemma 3.3", "Appendix A.2, display (3)", "display (4)"),
        says="If eta <= 2/beta, with beta the smoothness constant of the smoothed loss, DP-SGD is (L^2 eta (1 + "
        "n^2)/n)-uniformly stable for the unsmoothed quantile loss at every record. On the way, for runs on two data sets "
        "that differ in one record with the same drawn indices and the same noise, the iterates satisfy E|theta_t - theta_t'| "
        "<= 2 L eta t/n for t = 1, ..., n^2, and their averages E|theta - theta'| <= (1 + n^2) eta L/n.",
        uses=("quantile/alg-1",),
        parameters=(N, D, LIPSCHITZ, ETA, BETA.means("smoothness constant of ell_h in theta"), STEP),
        formulas={
            "distance_after": distance_after,
            "distance_of_averages": distance_of_averages,
            "stability": stability,
        },
        asserts=(
            Relation("E|theta_t - theta_t'|", "<=", "distance_after"),
            Relation("E|theta - theta'|", "<=", "distance_of_averages"),
            Relation("E[ell(theta; x, y) - ell(theta'; x, y)]", "<=", "stability"),
        ),
        preconditions=(
            STEP_LENGTH,
            Predicate("t <= n^2", is_an_iterate, accepts={"T": 4, "n": 2}, rejects={"T": 5, "n": 2}),
        ),
        over=("every two data sets that differ in one record", "every test record", "every kernel", "every noise variance"),
        note="Not tight: the induction gives t - 1 in place of t, hence L^2 eta (n^2 - 1)/n.",
    ),
]
