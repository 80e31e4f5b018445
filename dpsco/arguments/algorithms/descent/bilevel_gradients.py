"""How far one replaced record moves the gradient of a bilevel objective: a proved bound, and problems that come near to it.

The bound is derived here once, as an expression in the constants of the two assumptions; printed constants are compared with
it by computer algebra.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbol, symbolic
from dpsco.spec.claim import Adjacency
from dpsco.spec.losses.bilevel import assumptions as assumed
from dpsco.spec.losses.bilevel.hypergradient import ASSUMED, approximation_constant, sensitivity_constant, smoothness
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Lemma

SYMBOLS: Final = {p.name: symbol(p) for p in ASSUMED}
REPLACED = (Adjacency.REPLACE_ONE,)

MINIMISERS = Lemma(
    "lower minimisers of neighbours",
    "Let y and y' minimise G_Z and G_Z'. Strong convexity gives G_Z(y') - G_Z(y) and G_Z'(y) - G_Z'(y') >= mu_g |y - "
    "y'|^2/2. Their sum is (1/n) times g(y', z) - g(y, z) + g(y, z') - g(y', z'), at most 2 L_gy |y - y'|/n, since y and y' "
    "lie in Y. So |y - y'| <= 2 L_gy/(mu_g n).",
    REPLACED,
)
CHAIN = Lemma(
    "gradients of neighbours",
    "grad Phi_Z = F_x - M F_y at (x, y), M = G_xy G_yy^-1. From y to y': F_x moves by beta_fxy, F_y by beta_fyy, M by "
    "C_gxy/mu_g + beta_gxy C_gyy/mu_g^2 per unit of |y - y'|. From Z to Z' at y': F_x by 2 L_fx/n, F_y by 2 L_fy/n, M by 2 "
    "beta_gxy/(mu_g n) + 2 beta_gxy beta_gyy/(mu_g^2 n). |M| <= beta_gxy/mu_g and |F_y| <= L_fy turn this into the sum.",
    REPLACED,
)
INEXACT = Lemma(
    "inexact lower minimiser",
    "At one Z the query F_x - M F_y moves by at most C of (11) per unit of |y_{t+1} - y_Z(x_t)|: F_x by beta_fxy, M F_y by "
    "beta_fyy beta_gxy/mu_g + L_fy (C_gxy/mu_g + C_gyy beta_gxy/mu_g^2). Whatever the solver did, and however it chose alpha, "
    "two neighbours add at most 2 C alpha to the change of the exact gradients.",
    REPLACED,
)
GRADIENT = Lemma("size of the gradient", "|grad Phi_Z| <= |F_x| + |M| |F_y| <= L_fx + beta_gxy L_fy/mu_g for every Z and x.")
ADVERSARIAL = Lemma(
    "sensitivity that is attained",
    "g = |y|^2/2, Y = {0}, L_gy = 0, C = b. f = L z h(x_1) + b h(x_1) psi(y_1), z = 1 or -1; h(x) = x up to |x| = R and "
    "level beyond 2R; psi(y) = y up to alpha and level beyond 3 alpha/2, at most 5 alpha/4. With L_fx = L + 5 b alpha/4, K = "
    "4 L_fx and alpha = K/(C n) = 4 L_fx/(b n) every assumption holds (n > 5). A solver that answers y_1 = alpha or -alpha "
    "with z makes two neighbours' queries differ by 2L/n + 2 b alpha = (5/2 - 5/(2n)) K/n at least, in one direction, "
    "wherever |x_1| <= R. As R grows the transcript's law tends to that of constant gradients. (A large beta_fxx keeps alpha "
    "as chosen at K/(C n).)",
    REPLACED,
)

TESTS: Final[tuple[Callable[..., Truth], ...]] = (
    assumed.f_is_lipschitz_in_x,
    assumed.f_is_lipschitz_in_y,
    assumed.g_is_strongly_convex,
    assumed.g_is_lipschitz_in_y,
    assumed.curvature_f_xy_is_bounded,
    assumed.curvature_f_yy_is_bounded,
    assumed.curvature_g_xy_is_bounded,
    assumed.curvature_g_yy_is_bounded,
    assumed.hessians_vary_slowly_in_y,
)
"""The conditions that the bound rests on."""
SIZE_TESTS: Final[tuple[Callable[..., Truth], ...]] = (
    assumed.f_is_lipschitz_in_x,
    assumed.f_is_lipschitz_in_y,
    assumed.g_is_strongly_convex,
    assumed.curvature_g_xy_is_bounded,
)
"""The conditions that the size of the gradient rests on."""

SLOPE_TESTS: Final[tuple[Callable[..., Truth], ...]] = (
    *TESTS,
    assumed.curvature_f_xx_is_bounded,
    assumed.hessians_vary_slowly_in_x,
)
"""The conditions that the slope of the gradient rests on."""


@cache
def inexact_change() -> Real:
    """A bound on the change of the query per unit of the error of the lower minimiser."""
    s = SYMBOLS
    M = s["C_gxy"] / s["mu_g"] + s["C_gyy"] * s["beta_gxy"] / s["mu_g"] ** 2
    return sympy.expand(s["beta_fxy"] + s["beta_fyy"] * s["beta_gxy"] / s["mu_g"] + s["L_fy"] * M)


@cache
def gradient_change() -> Real:
    """n times a proved bound on |grad Phi_Z(x) - grad Phi_Z'(x)|, as an expression in the constants."""
    s = {name: SYMBOLS[name] for name in SYMBOLS}
    y = 2 * s["L_gy"] / s["mu_g"]
    by_point = s["beta_fxy"] + s["beta_gxy"] / s["mu_g"] * s["beta_fyy"]
    by_point += s["L_fy"] * (s["C_gxy"] / s["mu_g"] + s["beta_gxy"] * s["C_gyy"] / s["mu_g"] ** 2)
    by_record = 2 * s["L_fx"] + s["beta_gxy"] / s["mu_g"] * 2 * s["L_fy"]
    by_record += s["L_fy"] * (2 * s["beta_gxy"] / s["mu_g"] + 2 * s["beta_gxy"] * s["beta_gyy"] / s["mu_g"] ** 2)
    return sympy.expand(y * by_point + by_record)


def gradient_size() -> Real:
    """A bound on |grad Phi_Z(x)|."""
    return SYMBOLS["L_fx"] + SYMBOLS["beta_gxy"] * SYMBOLS["L_fy"] / SYMBOLS["mu_g"]


def gradient_slope() -> Real:
    """A bound on the difference quotients of grad Phi_Z: y_Z moves by beta_gxy/mu_g per unit of x."""
    s, y = SYMBOLS, SYMBOLS["beta_gxy"] / SYMBOLS["mu_g"]
    M = (s["M_gxy"] + s["C_gxy"] * y) / s["mu_g"] + s["beta_gxy"] / s["mu_g"] ** 2 * (s["M_gyy"] + s["C_gyy"] * y)
    return s["beta_fxx"] + s["beta_fxy"] * y + y * (s["beta_fxy"] + s["beta_fyy"] * y) + s["L_fy"] * M


@cache
def beta_of_21() -> Real:
    """beta_Phi of (21) as an expression."""
    return sympy.expand(apply(smoothness, symbolic(), SYMBOLS))


@cache
def K_of_12() -> Real:
    """K of (12) as an expression."""
    return sympy.expand(apply(sensitivity_constant, symbolic(), SYMBOLS))


def never_below(left: Real, right: Real) -> bool:
    """Whether left - right is a sum of terms with positive coefficients, or zero: then left >= right on the whole domain."""
    rest = sympy.expand(sympy.sympify(left) - right)
    return all(term.as_coeff_Mul()[0] >= 0 for term in sympy.Add.make_args(rest))


def constants(m: Numbers, **given: int) -> dict[str, Real]:
    """The constants of a problem, those not given zero (mu_g: 1), with K, C and beta_Phi as the paper computes them."""
    values = {p.name: m.real(given.get(p.name, 1 if p.name == "mu_g" else 0)) for p in ASSUMED}
    return values | {
        "K": apply(sensitivity_constant, m, values),
        "C": apply(approximation_constant, m, values),
        "beta_Phi": apply(smoothness, m, values),
    }
