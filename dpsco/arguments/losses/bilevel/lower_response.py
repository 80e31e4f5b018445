"""How the lower minimiser and the bilevel objective follow the upper variable: proved bounds, and problems that attain them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Final

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import SHIFT, Values
from dpsco.arguments.losses.bilevel.neighbouring_minimisers import LOSS_TESTS, REPLACED, full, shift_bound
from dpsco.instances.grid import Grid, grid
from dpsco.spec.claim import Claim
from dpsco.spec.losses.bilevel.assumptions import (
    g_is_strongly_convex,
    mean_gradient_is_lipschitz,
    outer_gradient_is_lipschitz,
)
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

RESPONSE_TESTS: Final = (g_is_strongly_convex, mean_gradient_is_lipschitz)
SLOPE_TESTS: Final = (*LOSS_TESTS, outer_gradient_is_lipschitz, mean_gradient_is_lipschitz)
RECORD_TESTS: Final = (*LOSS_TESTS[:3], mean_gradient_is_lipschitz)
SIZES = (1, 2, 1000, 10**6)

VARIATIONAL = Lemma(
    "variational inequality",
    "Y closed and convex, y = y_Z(x), y' = y_Z(x'): (y' - y) . grad_y G(x, y) >= 0 and (y - y') . grad_y G(x', y') >= 0. "
    "Strong convexity: mu_g |y - y'|^2 <= (y - y') . (grad_y G(x, y) - grad_y G(x, y')) <= (y - y') . (grad_y G(x', y') - "
    "grad_y G(x, y')) <= beta_gxy |x - x'| |y - y'|. A minimiser exists and is unique; Y = R^{d_y} has equality in both.",
)
UNCONSTRAINED = Lemma(
    "Y of Assumption 2.1",
    "Y holds the minimiser of G_Z(x, .) over R^{d_y} for every x, so the minimum over Y is that one, whatever the shape of Y, "
    "and the argument is the one for Y = R^{d_y}: both gradients vanish.",
)
LINEAR_RESPONSE = Lemma(
    "linear response",
    "g = mu_g y^2/2 - beta_gxy x y, X = [-1, 1], y over R or an interval that holds all x beta_gxy/mu_g: y_Z(x) = x "
    "beta_gxy/mu_g.",
)
BOTH_BRACKETS = Lemma(
    "chain rule without smoothness in y",
    "a, a' = y_Z(x), y_Z(x') and b, b' the same for Z': f(x, a) - f(x, b) - f(x', a') + f(x', b') is [f(x, a) - f(x', a) - "
    "f(x, b) + f(x', b)] + [f(x', a) - f(x', a')] - [f(x', b) - f(x', b')]. The first bracket is an integral of grad_x f(., "
    "a) - grad_x f(., b), at most beta_fxy |a - b| |x - x'|; the two others at most L_fy beta_gxy/mu_g |x - x'| each, by "
    "linear response of unconstrained minimisers. The replaced record contributes (L_fx + L_fy beta_gxy/mu_g)/n for Z and for "
    "Z'.",
    REPLACED,
)
ONE_RECORD = Lemma(
    "one record's loss",
    "|f(x, y, z) - f(x', y', z)| <= L_fx |x - x'| + L_fy |y - y'|, with |y - y'| <= (beta_gxy/mu_g) |x - x'| for y = y_Z(x), "
    "y' = y_Z(x') over R^{d_y}.",
)
KINK = Lemma(
    "minimisers on both sides of a kink",
    "g = (mu_g/2)(y - b x - c z)^2, b = beta_gxy/mu_g, z in {-1, 0, 1}, b |x| <= c/(2n) on X; f = L_fy psi(y) + L_fx z x, psi "
    "the Huber function that is |y| less a constant from |y| >= c/(2n) on. One record z = 1, the others 0: y_Z = b x + c/n, "
    "right of the kink; z = -1 instead: left of it. Phi_Z - Phi_Z' has slope 2 L_fy b + 2 L_fx/n, an unchanged record 2 "
    "L_fy b. c and X small enough: any L_gy > 0; beta_fyy is 2n L_fy/c, the other constants of Assumption 2.2 are 0 or mu_g.",
)
LEVELLED = Lemma(
    "mixed slope",
    "g = (mu_g/2)(y - c z)^2, z in {-1, 0, 1}, c = L_gy/(2 mu_g); f = beta_fxy x s(y), s odd, s' <= 1, s(y) = y up to c/n and "
    "level from 3c/(2n) on at 5c/(4n): L_fx = 5 beta_fxy c/(4n) is enough, X short enough for any L_fy > 0. One record z = 1 "
    "or -1: y_Z = c/n or -c/n, and every record's slope in x differs by 2 beta_fxy c/n = beta_fxy L_gy/(mu_g n).",
)
BILINEAR = Lemma(
    "bilinear",
    "g = mu_g y^2/2 - beta_gxy z x y, f = L_fy z y, z in {-1, 1}: Phi_Z = L_fy (beta_gxy/mu_g) x q^2, q the mean of z. All z = "
    "1 gives q = 1, one z = -1 gives q = 1 - 2/n: the slopes differ by 4 L_fy beta_gxy (n - 1)/(mu_g n^2). beta_fyy = C_gxy = "
    "C_gyy = M_gyy = 0, beta_gyy = mu_g; X small enough for any L_gy > 0.",
)


def response_bound(m: Numbers, v: Values) -> Real:
    """Proved on a closed convex set: beta_gxy/mu_g, which linear response attains."""
    return v["beta_gxy"] / v["mu_g"]


def record_slope(m: Numbers, v: Values) -> Real:
    """Proved, and attained by f = L_fx x + L_fy y under linear response: L_fx + L_fy beta_gxy/mu_g."""
    return v["L_fx"] + v["L_fy"] * response_bound(m, v)


def unchanged_slope(m: Numbers, v: Values) -> Real:
    """Proved for an unchanged record."""
    return v["beta_fxy"] * shift_bound(m, v) + 2 * v["L_fy"] * response_bound(m, v)


def difference_slope(m: Numbers, v: Values) -> Real:
    """Proved for Phi_Z - Phi_Z'."""
    return 2 * record_slope(m, v) / v["n"] + (v["n"] - 1) / v["n"] * unchanged_slope(m, v)


def _mixed(m: Numbers, v: Values) -> Real:
    """What the levelled problem reaches, 0 where L_fx does not admit it."""
    reached = v["beta_fxy"] * v["L_gy"] / (v["mu_g"] * v["n"])
    admitted = m.all(m.ge(8 * v["L_fx"] * v["mu_g"] * v["n"], 5 * v["beta_fxy"] * v["L_gy"]), m.gt(v["L_fy"], m.real(0)))
    return reached if admitted is True else m.real(0)


def reached_unchanged(m: Numbers, v: Values) -> Real:
    """The larger of what the kink and the levelled problem reach; n >= 2, L_gy > 0."""
    return m.max(2 * v["L_fy"] * response_bound(m, v), _mixed(m, v))


def reached_difference(m: Numbers, v: Values) -> Real:
    """The same for all records together; L_gy > 0."""
    return m.max(2 * v["L_fx"] / v["n"] + 2 * v["L_fy"] * response_bound(m, v), _mixed(m, v))


def bilinear_difference(m: Numbers, v: Values) -> Real:
    return 4 * v["L_fy"] * response_bound(m, v) * (v["n"] - 1) / v["n"] ** 2


def response_problems(claim: Claim) -> Grid:
    """beta_gxy and mu_g on both sides of 1; and the curvature 1, where the claim's domain admits mu_g = -1 below it."""
    values = (Fraction(1, 1024), Fraction(1, 4), Fraction(1), Fraction(8), Fraction(1024))
    cases = [full(claim, {"beta_gxy": b, "mu_g": mu}) for b, mu in product((Fraction(0), *values), values)]
    weak = {**full(claim, {"beta_gxy": Fraction(1), "mu_g": Fraction(1)}), "mu_g": "-1"}
    return grid(claim, {}, fixed=[*cases, weak])


def reached_response(m: Numbers, v: Values) -> Real:
    """What linear response with the problem's own curvatures attains."""
    return v["curvature_G_xy"] / v["least_curvature_g_yy"]


def slope_problems(claim: Claim, least: int = 1) -> Grid:
    """Constants of the kink (beta_fxy = 0) and of the levelled problem at its least L_fx, n >= least, all dyadic."""
    low, high = Fraction(1, 4), Fraction(8)
    found: list[Mapping[str, Fraction]] = []
    losses = ((low, high, low), (high, low, high), (low, low, high), (high, high, low))
    for n, (L_fy, L_gy, mu), b in product(SIZES, losses, (low, high)):
        common = {"n": Fraction(n), "L_fy": L_fy, "L_gy": L_gy, "mu_g": mu, "beta_gxy": b}
        found += [{**common, "L_fx": L_fx, "beta_fxy": Fraction(0)} for L_fx in (Fraction(0), high)]
        found.append({**common, "L_fx": 5 * L_gy / (8 * mu), "beta_fxy": Fraction(n)})
    return grid(claim, {}, fixed=(full(claim, v) for v in found if v["n"] >= least))


CHAIN_LEMMAS: Final = (SHIFT, VARIATIONAL, BOTH_BRACKETS)
SLOPE_FAMILIES: Final = (KINK, LEVELLED)
