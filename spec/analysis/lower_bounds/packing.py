"""Lower bounds for private SPO+ training, by packing: many data sets whose good predictions lie far apart."""

from dataclasses import replace

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Integers, Interval, Parameter, Vectors, nonnegative, positive
from dpsco.spec.expressions import E, exp, floor, log, minimum, sqrt, symbols
from dpsco.spec.losses.spo.loss import COST, PREDICTION, W_STAR
from dpsco.spec.losses.spo.smoothing import FEATURES
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import DELTA, EPSILON, RISK, D, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.composition.pure import A_NUMBER
from dpsco.spec.privacy.randomised_response import advantage

d, delta, epsilon, n = symbols("d delta epsilon n")

ANY_DELTA = DELTA.within(positive)
FIRST = Parameter("c_first", "cost vector c^(i) of one packed data set", Vectors("d"), "cost")
SECOND = Parameter("c_second", "cost vector c^(j) of another", Vectors("d"), "cost")
OPTIMUM = Parameter("c_star", "prediction of the optimal matrix at the all-ones feature vector", Vectors("d"), "cost")
DISTANCE = Parameter("distance", "l1 distance of c_hat_j and c_star_j for the worst j", nonnegative, "cost")


rate_exponential = 1 / sqrt(n) + advantage / n
rate_gaussian = 1 / sqrt(n) + sqrt(d * log(1 / delta)) / (n * epsilon)
threshold = 100 * advantage
"""n*, the number of records up to which the distance is at least 1."""

threshold_gaussian = 100 * sqrt(d * log(1 / delta)) / epsilon
packed_mass = d * E("1/2") * exp(-epsilon * n)
"""Lower bound on the total probability of the d disjoint balls; above 1 it is a contradiction."""

total_mass = E(1)
padding = floor((n - threshold) / 2)
"""Copies of each of the two cancelling records that fill up n > n* records."""

distance_padded = threshold / n


def separation(m: Numbers, c_first: Real, c_second: Real) -> Real:
    return m.norm([a - b for a, b in zip(c_first, c_second, strict=True)], 1)


separation_stated = E(2)


def packed_loss(m: Numbers, c: Real, c_hat: Real, w_star: Real) -> Real:
    """A record's summand of the transformed risk, with z*(c) = c'w*(c)."""
    dual = [2 * a - b for a, b in zip(c_hat, c, strict=True)]
    return m.dot([1] * len(dual), dual) + 2 * m.dot(w_star, c_hat) - m.dot(c, w_star)


def loss_gap(m: Numbers, c_hat: Real, c_star: Real, w_star: Real) -> Real:
    """Difference of the two risks when all n records are equal."""
    return 2 * m.dot([1 + a for a in w_star], [a - b for a, b in zip(c_hat, c_star, strict=True)])


loss_rate = advantage / n
rate_gaussian_amended = 1 / sqrt(n) + minimum(1, sqrt(d) / (n * epsilon))
"""Without ln(1/delta), and not above the risk of answering 0."""

share = E("1/2")
"""Of the coordinatewise largest cost, the best prediction for packed costs."""


def prediction_covers(m: Numbers, c: Real, c_hat: Real) -> Truth:
    return m.all(*(m.ge(2 * a, b) for a, b in zip(c_hat, c, strict=True)))


def optimum_covers(m: Numbers, c: Real, c_star: Real) -> Truth:
    return m.all(*(m.ge(2 * a, b) for a, b in zip(c_star, c, strict=True)))


packing_is_large = d > 2 * exp(epsilon * n)
delta_is_small = sqrt(d) * delta <= epsilon


UNIT = ("1", "0")
COVERED = Predicate(
    "2 c_hat >= c", prediction_covers, accepts={"c": UNIT, "c_hat": UNIT}, rejects={"c": UNIT, "c_hat": ("0", "1")}
)
COVERED_BY_OPTIMUM = Predicate(
    "2 c_star >= c", optimum_covers, accepts={"c": UNIT, "c_star": UNIT}, rejects={"c": UNIT, "c_star": ("0", "1")}
)
LARGE_PACKING = Predicate(
    "d > 2 e^(epsilon n)", packing_is_large, accepts={"d": 6, "epsilon": "1", "n": 1}, rejects={"d": 5, "epsilon": "1", "n": 1}
)
SMALL_DELTA = Predicate(
    "sqrt(d) delta <= epsilon",
    delta_is_small,
    accepts={"d": 4, "delta": "0.1", "epsilon": "0.3"},
    rejects={"d": 16, "delta": "0.1", "epsilon": "0.3"},
)

claims = [
    Claim(
        id="spo/thm-5",
        title="lower bound under pure privacy",
        kind=Kind.LOWER,
        source=SPO.at("Theorem 5", "Appendix D"),
        says="For every n and every delta > 0 there is, with probability at least 1/2, a data set of n pairs (c, x) on which "
        "the expected excess SPO+ risk of private training is Omega(n^(-1/2) + h/n), h = (e^epsilon - 1)/(e^epsilon + 1). The "
        "proof packs the data sets D^(j), j = 1, ..., d, of n copies of (e_j, all-ones), for S = {w >= -1} and matrices with "
        "nonnegative entries.",
        uses=("spo/app-d-1", "spo/app-d-2", "spo/app-d-3"),
        parameters=(N, D, EPSILON, ANY_DELTA, RISK),
        formulas={"rate": rate_exponential},
        asserts=(Relation("risk", ">=Omega", "rate"),),
        over=(
            "every epsilon-DP algorithm (in the proof; the theorem names none)",
            "some data set, with probability at least 1/2",
        ),
        adjacency=Adjacency.REPLACE_ONE,
        note="Readings: for all epsilon-DP or (epsilon, delta)-DP algorithms, or for exponential descent alone; probability "
        "over the algorithm (proof) or over data (words). As h < 1, h/n <= n^(-1/2) always: the rate is n^(-1/2) up to a "
        "factor 2, privacy adds nothing, and the privacy term shrinks as privacy tightens. The n^(-1/2) is borrowed from "
        "general convex losses and is not shown for SPO+; the packed data are noise free. Each part of Appendix D is false.",
    ),
    Claim(
        id="spo/thm-8",
        title="lower bound under approximate privacy",
        kind=Kind.LOWER,
        source=SPO.at("Theorem 8", "Appendix F"),
        says="For every n and every delta > 0 there is, with probability at least 1/2, a data set of n pairs (c, x) on which "
        "the expected excess SPO+ risk of private training is Omega(n^(-1/2) + sqrt(d ln(1/delta))/(n epsilon)). The proof is "
        "that of Theorem 5 with n* = 100 sqrt(d ln(1/delta))/epsilon.",
        uses=("spo/thm-5",),
        parameters=(N, D, EPSILON, ANY_DELTA, RISK),
        formulas={"rate": rate_gaussian, "threshold": threshold_gaussian},
        asserts=(Relation("risk", ">=Omega", "rate"),),
        preconditions=(A_NUMBER,),
        over=("every (epsilon, delta)-DP algorithm, or Gaussian descent alone", "some data set, with probability at least 1/2"),
        adjacency=Adjacency.REPLACE_ONE,
        note="delta > 0 as printed; for delta > 1, left out, the root is no real number. False for all algorithms: with S and "
        "B bounded the risk of the constant 0 is bounded, while the rate is unbounded as epsilon -> 0, delta -> 0 or d -> "
        "infinity at fixed n (n = 1, epsilon -> 0); a minimum with a constant is missing. Pure packing with e^(-epsilon n) "
        "knows nothing of delta, so replacing n* cannot bring in ln(1/delta).",
    ),
    Claim(
        id="spo/app-d-1",
        title="packing of cost vectors",
        kind=Kind.BOUND,
        source=SPO.at("Appendix D, Part I, display (*)"),
        says="Let S = {w >= -1} and let all x_i be the all-ones vector. The empirical SPO+ risk, minimised over Bhat with "
        "nonnegative entries and the dual variable P, is the minimum of the mean over i of 1'(2 Bhat x_i - c_i) + 2 "
        "w*(c_i)'Bhat x_i - z*(c_i). If each c_i = Bhat_i x_i with Bhat_i one of the matrices with a single entry 1, at place "
        "(j, 1), and w*(c_i) is taken as -c_i, then the average of the Bhat_i is optimal. Different such costs are at l1 "
        "distance 2.",
        uses=("spo/def-5",),
        parameters=(N, D, FEATURES, COST, PREDICTION, W_STAR, FIRST, SECOND),
        formulas={"packed_loss": packed_loss, "separation": separation, "separation_stated": separation_stated},
        asserts=(
            Relation("SPO+ loss on S = {w >= -1}", "=", "packed_loss", step=True),
            Relation("separation for different unit vectors", "=", "separation_stated", step=True),
            Relation(
                "mean of packed_loss at the average of the Bhat_i", "<=", "mean of packed_loss at every other Bhat", step=True
            ),
        ),
        over=("every choice of n matrices among the d packed ones", "every Bhat with nonnegative entries"),
        provenance=Provenance.REPAIRED,
        note="Printed with m for p, w*(c_i) x_i' as a matrix dotted with Bhat, and a family indexed to m where d is meant. S "
        "is unbounded, so SPO+ is finite only if 2 Bhat x_i >= c_i, which the display drops (it is the sign of P); (*) with "
        "the constraint is a linear programme. False: with cbar the mean cost, n = 3, costs e_1, e_1, e_2: the average "
        "predicts (2/3, 1/3), 2/3 < 1, infeasible, risk infinite. For equal costs e_j the average is optimal, but so is every "
        "prediction r e_j with r >= 1/2.",
    ),
    Claim(
        id="spo/app-d-2",
        title="distance of private predictions on packed data",
        kind=Kind.BOUND,
        source=SPO.at("Appendix D, Part II"),
        says="Let D^(j), j = 1, ..., d, hold n copies of (e_j, all-ones), c_star_j the prediction of an optimal matrix on "
        "D^(j), c_hat_j that of an epsilon-DP algorithm, and n* = 100 (e^epsilon - 1)/(e^epsilon + 1). (1) For n <= n*, some "
        "j has |c_hat_j - c_star_j|_1 >= 1 with probability at least 1/2: otherwise the d disjoint unit balls would have "
        "total probability at least (d/2) e^(-epsilon n), more than 1 for d large. (2) For n > n*, pad n* copies with "
        "floor((n - n*)/2) records (x, x) and as many (-x, x); the averages scale by n*/n, an algorithm closer than n*/n on "
        "padded data would, rescaled by n/n*, contradict (1); so some j has distance at least n*/n with probability at least "
        "1/2.",
        uses=("spo/app-d-1",),
        parameters=(N, D, EPSILON, DISTANCE),
        symbols={"distance": r"\max_j \|\hat{c}_j - c_j^{*}\|_1"},
        formulas={
            "threshold": threshold,
            "packed_mass": packed_mass,
            "total_mass": total_mass,
            "padding": padding,
            "distance_padded": distance_padded,
        },
        asserts=(
            Relation("packed_mass", ">", "total_mass", step=True),
            Relation("distance for n <= n*, with probability 1/2", ">=", "1", step=True),
            Relation("distance for n > n*, with probability 1/2", ">=", "distance_padded", step=True),
        ),
        over=("every epsilon-DP algorithm",),
        adjacency=Adjacency.REPLACE_ONE,
        note="The contradiction needs d > 2 e^(epsilon n), that is at n = n* d > 2 exp(100 epsilon h); the text says only "
        "that n must be large when p is. False at d = 1 (the constant e_1 has distance 0) and at every d <= 2 e^(epsilon n*). "
        "n* need not be an integer. In print the padded set has n copies (n* is meant), (x, x) needs d = p, sums run to n for "
        "d, alpha is a matrix I, and (2) has no averaging: by Part I the optimum is not the average, so c_star does not scale.",
    ),
    Claim(
        id="spo/app-d-3",
        title="from the distance of predictions to the risk",
        kind=Kind.BOUND,
        source=SPO.at("Appendix D, Part III, displays (4) and (5)"),
        says="The difference of the SPO+ risks of c_hat and of the optimal c_star is (2/n) times the sum over i of (1 + "
        "w*(c_i))'(c_hat - c_star); as Part II makes the l1 distance of c_hat and c_star at least of order h/n, h = "
        "(e^epsilon - 1)/(e^epsilon + 1), the expected difference of risks is Omega(h/n), and with the known bound for "
        "stochastic convex optimisation Omega(n^(-1/2) + h/n).",
        uses=("spo/app-d-1", "spo/app-d-2"),
        parameters=(N, D, EPSILON, PREDICTION, OPTIMUM, W_STAR, DISTANCE, RISK),
        symbols={"distance": r"\max_j \|\hat{c}_j - c_j^{*}\|_1"},
        formulas={"loss_gap": loss_gap, "loss_rate": loss_rate, "rate": rate_exponential},
        asserts=(
            Relation("risk of c_hat - risk of c_star", "=", "loss_gap", step=True),
            Relation("distance >=Omega h/n", "=>", "loss_gap >=Omega h/n", step=True),
            Relation("risk", ">=Omega", "loss_rate", step=True),
            Relation("risk", ">=Omega", "rate", step=True),
        ),
        over=("the packed data sets D^(j)", "every epsilon-DP algorithm"),
        adjacency=Adjacency.REPLACE_ONE,
        note="False: on D^(j), w*(c) = -e_j, so 1 + w* vanishes in coordinate j and the gap is 2 times the sum of c_hat - "
        "c_star over the other coordinates: c_hat = c_star + r e_j has distance r and gap 0. The bound n^(-1/2) comes from a "
        "family of losses with noise, not from these data, and a sum of two lower bounds needs one instance or a maximum.",
    ),
]

claims += [
    replace(
        claims[1],
        id="spo/thm-8-amended",
        amends="spo/thm-8",
        says="For epsilon <= 1 and sqrt(d) delta <= epsilon there is a law of (c, x) on which the expected excess population "
        "SPO+ risk is Omega(n^(-1/2) + min(1, sqrt(d)/(n epsilon))); the hidden constant is a multiple of L B_B.",
        parameters=(N, D, EPSILON.within(Interval("0", "1", high_open=False)), DELTA, RISK),
        formulas={"rate": rate_gaussian_amended},
        asserts=(Relation("risk", ">=Omega", "rate"),),
        preconditions=(SMALL_DELTA,),
        over=("every (epsilon, delta)-DP algorithm with answers in the ball of radius B_B", "some law of (c, x), p = 1"),
        note="No sqrt(ln(1/delta)) for every delta: epsilon-DP algorithms reach the rate n^(-1/2) at fixed d and epsilon.",
    ),
    replace(
        claims[2],
        id="spo/app-d-1-amended",
        amends="spo/app-d-1",
        says="On S = {w >= -1} the SPO+ loss of c_hat with 2 c_hat >= c is 1'(2 c_hat - c) + 2 w*(c)'c_hat - z*(c), and is "
        "infinite for other c_hat. For costs e_j and w*(c) = -c the least empirical risk over the matrices with nonnegative "
        "entries and 2 Bhat x_i >= c_i is at half the coordinatewise largest cost. Different such costs are at l1 distance 2.",
        formulas={**claims[2].formulas, "share": share},
        asserts=(
            *claims[2].asserts[:2],
            Relation(
                "mean of packed_loss at share times the largest costs", "<=", "mean of packed_loss at every covering Bhat"
            ),
        ),
        preconditions=(COVERED,),
        note="The text is mended as for the claim that this one amends.",
    ),
    replace(
        claims[3],
        id="spo/app-d-2-amended",
        amends="spo/app-d-2",
        says="Of few records only. Let D^(j), j = 1, ..., d, hold n copies of (e_j, all-ones) and c_star_j = e_j. If d > 2 "
        "e^(epsilon n), every epsilon-DP algorithm has a j with |c_hat_j - c_star_j|_1 >= 1 with probability at least 1/2.",
        formulas={"packed_mass": packed_mass, "total_mass": total_mass},
        asserts=(claims[3].asserts[0], Relation("distance for n copies, with probability 1/2", ">=", "1")),
        preconditions=(LARGE_PACKING,),
        note="The condition holds for n below ln(d/2)/epsilon. For larger n the exponential mechanism names j with probability "
        "above 1/2 once n > 2 ln(d)/epsilon, so no padding of these data sets helps.",
    ),
    replace(
        claims[4],
        id="spo/app-d-3-amended",
        amends="spo/app-d-3",
        says="For predictions with 2 c_hat >= c the difference of the SPO+ risks on D^(j) is 2 (1 + w*(c))'(c_hat - c_star). "
        "For d >= 2 every epsilon-DP algorithm has, on one of the packed data sets, excess risk Omega(h/n) and Omega(n^(-1/2) "
        "+ h/n): at least d - 1, as its predictions must cover every packed cost.",
        parameters=(N, D.within(Integers(2)), EPSILON, COST, PREDICTION, OPTIMUM, W_STAR, RISK),
        asserts=(claims[4].asserts[0], *claims[4].asserts[2:]),
        preconditions=(COVERED, COVERED_BY_OPTIMUM),
        note="The bound owes nothing to the size of epsilon: an infinite loss on one data set is forbidden on all of them.",
    ),
]
