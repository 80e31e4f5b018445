"""Is l_q^d, q = p/(p-1) > 2, regular with a printed constant? Sums of sign vectors against it, smooth norms l_r for it."""

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

SIGNS = Lemma(
    "sums in regular spaces",
    "For independent centred X, Y smoothness gives E|X + Y|_+^2 <= E|X|_+^2 + s E|Y|_+^2, and |.|_*^2 <= |.|_+^2 <= "
    "(kappa/s) |.|_*^2, s >= 1: so E|X + Y|_*^2 <= kappa (E|X|_*^2 + E|Y|_*^2). For two vectors of random signs X + Y is 0 "
    "or +-2 in each coordinate, with chances 1/2: kappa >= 2 E[K^(2/q)] / d^(2/q), K binomial(d, 1/2).",
)
SMOOTH = Lemma(
    "smooth norms l_r",
    "For r >= 2 the square of l_r is (r - 1)-smooth (Juditsky and Nemirovski 2008, Example 3.2). For 2 <= r <= q, |x|_q <= "
    "|x|_r <= d^(1/r - 1/q) |x|_q, so l_q^d is regular with g(r) = (r - 1) d^(2/r - 2/q). Take r = min(q, max(2, 2 ln d)), "
    "d >= 2. g increases for r >= 2 ln d, as 1/(r - 1) > 1/r >= 2 ln d/r^2, so g(r) <= g(q) = q - 1 = 1/(p - 1). And g(r) "
    "<= (r - 1) d^(2/r): less than 2 e ln d if r = 2 ln d; if r = q < 2 ln d, q - 1 < 2 ln d; if r = 2 > 2 ln d, d = 2 and "
    "it is 2 < 2 e ln 2.",
)
INDICES = ("1.001", "1.05", "1.5", "1.99")
DIMENSIONS = ("2", "3", "4", "9")


def sign_bound(m: Numbers, p: Real, d: int) -> Real:
    """What two vectors of random signs ask of kappa at least: 2 E[K^{2/q}] / d^{2/q}, K binomial(d, 1/2), q = p/(p-1).

    Domain   1 < p < 2, d >= 1
    Returns  a lower bound on the regularity constant of l_q^d
    Source   the lemma `SIGNS`
    """
    power = 2 * (p - 1) / p
    mean = m.sum(lambda k: m.binomial(m.real(d), k) * k**power, m.real(1), m.real(d)) / m.real(2) ** d
    return 2 * mean / m.real(d) ** power


def regular(
    claim: Claim,
    formula: Callable[..., Real],
    scope: str,
    *,
    severity: Severity | None,
    survives: str,
    asserts: tuple[Relation, ...],
) -> Iterator[Finding]:
    """Whether kappa(p, d) is a regularity constant of l_{p/(p-1)}^d wherever it exceeds 1, the claims' domain of kappa."""
    m = arb()
    domain = claim.parameter("d").domain
    common: dict[str, Any] = {"scope": scope, "asserts": asserts}
    for p, d in ((p, d) for p in INDICES for d in DIMENSIONS if domain.contains(m, d) is True):
        kappa, least = apply(formula, m, {"p": m.real(p), "d": m.real(d)}), sign_bound(m, m.real(p), int(d))
        if m.gt(kappa, m.real(1)) is True and m.lt(kappa, least) is True:
            yield refuted(
                **common,
                claimed=kappa,
                computed=least,
                at={"p": p, "d": d},
                method="second moments of the sum of two vectors of random signs, enclosed",
                severity=severity,
                survives=survives,
                lemmas=(SIGNS,),
            )
            return
    if domain.contains(m, "1") is False and _large_enough(formula):
        method = "computer algebra: each branch of the minimum is at least 1/(p-1) or 2 e ln d"
        yield Finding(**common, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=(SMOOTH,))
        return
    yield Finding(
        **common, verdict=Verdict.OPEN, reason="no contradiction by two sign vectors, and below min(1/(p-1), 2 e ln d)"
    )


def _large_enough(formula: Callable[..., Real]) -> bool:
    """Whether the formula is a minimum of multiples of 1/(p-1) by at least 1 and of ln d by at least 2 e."""
    p, d = sympy.Symbol("p", positive=True), sympy.Symbol("d", positive=True)
    found = expression(formula)
    branches = found.args if isinstance(found, sympy.Min) else (found,)

    def covers(branch: Any) -> bool:
        shares = (sympy.simplify(branch * (p - 1)), sympy.simplify(branch / sympy.log(d)))
        return any(bool(x.is_number and x >= least) for x, least in zip(shares, (1, 2 * sympy.E), strict=True))

    return all(covers(branch) for branch in branches)
