"""What comparing l_p with l2 gives phased descent: the length of theta*, of gradients, privacy; p >= 2 and p < 2 apart."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.descent.phased_noise import RELEASES, noise_of_phases
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, named
from dpsco.instances.grid import grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Provenance
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

LAST = RELEASES[-1]
HOLDER = Lemma(
    "norms compared",
    "|theta|_2 <= max(1, d^(1/2 - 1/p)) |theta|_p, attained by e_1 or (1, ..., 1); the dual index q = p/(p - 1) is at most 2 "
    "for p >= 2, and then |g|_2 <= |g|_q: losses that are L-Lipschitz in l_p are so in l2.",
)


SMOOTHER = Lemma(
    "smoothness compared",
    "p >= 2: |grad l(w) - grad l(w')|_2 <= |grad l(w) - grad l(w')|_q <= beta |w - w'|_p <= beta |w - w'|_2.",
)


def normed(claim: Claim) -> bool:
    """Whether the claim is about l_p."""
    return any(p.name == "p" for p in claim.parameters)


def compares(claim: Claim) -> bool:
    """Whether the norms compare on the claim's whole range of p: p >= 2, or l2 itself."""
    domain = claim.parameter("p").domain if normed(claim) else None
    return domain is None or (isinstance(domain, Interval) and float(domain.low) >= 2)


def aside(claim: Claim) -> Reading:
    """How p < 2 counts: in a rebuilt claim the range of p is a reading, and p >= 2 is another one."""
    return Reading.ANOTHER if claim.provenance is Provenance.REBUILT else Reading.PRINTED


def optimum(claim: Claim) -> Iterator[Finding]:
    """|theta*|_2 against the claimed bound, p >= 2 and p < 2 apart."""
    p, d, W = (sympy.Symbol(name, positive=True) for name in ("p", "d", "W"))
    values_of = {"p": p, "d": d, "optimum_p_norm": W}
    least = d ** (sympy.Rational(1, 2) - 1 / p) * W
    same = sympy.simplify(apply(claim.formulas["euclidean_norm_bound"], symbolic(), values_of) / least)
    if compares(claim) or aside(claim) is Reading.ANOTHER:
        yield _norms(claim, "|theta*|_2, 2 <= p", ("2", "3", "1e9"), bool(same.is_number and same >= 1))
    if not compares(claim):
        yield replace(_norms(claim, "|theta*|_2, 1 < p < 2", ("1.5", "1.01"), False), reading=aside(claim))


def _norms(claim: Claim, scope: str, ps: tuple[str, ...], holds: bool) -> Finding:
    def longest(m: Numbers, v: Mapping[str, Real]) -> Real:
        return m.max(m.real(1), v["d"] ** (m.frac(1, 2) - 1 / v["p"])) * v["optimum_p_norm"] * (1 - m.real("1e-30"))

    return bounded(
        Side(
            scope=scope,
            claimed=named(claim, "euclidean_norm_bound"),
            reached=longest,
            holds=holds,
            method="computer algebra: the bound over d^(1/2 - 1/p) |theta*|_p is a number, at least 1",
            instances=grid(claim, {"p": ps, "d": ("1", "2", "9", "1000"), "optimum_p_norm": ("0.3", "1", "5")}),
            severity=Severity.DOMAIN,
            survives="It holds for 2 <= p <= inf.",
            lemmas=(HOLDER,),
            family=(HOLDER,),
        )
    )


def gradient(claim: Claim) -> Iterator[Finding]:
    """|g|_2 <= |g|_q, p >= 2 and p < 2 apart; g = (1, 1)."""
    method = "q <= 2 for p >= 2: written lemma"
    if compares(claim) or aside(claim) is Reading.ANOTHER:
        yield certified("|grad|_2, 2 <= p", method, HOLDER)
    if not compares(claim):
        m = arb()
        yield refuted(
            "|grad|_2, 1 < p < 2",
            m.norm([m.real(1)] * 2, m.real(3)),
            m.norm([m.real(1)] * 2, m.real(2)),
            {"p": "1.5", "d": "2"},
            method="g = (1, 1), both norms enclosed; the dual of p = 3/2 is q = 3",
            severity=Severity.DOMAIN,
            survives="It holds for 2 <= p <= inf.",
            reading=aside(claim),
        )


def smooth(claim: Claim) -> Iterator[Finding]:
    """Smoothness in l_p against smoothness in l2, p >= 2 and p < 2 apart; l = (beta/2) <u, w>^2, u along (1, 1), |u|_q = 1."""
    method = "|h|_p <= |h|_2 and |g|_2 <= |g|_q for p >= 2: written lemma"
    if compares(claim) or aside(claim) is Reading.ANOTHER:
        yield certified("smoothness in l2, 2 <= p", method, SMOOTHER)
    if not compares(claim):
        m = arb()
        yield refuted(
            "smoothness in l2, 1 < p < 2",
            m.real(2) ** m.frac(1, 6),
            m.sqrt(m.real(2)),
            {"p": "1.5", "d": "2", "beta": "1"},
            method="beta = 1, w - w' = u: |grad - grad'|_2 = |u|_2^3 against |u|_2, enclosed; the dual of p = 3/2 is q = 3",
            severity=Severity.DOMAIN,
            survives="It holds for 2 <= p <= inf.",
            reading=aside(claim),
        )


def private(claim: Claim) -> Iterator[Finding]:
    """The noise of the phases for gradients of l2 norm up to L; for p < 2 they may be longer."""
    if compares(claim) or aside(claim) is Reading.ANOTHER:
        yield from _last(noise_of_phases(claim))
    if not compares(claim):
        for found in _last(noise_of_phases(claim, {"p": "1.5", "d": "1000000"})):
            wrong = found.verdict is Verdict.REFUTED
            more = {"severity": Severity.DOMAIN, "survives": "It is private for 2 <= p <= inf."} if wrong else {}
            yield replace(found, scope=f"{found.scope}, 1 < p < 2", reading=aside(claim), **more)  # type: ignore[arg-type]


def _last(findings: Iterable[Finding]) -> Iterator[Finding]:
    yield from (found for found in findings if found.release in (None, LAST))
