"""Simulations of private quantile regression: designs, the optimum that they state, and solving times."""

from dataclasses import replace

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Choice, Integers, Parameter, positive, reals
from dpsco.spec.expressions import E, Phi, absolute, sqrt, symbols
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import B_X, DELTA, R
from dpsco.spec.predicate import Predicate

B_x, baseline, intercept, j, time, x_1, x_2 = symbols("B_x baseline intercept j time x_1 x_2")

ALGORITHMS = ("non-private", "objective perturbation", "dp-sgd", "sgd without smoothing", "moreau", "phased-erm", "phased-sgd")
SOLVING_TIMES = {
    (3, "non-private"): (("0.0", "0.0"), ("0.1", "0.0"), ("0.4", "0.1")),
    (3, "objective perturbation"): (("0.0", "0.0"), ("0.3", "0.0"), ("2.8", "0.2")),
    (3, "dp-sgd"): (("0.7", "0.0"), ("62.4", "0.5"), ("1575.1", "27.7")),
    (3, "sgd without smoothing"): (("0.6", "0.0"), ("59.3", "1.9"), ("1431.8", "15.4")),
    (3, "moreau"): (("0.6", "0.0"), ("19.4", "0.3"), ("317.7", "3.8")),
    (3, "phased-erm"): (("0.2", "0.0"), ("0.2", "0.0"), ("0.3", "0.0")),
    (3, "phased-sgd"): (("0.1", "0.0"), ("0.1", "0.0"), ("0.1", "0.0")),
    (51, "non-private"): (("0.1", "0.1"), ("0.2", "0.1"), ("1.6", "0.2")),
    (51, "objective perturbation"): (("0.1", "0.0"), ("0.8", "0.3"), ("6.1", "0.6")),
    (51, "dp-sgd"): (("1.1", "0.3"), ("69.5", "1.1"), ("1600.0", "26.1")),
    (51, "sgd without smoothing"): (("1.0", "0.4"), ("62.2", "1.3"), ("1528.3", "18.8")),
    (51, "moreau"): (("0.6", "0.1"), ("24.9", "0.5"), ("323.6", "4.8")),
    (51, "phased-erm"): (("1.0", "0.1"), ("4.2", "0.8"), ("8.4", "0.9")),
    (51, "phased-sgd"): (("0.3", "0.1"), ("0.3", "0.1"), ("0.3", "0.1")),
}
"""Mean and standard deviation in seconds, as printed, at n = 100, 1000, 5000."""

INTERCEPT = Parameter("intercept", "first entry of theta*, stated as 11.41", reals, "outcome")
FIRST = Parameter("x_1", "first random feature", reals, "feature")
SECOND = Parameter("x_2", "second random feature", reals, "feature")
ENTRY = Parameter("j", "index of an entry of theta", Integers(1, 51))
TIME = Parameter("time", "mean solving time of a method", positive, "second")
BASELINE = Parameter("baseline", "mean solving time of the non-private model at the same n and d", positive, "second")


level_at_intercept = Phi((intercept - 10) / 3)
"""Level of which this intercept is the optimal one, with N(0, 9) errors around 10."""

feature_norm = sqrt(1 + B_x**2)
"""Largest norm of (1, x_1, x_2) when |(x_1, x_2)| <= B_x."""

feature_norm_amended = sqrt(1 + sqrt(B_x**2 - 1) ** 2)
"""Largest norm of (1, x_1, x_2) when |(x_1, x_2)| <= sqrt(B_x^2 - 1)."""

room_for_the_constant = B_x >= 1
slope_1 = E(6)
slope_2 = E(-3)
mean_of_endogenous_error = x_1 - x_2 + absolute(x_1 * x_2)
slope = -2 + 7 * (j - 1) / 50
mean_square_norm = 1 + sqrt(50)
"""E|x|^2 with first entry 1 and fifty centred entries of variance 1/sqrt(50)."""

slowdown = time / baseline


claims = [
    Claim(
        id="quantile/fig-4-7",
        title="simulated risks and errors in dimension 3",
        kind=Kind.EXPERIMENT,
        source=QUANTILE.at("Section 5", "Figures 4 to 7"),
        says="Seven algorithms (non-private regularised model without smoothing, objective perturbation, DP-SGD, SGD without "
        "smoothing, Moreau envelope, Phased-ERM, Phased-SGD), 50 repeats, growing n, several epsilon, delta = 1e-2, r = 0.7, "
        "logistic kernel. Design: y = 10 + 5 x_1 - 2 x_2 + error, x_1 ~ N(0, 2^2), x_2 ~ N(0, 3^2), restricted to |(x_1, "
        "x_2)| <= B_x = 10, error ~ N(0, 3^2), stated theta* = (11.41, 5, -2), B_theta = 2 |theta*|. Figures 6 and 7 keep "
        "these settings with error N(0, 3^2) + x_1 - x_2 + |x_1 x_2|. Measured: (L(theta) - L(theta*))/L(theta*) and |theta - "
        "theta*|/|theta*|. Found: at all epsilon the two proposed methods beat the other private ones and match SGD without "
        "smoothing; also in Figure 5, and in 6, 7.",
        uses=("quantile/alg-1", "quantile/alg-2"),
        parameters=(R, DELTA, B_X, INTERCEPT, FIRST, SECOND, Parameter("algorithm", "method compared", Choice(ALGORITHMS))),
        symbols={"intercept": r"\theta^{*}_{1}"},
        formulas={
            "level_at_intercept": level_at_intercept,
            "feature_norm": feature_norm,
            "mean_of_endogenous_error": mean_of_endogenous_error,
        },
        asserts=(
            Relation("level_at_intercept at 11.41", "=", "r = 0.7"),
            Relation("feature_norm", "<=", "B_x"),
            Relation("mean error of the two proposed methods", "<=", "mean error of each other private method, each n"),
            Relation("mean excess risk of the two proposed methods", "is", "as good as that of SGD without smoothing, each n"),
        ),
        over=("n and epsilon of the figures, which are not at hand",),
        provenance=Provenance.REPAIRED,
        note="Section 5's text: 'our ... algorithms OP and DP-SGD outperform existing private methods, and are as good as "
        "empirical SGD without smoothing'. The caption puts (x_1, x_2) into the ball; that (1, x_1, x_2) lies there is the "
        "Notation's domain and the intercept put together. Figures are missing; curves cannot be compared number by number, "
        "values of epsilon and n are not in the text. Wrong: the intercept is 10 + 3 z_{0.7} = 11.573, and 11.41 is the "
        "optimum of level 0.681; the endogenous error has no linear conditional quantile, so (11.41, 5, -2) is not its "
        "optimum; with the intercept the features leave the ball (sqrt(101) > 10), so L and the noise are too small. Not "
        "checked by the text: delta = 1e-2 is far above 1/n; the normal density at 0 makes E[1/|u|] infinite; DP-SGD asks for "
        "epsilon <= 1; the methods compared have their own neighbours and constants.",
    ),
    Claim(
        id="quantile/fig-8-12",
        title="simulated risks and errors in dimension 51",
        kind=Kind.EXPERIMENT,
        source=QUANTILE.at("Appendix C", "Figures 8 to 12"),
        says="The same comparison with d = 51: y = 10 + theta'x + error, theta in R^51 rising from -2 to 5 in even steps, x ~ "
        "N(mu, Sigma) with mu = (1, 0, ..., 0) and Sigma diagonal with entries 0, 1/sqrt(50), ..., 1/sqrt(50), error ~ N(0, "
        "3^2), r = 0.7, otherwise as in the small design; Figures 11 and 12 with error N(0, 3^2) + x_1 - x_2 + |x_1 x_2|. "
        "Found: the two proposed methods beat the other private ones, exogenous and endogenous; Phased-ERM is out of the "
        "pictures' range but still converges as n grows (Figure 10).",
        uses=("quantile/alg-1", "quantile/alg-2"),
        parameters=(R, DELTA, B_X, ENTRY, FIRST, SECOND, Parameter("algorithm", "method compared", Choice(ALGORITHMS))),
        formulas={
            "slope": slope,
            "mean_square_norm": mean_square_norm,
            "mean_of_endogenous_error": mean_of_endogenous_error,
        },
        asserts=(
            Relation("slope at j = 51", "=", "5"),
            Relation("mean error of the two proposed methods", "<=", "mean error of each other private method, each n"),
        ),
        over=("n and epsilon of the figures, which are not at hand",),
        provenance=Provenance.REPAIRED,
        note="Figures are missing. x_1 is the constant 1, so the intercept 10 and theta_1 = -2 add up to 8 and, at r = 0.7, "
        "theta*_1 is 8 + 3 z_{0.7} = 9.573 when the constant is not added twice; theta* is not stated. Whether x_1, x_2 in "
        "the endogenous error are the constant and the first random entry is open. Nothing says that x is restricted to a "
        "ball here ('other settings' may).",
    ),
    Claim(
        id="quantile/table-2",
        title="solving times of seven algorithms",
        kind=Kind.EXPERIMENT,
        source=QUANTILE.at("Table 2"),
        says="Solving times, mean and standard deviation in seconds, of the seven algorithms for d in {3, 51} and n in {100, "
        "1000, 5000}; for instance at n = 5000: non-private 0.4 (d = 3) and 1.6 (d = 51), objective perturbation 2.8 and 6.1, "
        "DP-SGD 1575.1 and 1600.0, SGD without smoothing 1431.8 and 1528.3, Moreau 317.7 and 323.6, Phased-ERM 0.3 and 8.4, "
        "Phased-SGD 0.1 and 0.3. All 42 entries are stored.",
        uses=("quantile/alg-1", "quantile/alg-2"),
        parameters=(
            Parameter("d", "dimension", Choice(("3", "51"))),
            Parameter("n", "number of records", Choice(("100", "1000", "5000"))),
            Parameter("algorithm", "method timed", Choice(ALGORITHMS)),
        ),
        over=("the authors' machine and code, not described",),
        note="Hardware, solver, tolerance and number of repeats are not stated. What can be checked: DP-SGD and SGD make n^2 "
        "- 1 steps, 100 times as many from n = 100 to 1000 and 25 times from 1000 to 5000. Printed: DP-SGD 25.2 (d = 3) and "
        "23.0 (d = 51), SGD 24.1 and 24.6 for the latter, but about 89, 63, 99 and 62 for the former.",
    ),
    Claim(
        id="quantile/sec-5-times",
        title="growth of solving times under privacy",
        kind=Kind.EXPERIMENT,
        source=QUANTILE.at("Section 5", "Table 2"),
        says="Objective perturbation's solving time does not increase massively over its non-private counterpart's, while the "
        "solving time of the other methods increases significantly.",
        uses=("quantile/table-2",),
        parameters=(TIME, BASELINE),
        formulas={"slowdown": slowdown},
        asserts=(Relation("slowdown of objective perturbation", "<", "slowdown of every other private method, each n and d"),),
        over=("the entries of Table 2",),
        note="Against the table: at n = 5000, d = 3 objective perturbation takes 7 times the non-private time, Phased-ERM "
        "0.75 and Phased-SGD 0.25 times; at d = 51 3.8 against 5.3 and 0.19. Faster than non-private in three of these four "
        "cells, so false for the phased methods; true against DP-SGD, SGD and Moreau. 'Massively' has no number; the relation "
        "is the weakest that the sentence implies.",
    ),
]

claims += [
    replace(
        claims[0],
        id="quantile/fig-4-7-amended",
        amends="quantile/fig-4-7",
        says="The designs alone, without the comparison of the methods: with an optimal intercept of 10 + 3 z_{0.7}, "
        "between 11.57 and 11.58, for the exogenous error; with optimal slopes 6 and -3 for the endogenous one; and with the "
        "random features restricted to |(x_1, x_2)| <= sqrt(B_x^2 - 1), so that (1, x_1, x_2) stays in the ball of radius B_x.",
        formulas={
            "level_at_intercept": level_at_intercept,
            "feature_norm": feature_norm_amended,
            "mean_of_endogenous_error": mean_of_endogenous_error,
            "slope_1": slope_1,
            "slope_2": slope_2,
        },
        asserts=(
            Relation("level_at_intercept at 11.57", "<", "r = 0.7"),
            Relation("level_at_intercept at 11.58", ">", "r = 0.7"),
            Relation("feature_norm", "<=", "B_x"),
            Relation("(slope_1, slope_2)", "is", "the pair of slopes of the best linear rule, endogenous error"),
        ),
        preconditions=(Predicate("B_x >= 1", room_for_the_constant, accepts={"B_x": "10"}, rejects={"B_x": "0.5"}),),
        over=("laws of (x_1, x_2) that are symmetric about 0 and on no line",),
        note="Only the design is amended: what can be decided without runs. That (1, x_1, x_2) is to stay in the ball is "
        "Notation and intercept put together.",
    ),
    replace(
        claims[3],
        id="quantile/sec-5-times-amended",
        amends="quantile/sec-5-times",
        says="Objective perturbation's solving time increases less over its non-private counterpart's than that of DP-SGD, SGD "
        "without smoothing and Moreau, at each n and d.",
        asserts=(
            Relation("slowdown of objective perturbation", "<", "slowdown of each iterative private method, each n and d"),
        ),
        note="The phased methods are left out: by the printed means Phased-ERM is faster in two of the six columns, Phased-SGD "
        "in four, and both are slower in the others.",
    ),
]
