"""Proved bounds on how a bilevel gradient moves, as expressions in the constants of the two assumptions."""

from functools import cache
from typing import Final

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import REPLACED, SYMBOLS, inexact_change, never_below
from dpsco.spec.numbers import Real
from dpsco.verdict import Lemma

IMPLICIT: Final = Lemma(
    "implicit differentiation",
    "grad_yy G_Z >= mu_g I is invertible, and grad_y G_Z(x, y_Z(x)) = 0 since y_Z(x) minimises over all of R^{d_y}; the mixed "
    "derivatives are Lipschitz in x and in y, so jointly continuous. Hence y_Z is differentiable with G_yx + G_yy Dy = 0. F_Z "
    "is C^1, and grad Phi_Z = F_x + Dy^T F_y with Dy^T = -G_xy G_yy^{-1}, as G_yy is symmetric and G_yx^T = G_xy.",
)
RESPONSE: Final = Lemma(
    "slope of the lower minimiser",
    "mu_g |y_Z(x) - y_Z(x')| <= |grad_y G_Z(x, y_Z(x')) - grad_y G_Z(x', y_Z(x'))| <= beta_gxy |x - x'|, the first by strong "
    "convexity, the second along the segment from x to x'.",
)
SLOPE: Final = Lemma(
    "gradients at two points",
    "grad Phi_Z = F_x - M F_y, M = G_xy G_yy^{-1}, |M| <= beta_gxy/mu_g, |F_y| <= L_fy. Per unit of x, with r = beta_gxy/mu_g "
    "for y_Z: F_x moves by beta_fxx + beta_fxy r, F_y by beta_fxy + beta_fyy r, G_xy by M_gxy + C_gxy r, G_yy by M_gyy + C_gyy "
    "r; M by (move of G_xy)/mu_g + beta_gxy (move of G_yy)/mu_g^2, for |A^{-1} - B^{-1}| <= |A - B|/mu_g^2.",
)
ELSEWHERE: Final = Lemma(
    "another lower point",
    "At one x and Z, F_x - M F_y moves by at most C of (11) per unit of y: F_x by beta_fxy, M F_y by beta_fyy beta_gxy/mu_g + "
    "L_fy times the slope of M, C_gxy/mu_g + C_gyy beta_gxy/mu_g^2. At y = y_Z(x) it is grad Phi_Z(x).",
)
ONE_RECORD: Final = Lemma(
    "response when one record is replaced",
    "At one (x, y), with A = G_xy, B = G_yy of Z and A', B' of Z': M - M' = (M (B' - B) - (A' - A)) B'^{-1}. One record moves "
    "A by 2 beta_gxy/n at most, and B by (beta_gyy - mu_g)/n, both Hessians lying between mu_g I and beta_gyy I. So |M - M'| "
    "<= (beta_gxy/mu_g)(1 + beta_gyy/mu_g)/n.",
    REPLACED,
)


def from_least_curvature(expression: Real) -> Real:
    """The expression with beta_gyy = mu_g + rest: no Hessian is smaller than mu_g I."""
    return sympy.expand(
        sympy.sympify(expression).subs(SYMBOLS["beta_gyy"], SYMBOLS["mu_g"] + sympy.Symbol("rest", nonnegative=True))
    )


def suffices(claimed: Real, proved: Real) -> bool:
    """Whether claimed >= proved for all constants of the assumptions, as a sum of terms with positive coefficients."""
    return never_below(from_least_curvature(claimed), from_least_curvature(proved))


@cache
def minimiser_change() -> Real:
    """n |y_Z - y_Z'|."""
    return 2 * SYMBOLS["L_gy"] / SYMBOLS["mu_g"]


@cache
def response_change() -> Real:
    """n |M_Z - M_Z'|, each at its own lower minimiser."""
    s = SYMBOLS
    moved = s["C_gxy"] / s["mu_g"] + s["beta_gxy"] * s["C_gyy"] / s["mu_g"] ** 2
    return minimiser_change() * moved + s["beta_gxy"] / s["mu_g"] * (1 + s["beta_gyy"] / s["mu_g"])


@cache
def replaced_change() -> Real:
    """n |grad Phi_Z - grad Phi_Z'|: the error of the other's minimiser, and one record at that point."""
    s, r = SYMBOLS, SYMBOLS["beta_gxy"] / SYMBOLS["mu_g"]
    record = 2 * s["L_fx"] + 2 * r * s["L_fy"] + s["L_fy"] * r * (1 + s["beta_gyy"] / s["mu_g"])
    return minimiser_change() * inexact_change() + record
