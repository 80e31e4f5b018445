"""The order quantity that ignores features: the empirical r-quantile of demand, and how near it is to the true one."""

from random import Random

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.contract import ULPS, Inputs, between, contract
from dpsco.spec.domain import Interval, Parameter, nonnegative, open_unit, positive
from dpsco.spec.expressions import exp, log, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import GAMMA, RISK, N, R
from dpsco.spec.predicate import Predicate

feature_gap, gamma, n, p, quantile_error, r, r_bar = symbols("feature_gap gamma n p quantile_error r r_bar")
s, smallest_slope, tau, tolerance = symbols("s smallest_slope tau tolerance")


def any_demands(random: Random) -> Inputs:
    """Up to a hundred demands, some of them equal; a level at, just above or just below a multiple of 1/n, or anywhere."""
    n = random.choice((1, 2, 3, 10, 100))
    few = [random.gauss(0, 3) for _ in range(random.choice((1, 3, n)))]
    k = random.randint(1, n)
    level = random.choice((k / n, k / n + 2.0**-52, k / n - 2.0**-52, random.uniform(0.01, 0.99)))
    return {"y": [random.choice(few) for _ in range(n)], "r": min(max(level, 1e-12), 1 - 2.0**-52)}


HARD_DEMANDS: tuple[Inputs, ...] = tuple(
    {"y": y, "r": r}
    for y in ([2.0], [1.0, 1.0, 1.0], [3.0, -1.0, 2.0, 5e-324], [float(i % 7) for i in range(100)])
    for r in (0.07, 0.25, 0.5, 0.75, 2.0**-1074, 1 - 2.0**-53)
)
"""One demand, ties, demands out of order; levels at which n r is whole, or in floating point is taken for whole."""


@contract(metric=ULPS, range=between(lambda m, y: m.min(*y), lambda m, y: m.max(*y)), generate=any_demands, hard=HARD_DEMANDS)
def empirical_quantile(y: object, r: float) -> float:
    """The order quantity that ignores features: the least demand with at least n r demands at or below it.

    the ceil(n r)-th smallest, n r in exact arithmetic

    Domain   y: n >= 1 numbers in any order, 0 < r < 1 (the double itself: 0.07 is a little more than 7/100)
    Returns  one of the demands, in their unit, exactly
    Raises   ValueError for no demand, or r outside (0, 1)
    Source   newsvendor, Theorem 8 and proof of Proposition EC.1
    """


kl = r * log(r / p) + (1 - r) * log((1 - r) / (1 - p))
"""Divergence of Bernoulli(r) from Bernoulli(p)."""

pinsker = 2 * (r - p) ** 2
binomial_tail = exp(-n * kl)
"""Chernoff bound of Pr[Binomial(n, p) <= n r] for p >= r, and of Pr[Binomial(n, p) >= n r] for p <= r."""

deviation_tail_kl = binomial_tail.where({"p": r + s * tolerance}) + binomial_tail.where({"p": r - s * tolerance})
deviation_tail = 2 * exp(-2 * n * s**2 * tolerance**2)
deviation = sqrt(log(2 / gamma) / (2 * n)) / s
risk_bound = r_bar * quantile_error + r_bar * feature_gap
deviation_is_local = deviation < tau
tolerance_is_local = all_of(tolerance < tau, r + s * tolerance < 1, r - s * tolerance > 0)
slope_is_attained = smallest_slope >= s


claims = [
    Claim(
        id="newsvendor/thm-8",
        title="cost of ordering without features",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("Theorem 8", "proof in EC.3.2", "displays (EC.46) and (EC.47)"),
        says="Demand y = <theta, x> + error with Gaussian x and distribution function F_y; q* = F_y^{-1}(r); q_hat the "
        "r-quantile of n independent demands. The expected cost of q_hat exceeds that of the best linear order by at most "
        "r_bar E|q_hat - q*| + r_bar E|<theta*, x> - q*|, where the second term is a positive constant in n. Pr[q_hat - q* >= "
        "e] = Pr[Binomial(n, F_y(q* + e)) <= n r] <= exp(-n KL(r | F_y(q* + e))), and likewise below. As F_y increases "
        "strictly, there are tau, s > 0 with (F_y(q) - F_y(q*)) / (q - q*) >= s for 0 < |q - q*| <= tau; hence for e < tau "
        "Pr[|q_hat - q*| >= e] <= exp(-n KL(r | r + s e)) + exp(-n KL(r | r - s e)) <= 2 exp(-2 n s^2 e^2), by KL(a | b) >= 2 "
        "(a - b)^2; and with probability at least 1 - gamma, for n large enough, |q_hat - q*| <= sqrt(ln(2/gamma) / (2 n)) / "
        "s, which with the first bound gives the excess cost.",
        uses=("newsvendor/lem-EC.7",),
        parameters=(
            N,
            R,
            GAMMA,
            Parameter("s", "lower bound of the slope of F_y near q*", positive, "1/outcome"),
            Parameter("tau", "reach of the slope's bound", positive, "outcome"),
            Parameter("tolerance", "the distance e", positive, "outcome"),
            Parameter("p", "success probability of the binomial, F_y(q* +- e)", open_unit),
            Parameter("smallest_slope", "least slope of a chord of F_y from q* within tau", nonnegative, "1/outcome"),
            Parameter("r_bar", "max(r, 1 - r)", Interval("0.5", "1", low_open=False)),
            Parameter("quantile_error", "|q_hat - q*|", nonnegative, "outcome"),
            Parameter("feature_gap", "E|<theta*, x> - q*|", positive, "outcome"),
            RISK.means("excess expected cost over the best linear order"),
        ),
        formulas={
            "kl": kl,
            "pinsker": pinsker,
            "binomial_tail": binomial_tail,
            "deviation_tail_kl": deviation_tail_kl,
            "deviation_tail": deviation_tail,
            "deviation": deviation,
            "risk_bound": risk_bound,
        },
        asserts=(
            Relation("risk", "<=", "risk_bound"),
            Relation("Pr[q_hat - q* >= e]", "=", "Pr[Binomial(n, F_y(q* + e)) <= n r]", step=True),
            Relation("Pr[Binomial(n, p) <= n r], p >= r", "<=", "binomial_tail", step=True),
            Relation("kl", ">=", "pinsker", step=True),
            Relation("Pr[|q_hat - q*| >= e]", "<=", "deviation_tail_kl", step=True),
            Relation("deviation_tail_kl", "<=", "deviation_tail", step=True),
            Relation("F_y strictly increasing", "=>", "smallest_slope > 0 for some tau", step=True),
            Relation("|q_hat - q*|", "<=", "deviation with probability at least 1 - gamma"),
            Relation("feature_gap", ">", "0"),
        ),
        preconditions=(
            Predicate(
                "chords of F_y from q* within tau have slope at least s",
                slope_is_attained,
                accepts={"smallest_slope": "0.3", "s": "0.2"},
                rejects={"smallest_slope": "0.1", "s": "0.2"},
            ),
            Predicate(
                "n is so large that the deviation is below tau",
                deviation_is_local,
                accepts={"n": 10000, "s": "0.2", "gamma": "0.1", "tau": "1"},
                rejects={"n": 10, "s": "0.2", "gamma": "0.1", "tau": "1"},
            ),
            Predicate(
                "e < tau, and r +- s e are probabilities",
                tolerance_is_local,
                accepts={"r": "0.6", "s": "0.2", "tolerance": "0.5", "tau": "1"},
                rejects={"r": "0.6", "s": "0.2", "tolerance": "3", "tau": "1"},
            ),
        ),
        over=("distributions with Gaussian features and independent errors that have a density",),
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proof. False step: strict increase does not imply a positive slope (F - r like (q - q*)^3); "
        "under the theorem's own assumptions F_y' > 0, so the conclusion stands. The proof prints the event y_i <= F_y(q* + e) "
        "for y_i <= q* + e. The expectation bound is filled with a bound in probability: the last sentence of the statement "
        "holds for the cost given the sample, not for its expectation. feature_gap is a term of an upper bound, no lower bound "
        "of the cost; it is 0 if theta* has no other part than the intercept.",
    ),
]
