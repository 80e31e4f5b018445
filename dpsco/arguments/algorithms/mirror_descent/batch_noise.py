"""The mean of a batch's noises in a regular space, and orders of growth along paths of its parameters.

On a path every quantity is a function of t; where a quotient tends to infinity, no hidden constant bounds it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.comparing import admitted, compared, order_of, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import named
from dpsco.instances.grid import grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.truncated import sigma_final
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung, Severity, Verdict

t = sympy.Symbol("t", positive=True)
Formula = Callable[..., Real]
REGULAR = Lemma(
    "mean of independent noises in a regular space",
    "|.|_* <= |.|_+, |.|_+^2 is s-smooth, s <= kappa, and GG(sigma^2) is symmetric with E|Z|_+^2 = d sigma^2. Smoothness at "
    "the sum so far gives E|Z_1 + ... + Z_b|_+^2 <= s b d sigma^2: E|z_t|_*^2 <= kappa d sigma^2/b, b = n/T.",
)
SMALL = Lemma(
    "what the noise is at least",
    "Where the smooth norm is l_q itself (q = kappa + 1 <= 2 ln d), E|Z|_*^2 = d sigma^2. Batches of one record, T = n: "
    "E|z_t|_*^2 = d sigma^2. Larger batches: |z|_q^2 >= d^(2/q - 1) |z|_2^2 and |Z|_2 >= |Z|_q give E|z_t|_*^2 >= d^(2/q - 1) "
    "d sigma^2/b.",
)
FIXED: Mapping[str, Any] = {
    "kappa": sympy.Rational(5, 4),
    "d": sympy.Integer(4),
    "delta": sympy.Rational(1, 2),
    "epsilon": sympy.Rational(1, 2),
    "c_epsilon": sympy.Integer(1),
    "beta": sympy.Integer(1),
    "M": sympy.Integer(1),
    "lambda_": sympy.Integer(1),
    "n": sympy.Integer(2),
    "T": sympy.Integer(2),
}
PATHS: Mapping[str, Mapping[str, Any]] = {
    "n = T = t, epsilon = t^(-1/2)": {"n": t, "T": t, "epsilon": 1 / sympy.sqrt(t)},
    "n = t, T = 1, epsilon = t^(-1/2)": {"n": t, "T": sympy.Integer(1), "epsilon": 1 / sympy.sqrt(t)},
    "kappa = t, d = 2^(2 t)": {"kappa": t, "d": sympy.Integer(2) ** (2 * t)},
    "d = t": {"d": t},
    "delta = e^(-t)": {"delta": sympy.exp(-t)},
    "epsilon = 1/t": {"epsilon": 1 / t},
    "lambda = t": {"lambda_": t},
    "M = t": {"M": t},
    "beta = t": {"beta": t},
}
"""q = kappa + 1 <= 2 ln d and epsilon <= c_epsilon sqrt(ln(n/delta)/n) on each; t is a power of four."""
PLACES = {"kappa = t, d = 2^(2 t)": 2**10}
"""Where a path is enclosed, if not at 2^400."""
ENDS = (
    "at the scale of noise that Theorem 9 ends with; the printed g^2 is d sigma^2/|B_t| for the one that its proof starts "
    "from, sigma^2 = O(kappa (beta M + lambda)^2 ln(1/delta) ln(n/delta)/(n epsilon^2))"
)


def least(m: Numbers, v: Mapping[str, Real]) -> Real:
    """The lemma's lower bound on E|z_t|_*^2 but for d^(2/q - 1) where T < n, which no path moves: sigma as in Theorem 9."""
    return v["T"] / v["n"] * v["d"] * apply(sigma_final, m, v) ** 2


def proved(m: Numbers, v: Mapping[str, Real]) -> Real:
    """The upper bound."""
    return v["kappa"] * least(m, v)


def at(path: str, place: Any = t) -> Mapping[str, Any]:
    """The values on a path."""
    return {**FIXED, **{name: sympy.sympify(x).subs(t, place) for name, x in PATHS[path].items()}}


@cache
def unbounded(left: Callable[[Numbers, Mapping[str, Real]], Real], right: Formula) -> tuple[str, ...]:
    """The paths on which left over right tends to infinity."""
    found = []
    for path in PATHS:
        v = at(path)
        quotient = left(symbolic(), v) / apply(right, symbolic(), v)
        if sympy.limit(sympy.simplify(sympy.expand_log(quotient, force=True)), t, sympy.oo) == sympy.oo:
            found.append(path)
    return tuple(found)


def covers(claim: Claim, left: Callable[[Numbers, Mapping[str, Real]], Real], right: Formula) -> Any:
    """The largest number that right over left certainly exceeds on the whole domain, None if none is seen.

    kappa is 1 plus a positive symbol, so that a quotient that is a constant times a power of kappa is seen.
    """
    names = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    quotient = sympy.simplify(apply(right, symbolic(), names) / left(symbolic(), names))
    if quotient.is_number and quotient.is_positive:
        return quotient
    share = (
        sympy.simplify(quotient / names["kappa"] ** sympy.degree(quotient, names["kappa"]))
        if quotient.is_polynomial()
        else None
    )
    return share if share is not None and share.is_number and share.is_positive else None


def orders(
    claim: Claim, scope: str, low: Callable[..., Real], high: Callable[..., Real], lemmas: tuple[Lemma, ...]
) -> Iterator[Finding]:
    """E|z_t|_*^2, between low and high, or a formula, against the claim's rate."""
    rate = claim.formulas["rate"]
    paths = unbounded(low, rate)
    for path in paths:
        m, place = arb(192), PLACES.get(path, 2**400)
        places = at(path, sympy.Integer(place))
        v = {name: m.real(str(x)) for name, x in places.items()} if all(x.is_Rational for x in places.values()) else {}
        yield refuted(
            f"{scope}: {path}, t -> infinity",
            f"bounded multiple of {ends(apply(rate, m, v))[1]}" if v else "bounded",
            ends(low(m, v)) if v else ("inf", "inf"),
            {"path": path, **{name: str(x) for name, x in FIXED.items() if name not in PATHS[path]}},
            method="the quotient tends to infinity (computer algebra)"
            + (f"; enclosed at t = 2^{place.bit_length() - 1}" if v else ""),
            severity=Severity.RATE,
            survives="It is O(ln(n/delta)^2 d T kappa^3 (beta M + lambda)^2/(n epsilon)^2).",
            rung=Rung.EXACT,
            lemmas=lemmas[:1],
            reason=ENDS,
        )
    if paths:
        return
    share = covers(claim, high, rate)
    if share is None:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither a multiple of the proved bound nor left on a path")
        return
    yield Finding(
        scope=f"{scope}: at most C^2/{share} times the rate, C the hidden constant of sigma",
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method="computer algebra: the rate over the proved bound",
        lemmas=lemmas[1:],
    )


def expansion(claim: Claim, asked: str) -> Iterator[Finding]:
    """The same rate twice."""
    one, other = (claim.formulas[name] for name in ("rate", "rate_expanded"))
    axes = {"T": ("1", "2"), "n": ("2", "100"), "delta": ("0.1",), "d": ("3",), "kappa": ("2",), "beta": ("2",), "M": ("3",)}
    yield compared(
        "the rate written out",
        one,
        asked,
        other,
        known=order_of(one, other, claim),
        instances=admitted(claim, list(grid(claim, {**axes, "lambda_": ("1",), "epsilon": ("0.5",), "c_epsilon": ("10",)}))),
        method="computer algebra",
        severity=PROOF_STEP,
        survives="The first form.",
    )


def noise(claim: Claim) -> Iterator[Finding]:
    yield from orders(claim, "the noise of a batch mean", least, proved, (SMALL, REGULAR))


def of_privacy(claim: Claim) -> Iterator[Finding]:
    """d sigma^2 over the batch size, from the claim's own formula."""
    value = named(claim, "privacy_noise")
    yield from orders(claim, "d sigma^2/|B_t| for the sigma of Theorem 9", value, value, ())
