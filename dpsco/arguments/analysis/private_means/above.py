"""Private algorithms for every convex bilevel problem, and for means of points of a ball: what no lower bound may exceed.

R = L_fx D_x + L_fy D_y is the range of Phi_Z, theta the constant of mu_g = Theta(L_gy/D_y).
"""

from collections.abc import Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import CENTRED, SHIFT, WEIGHTS
from dpsco.arguments.analysis.private_means.rates import Algorithm, Path, along, path
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import form
from dpsco.reference.analysis.lower_bounds.bilevel import risk_of_named_point
from dpsco.spec.algorithms.exponential_sampling.calibrated import exponential_bound, score_scale
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

Values = Mapping[str, Real]
ONE = (Adjacency.REPLACE_ONE,)
NAMED = Lemma(
    "naming a point of the interval",
    "d_x = 1. Among m + 1 equally spaced points one has an excess of at most R/m: {excess <= a R} holds x* + a (X - x*), an "
    "interval of a D_x. Randomised response names the best of them with odds e^epsilon on every pair of data sets, else loses "
    "at most R: excess at most R (1/m + m/(e^epsilon + m)), for every n, every problem and every Z.",
    ONE,
)
MECHANISM = Lemma(
    "exponential mechanism",
    "Density e^(-epsilon Phi_Z/(2s)) on X, Phi_Z convex: epsilon-DP, and the excess is at most 2 d_x s/epsilon, s = (2/n) R + "
    "4 L_fy L_gy/(mu_g n) <= 6 theta R/n.",
    ONE,
)
CONSTANT = Lemma("a constant answer", "It reads no data; its excess is at most the range R of Phi_Z.", ONE)
SAMPLED = Lemma(
    "exponential mechanism on a few points",
    "d_x = 1, points m = floor(n^(1/3)) + 1 of X, epsilon-DP: empirical excess over the best of them at most 2 s "
    "ln(m)/epsilon, the best of them within R/(m - 1) of the population's. Phi_Z(x) - Phi_Z(x_0) less its population value "
    "has mean square at most (3 theta R)^2/n: |y_Z - y*| <= |mean of grad g at y*|/mu_g, of mean square L_gy^2/(mu_g^2 n), at "
    "both points, and L_gy/mu_g <= theta D_y. The largest of m such deviations has mean at most 3 theta R sqrt(m/n), paid "
    "twice.",
    ONE,
)


def spread(m: Numbers, v: Values) -> Real:
    """R."""
    return v["L_fx"] * v["D_x"] + v["L_fy"] * v["D_y"]


def _of_named(m: Numbers, v: Values) -> Real:
    return spread(m, v) * risk_of_named_point(m, m.floor(m.exp(v["epsilon"] / 2)) + 1, v["epsilon"])


def _of_mechanism(m: Numbers, v: Values) -> Real:
    return apply(exponential_bound, m, v)


def _of_sampled(m: Numbers, v: Values) -> Real:
    points = m.floor(m.exp(m.log(v["n"]) / 3)) + 1
    private = 2 * apply(score_scale, m, v) * m.log(points) / v["epsilon"]
    return spread(m, v) * (1 / (points - 1) + 6 * v["theta"] * m.sqrt(points / v["n"])) + private


def _symbol(name: str) -> Any:
    return sympy.Symbol(name, positive=True)


RANGE = _symbol("L_fx") * _symbol("D_x") + _symbol("L_fy") * _symbol("D_y")


def _polynomially_small(m: Numbers, n: Real) -> Real:
    """delta = (64 n)^-2/2."""
    return 1 / (2 * (64 * n) ** 2)


def _linear(m: Numbers, t: Real) -> Real:
    return t


LARGE_EPSILON = path(
    "n = d = 1, delta = 1e-4, epsilon = ln t",
    form(points="1/2"),
    n="1",
    d_x="1",
    delta="1e-4",
    epsilon=lambda m, t: m.log(t),
)
TINY_DELTA = path(
    "n = t, d = 1, epsilon = 1/2, delta = e^(-t/2)",
    form(n=1, Lambda=1),
    n=_linear,
    d_x="1",
    epsilon="0.5",
    delta=lambda m, t: m.exp(-t / 2),
)
PRIVATE_TINY_DELTA = path(
    "n = t, d = 1, epsilon = t^(-1/4), delta = e^(-t/2)",
    form(n=1, epsilon="-1/4", Lambda=1),
    n=_linear,
    d_x="1",
    epsilon=lambda m, t: m.exp(-m.log(t) / 4),
    delta=lambda m, t: m.exp(-t / 2),
)
MORE_RECORDS = path(
    "n = t, d = 1, epsilon = 1/2, delta = (64 n)^-2/2",
    form(n=1),
    n=_linear,
    d_x="1",
    epsilon="0.5",
    delta=_polynomially_small,
)
SMALL_EPSILON = path(
    "n = t, d = 1, epsilon = t^(-1/2), delta = (64 n)^-2/2",
    form(n=1, epsilon="-1/2"),
    n=_linear,
    d_x="1",
    epsilon=lambda m, t: 1 / m.sqrt(t),
    delta=_polynomially_small,
)
MORE_DIMENSIONS = path(
    "n = t^2, d = t, epsilon = 1/2, delta = e^-t",
    form(n=2, d_x=1, Lambda=1),
    n=lambda m, t: t**2,
    d_x=_linear,
    epsilon="0.5",
    delta=lambda m, t: m.exp(-t),
)
ONE_RECORD = path("n = 1, d = t, epsilon = 1/2, delta = 64^-2/2", form(d_x=1), n="1", d_x=_linear, epsilon="0.5", delta="1e-4")
HIGH = {"high_exponent": "1"}
MEANS = {**HIGH, "low_exponent": "1", "M": "1", "norm_Z_bar": "0"}
UNIT = {"L_fx": "1", "L_fy": "1", "L_gy": "1", "mu_g": "1", "D_x": "1", "D_y": "1"}
REST = {**UNIT, "theta": "2", "low_exponent": "2", "high_exponent": "1", "beta_gxy": "1"}


def _steep(name: str) -> Path:
    """The slope of this name grows, everything else as in MORE_RECORDS."""

    def at(m: Numbers, t: Real) -> Values:
        return {**{key: m.real(value) for key, value in REST.items()}, **MORE_RECORDS.at(m, t), name: t}

    return Path(f"{name} = t, {MORE_RECORDS.says}", at, {**MORE_RECORDS.direction, **form(**{name: 1})})


POINT_NAMED = Algorithm(
    (NAMED,), _of_named, RANGE / _symbol("points"), along((LARGE_EPSILON,), **{**REST, "low_exponent": "20"})
)
EXPONENTIAL = Algorithm(
    (MECHANISM, SHIFT, CENTRED, WEIGHTS),
    _of_mechanism,
    RANGE * _symbol("d_x") / (_symbol("n") * _symbol("epsilon")),
    (
        *along((TINY_DELTA, MORE_RECORDS, SMALL_EPSILON, MORE_DIMENSIONS), **REST),
        _steep("L_fx"),
        _steep("L_fy"),
    ),
)
IDLE = Algorithm((CONSTANT,), spread, RANGE, along((ONE_RECORD,), **REST))
FEW_POINTS = Algorithm(
    (SAMPLED, SHIFT, CENTRED),
    _of_sampled,
    RANGE * (_symbol("n") ** sympy.Rational(-1, 3) + 1 / (_symbol("n") * _symbol("epsilon"))),
    along(
        (
            PRIVATE_TINY_DELTA,
            path(
                "n = t, d = 1, epsilon = t^(-3/5), delta = (64 n)^-2/2",
                form(n=1, epsilon="-3/5"),
                n=_linear,
                d_x="1",
                epsilon=lambda m, t: m.exp(-3 * m.log(t) / 5),
                delta=_polynomially_small,
            ),
        ),
        **REST,
    ),
)


def renamed(one: Path) -> Path:
    """The path with the dimension called d."""

    def at(m: Numbers, t: Real) -> Values:
        return {"d" if name == "d_x" else name: value for name, value in one.at(m, t).items()}

    return Path(one.says, at, {"d" if name == "d_x" else name: power for name, power in one.direction.items()})


GAMMA_NOISE = Lemma(
    "mean plus noise of gamma length",
    "w of density e^(-n epsilon |w|/2): epsilon-DP, as one record moves the mean by at most 2/n. |w| has mean 2 d/(n epsilon), "
    "so the error exceeds 64 d/(n epsilon) with probability at most 1/32 (Markov).",
    ONE,
)
MEAN_PLUS_NOISE = Algorithm(
    (GAMMA_NOISE,),
    lambda m, v: 64 * v["d"] / (v["n"] * v["epsilon"]),
    _symbol("d") / (_symbol("n") * _symbol("epsilon")),
    tuple(renamed(one) for one in along((TINY_DELTA, MORE_RECORDS, SMALL_EPSILON, MORE_DIMENSIONS), **MEANS)),
)
ZERO = Lemma("the answer 0", "It reads no data; the mean has norm at most 1.", ONE)
ORIGIN = Algorithm(
    (ZERO,), lambda m, v: m.real(1), sympy.Integer(1), (renamed(along((ONE_RECORD,), **{**MEANS, "low_exponent": "20"})[0]),)
)
BILEVEL = (POINT_NAMED, EXPONENTIAL, IDLE)
BILEVEL_LAWS = (FEW_POINTS,)
