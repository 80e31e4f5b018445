"""Estimation errors for one distribution and large n: what is left of a statement whose uniformity in the distribution fails.

The proved bounds ask for a small bandwidth and a small sampling error. With the distribution, d and gamma fixed these are
limits: each of their left sides is a sum of monomials in 1/n, lambda, h or 1/(n epsilon), which tend to 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.estimation.parts import (
    ABOVE,
    CENTRED,
    CONVEX,
    NOISE_NORM,
    PARTS,
    SMOOTHED,
    UNIFORM,
    Values,
)
from dpsco.arguments.comparing import proved
from dpsco.arguments.orders_of_growth import ONE, Exponents, combine, form, grows, order
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.estimation import delta_is_polynomial, sampling_rate
from dpsco.spec.analysis.smoothing.bias import a_density_has_these, features_have_these
from dpsco.spec.claim import Claim
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.losses.quantile.summaries import a_kernel_has_these, some_level_gives_lipschitz
from dpsco.verdict import Finding, Lemma, Reading

EVENTUALLY = Lemma(
    "conditions that are limits",
    "h l_1 kappa_1/f, s = 4 h^2 l_1 kappa_2/(3 f sqrt(rho_1)) over B and over f/(l_1 B_x), and l_1 B_x sampling_rate/f tend to "
    "0 as n grows, for one distribution, d, gamma, B_theta and kernel. So the amendment's conditions hold from some n_0 on, "
    "which depends on these; what fails is a bound that is uniform in the distribution and in gamma.",
)
ENLARGED = Lemma(
    "a ball that holds theta*",
    "For one distribution max(B_theta, |theta*|) is a constant, as is its quotient by B_theta: the bounds with it in the place "
    "of B_theta change by a constant, lambda and h stay as they are.",
)
UNIFORMITY = " With the distribution, d and gamma fixed it holds from some n on: what fails is uniformity in P and in gamma."
FREE: tuple[Exponents, ...] = (form(n=-1), form(lambda_=1), form(h=1))
CHOSEN: tuple[Exponents, ...] = (form(n=-1), form(n=-1, epsilon=-1))
"""What tends to 0 where lambda and h are free, and where they are chosen and n epsilon grows at least as a power of n."""


def vanishes(expression: Any, small: Sequence[Exponents]) -> bool:
    """Whether the expression tends to 0 as all of `small` do: each summand over some summand below is a product of positive
    powers of them, times logarithms of n and constants."""
    found = order(expression)
    return all(any(_product(combine(top, bottom, -ONE), small) for bottom in found.bottom) for top in found.top)


def _product(monomial: Exponents, small: Sequence[Exponents]) -> bool:
    names = sorted({name for part in small for name in part})
    columns = sympy.Matrix([[_rational(part.get(name, Fraction(0))) for part in small] for name in names])
    powers = columns.LUsolve(sympy.Matrix([_rational(monomial.get(name, Fraction(0))) for name in names]))
    return all(power >= 0 for power in powers) and any(power > 0 for power in powers)


def _rational(x: Fraction) -> Any:
    return sympy.Rational(x.numerator, x.denominator)


def conditions(v: Values) -> tuple[Any, ...]:
    """The left sides of the proved bounds' conditions over their right sides, up to constants."""
    shift = v["h"] ** 2 * v["l_1"] * v["kappa_2"] / (v["f"] * sympy.sqrt(v["rho_1"]))
    names = ("rho_1", "f", "L", "d", "gamma", "n", "B", "lambda_")
    error = sampling_rate(symbolic(), **{name: v[name] for name in names})
    return (
        v["h"] * v["l_1"] * v["kappa_1"] / v["f"],
        v["l_1"] * v["B_x"] * shift / v["f"],
        shift / v["B"],
        v["l_1"] * v["B_x"] * error / v["f"],
    )


def eventually_sampling(claim: Claim, v: Values, right: Any) -> Iterator[Finding]:
    """|theta# - theta_h*| = O(right) for one distribution, h and lambda tending to 0 however they like."""
    fixed = {x.name for x in right.free_symbols} - {"n", "lambda_", "h"}
    parts = (PARTS["sample"](v), PARTS["ridge"](v))
    holds = all(vanishes(side, FREE) for side in conditions(v))
    holds = holds and all(grows(part, right, [form(n=1)], fixed) is None for part in parts)
    scope = "|theta# - theta_h*|: distribution, d, gamma fixed, h -> 0, lambda -> 0, n >= n_0"
    lemmas = (SMOOTHED, UNIFORM, CENTRED, EVENTUALLY)
    given = (optimum_in_ball, some_level_gives_lipschitz, a_density_has_these, features_have_these)
    yield from _meant(scope, holds, lemmas, given)


def eventually_everything(claim: Claim, name: str, v: Values, right: Any) -> Iterator[Finding]:
    """E|theta_OP - theta*| = O(right) for one distribution, n epsilon growing at least as a power of n."""
    moving = {"n", "epsilon", "s"}
    domain = [form(n=1), form(n=1, epsilon=1), form(s=1)]
    parts = [part(v) for part in PARTS.values()]
    names = {x.name for side in (*parts, right) for x in side.free_symbols}
    holds = all(vanishes(side, CHOSEN) for side in conditions(v))
    holds = holds and all(grows(part, right, domain, names - moving) is None for part in parts)
    scope = f"{name}: distribution, d, gamma fixed, n epsilon >= n^a for some a > 0, n >= n_0"
    lemmas = (SMOOTHED, UNIFORM, CENTRED, CONVEX, NOISE_NORM, ABOVE, ENLARGED, EVENTUALLY)
    model = (some_level_gives_lipschitz, a_kernel_has_these, a_density_has_these, features_have_these)
    yield from _meant(scope, holds, lemmas, (*model, delta_is_polynomial))


def _meant(scope: str, holds: bool, lemmas: tuple[Lemma, ...], given: tuple[Any, ...]) -> Iterator[Finding]:
    """A certificate for this reading, or nothing: a reading that is not shown says nothing about the printed text."""
    if holds:
        method = "exponents: the conditions' sides tend to 0, and each part of the proved bound is O(the rate)"
        remark = "the constant and n_0 depend on the distribution, d, gamma, B_theta and the kernel"
        found = proved(scope, True, method, lemmas=lemmas, given=given, remark=remark)
        yield replace(found, reading=Reading.MEANT)
