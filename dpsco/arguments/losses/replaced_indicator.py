"""The check loss with an integrated kernel for its indicator: its derivatives by the rules, and why it is not convex."""

from collections.abc import Callable

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile.horowitz import kernel_slope
from dpsco.reference.numbers.symbolic import symbol, symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import closed_unit, nonnegative, open_unit, positive, reals
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

Formula = Callable[..., Real]
NEVER = Lemma(
    "two asymptotes",
    "g(u) = u (r - 1 + F(u/h)), F rising from 0 to 1, K = F' with finite first absolute moment. For u > 0, 0 <= r u - g(u) = "
    "u (1 - F(u/h)) <= h times the integral of v K(v) from u/h on, which goes to 0; for u < 0 likewise with (r - 1) u. If g "
    "were convex, g(u) - r u would be convex with limit 0 at infinity, so nowhere negative, and g(u) - (r - 1) u likewise: "
    "F(v) >= 1 for v > 0 and F(v) <= 0 for v < 0. But F is continuous, being an integral.",
)
USUAL = {
    "r": open_unit,
    "h": positive,
    "u": reals,
    "v": reals,
    "integrated_kernel": closed_unit,
    "kernel_value": nonnegative,
    "kernel_slope": reals,
}


def usual(claim: Claim) -> bool:
    """Whether the parameters range over what is covered here."""
    return all(p.domain == USUAL.get(p.name) for p in claim.parameters)


def at_kernel(formula: Formula) -> Formula:
    """A printed formula with a kernel's own numbers in it."""

    def with_numbers(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
        v = u / h
        numbers = {
            "integrated_kernel": kernels.integrated(m, kernel, v),
            "kernel_value": kernels.density(m, kernel, v),
            "kernel_slope": kernel_slope(m, kernel, v),
        }
        return apply(formula, m, {"u": u, "h": h, "r": r, "v": v, **numbers})

    return with_numbers


def own_loss(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    """u (calK(u/h) - (1 - r)): the judge's own, with the mass below in the place of the indicator."""
    return u * (kernels.integrated(m, kernel, u / h) - (1 - r))


def own_slope(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    """The product rule on `own_loss`."""
    return kernels.integrated(m, kernel, u / h) - (1 - r) + u * kernels.density(m, kernel, u / h) / h


def own_bend(m: Numbers, kernel: str, u: Real, h: Real) -> Real:
    """The product rule once more."""
    return 2 * kernels.density(m, kernel, u / h) / h + u * kernel_slope(m, kernel, u / h) / h**2


def follows(claim: Claim, name: str) -> bool:
    """Whether a printed formula is what the rules of calculus make of u (r - 1 + F(u/h)), for every F and every u = v h."""
    v, r, h = sympy.Symbol("v", real=True), symbol(claim.parameter("r")), symbol(claim.parameter("h"))
    F = sympy.Function("F")(v)
    values = {
        "u": v * h,
        "v": v,
        "r": r,
        "h": h,
        "integrated_kernel": F,
        "kernel_value": F.diff(v),
        "kernel_slope": F.diff(v, 2),
    }
    order = ("loss", "first_derivative", "second_derivative").index(name)
    wanted = v * h * (r - 1 + F)
    for _ in range(order):
        wanted = sympy.diff(wanted, v) / h
    return usual(claim) and sympy.simplify(apply(claim.formulas[name], symbolic(), values) - wanted) == 0
