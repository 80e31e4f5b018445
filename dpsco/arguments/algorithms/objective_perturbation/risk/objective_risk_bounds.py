"""Findings on the risk of objective perturbation: for every lambda, at the printed lambda, and as a rate.

A claim's own formulas are read: the regularisation, the bandwidth at it, the variance. What is proved stands in
`objective_risk`, what is reached in `objective_risk_instances`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_instances as reached
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk_rates as rates
from dpsco.arguments.comparing import UNBOUNDED, certified, refuted
from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative, quantities
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.algorithm import variance as printed_variance
from dpsco.spec.claim import Claim
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

PROVED = "L^2/(n lambda) + d sigma^2/(8 n^2 lambda) + lambda B_theta^2/2 + what smoothing costs, for every lambda."
LAMBDA = sympy.Symbol("lambda_", positive=True)
ROOT = sympy.Symbol("root", positive=True)
Y = Mapping[str, Real]


@dataclass(frozen=True)
class Setting:
    """Which formula is the regularisation, and whether the residual at theta* keeps away from the kink."""

    regularisation: str
    away: bool

    @property
    def lemmas(self) -> tuple[Lemma, ...]:
        return known.AWAY if self.away else known.ANY_DATA

    @property
    def family(self) -> tuple[Lemma, ...]:
        return (reached.SHRUNK_AWAY if self.away else reached.SHRUNK, reached.BIASED)


def deviation(claim: Claim) -> Value:
    """sigma by the claim's variance, or by the algorithm's where the claim has none."""
    own = named(claim, "variance") if "variance" in claim.formulas else None

    def value(m: Numbers, v: Mapping[str, Real]) -> Real:
        return m.sqrt(own(m, v) if own else printed_variance(m, epsilon=v["epsilon"], delta=v["delta"], L=v["L"]))

    return value


def filled(claim: Claim, m: Numbers, v: Y, regularisation: str | None, bandwidth: bool = True) -> dict[str, Real]:
    """The quantities with sigma as the algorithm has it, lambda as `regularisation` (None: as it is), h as the bandwidth."""
    full = {**v, "sigma": deviation(claim)(m, v)}
    if regularisation is not None:
        full["lambda_"] = named(claim, regularisation)(m, full)
    if bandwidth:
        full["h"] = named(claim, "bandwidth")(m, full)
    return full


def smoothing(claim: Claim, how: Setting, m: Numbers, v: Y) -> Real:
    """Proved: what smoothing costs at theta*, with the second moment only where the claim has one."""
    if not how.away:
        return known.smoothing(m, v["h"], v["kappa_1"])
    return known.smoothing_away(m, v["h"], v["kappa_2"], v["M"]) if "kappa_2" in v else m.inf


def proved(claim: Claim, how: Setting, m: Numbers, v: Y) -> Real:
    """Proved: the excess risk at these lambda and h."""
    return known.unsmoothed(m, v["L"], v["n"], v["lambda_"], v["d"], v["sigma"], v["B"]) + smoothing(claim, how, m, v)


def attained(how: Setting, m: Numbers, v: Y) -> Real:
    """Reached by the excess risk at these lambda, sigma and h: shrinkage, or the bias of smoothing."""
    c, L, lambda_ = v["optimum_norm"], v["L"], v["lambda_"]
    if not how.away:
        return m.max(reached.shrunk(m, c, L, lambda_), reached.biased(m, v, m.real(0)))
    return m.max(reached.shrunk_away(m, c, L, lambda_, v["B_x"], v["M"]), reached.biased(m, v, 2 / v["M"]))


def at_every(claim: Claim, how: Setting, name: str, free_bandwidth: bool, survives: str = PROVED) -> Finding:
    """The risk for every lambda, with h free or as the bandwidth, sigma as the algorithm's."""

    def right(m: Numbers, v: Y) -> Real:
        return named(claim, name)(m, filled(claim, m, v, None, not free_bandwidth))

    def left(m: Numbers, v: Y) -> Real:
        return attained(how, m, filled(claim, m, v, None, not free_bandwidth))

    def expression() -> Any:
        q, m = quantities(claim), symbolic()
        q = q if free_bandwidth else {**q, "h": named(claim, "bandwidth")(m, q)}
        bound = proved(claim, how, m, q)
        return sympy.oo if bound == sympy.oo else named(claim, name)(m, q) - bound

    difference = expression()
    axes = (reached.AWAY,) if how.away else (reached.SMOOTHED,) if free_bandwidth else ()
    side = Side(
        scope=f"excess risk <= {name}, every lambda" + (" and h" if free_bandwidth else ", h as the bandwidth"),
        claimed=right,
        reached=left,
        holds=difference != sympy.oo and nonnegative(claim, difference),
        method="the bound less the proved one has nonnegative coefficients",
        instances=reached.instances(claim, reached.PRIVACY, reached.REGULARISED, *axes),
        severity=Severity.CONSTANT,
        survives=survives,
        lemmas=how.lemmas,
        given=(optimum_in_ball,),
        family=how.family,
        release="the minimiser, not projected",
    )
    return bounded(side)


def least_square(claim: Claim, how: Setting) -> tuple[Any, Any] | None:
    """(lambda^2, smoothing with h at it) if c/lambda <= B^2 lambda, the proved bound being B^2 lambda/2 + c/lambda + smoothing.

    With smoothing of the form c/lambda it is counted there. The risk is then at most (3/2) B^2 lambda + smoothing.
    """
    m, q = symbolic(), quantities(claim)
    q["sigma"] = deviation(claim)(m, q)
    square = rates.plain(named(claim, how.regularisation)(m, q) ** 2)
    moving = {**q, "lambda_": LAMBDA}
    moving["h"] = named(claim, "bandwidth")(m, moving)
    rest = known.unsmoothed(m, q["L"], q["n"], LAMBDA, q["d"], q["sigma"], q["B"])
    smooth = smoothing(claim, how, m, moving)
    if smooth == sympy.oo:
        return None
    rest, smooth = (rest, smooth) if how.away else (rest + smooth, sympy.Integer(0))
    top = sympy.expand(rates.plain(rest * LAMBDA))
    c = top - top.coeff(LAMBDA, 2) * LAMBDA**2
    fits = not c.has(LAMBDA) and sympy.expand(top.coeff(LAMBDA, 2) - q["B"] ** 2 / 2) == 0
    if not (fits and nonnegative(claim, q["B"] ** 2 * square - c)):
        return None
    return square, sympy.cancel(smooth.subs(LAMBDA, ROOT)).subs(ROOT, sympy.sqrt(square))


def at_chosen(claim: Claim, how: Setting, name: str) -> Finding:
    """The risk at the claim's lambda and bandwidth against a closed form."""

    def right(m: Numbers, v: Y) -> Real:
        return named(claim, name)(m, filled(claim, m, v, how.regularisation))

    def left(m: Numbers, v: Y) -> Real:
        return attained(how, m, filled(claim, m, v, how.regularisation))

    side = Side(
        scope=f"excess risk at the chosen lambda and bandwidth <= {name}",
        claimed=right,
        reached=left,
        holds=_closes(claim, how, name),
        method="c/lambda <= B^2 lambda: risk <= (3/2) B lambda B + smoothing, which the closed form exceeds; squares compared",
        instances=reached.instances(claim, reached.PRIVACY, reached.AWAY),
        severity=Severity.CONSTANT,
        survives=PROVED,
        lemmas=(*how.lemmas, known.LEAST),
        given=(optimum_in_ball,),
        family=how.family,
        release="the minimiser, not projected",
    )
    return bounded(side)


def _closes(claim: Claim, how: Setting, name: str) -> bool:
    """closed form >= (3/2) B^2 lambda + smoothing: the square root in it is compared as a square, the rest as it is."""
    found, m, q = least_square(claim, how), symbolic(), quantities(claim)
    if found is None:
        return False
    square, smooth = found
    q["sigma"] = deviation(claim)(m, q)
    closed = rates.plain(sympy.expand(named(claim, name)(m, q) - smooth))
    roots = [term for term in sympy.Add.make_args(closed) if term.has(sympy.sqrt(sympy.Wild("x"))) or _has_root(term)]
    root = sum(roots, sympy.Integer(0))
    rest = sympy.Add(*(term for term in sympy.Add.make_args(closed) if term not in roots))
    slack = sympy.expand(rates.plain(root**2)) - sympy.Rational(9, 4) * q["B"] ** 4 * square
    return nonnegative(claim, rates.plain(rest)) and nonnegative(claim, sympy.expand(slack))


def _has_root(term: Any) -> bool:
    return any(power.exp == sympy.Rational(1, 2) and not power.base.is_number for power in term.atoms(sympy.Pow))


def rate(claim: Claim, how: Setting, name: str) -> Finding:
    """The risk at the chosen lambda against powers: proved with a constant, or left behind along a path."""
    scope = f"excess risk at the chosen lambda and bandwidth <=O {name}"
    found = {path: why for path in rates.PATHS if (why := _diverges(claim, how, name, path)) is not None}
    if found:
        (path, why), *others = found.items()
        also = "; ".join(f"also where {other}" for other, _ in others)
        return replace(refuted_along(scope, path, why, how.family), reason=also or None)
    constant = _constant(claim, how, name)
    if constant is not None:
        tests = [predicate.test for predicate, _ in rates.conditions(claim)] if how.away else []
        return certified(
            scope,
            f"risk^2 <= {constant} times the sum of the squares of the rate's terms",
            *how.lemmas,
            known.LEAST,
            coverage=tuple(path for path in rates.PATHS if rates.along(claim, path) is not None),
            given=(optimum_in_ball, *tests),
            release="the minimiser, not projected",
        )
    return Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant found, and no path of those tried diverges")


def refuted_along(scope: str, path: str, why: str, family: tuple[Lemma, ...], survives: str = "") -> Finding:
    """Refuted by the exact limit along a path."""
    kept = survives or "The rate that the closed form at the chosen lambda has."
    rest = {"coverage": tuple(rates.PATHS), "lemmas": family}
    return refuted(scope, *UNBOUNDED, {"path": path}, why, Severity.RATE, kept, Rung.EXACT, **rest)


def _diverges(claim: Claim, how: Setting, name: str, path: str) -> str | None:
    """Why the risk leaves every multiple of the rate on the path; None where it is not seen to."""
    values = rates.along(claim, path)
    if values is None:
        return None
    m = symbolic()
    values = filled(claim, m, values, how.regularisation)
    square, target = values["lambda_"] ** 2, named(claim, name)(m, values)
    if not rates.vanishes(square):  # lambda B <= L in the end
        return None
    if rates.leaves(square / 64, target):
        return (
            "risk >= lambda c^2/2, c >= B/2, which over the rate has the limit infinity"
            if how.away
            else ("risk >= lambda B^2/2, which over the rate has the limit infinity")
        )
    wide = how.away and rates.stays(values["h"] ** 2)
    if wide and all(rates.vanishes(part) for part in rates.squares(target)):
        return "lambda and the rate tend to 0, h does not: for M above 8/(h w) the bias of smoothing stays"
    return None


def _constant(claim: Claim, how: Setting, name: str) -> Any:
    """C with risk^2 <= C times the sum of the squares of the rate's terms, None if none is found."""
    found = least_square(claim, how)
    if found is None:
        return None
    square, smooth = found
    gens, q = rates.generators(claim), quantities(claim)
    large = sum(rates.squares(expressed(claim, named(claim, name))), sympy.Integer(0))
    first = rates.multiple(sympy.Rational(9, 4) * q["B"] ** 4 * square, large, gens)
    if smooth == 0 or first is None:
        return first
    for _, most in rates.conditions(claim):
        second = rates.multiple(smooth**2 * most, large, gens)
        if second is not None:
            return 2 * (first + second / rates.OMEGA)
    return None
