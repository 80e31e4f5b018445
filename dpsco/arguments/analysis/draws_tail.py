"""The printed tail bound of Binomial(n, 1/n), how often one of n records is drawn: refuted at points, certified by Chernoff."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

import sympy

from dpsco.arguments.analysis.resampling import DRAWS
from dpsco.arguments.comparing import compare, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.resampling import tail
from dpsco.spec.claim import Claim
from dpsco.spec.domain import naturals, positive
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

AXES = {
    "n": ("1", "2", "3", "10", "100", "300"),
    "z": ("0.001", "0.5", "1", "1.5", "2", "3", "4", "4.5", "5", "6", "10", "30", "100"),
}
CHERNOFF = Lemma(
    "Chernoff for Binomial(n, 1/n)",
    "E e^(l X) = (1 + (e^l - 1)/n)^n <= exp(e^l - 1). Markov's inequality at l = ln(1 + z) >= 0 gives Pr[X >= 1 + z] <= "
    "exp(-h(z)), h(z) = (1 + z) ln(1 + z) - z, for every n and z >= 0; h(0) = h'(0) = 0 and h''(z) = 1/(1 + z).",
)
POISSON = Lemma(
    "below the tail of Poisson(1)",
    "Pr[X >= k] = 1/(k - 1)! times the integral over 0 <= u <= 1 of u^(k-1) prod_(j<k) (1 - j/n) (1 - u/n)^(n-k). For n >= k "
    "the factors after u^(k-1) are at most exp(-k (k-1)/(2n) - u + k u/n), at most e^(-u) where u <= 1 <= (k - 1)/2: for k >= 3"
    " it is at most Pr[Poisson(1) >= k]. For k = 2 it is at most 1/2, by the pairs of draws.",
)
STEPS = Lemma(
    "whole numbers are worst",
    "Pr[X >= z + 1] is constant for k - 2 < z <= k - 1, and a falling bound is least at z = k - 1.",
)
LARGEST = 60
"""Up to which number of draws the printed bound is compared with the Poisson tail."""


@dataclass(frozen=True)
class Names:
    """The claim's names for the tail and for its bound."""

    tail: str
    bound: str


def rate(claim: Claim, names: Names, z: Real) -> Real:
    """-ln of the printed bound, an expression in z; None in the place of an expression in anything else."""
    bound = apply(claim.formulas[names.bound], symbolic(), {"z": z, "n": sympy.Symbol("n", positive=True)})
    found = sympy.simplify(sympy.expand_log(-sympy.log(bound), force=True))
    return found if not found.free_symbols - {z} else None


def is_binomial(claim: Claim, names: Names) -> bool:
    """Whether the printed tail is Pr[Binomial(n, 1/n) >= z + 1], term for term."""
    n, z = sympy.symbols("n z", positive=True)
    values = {"n": n, "z": z}
    return bool(apply(claim.formulas[names.tail], symbolic(), values).dummy_eq(tail(symbolic(), n, z)))


def within_chernoff(claim: Claim, names: Names) -> bool:
    """Whether the printed rate is at most h(z) for every z > 0: equal to order one at 0, and below in curvature."""
    z = sympy.Symbol("z", positive=True)
    asked = rate(claim, names, z)
    if asked is None:
        return False
    start = [sympy.limit(f, z, 0, "+") for f in (asked, sympy.diff(asked, z))]
    spare = sympy.together(1 / (1 + z) - sympy.diff(asked, z, 2))
    return start == [0, 0] and _nonnegative(spare, z)


def _nonnegative(quotient: Real, z: Real) -> bool:
    """Whether a quotient of polynomials has only nonnegative coefficients, above and below, so is nonnegative for z > 0."""
    sides = [sympy.Poly(side, z) for side in sympy.fraction(quotient) if sympy.expand(side).is_polynomial(z)]
    return len(sides) == 2 and all(c.is_nonnegative for side in sides for c in side.all_coeffs())


def largest_excess(claim: Claim, names: Names) -> int:
    """Largest whole z so that the printed bound holds at 1, ..., z for every n (0: not even at 1), by `POISSON`."""
    m = arb(320)
    for k in range(2, LARGEST):
        printed = apply(claim.formulas[names.bound], m, {"z": m.real(k - 1)})
        if m.le(m.frac(1, 2) if k == 2 else poisson_tail(m, k), printed) is not True:
            return k - 2
    return LARGEST - 2


def poisson_tail(m: Numbers, k: int) -> Real:
    """Pr[Poisson(1) >= k]."""
    return 1 - m.sum(lambda j: m.exp(m.real(-1)) / m.gamma(j + 1), 0, k - 1)


def bounded(names: Names, claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed tail and its bound with that sign between them, over every n and z > 0."""
    tried = grid(claim, AXES)
    base = Finding(
        scope="the binomial tail against its printed bound, every n and z",
        verdict=Verdict.OPEN,
        coverage=tried.coverage,
        lemmas=(DRAWS,),
        reason="neither proved nor contradicted",
    )
    broken = list(_broken(claim, names, sign, tried))
    binomial = is_binomial(claim, names)
    if broken:
        at, left, right = min(broken, key=lambda v: (Decimal(v[0]["z"]), Decimal(v[0]["n"])))
        most = largest_excess(claim, names) if binomial and sign == "<=" and _falls(claim, names) else 0
        yield refuted(
            base,
            right,
            left,
            at,
            method="the sum of binomial probabilities, enclosed",
            severity=Severity.DOMAIN if most else Severity.CONCLUSION,
            survives=f"It holds for every n and z <= {most} (certified); for every z exp(-z^2/(2 + z)) does.",
            effort=f"{len(tried)} instances, {len(broken)} of them violate the claim",
        )
        if most:
            yield replace(
                base,
                scope=f"the same for z <= {most}, every n",
                verdict=Verdict.CERTIFIED,
                rung=Rung.EXACT,
                method=f"the Poisson tail against the bound at z = 1, ..., {most}, enclosed; the bound falls",
                lemmas=(DRAWS, POISSON, STEPS),
                reason=None,
                reading=Reading.ANOTHER,
            )
        return
    whole = (claim.parameter("n").domain, claim.parameter("z").domain) == (naturals, positive)
    if whole and binomial and sign == "<=" and within_chernoff(claim, names):
        method = "computer algebra: the printed rate and its slope are 0 at 0, and 1/(1 + z) less its second derivative >= 0"
        yield replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=(DRAWS, CHERNOFF), reason=None)
    else:
        yield base


def _broken(claim: Claim, names: Names, sign: str, tried: Iterable[Instance]) -> Iterator[tuple[Instance, Real, Real]]:
    m = arb()
    for instance in tried:
        values: Mapping[str, Real] = {name: m.real(value) for name, value in instance.items()}
        left, right = (apply(claim.formulas[name], m, values) for name in (names.tail, names.bound))
        if compare(m, left, sign, right) is False:
            yield instance, left, right


def _falls(claim: Claim, names: Names) -> bool:
    z = sympy.Symbol("z", positive=True)
    asked = rate(claim, names, z)
    return asked is not None and bool(sympy.simplify(sympy.diff(asked, z)).is_positive)
