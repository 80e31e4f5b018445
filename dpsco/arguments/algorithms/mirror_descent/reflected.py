"""What the noise of shuffled truncated mirror descent costs at a boundary: instances whose risk is bounded from below.

Records are all equal, so no gradient is random, no data set is unlucky, and the population gradient vanishes at theta*.
"""

from collections.abc import Callable, Mapping
from typing import Any

import sympy

from dpsco.arguments import comparing
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.truncated import sigma_final
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

t = sympy.Symbol("t", positive=True)
Values = Mapping[str, Real]
REFLECTED = Lemma(
    "a walk that noise pushes off the boundary",
    "d = 2, p = 1.8, kappa = 1.25 = 1/(p-1): the smooth norm is l_q, q = 2.25. C = {s e_1 : 0 <= s <= M}, loss (beta/2) s^2, "
    "theta* = w_0 = 0, Phi = (kappa/2) s^2, all gradients kept. s' = (1 - a) s - eta z cut to [0, M], eta = 1/(kappa gamma), "
    "a = beta eta <= 1/2, z the mean of n/T coordinates of GG(sigma^2): symmetric, of variance v, sigma^2 T/n <= v <= 2 "
    "sigma^2 T/n, fourth moment at most 8 v^2. Over k = floor(1/a) steps, started from 0 (monotone): uncut at M, s is at "
    "least the positive part of Y, a weighted sum of k noises with E Y^2 >= eta v/(32 beta), E|Y| >= (E Y^2)^(1/2)/8^(1/2). "
    "By Doob's inequality it is cut with a chance of at most 64 eta v/(beta M^2) = P. So E s_t >= (E Y^2)^(1/2) (1/(2 sqrt 8) "
    "- P^(1/2)) from step k <= T/2 on, and by Jensen's inequality the risk of the average is at least eta v (1/(2 sqrt 8) - "
    "P^(1/2))^2/256.",
)
OVERSHOOT = Lemma(
    "one step that overshoots",
    "As before with T = 1, loss (beta/2) (s - M/4)^2, beta >= 4 kappa: from s = 0 the gradient is -beta M/4, kept; with "
    "chance 1/2 the noise pushes on, and s_1 = M. The risk is at least (1/2) (beta/2) (3 M/4)^2.",
)
LINEAR = Lemma(
    "a long slope",
    "C = {s e_1 : |s| <= M/2}, loss S s, S > beta M + lambda: every gradient is set to 0, so w_hat is symmetric about 0, and "
    "the risk is S M/2, with a moment of 0.",
)
FIXED: Mapping[str, Any] = {
    "kappa": sympy.Rational(5, 4),
    "d": sympy.Integer(2),
    "delta": sympy.Rational(1, 2),
    "delta_prime": sympy.Rational(1, 2),
    "tau": sympy.log(4),
    "c_epsilon": sympy.Integer(2),
    "largest_moment": sympy.Integer(0),
    "beta": sympy.Integer(1),
    "M": sympy.Integer(1),
    "sigma": sympy.Integer(1),
    "largest_slope": sympy.Integer(1),
    "c_tau": sympy.Integer(5),
    "c_choice": sympy.Integer(10),
    "divergence": sympy.Integer(0),
}
MANY: Mapping[str, Any] = {"T": t, "n": t**2, "epsilon": 1 / t}
"""Batches of t records: n epsilon = T = t, so that lambda grows like sqrt(t) and T is within constants of its choice."""
SMALL: Mapping[str, Any] = {"n": t**8, "epsilon": t**-4, "M": 1 / t, "divergence": sympy.Rational(5, 8) / t**2}
"""A small set."""
STEEP: Mapping[str, Any] = {
    "T": sympy.Integer(1),
    "n": t**4,
    "beta": t,
    "M": sympy.sqrt(sympy.Rational(3, 5) / t),
    "epsilon": 3 * sympy.sqrt(2 * sympy.log(2)) / t**3,
}
"""lambda = 2 beta M, and the chosen T is 1."""


def placed(claim: Claim, path: Mapping[str, Any], place: Any = t) -> dict[str, Any]:
    """The values on a path with lambda, T and gamma as the claim chooses them (T where the path leaves it)."""
    m, v = symbolic(), {**FIXED, **{name: sympy.sympify(x).subs(t, place) for name, x in path.items()}}
    v["lambda_"] = apply(claim.formulas["lambda_choice"], m, v)
    if "T" not in v:
        v["T"] = apply(claim.formulas["steps_choice"], m, v)
    return v | {"gamma_bar": sympy.sqrt(v["T"])}


def numbers(claim: Claim, path: Mapping[str, Any], place: int, bits: int = 512) -> tuple[Numbers, dict[str, Real]]:
    """The same as enclosures at t = place, a whole number."""
    m = arb(bits)

    def real(x: Any) -> Real:
        if x.is_Integer:
            return m.real(int(x))
        if x.is_Rational:
            return m.real(int(x.p)) / m.real(int(x.q))
        if isinstance(x, sympy.log):
            return m.log(real(x.args[0]))
        if x.is_Pow:
            base, power = real(x.base), real(x.exp)
            return m.sqrt(base) if x.exp == sympy.Rational(1, 2) else base**power
        parts = [real(part) for part in x.args]
        total = parts[0]
        for part in parts[1:]:
            total = total * part if x.is_Mul else total + part
        return total

    v = {name: real(sympy.sympify(x).subs(t, place)) for name, x in {**FIXED, **path}.items()}
    v["lambda_"] = apply(claim.formulas["lambda_choice"], m, v)
    if "T" not in v:
        v["T"] = apply(claim.formulas["steps_choice"], m, v)
    v["gamma_bar"] = m.sqrt(v["T"])
    v["noise_squared"] = v["kappa"] * v["d"] * v["T"] / v["n"] * apply(sigma_final, m, v) ** 2
    return m, v


def admits(claim: Claim, path: Mapping[str, Any], place: int = 10**12) -> bool:
    """Whether the path's point lies in the claim's domains and meets its conditions."""
    return comparing.admits(claim, *numbers(claim, path, place))


def pushed(m: Numbers, v: Values) -> Real:
    """eta v, with the least v: the risk but for a factor that tends to a constant. sigma as in Theorem 9."""
    return apply(sigma_final, m, v) ** 2 * m.sqrt(v["T"]) / (v["n"] * v["kappa"])


def reflected(m: Numbers, v: Values) -> Real:
    """The lemma's lower bound on the risk."""
    moved = pushed(m, v)
    stays = 1 / (2 * m.sqrt(m.real(8))) - m.sqrt(128 * moved / (v["beta"] * v["M"] ** 2))
    return moved * stays**2 / 256 if m.gt(stays, m.real(0)) is True else m.real(0)


def overshot(m: Numbers, v: Values) -> Real:
    return m.frac(9, 64) * v["beta"] * v["M"] ** 2


def leaves(
    claim: Claim, path: Mapping[str, Any], reached: Callable[[Numbers, Values], Real], right: Callable[..., Real]
) -> bool:
    """Whether what is reached leaves all multiples of the formula along the path."""
    m, v = symbolic(), placed(claim, path)
    quotient = sympy.expand_log(sympy.simplify(reached(m, v) / right(m, v)), force=True)
    return bool(sympy.limit(quotient, t, sympy.oo) == sympy.oo)


def fades(claim: Claim) -> bool:
    """Whether eta v tends to 0 on the path of many records, so that the lemma's factor tends to 1/32."""
    return bool(sympy.limit(sympy.expand_log(pushed(symbolic(), placed(claim, MANY)), force=True), t, sympy.oo) == 0)
