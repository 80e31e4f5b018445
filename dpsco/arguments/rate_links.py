"""Two small decisions about chains of rates: a link whose sides are concave-or-equal in epsilon_0, and a bounded quotient."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.comparing import Formula, compared
from dpsco.arguments.formula import apply
from dpsco.arguments.regions import box, certify
from dpsco.instances.grid import grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Interval, Parameter
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung

AXES = {
    "epsilon_0": ("0.001", "0.1", "0.3", "0.49", "0.5", "1", "1.3", "3"),
    "delta_hat": ("1e-40", "1e-6", "0.1", "0.5", "0.999"),
    "n": ("1", "2", "3", "1000", "1000000"),
}
CONCAVE = Lemma(
    "concave from zero",
    "Let f(0) = 0, f''(0) <= 0, f''' <= 0 on [0, E] and f(E) >= 0. Then f'' <= 0 on [0, E], f lies above its chord, and f >= "
    "0.",
)


def chain_link(left: str, right: str, claim: Claim, sign: str) -> Iterator[Finding]:
    """`left sign right` for formulas of epsilon_0, delta_hat and n, on the whole printed range."""
    instances = list(grid(claim, AXES))
    known = _sign(claim.formulas[left], claim.formulas[right], claim.parameter("epsilon_0"))
    finding = compared(
        f"{left} {sign} {right}",
        claim.formulas[left],
        sign,
        claim.formulas[right],
        known=known,
        instances=instances,
        method="identical by computer algebra"
        if known == "="
        else "right - left = A sqrt(ln(1/delta_hat)/n) + B/n with A, B concave from zero in epsilon_0, by branch and bound",
        severity=PROOF_STEP,
        survives="The other links of the chain.",
        lemmas=() if known == "=" else (CONCAVE,),
    )
    yield replace(finding, rung=Rung.REGION) if known == "<=" and finding.rung is Rung.EXACT else finding


@cache
def _sign(left: Formula, right: Formula, epsilon_0: Parameter) -> str | None:
    """ "=" or "<=" if that is proved on the whole range."""
    e, u, r = (sympy.Symbol(name, positive=True) for name in ("epsilon_0", "u", "r"))
    values = {"epsilon_0": e, "delta_hat": sympy.exp(-(u**2)), "n": 1 / r**2}
    a, b = (apply(formula, symbolic(), values) for formula in (left, right))
    difference = sympy.expand(sympy.powsimp(sympy.expand(sympy.simplify(b - a).rewrite(sympy.exp))))
    if sympy.simplify(difference) == 0:
        return "="
    domain = epsilon_0.domain
    if not isinstance(domain, Interval) or domain.high == "inf" or float(domain.low) < 0:
        return None
    try:
        coefficients = sympy.Poly(difference, u, r).coeffs()
    except sympy.PolynomialError:
        return None
    return "<=" if all(_nonnegative(c, e, domain.high) for c in coefficients) else None


def _nonnegative(f: Any, e: Any, top: str) -> bool:
    """Whether f >= 0 on [0, top] by the lemma CONCAVE."""
    if sympy.simplify(f.subs(e, 0)) != 0:
        return False
    bend, third = sympy.diff(f, e, 2).subs(e, 0), sympy.diff(f, e, 3)

    def bends_down(m: Numbers, x: Real) -> Truth:
        return m.le(_value(m, third, {e: x}), m.real(0))

    m = arb()
    ends = bool(sympy.simplify(bend) <= 0) and m.ge(_value(m, f, {e: m.real(top)}), m.real(0)) is True
    return ends and certify(m, bends_down, box(("0", top)), most=20_000).holds is True


def _value(m: Numbers, expression: Any, at: dict[Any, Real]) -> Real:
    """The expression, made of rationals, exponentials, sums, products and integer powers, in a context."""
    if expression in at:
        return at[expression]
    if expression.is_Rational:
        return m.frac(int(expression.p), int(expression.q))
    if isinstance(expression, sympy.exp):
        return m.exp(_value(m, expression.args[0], at))
    parts = [_value(m, part, at) for part in expression.args]
    if expression.is_Add:
        return sum(parts[1:], start=parts[0])
    if expression.is_Mul:
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if expression.is_Pow and expression.exp.is_Integer:
        return parts[0] ** int(expression.exp)
    raise ValueError(f"no value of {expression} in a context")


def bounded(quotient: Callable[[dict[str, Real]], Real], least_n: int) -> int | None:
    """A C with quotient^2 <= C max(1, c_epsilon)^2 on n >= least_n, epsilon <= 1, epsilon <= c_epsilon sqrt(ln(n/delta)/n).

    The square must be (epsilon^2 n / Lambda)^i times a quotient of polynomials in s = ln(1/delta), Lambda and epsilon, i = 0
    or 1: the factor is at most c_epsilon^2, epsilon enters the rest at its largest value 1.
    """
    s, w, e, b, kappa = (sympy.Symbol(name, positive=True) for name in ("s", "w", "epsilon", "B", "kappa"))
    log_n = sympy.log(least_n) + w
    big = log_n + s
    values = {"n": sympy.exp(log_n), "delta": sympy.exp(-s), "epsilon": e, "kappa": kappa, "beta": b, "M": b, "lambda_": b}
    square = sympy.expand_log(quotient(values), force=True) ** 2
    for factor in (sympy.Integer(1), e**2 * sympy.exp(log_n) / big):
        rest = sympy.cancel(sympy.powsimp(sympy.simplify(sympy.expand_log(square / factor, force=True))))
        top, bottom = (sympy.expand(part) for part in sympy.fraction(sympy.together(rest)))
        if bottom.has(e) or not (top.is_polynomial(e, s, w) and bottom.is_polynomial(s, w)):
            continue
        if (top.free_symbols | bottom.free_symbols) - {s, w, e}:
            continue
        for constant in (1, 2, 4, 8, 16):
            slack = sympy.Poly(sympy.expand(constant * bottom - top.subs(e, 1)), s, w)
            grows = all(c.is_nonnegative for c in sympy.Poly(top, e, s, w).coeffs())
            if grows and all(bool(c >= 0) for c in slack.coeffs()):
                return constant
    return None
