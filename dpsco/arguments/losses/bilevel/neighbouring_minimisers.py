"""How far apart lower minimisers lie, within one problem and between neighbours: proved bounds, and problems that attain them.

Only values of g between points of Y are bounded by L_gy, so every proof compares values; every problem is exact.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Final

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import CENTRED, SHIFT, Values, centred_range
from dpsco.instances.grid import Grid, Instance, grid
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.losses.bilevel.assumptions import (
    f_is_lipschitz_in_x,
    f_is_lipschitz_in_y,
    g_is_lipschitz_in_y,
    g_is_strongly_convex,
)
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

LOWER_TESTS: Final = (g_is_strongly_convex, g_is_lipschitz_in_y)
LOSS_TESTS: Final = (f_is_lipschitz_in_x, f_is_lipschitz_in_y, *LOWER_TESTS)
REPLACED = (Adjacency.REPLACE_ONE,)
SIZES = (1, 2, 3, 1000, 10**6)
SUMMARIES = {
    "slope_f_x": "L_fx",
    "slope_f_y": "L_fy",
    "slope_g_y": "L_gy",
    "least_curvature_g_yy": "mu_g",
    "curvature_f_x_y": "beta_fxy",
    "curvature_G_xy": "beta_gxy",
}

COMPACT = Lemma(
    "any compact Y",
    "Y holds a lower minimiser y of some G = G_Z(x, .) (or of the expectation). For p in Y strong convexity gives G(p) - G(y) "
    ">= mu_g |p - y|^2/2, and the mean of g is L_gy-Lipschitz between points of Y, so |p - y| <= 2 L_gy/mu_g: two points of Y "
    "are at most 4 L_gy/mu_g apart.",
)
THREE_POINTS = Lemma(
    "three points",
    "f = 0, one record, g = mu_g y^2/2 for every x: the minimiser is 0. Y = {-a, 0, a}: the difference quotients of g on Y "
    "are mu_g a/2 and 0, so a = 2 L_gy/mu_g is admitted, of diameter 4 L_gy/mu_g.",
)
CONVEX = Lemma(
    "convex Y",
    "On the segment between two points of Y, D apart, g is mu_g-strongly convex and its one-sided slopes lie in [-L_gy, L_gy]; "
    "they grow by mu_g D at least, so D <= 2 L_gy/mu_g.",
)
SEGMENT = Lemma("segment", "g = mu_g y^2/2 on Y = [-a, a], a = L_gy/mu_g: slopes up to mu_g a = L_gy, diameter 2 L_gy/mu_g.")
HULL = Lemma(
    "hull of the minimisers",
    "Let a minimise G = G_Z(x, .) and b be another lower minimiser, D apart. G is mu_g-strongly convex on the segment with its "
    "least value at a, so its slope at b is at least mu_g D, and at most L_gy, since the segment lies in the hull. The "
    "diameter of the closed hull is that of the set.",
)
PATH = Lemma(
    "minimisers that fill a segment",
    "g = mu_g (y - x)^2/2, x in X = [0, a], a = L_gy/mu_g: y_Z(x) = x, |g_y| <= mu_g a = L_gy on [0, a], diameter L_gy/mu_g.",
)
OPPOSITE = Lemma(
    "two records that pull apart",
    "d_y = 1, walls at -r and r: g = mu_g (y - n r z)^2/2 + K dist(y, [-r, r]), K = mu_g n r, z in {-1, 0, 1}; the minimiser "
    "of a mean is the mean of the centres n r z, held at the walls. One record z = 1, the others 0: r; z = -1 instead: -r. "
    "All minimisers are in Y = [-r, r]; between those that occur for n >= 2, -r, 0 and r, g has the difference quotients up "
    "to mu_g r (n + 1/2). For n = 1 drop z = 0: Y = {-r, r}, up to mu_g r.",
)
TURNED = Lemma(
    "shift that turns with x",
    "The same, X = [0, D_x], with the centre n r z in the upper half of X and -n r z in the lower one (g need not be "
    "continuous in x): at x = D_x one record moves the minimiser from -r to r, at x = 0 back. f = L_fy y + L_fx z x: Phi_Z - "
    "Phi_Z' moves by 4 r L_fy + 2 L_fx D_x/n between 0 and D_x, and D_y = 2r.",
)
BY_RECORD = Lemma(
    "record that reads both variables",
    "g = mu_g (y - c(x))^2/2, c = 0 below the middle of X and D_y from there on: Y = {0, D_y}, L_gy = mu_g D_y/2. f = z (L_fy "
    "y + L_fx x), z in {-1, 1}, moves Phi_Z - Phi_Z' by (2/n)(L_fx D_x + L_fy D_y).",
)
RANGE = Lemma(
    "best constant",
    "The least over c of the supremum of |h - c| is half the length of the range of h, here h = Phi_Z - Phi_Z'.",
)
BETWEEN = Lemma(
    "two minimisers of one data set",
    "|y_Z(x) - y_Z(x0)| <= 2 L_gy/mu_g: both lie in Y, and G_Z(x, .) exceeds its minimum at y_Z(x0) by mu_g/2 times the "
    "square.",
)
RECORDS = Lemma(
    "score between neighbours",
    "Phi_Z(x) - Phi_Z'(x): the replaced record contributes at most (record_range + L_fy |y_Z - y_Z'|)/n, every other one L_fy "
    "|y_Z - y_Z'|/n: together record_range/n + L_fy |y_Z - y_Z'|.",
    REPLACED,
)


def decimal(value: Fraction) -> str:
    """A dyadic rational in full."""
    return str(Decimal(value.numerator) / Decimal(value.denominator))


def full(claim: Claim, values: Mapping[str, Fraction]) -> Instance:
    """The values and the summaries that meet them with equality, as far as the claim has them."""
    names = {p.name for p in claim.parameters}
    more = {name: values[constant] for name, constant in SUMMARIES.items() if constant in values}
    return {name: decimal(Fraction(value)) for name, value in {**values, **more}.items() if name in names}


def shifted_problems(claim: Claim, **more: Fraction) -> Grid:
    """Constants of the problems that turn and of those that read both variables, off unity on both sides."""
    low, high = Fraction(1, 4), Fraction(8)
    found = []
    losses = ((Fraction(0), high, low), (low, high, high), (high, low, Fraction(0)), (high, low, low))
    for n, (L_fx, D_x, L_fy), (mu, D_y), turns in product(SIZES, losses, ((low, high), (high, low)), (False, True)):
        L_gy = mu * D_y / 2 if n == 1 or not turns else mu * D_y * (2 * n + 1) / 4
        constants = {"n": Fraction(n), "L_fx": L_fx, "D_x": D_x, "L_fy": L_fy, "mu_g": mu, "D_y": D_y, "L_gy": L_gy}
        found.append(full(claim, {**constants, **more}))
    return grid(claim, {}, fixed=found)


def lower_problems(claim: Claim) -> Grid:
    """L_gy and mu_g alone, on both sides of 1, the ends of their domain among them."""
    values = (Fraction(1, 1024), Fraction(1, 4), Fraction(1), Fraction(8), Fraction(1024))
    none = {"L_fx": Fraction(0), "L_fy": Fraction(0)}
    cases: Iterable[Instance] = (
        full(claim, {**none, "L_gy": L, "mu_g": mu}) for L, mu in product((Fraction(0), *values), values)
    )
    return grid(claim, {}, fixed=cases)


def shift_bound(m: Numbers, v: Values) -> Real:
    """Proved: 2 L_gy/(mu_g n)."""
    return 2 * v["L_gy"] / (v["mu_g"] * v["n"])


def reached_shift(m: Numbers, v: Values) -> Real:
    """2r, r the largest that two records that pull apart admit."""
    alone = m.eq(v["n"], m.real(1)) is True
    return 2 * v["L_gy"] / v["mu_g"] if alone else 4 * v["L_gy"] / (v["mu_g"] * (2 * v["n"] + 1))


def range_bound(m: Numbers, v: Values) -> Real:
    """Proved, whatever D_y is: the range of Phi_Z - Phi_Z' with |y_Z(x) - y_Z(x0)| <= 2 L_gy/mu_g."""
    return centred_range(m, {**v, "D_y": 2 * v["L_gy"] / v["mu_g"]})


def reached_range(m: Numbers, v: Values) -> Real:
    """The change of the problem that turns where it has the constants, else of the one that reads both variables."""
    turns = m.le(v["D_y"] * v["mu_g"] * (2 * v["n"] + 1), 4 * v["L_gy"]) is True
    share = 1 if turns else 1 / v["n"]
    return 2 / v["n"] * v["L_fx"] * v["D_x"] + 2 * v["L_fy"] * v["D_y"] * share


def record_change_bound(m: Numbers, v: Values) -> Real:
    """Proved: record_range/n + 2 L_fy L_gy/(mu_g n)."""
    return v["record_range"] / v["n"] + v["L_fy"] * shift_bound(m, v)


def reached_record_change(m: Numbers, v: Values) -> Real:
    """f = L_fy y + a number of the record's own, between 0 and record_range."""
    return v["record_range"] / v["n"] + v["L_fy"] * reached_shift(m, v)


RANGE_LEMMAS: Final = (SHIFT, CENTRED, BETWEEN)
RANGE_FAMILIES: Final = (OPPOSITE, TURNED, BY_RECORD)
