"""Means of points of a convex body and strongly convex losses on it: what private answers reach, and where to compare them."""

from collections.abc import Mapping

import sympy

from dpsco.arguments.analysis.private_means import above
from dpsco.arguments.analysis.private_means.rates import Algorithm, Path, along, path
from dpsco.arguments.orders_of_growth import form
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

ONE = (Adjacency.REPLACE_ONE,)
FIXED = Lemma("any fixed answer", "Points of C are at most 2 apart, and the loss is 1-Lipschitz: the excess is at most 2.", ONE)
SQUARED = Lemma(
    "from directions to squared errors",
    "Records C_min z, z in {+-1/sqrt(d)}^d, lie in C. An answer A gives the direction A/|A|, and |mean| - <A/|A|, mean> <= 2 "
    "|A - mean|: E|A - mean|^2 >= (C_min g/2)^2. The least of a mean of |theta - x|^2/4 is at the mean, the excess |theta - "
    "mean|^2/4. For laws the same with the law's mean, of v and -v with |v| = 1 in C for the statistical term.",
    ONE,
)
NOISY_MEAN = Lemma(
    "mean plus noise of gamma length",
    "w of density e^(-n epsilon |w|/2) is epsilon-DP; E|w|^2 = d (d + 1)(2/(n epsilon))^2, a quarter of it the empirical "
    "excess of |theta - x|^2/4, and 1/(4 n) more is the population's. Projecting on C does no harm.",
    ONE,
)
LONE = Lemma(
    "data sets of one point",
    "The supremum over data sets of at most n points holds those of one point, for every n. On x and -x of norm |C|_2: |y - "
    "x|^2 + |y + x|^2 >= 2 |x|^2 for every y, so the larger mean squared error is at least (1 - TV)|C|_2^2, 1 - TV >= 2 (1 - "
    "delta)/(e^epsilon + 1). For alpha^2 below that no n and no A will do: the least n does not exist.",
    ONE,
)
LAPLACE = Lemma(
    "mean plus Laplace noise",
    "C = [-1, 1]: scale 2/(n epsilon), epsilon-DP, root mean squared error 2 sqrt(2)/(n epsilon) on every data set of n "
    "points: at most alpha for n >= 2 sqrt(2)/(alpha epsilon).",
    ONE,
)
OUTPUT = Lemma(
    "minimiser plus Laplace noise",
    "C = [-1, 1], every loss 1-Lipschitz and 1-strongly convex: one record moves the minimiser of the mean loss by at most "
    "2/n, noise of scale 2/(n epsilon) is epsilon-DP and costs at most its mean size; a fresh record costs at most 4/n more.",
    ONE,
)
GAUSSIAN = Lemma(
    "Gaussian mean, projected on C",
    "sigma = (2/n) sqrt(2 ln(1.25/delta))/epsilon <= 3 sqrt(ln(1/delta))/(n epsilon) for delta <= 1/64 is private for epsilon "
    "< 1. Error squared at most min(d sigma^2, E sup_C <w, .> + E sup_C <-w, .> = 2 sigma G_C): at most alpha^2 for n >= 6 "
    "times the rate, which is at least 1.",
    ONE,
)
WIDTHS = Lemma("widths", "C_min sqrt(2 d/pi) <= G_C <= sqrt(d) |C|_2: the ball inside, and |g| on C.")
S = {name: sympy.Symbol(name, positive=True) for name in ("n", "d", "epsilon", "alpha", "G_C", "C_min")}
CONSTANTS = {"C_min": "1", "C_norm": "1", "c_n": "1", "c_epsilon": "1", "c_low": "1", "c_high": "1", "c": "1"}
WIDE_BALL = path(
    "C the unit ball, G_C >= sqrt(d - 1), d = t^4, n = t, epsilon = 1, delta = n^-2/2",
    form(d=4, G_C=2, n=1),
    n=lambda m, t: t,
    d=lambda m, t: t**4,
    epsilon="1",
    delta=lambda m, t: 1 / (2 * t**2),
    G_C=lambda m, t: m.sqrt(t**4 - 1),
)
SEGMENT = path(
    "C = [-1, 1], epsilon = 1/2, alpha = 1/t, n = 6 t, delta = e^(-n/2)",
    form(n=1, alpha=-1, Lambda=1),
    n=lambda m, t: 6 * t,
    d="1",
    epsilon="0.5",
    alpha=lambda m, t: 1 / t,
    delta=lambda m, t: m.exp(-3 * t),
    G_C=lambda m, t: m.sqrt(2 / m.pi),
)
NEARER = path(
    "C = [-1, 1], epsilon = 1/t, alpha = 1/40, n = t^2, delta = (64 n)^-2/2",
    form(n=2, epsilon=-1),
    n=lambda m, t: t**2,
    d="1",
    epsilon=lambda m, t: 1 / t,
    alpha="0.025",
    delta=lambda m, t: 1 / (2 * (64 * t**2) ** 2),
    G_C=lambda m, t: m.sqrt(2 / m.pi),
)


def beside(one: Path, **values: str) -> Path:
    """The path with the constants of a body of norm 1 that is a ball."""
    return along((one,), **{**CONSTANTS, "high_exponent": "1", **values})[0]


CROWDED = (beside(WIDE_BALL), beside(above.renamed(above.ONE_RECORD)))
IDLE = Algorithm((FIXED,), lambda m, v: m.real(2), sympy.Integer(1), CROWDED)
PATHS = tuple(
    beside(above.renamed(one))
    for one in (
        above.TINY_DELTA,
        above.PRIVATE_TINY_DELTA,
        above.MORE_RECORDS,
        above.SMALL_EPSILON,
        above.MORE_DIMENSIONS,
    )
)


def _noise(m: Numbers, v: Mapping[str, Real]) -> Real:
    return v["d"] * (v["d"] + 1) / (v["n"] * v["epsilon"]) ** 2


NOISE_ORDER = (S["d"] / (S["n"] * S["epsilon"])) ** 2
NOISY = Algorithm((NOISY_MEAN,), _noise, NOISE_ORDER, PATHS)
NOISY_LAW = Algorithm((NOISY_MEAN,), lambda m, v: _noise(m, v) + 1 / v["n"], NOISE_ORDER + 1 / S["n"], PATHS)
SHORT = (beside(SEGMENT), beside(NEARER))
LAPLACE_MEAN = Algorithm((LAPLACE,), lambda m, v: 3 / (v["alpha"] * v["epsilon"]), 1 / (S["alpha"] * S["epsilon"]), SHORT)
MINIMISER = Algorithm(
    (OUTPUT,),
    lambda m, v: (4 + 2 / v["epsilon"]) / v["n"],
    1 / S["n"] + 1 / (S["n"] * S["epsilon"]),
    (beside(above.renamed(above.PRIVATE_TINY_DELTA), G_C="0.79"),),
)
