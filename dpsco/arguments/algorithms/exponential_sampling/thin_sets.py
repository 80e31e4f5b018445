"""The sampler of the grid walk as it is described: its law when it runs for long, and its time on a set that grows thin."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.algorithms.exponential_sampling.walk_sampling import distance
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

ERGODIC = Lemma(
    "long walks",
    "For C bounded with 0 inside, every alpha and every cells' side up to 1/(2a) the walk is irreducible and lazy, so P^T/q "
    "tends to 1 uniformly: some T gives t as small as is asked for.",
)
THIN = Lemma(
    "thin rectangle",
    "C = [-1/2, 1/2] x [-w, w], w <= 1/4, f = 0, in its cube A = [-1/2, 1/2]^2: |C|_2 <= 2. The extension is L (|x_2| - w), "
    "so the exponent outside C is b (|x_2|/w - 1), b = alpha + L w, of slope b/w = alpha/w + L. If the sampler's slope is "
    "below 1 it draws evenly from A, and a try lands in C with probability 2 w. Else its tries follow a law e^xi-close to one "
    "with 1/P(C) = 1 + (1 - e^{-b (1/(2w) - 1)})/b, and cells have a side of at most w/(2 b): T >= b/w - 1 or some cell of C "
    "is never reached (infinite distance). For b <= 2w 1/P(C) >= 0.31/w; for b >= 2w T >= b/(2w) and 1/P(C) >= 0.39/b. So the "
    "expected number of steps is at least 0.19 e^{-xi}/w, whatever alpha, L, start and T: more than e^{-xi}/(10 w).",
)

ROTATED = Lemma(
    "rotated thin sets",
    "In the unit disc let C_i be the strip |<x, v_i>| <= w, w <= 1/8, v_i at the angle pi i/M, i < M = floor(1/(2w)); f = 0, "
    "every value exact. |C_i|_2 <= 2, 0 is inside. U_i, the part of C_i beyond radius 1/2, lies within the angle arcsin(2w) <= "
    "pi w of the strip's axis, axes are pi/M >= 2 pi w apart: the U_i are disjoint. Within radius 1/2 is at most 2w of an area "
    "4w sqrt(1 - w^2) or more, so U_i has mass 0.49 at least and the output of a sampler within a of pi in |log ratio| is in "
    "U_i with probability p >= 0.49 e^{-a}. Let the algorithm learn of C by yes-or-no questions (is x in C?). For fixed coins "
    "its runs of at most t questions end in 2^t outputs at most, each in one U_i at most: on average over i it asks at most t "
    "questions and ends in U_i with probability at most 2^t/M. So for some i more than t = floor(log2(p M/2)) are asked with "
    "probability p/2 at least, and the expected number is at least (p/2) log2(p M/2) >= (p/2) log2(p/(8w)), as M >= 1/(4w).",
)


EXISTENCE = "whether another sampler than the one described has this time"
"""The open question of both theorems, whose headline it leads."""


def long_walk(claim: Claim, name: str) -> Iterator[Finding]:
    """The printed distance, T and alpha left open: what a long walk reaches."""
    yield from distance(claim, name, ERGODIC)
    yield Finding(
        scope="C unbounded, or without 0 inside it",
        verdict=Verdict.OPEN,
        reason="there is no cube, or the gauge is infinite or below 1 outside C: the steps are not defined as printed",
    )


def thin_set(claim: Claim) -> Iterator[Finding]:
    """The printed time does not know how thin C is."""
    m = arb(128)
    factor, known = m.real(1), {"d": m.real(2), "zeta": m.real("0.000001")}
    for name in ("time_in_d", "slowdown"):
        formula = claim.formulas.get(name)
        if formula is not None:
            try:
                factor = factor * apply(formula, m, known)
            except KeyError:  # it knows more of C than its dimension
                yield Finding(
                    scope="time of the described sampler", verdict=Verdict.OPEN, reason=f"{name} depends on more than d"
                )
                return
    width = "1e-12"
    shown = {"zeta": "0.000001"} if "slowdown" in claim.formulas else {}
    least = m.exp(-1) / (10 * m.real(width))
    yield refuted(
        "time of the sampler described, for every alpha and T, on a C that grows thin while L, |C| and xi stay",
        ends(factor)[1],
        (ends(least)[0], "inf"),
        {"d": "2", "L": "1", "xi": "1", "w": width, "poly(L, |C|, 1/xi)": "1", **shown},
        method="run until near its target on A: the expected number of steps is at least e^{-xi}/(10 w), every polynomial "
        "of L, |C|_2 <= 2 and 1/xi stays; the rest of the printed bound is shown as claimed",
        severity=PROOF_STEP,
        survives="Of the described steps: for sets that hold a ball of radius r an explicit polynomial in d, L, |C|, 1/r and "
        "ln(1/xi) bounds the evaluations.",
        rung=Rung.EXACT,
        lemmas=(THIN,),
    )
    yield by_questions(claim, factor, shown)
    yield Finding(
        scope=EXISTENCE,
        verdict=Verdict.OPEN,
        reason="how C is given is not said. By membership questions alone no algorithm has this time (beside). With C known "
        "beforehand, or with exact values of its gauge, which the printed steps ask for, that argument says nothing: a few "
        "values show how the strip lies, and it can be stretched first. For those neither a proof of this time nor an argument "
        "against it is at hand",
    )
    yield Finding(
        scope="the degree 3 in d, for sets that hold a ball of fixed radius",
        verdict=Verdict.OPEN,
        reason="alpha is not printed, the polynomial's degree in |C| neither, and |C| grows with d for the sets of most use: "
        "proved is a polynomial of higher degree in d",
    )


def by_questions(claim: Claim, factor: Real, shown: Mapping[str, str]) -> Finding:
    """Another reading of the sentence: C is known by membership questions alone. Refuted for every algorithm."""
    m, width = arb(128), "1e-400"
    given = {"zeta": m.real("0.000001"), "xi": m.real(1)}
    near = apply(claim.formulas["distance"], m, given) if "distance" in claim.formulas else given["xi"]
    hit = m.frac(49, 100) * m.exp(-near)
    least = hit / 2 * m.log(hit / (8 * m.real(width))) / m.log(m.real(2))
    found = refuted(
        "time of every algorithm that learns of C by membership questions alone: C grows thin, L, |C| and xi stay",
        ends(factor)[1],
        (ends(least)[0], "inf"),
        {"d": "2", "L": "1", "xi": "1", "w": width, "poly(L, |C|, 1/xi)": "1", **shown},
        method="expected number of questions by counting what t answers can tell apart: log2(1/w) passes every polynomial of "
        "L, |C|_2 <= 2 and 1/xi, which stay",
        severity=Severity.DOMAIN,
        survives="With a ball of radius r inside C, ln(1/r) among the polynomial's arguments.",
        rung=Rung.EXACT,
        lemmas=(ROTATED,),
    )
    return replace(found, reading=Reading.ANOTHER)


def _within(right: str) -> tuple[Relation, Callable[[Claim], Iterator[Finding]]]:
    return Relation("Dist_infinity(law of theta, pi)", "<=", right), lambda claim: long_walk(claim, right)


DESCRIBED = dict(
    (
        _within("xi"),
        _within("distance"),
        (Relation("time", "<=O", "time_in_d poly(L, |C|, 1/xi)"), thin_set),
        (Relation("time", "<=O", "slowdown time_in_d poly(L, |C|, 1/xi)"), thin_set),
    )
)
"""What the sampler of the printed steps reaches, by assertion."""
