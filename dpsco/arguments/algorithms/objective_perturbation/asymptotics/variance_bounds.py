"""Bounds of a variance up to constants that the claim leaves free: does some c_1 (and c_2) do for every small lambda and h?

True quantity and formula are first-order polynomials in lambda and h over q = sigma^2/n. Their difference must be 0 at lambda =
h = 0; its coefficients are A(q) + c B(q), and a constant c that depends on the law alone exists where B is positive in every
power of q in which A may be negative.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.small_parameters import known, leading, model, symbols
from dpsco.arguments.comparing import admitted, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

Quantity = Callable[[Claim, Numbers, Mapping[str, Real]], Real]
Q = sympy.Symbol("q", nonnegative=True)
CONSTANTS = {"lambda_": "c_1", "h": "c_2"}
SOME = Lemma(
    "some constant",
    "A(q) + c B(q) >= 0 for every q >= 0 and some c if each negative coefficient of A stands at a power of q at which B has "
    "a positive one: c is the largest quotient. In d dimensions the same with quadratic forms: any two forms x' J^{-1} S "
    "J^{-1} x with S positive definite bound each other up to constants, V and A + A' are symmetric, and the equalities are "
    "those of matrices.",
)


def laws(**values: str) -> list[dict[str, str]]:
    """Linear laws with the spreads of x = 1, small noise and large: sigma = n^(3/4), so that sigma/n still vanishes."""
    found = []
    for r, f, slope, theta in (
        ("0.75", "0.5", "0", "2"),
        ("0.5", "1", "0", "0"),
        ("0.5", "0.5", "0.25", "0"),
        ("0.25", "2", "0", "1"),
    ):
        for sigma, a, b in (
            ("1e-3", "1e-6", "1e-12"),
            ("1e6", "1e-6", "1e-12"),
            ("1e-3", "1e-12", "1e-6"),
            ("1", "1e-4", "1e-12"),
        ):
            at = model(n="100000000", r=r, density=f, density_slope=slope, theta=theta, sigma=sigma, lambda_=a, h=b, **values)
            R, F = sympy.Rational(r), sympy.Rational(f)
            spread = {"spread": R * (1 - R) / F**2, "spread_half": 1 / F, "spread_inverse": 1 / F**2}
            found.append({**at, "c_1": "1000", "c_2": "1000", **{k: str(sympy.N(v, 12)) for k, v in spread.items()}})
    return found


def in_one_dimension(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with the spreads |Sigma_r^(1/2) J^{-1} x|^2, |J^{-1/2} x|^2, |J^{-1} x|^2 of x = 1."""
    r, f = values["r"], values["density"]
    return {**values, "spread": r * (1 - r) / f**2, "spread_half": 1 / f, "spread_inverse": 1 / f**2}


@dataclass(frozen=True, kw_only=True)
class LowerBound:
    """One assertion `left >= right`, up to orders above the first in lambda and h."""

    scope: str
    left: Quantity
    right: Quantity
    survives: str
    severity: Severity
    free: tuple[str, ...] = ("c_1", "c_2")
    """Constants that the claim lets one choose: the others are given."""
    lemmas: tuple[Lemma, ...] = (SOME,)
    given: tuple[Callable[..., Truth], ...] = ()


def coefficients(claim: Claim, side: LowerBound) -> tuple[Any, dict[str, tuple[Any, Any]]]:
    """The difference at lambda = h = 0, and for lambda and h the pair A(q), B(q), times n."""
    s = in_one_dimension(
        {**{k: sympy.Symbol(k, real=True) for k in ("theta", "density_slope")}, **_law_symbols(), **symbols(claim)}
    )
    n, sigma = s["n"], s["sigma"]
    gap = (side.left(claim, symbolic(), s) - side.right(claim, symbolic(), s)) * n
    gap = sympy.sympify(gap).subs(sigma, sympy.sqrt(Q * n))
    found = {}
    for name, constant in CONSTANTS.items():
        _, slope = leading(gap.subs({s[other]: 0 for other in CONSTANTS if other != name}), {s[name]: 1})
        slope = sympy.expand(slope / s[name])
        c = s.get(constant) if constant in side.free else None
        B = sympy.expand(sympy.diff(slope, c)) if c is not None else sympy.Integer(0)
        found[name] = (sympy.expand(slope - B * c) if c is not None else slope, B)
    return sympy.simplify(gap.subs({s["lambda_"]: 0, s["h"]: 0})), found


def _law_symbols() -> dict[str, Any]:
    return {k: sympy.Symbol(k, positive=True) for k in ("r", "density", "n", "sigma", "lambda_", "h", "K_cross", "kappa_2")}


@cache
def exists(A: Any, B: Any) -> bool:
    """Whether some c makes A(q) + c B(q) nonnegative for every q >= 0, for every law with 0 < r < 1."""
    odds = {x: 1 / (1 + sympy.Symbol("odds", positive=True)) for x in (A + B).free_symbols if str(x) == "r"}
    a, b = (sympy.Poly(sympy.expand(part), Q).all_coeffs()[::-1] for part in (A, B))
    for k, part in enumerate(a):
        low = sympy.factor(sympy.simplify(part.subs(odds)))
        up = sympy.factor(sympy.simplify(b[k].subs(odds))) if k < len(b) else sympy.Integer(0)
        if not (low.is_nonnegative or up.is_positive):
            return False
    return all(sympy.factor(sympy.simplify(x.subs(odds))).is_nonnegative for x in b)


def impossible(A: Any, B: Any, numbers: Mapping[Any, Any]) -> bool:
    """Whether at a law's numbers no c does: A wins for large q, or A(0) < 0 and B(0) <= 0 at q = 0."""
    a, b = (sympy.Poly(sympy.nsimplify(sympy.expand(part.subs(numbers))), Q) for part in (A, B))
    if not (a.free_symbols_in_domain | b.free_symbols_in_domain):
        wins = a.LC() < 0 and (b.is_zero or a.degree() > b.degree())
        return bool(wins or (a.eval(0) < 0 and b.eval(0) <= 0))
    return False


def bounded(side: LowerBound, claim: Claim) -> Iterator[Finding]:
    """Certified where constants exist for every law; refuted at a law where they do not."""
    m, tried = arb(), 0
    start, parts = coefficients(claim, side)
    wrong = {name: pair for name, pair in parts.items() if not exists(*pair)}
    if start.is_nonnegative and not wrong:
        yield certified(
            side.scope,
            "computer algebra: 0 at lambda = h = 0, and constants c exist for the coefficients of lambda and h",
            *side.lemmas,
            given=side.given,
        )
        return
    symbol_of = {**_law_symbols(), **symbols(claim)}
    for at in laws():
        if not admitted(claim, [known(claim, at)]):
            continue
        tried += 1
        exact = {symbol_of.get(k, sympy.Symbol(k, real=True)): sympy.Rational(v) for k, v in at.items()}
        values = in_one_dimension({k: m.real(v) for k, v in at.items()})
        left, right = side.left(claim, m, values), side.right(claim, m, values)
        below = bool(sympy.simplify(start.subs(exact)).is_negative)
        if (below or any(impossible(*pair, exact) for pair in wrong.values())) and m.lt(left, right) is True:
            yield refuted(
                side.scope,
                right,
                left,
                known(claim, at),
                method=f"first-order coefficients of the linear law: at {'lambda = h = 0' if below else ', '.join(wrong)} no "
                "constant does for every sigma^2/n; both sides enclosed at one law",
                severity=side.severity,
                survives=side.survives,
                rung=Rung.EXACT,
            )
            return
    yield Finding(scope=side.scope, verdict=Verdict.OPEN, reason=f"no constants found, and {tried} laws do not contradict it")


def opposed(claim: Claim, needs: Sequence[tuple[Real, Real]], caps: tuple[Real, Real]) -> tuple[Real, Real] | None:
    """The least C that the negative terms ask for and the most that the positive one allows, if the one is above the other.

    needs  pairs (a, alpha), alpha < 0: C alpha <= a asks for C >= a/alpha
    caps   (b, beta), beta > 0: C beta <= b asks for C <= b/beta
    """
    m = arb()
    least = m.max(*(a / alpha for a, alpha in needs))
    most = caps[0] / caps[1]
    return (least, most) if m.gt(least, most) is True else None


def value_of(name: str) -> Quantity:
    """A formula of the claim as a quantity."""

    def value(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
        return apply(claim.formulas[name], m, values)

    return value
