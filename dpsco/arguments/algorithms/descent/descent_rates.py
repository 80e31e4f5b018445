"""Is the risk of averaged descent at its chosen step length O(rate)? Proved term by term, refuted along a path.

Hidden constants may depend on every quantity but n, d, epsilon and delta. The risk that is reached grows along paths on which
one term rules: n alone, epsilon falling with n, d growing with n.
"""

from collections.abc import Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import averaged_descent as known
from dpsco.arguments.algorithms.descent.descent_utility import Descent, least_square, rounded
from dpsco.arguments.comparing import UNBOUNDED, certified, refuted
from dpsco.arguments.polynomial_slack import expressed, named, nonnegative, quantities
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

ROOT = sympy.Symbol("N", positive=True)
"""n = N^4 along every path, so that powers of n are powers of N."""
PATHS: Mapping[str, Mapping[str, Any]] = {
    "n grows, epsilon = 1, delta = 1/e, d = 1": {"epsilon": sympy.Integer(1), "d": sympy.Integer(1)},
    "n grows, epsilon = n^(-3/4), delta = 1/e, d = 1": {"epsilon": ROOT**-3, "d": sympy.Integer(1)},
    "n grows, d = n^(3/2), epsilon = 1, delta = 1/e": {"epsilon": sympy.Integer(1), "d": ROOT**6},
}
SLOWLY = "The rate that the bound at the chosen step length has."


def at_most_rate(claim: Claim, how: Descent, name: str) -> Finding:
    """The proved bound is at most a constant times the rate; or along a path the reached risk over the rate diverges."""
    scope = "the rate: constants depend on L, B_theta, B_x, kappa_1, K_bar only"
    for says, path in PATHS.items():
        if diverges(claim, how, name, path):
            method = "the risk that is reached over the rate, squared, has the limit infinity along a path"
            at, rest = {"path": says}, {"coverage": tuple(PATHS), "lemmas": (known.SLOW,)}
            return refuted(scope, *UNBOUNDED, at, method, Severity.RATE, SLOWLY, Rung.EXACT, **rest)
    parts = constants(claim, how)
    if parts is not None and how.short_enough(claim) and covers(claim, name):
        square, privacy = (sympy.sstr(part) for part in parts)
        return certified(
            scope,
            f"risk^2 <= ({square})/n + ({privacy}) d ln(1/delta)/(n epsilon)^2 <= the sum of both times rate^2",
            known.NONEXPANSIVE,
            how.coupled,
            known.EXCHANGE,
            known.REGRET,
            known.SMOOTH,
            known.BALANCE,
            coverage=tuple(PATHS),
            given=(*how.features, *how.optimum),
        )
    return Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant found, and no path of those tried diverges")


def constants(claim: Claim, how: Descent) -> tuple[Any, Any] | None:
    """(a, b) free of n, d, epsilon, delta with risk^2 <= a/n + b d ln(1/delta)/(n epsilon)^2; None if not found.

    Every other term of the proved square is c n^-k with c > 0 and k >= 1, at most c/n.
    """
    q = quantities(claim)
    square = least_square(claim, how, rounded(claim, how))
    if square is None or not q["delta"].has(sympy.Symbol("s", nonnegative=True)):
        return None
    n, d, e, s = q["n"], q["d"], q["epsilon"], sympy.Symbol("s", nonnegative=True)
    a, b = sympy.Integer(0), sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(square)):
        private = sympy.cancel(term * (n * e) ** 2 / (d * s))
        rest = sympy.cancel(term * n)
        if not private.has(n, d, e, s):
            b += private
        elif not rest.has(d, e, s) and nonnegative(claim, rest.subs(n, 1) - rest) and not rest.subs(n, 1).has(n):
            a += rest.subs(n, 1)
        else:
            return None
    return sympy.factor(a), sympy.factor(b)


def covers(claim: Claim, name: str) -> bool:
    """Whether the rate is at least n^(-1/2) and at least sqrt(d ln(1/delta))/(n epsilon), as one of its own arguments."""
    q = quantities(claim)
    whole = expressed(claim, named(claim, name))
    parts = whole.args if isinstance(whole, sympy.Max) else (whole,)
    s = sympy.Symbol("s", nonnegative=True)
    terms = (1 / q["n"], q["d"] * s / (q["n"] * q["epsilon"]) ** 2)
    return all(any(nonnegative(claim, sympy.expand(part**2) - term) for part in parts) for term in terms)


def diverges(claim: Claim, how: Descent, name: str, path: Mapping[str, Any]) -> bool:
    """Whether B^2/(2 eta (n^2 - 1)), reached once eta L (n^2 - 1) >= B, leaves every multiple of the rate along the path."""
    m = symbolic()
    fixed = {key: sympy.Integer(1) for key in ("B", "kappa_1", "K_bar", "optimum_norm")}
    fixed |= {"L": sympy.Integer(1), "B_x": sympy.Rational(3, 2), "r_bar": sympy.Rational(2, 3)}
    values: dict[str, Real] = {**fixed, **path, "n": ROOT**4, "delta": sympy.exp(-1)}
    eta = how.step(claim)(m, values)
    steps = values["n"] ** 2 - 1
    rate = named(claim, name)(m, values)
    parts = rate.args if isinstance(rate, sympy.Max) else (rate,)
    if not _infinite((eta * steps) ** 2):
        return False
    return all(_infinite((1 / (2 * eta * steps * part)) ** 2) for part in parts)


def _infinite(square: Any) -> bool:
    return bool(sympy.limit(sympy.cancel(sympy.powsimp(sympy.expand_log(square))), ROOT, sympy.oo) == sympy.oo)
