"""Sums in regular spaces that ask for large constants: a tree of sign vectors, and Brownian motion stopped where it is far."""

from collections.abc import Callable, Iterator
from math import log
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.analysis.geometry.regularity import excess_of_exponential, survival, tree_bound
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

TREE = Lemma(
    "a tree of sign vectors",
    "d = 2^(k-1), S_1 = X_1 = +-(1, ..., 1). Given S_i, whose entries are i in size on d/2^(i-1) coordinates, X_(i+1) = +-v, v "
    "the sign vector that agrees with S_i on half of these and opposes it on the other half: either way S_(i+1) is i + 1 in "
    "size on d/2^i coordinates. The steps are centred given the past, so smoothness gives E|S_k|_+^2 <= s E sum |X_i|_+^2 "
    "<= kappa k d^(2/q), while |S_k|_q >= k: kappa >= k/d^(2/q).",
)
STOPPED = Lemma(
    "Brownian motion, stopped where it is large",
    "For sign vectors hY smoothness gives E|x + hY|_+^2 <= |x|_+^2 + kappa d^(2/q) h^2; by the central limit theorem "
    "|B_t|_+^2 - kappa d^(2/q) t is a supermartingale, B Brownian motion in R^d. Stop at the first t >= 1 with max B_j^2 >= "
    "y^2 t, or at T: kappa d^(2/q) E(time) >= y^2 E(time; stopped before T). With f(x) = M(-a, 1/2, x^2/2), t^a f(B_j/sqrt t) "
    "is a martingale, f falls in |x|, so if f(y) > 0 one coordinate stays inside up to T with chance at most T^-a/f(y), all "
    "with its d-th power: for a = 1/d, and by continuity a little more, T times this tends to 0 and kappa d^(2/q) >= y^2. "
    "(-a)_k >= -a (k-1)! gives M(-1/d, 1/2, ln d) >= 1 - (sum z^k/(k (1/2)_k))/d, z = ln d, positive where D(z) = e^z less "
    "the sum is. D's coefficients 1, -1, -1/6, -1/90 are followed by positive ones, so D/z^3 increases from z = 3/2 on: "
    "positive once, always. As q -> infinity, kappa <= 2 ln d < y^2 for some y.",
)
FROM = 57
"""From this dimension on Brownian motion asks for more than 2 ln d."""


def large_sums(
    claim: Claim, formula: Callable[..., Real], *, severity: Severity, survives: str, asserts: tuple[Relation, ...]
) -> Iterator[Finding]:
    """Where a printed kappa(p, d) is too small: at 2 and 4 dimensions by trees, in all large ones by stopped sums."""
    m = arb()
    common: dict[str, Any] = {"verdict": Verdict.REFUTED, "severity": severity, "survives": survives, "asserts": asserts}
    for p, levels in (("1.25", 2), ("1.001", 3)):
        at = {"p": p, "d": str(2 ** (levels - 1))}
        kappa = apply(formula, m, {name: m.real(value) for name, value in at.items()})
        least = tree_bound(m, m.real(p), levels)
        if m.gt(kappa, m.real(1)) is True and m.lt(kappa, least) is True:
            yield Finding(
                scope=f"{at['d']} dimensions",
                rung=Rung.POINT,
                method="second moment of a sum along a tree of sign vectors, enclosed",
                claimed=ends(kappa)[1],
                computed=ends(least),
                at=at,
                lemmas=(TREE,),
                **common,
            )
    multiple = logarithm(formula)
    if (
        multiple is None
        or not bool(multiple <= 2)
        or m.gt(excess_of_exponential(m, m.log(m.real(FROM))), m.real(0)) is not True
    ):
        return
    at = {"p": "1.0000001", "d": "1000"}
    values = {name: m.real(value) for name, value in at.items()}
    level = m.frac(round(1000 * (log(1000) + 0.1)), 1000)
    shown = 2 * level / values["d"] ** (2 * (values["p"] - 1) / values["p"])
    kappa = apply(formula, m, values)
    if m.gt(survival(m, 1 / values["d"], level), m.real(0)) is True and m.lt(kappa, shown) is True:
        yield Finding(
            scope=f"every dimension from {FROM} on, p near 1",
            rung=Rung.POINT,
            method="Brownian motion stopped where it is large, every dimension by the lemma; enclosed at one dimension",
            claimed=ends(kappa)[1],
            computed=ends(shown),
            at=at,
            lemmas=(STOPPED,),
            **common,
        )


def logarithm(formula: Callable[..., Real]) -> Any:
    """The multiple of ln d that is a branch of the minimum, None if there is none."""
    found = expression(formula)
    logs = [sympy.log(x) for x in found.free_symbols if x.name == "d"]
    branches = found.args if isinstance(found, sympy.Min) else (found,)
    shares = [sympy.simplify(branch / log_d) for branch in branches for log_d in logs]
    return next((share for share in shares if share.is_number), None)
