"""The privacy that an experiment's printed calibration really gives: both descents at one (epsilon, delta), T a function of n.

Gaussian descent is one Gaussian of a known shift; exponential descent costs what its step lengths give away, and its draws.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent.descent_accounting import ATTAINED, FUNCTION, log_odds
from dpsco.arguments.algorithms.descent.descent_paths import SECRET, asks_for, step_of
from dpsco.arguments.algorithms.descent.noisy_gradients import AVERAGE, TRIANGLE, average_steps
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.composition import HOEFFDING, WORST
from dpsco.arguments.privacy.half_spheres import DENSITY
from dpsco.arguments.privacy.noise_scale import POST
from dpsco.reference.algorithms.exponential_descent.algorithm import gradient
from dpsco.reference.algorithms.exponential_descent.privacy import least_delta
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.algorithms.exponential_descent import algorithm
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.randomised_response import favoured, unfavoured
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

SIZES = ("2", "10", "500")
"""Numbers of records that are enclosed; the last is the experiment's."""
TRANSCRIPT = "the transcript of T - 1 noisy gradients"
OUTPUT = "the output c_hat and w*(c_hat), even w*(c_hat) alone"

FAR_COSTS = Lemma(
    "costs far out, on the sphere",
    "S is the unit sphere of R^3, the records (C e_1, x) and (-C e_1, x), x = e_1, |x| the largest. The maximiser (c - 2 B x)/"
    "|c - 2 B x| tends to c/|c| as C grows, wherever B is, so the gradients tend to -4 e_1 x^T and to its opposite, norm L = "
    "4 |x|. Given the iterates so far each noisy gradient has a Gaussian density that converges, and by Scheffe the "
    "transcript's law converges in total variation to that under constant gradients: least deltas come as near to its least "
    "delta as one likes.",
    (Adjacency.REPLACE_ONE,),
)
ON_THE_SPHERE = Lemma(
    "the decision on the sphere",
    "x_{n+1} = e_1, gradients as with costs far out: <e_1, c_hat> is one Gaussian, Proj keeps its sign, and the sign of <e_1, "
    "w*(c_hat)> is the opposite. The other n - 1 records, of features y e_1, |y| <= 1, and costs far out, add any constant in "
    "[-L (n-1)/n, L (n-1)/n] to the mean gradient, and so put any threshold that is at most epsilon/mu^2 times 2 L/n from the "
    "middle under that sign where n - 1 >= 2 epsilon/mu^2: the best event of the pair.",
    (Adjacency.REPLACE_ONE,),
)
ON_THE_MODEL = Lemma(
    "neighbours with c = x",
    "At B = 0 a record c = x on the unit sphere S of R^3 has the gradient -4 x x^T/|x|. Those of e_1 and e_2 differ by 4 "
    "sqrt(2) = sqrt(2) L, L = 4 for features of norm at most 1. As eta falls to 0 all iterates stay at 0 in probability, where "
    "the gradients are continuous, and the transcript's law converges in total variation.",
    (Adjacency.REPLACE_ONE,),
)
ATOM = Lemma(
    "an atom against a density, T steps",
    "S is the unit sphere of R^3. If every x_i is 0 all gradients and steps vanish and w*(c_hat) = w*(0) is one point. Let x_1 "
    "= e_1, c_1 = e_1 instead. The first step is positive. A mean gradient -2 (v + e_1) e_1^T/n, v the unit vector along c_1 - "
    "2 B e_1, vanishes only where 2 B e_1 - e_1 is a nonnegative multiple of e_1: a set of dimension 7 in the nine of B, which "
    "a step of positive length, uniform by halves on a sphere of dimension 8, hits with probability 0. So all steps are "
    "positive, and given the others the last direction moves c_hat with a density: no point is the decision with positive "
    "probability, for x_{n+1} = e_1.",
    (Adjacency.REPLACE_ONE,),
)
SURVIVES = "With more noise, and with a public step length, both runs are (10, 0.4)-DP: spo/fig-3-amended."


def gaussian(claim: Claim, epsilon: str, delta: str) -> Iterator[Finding]:
    """Gaussian descent at the claim's variance, one finding for each release.

    The figure's data sets have c = x, and decide it; those of free costs stand beside. Its amendment is about all data sets.
    """
    found = [_enclosed(claim, epsilon, delta, n, part) for n in SIZES for part in (0, 1, 2)]
    m = arb()
    worst = [case[1] for case in found if m.gt(case[0], m.real(delta)) is True]
    common: dict[str, Any] = {"scope": "Gaussian descent with the variance shown", "adjacency": claim.adjacency}
    if not worst:
        yield _certificate(claim, epsilon, delta, Finding(**common, verdict=Verdict.OPEN, reason="undecided"))
        return
    if claim.amends is None:
        common["scope"] = "Gaussian descent among data sets with c = x, as the figure has them, eta (not printed) small"
        yield _release(claim, epsilon, delta, 2, common, TRANSCRIPT, (POST, ON_THE_MODEL))
        yield Finding(
            **common, verdict=Verdict.OPEN, release=OUTPUT, reason="not enclosed: no pair of records found that decides"
        )
        common = {**common, "scope": "Gaussian descent with the variance shown, costs free", "reading": Reading.ANOTHER}
    yield _release(claim, epsilon, delta, 0, common, TRANSCRIPT, (POST, FAR_COSTS))
    yield _release(claim, epsilon, delta, 1, common, OUTPUT, (POST, FAR_COSTS, AVERAGE, ON_THE_SPHERE))


def _release(
    claim: Claim, epsilon: str, delta: str, part: int, common: Mapping[str, Any], release: str, lemmas: tuple[Lemma, ...]
) -> Finding:
    """Refuted where the least delta at the experiment's n exceeds what is claimed, else open."""
    m, n = arb(), SIZES[-1]
    value, _, mu = _enclosed(claim, epsilon, delta, n, part)
    room = part != 1 or m.ge(int(n) - 1, 2 * m.real(epsilon) / mu**2) is True
    if m.gt(value, m.real(delta)) is not True or not room:
        return Finding(**common, verdict=Verdict.OPEN, release=release, reason="not contradicted for this release")
    also = [size for size in SIZES if m.gt(_enclosed(claim, epsilon, delta, size, part)[0], m.real(delta)) is True]
    return refuted(
        **common,
        claimed=delta,
        computed=value,
        at={"epsilon": epsilon, "delta": delta, "n": n, "T": str(int(n) ** 2), "L": "4", "d": "3", "p": "3"},
        method=f"Gaussian of shift {ends(mu, 6)[0]} over noise, least delta enclosed",
        severity=Severity.CONCLUSION,
        survives=SURVIVES,
        release=release,
        coverage=(f"n = {', '.join(SIZES)}",),
        lemmas=lemmas,
        reason=f"refuted at n = {', '.join(also)}: the shift hardly depends on n",
    )


def _enclosed(claim: Claim, epsilon: str, delta: str, n: str, part: int) -> tuple[Real, str, Real]:
    """Least delta, n and mu of the transcript (part 0), the average (1), the transcript between records on the model (2)."""
    m = arb()
    values = {"n": m.real(n), "L": m.real(4)}
    T, variance = (apply(claim.formulas[name], m, values) for name in ("steps", "noise_variance_shown"))
    count = average_steps(m, T) if part == 1 else T - 1
    mu = m.sqrt(count * (2 * values["L"] / values["n"]) ** 2 / variance / (2 if part == 2 else 1))
    return profile(m, m.real(epsilon), mu), n, mu


def _certificate(claim: Claim, epsilon: str, delta: str, base: Finding) -> Finding:
    """mu^2 < T (2 L/n)^2/variance for T - 1 steps; certified where that is one number of a profile at most delta."""
    n, L = (sympy.Symbol(name, positive=True) for name in ("n", "L"))
    T, variance = (expression(claim.formulas[name]) for name in ("steps", "noise_variance_shown"))
    square = sympy.simplify(4 * L**2 * T / (n**2 * variance))
    m = arb()
    if square.free_symbols:
        return replace(base, reason=f"no violation at n = {', '.join(SIZES)}; the shift {square} depends on n or L")
    one = {"n": m.real(2), "L": m.real(1)}
    mu = m.sqrt(4 * apply(claim.formulas["steps"], m, one) / (4 * apply(claim.formulas["noise_variance_shown"], m, one)))
    value = profile(m, m.real(epsilon), mu)
    if m.le(value, m.real(delta)) is not True:
        return replace(base, reason=f"no violation at n = {', '.join(SIZES)}, and no proof")
    return replace(
        base,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method="computer algebra: T times the squared shift of a step is free of n and L; least delta there enclosed",
        claimed=delta,
        computed=ends(value),
        release=claim.releases,
        lemmas=(POST, TRIANGLE),
        given=(gradients_are_bounded,),
        reason=None,
    )


def exponential(claim: Claim, epsilon: str, delta: str) -> Iterator[Finding]:
    """Exponential descent: its step length, and its draws at the claim's step parameter."""
    m, full = (
        arb(),
        replace(claim, formulas={"step": algorithm.step, "favoured": favoured, "unfavoured": unfavoured, **claim.formulas}),
    )
    asked = {"epsilon": epsilon, "delta": delta}
    if unknown := asks_for(full) - {SECRET}:
        reason = f"the step length takes {', '.join(sorted(unknown))}: not known to be public"
        yield Finding(scope="exponential descent", verdict=Verdict.OPEN, reason=reason)
        return
    if SECRET not in asks_for(full):
        yield _draws(full, epsilon, delta, claim.releases, Reading.PRINTED)
        return
    step, sizes = step_of(full, m), [_norm(m, x) for x in (0, 1)]
    if m.eq(step(sizes[0]), 0) is True and m.gt(step(sizes[1]), 0) is True:
        yield refuted(
            "exponential descent with the step eta |gradient|, every n >= 2, epsilon and delta < 1; c = x on both",
            delta,
            "1",
            {**asked, "d": "3", "p": "3", "x_1": "0", "x_1'": "e_1", "other features": "0", "x_{n+1}": "e_1"},
            method="the event w* = w*(0) has probability 1 on one data set and 0 on the other: least delta",
            severity=Severity.CONCLUSION,
            survives=SURVIVES,
            rung=Rung.EXACT,
            adjacency=claim.adjacency,
            release=OUTPUT,
            lemmas=(ATOM,),
        )
    else:
        yield Finding(
            scope="exponential descent", verdict=Verdict.OPEN, reason="the step length does not tell x = 0 from x = 1"
        )
    yield _draws(full, epsilon, delta, "the directions G_1, ..., G_{T-1} alone, epsilon_0 in every step", Reading.MEANT)
    true = least_delta(m, m.real(epsilon), m.real(epsilon), 4)
    if m.gt(true, m.real(delta)) is True:
        yield refuted(
            "exponential descent with epsilon in every step, as Lemma 2 and Theorem 4 have it",
            delta,
            true,
            {**asked, "n": "2", "T": "4", "d": "1", "p": "1"},
            method="optimal composition of T - 1 draws, enclosed: least delta; more steps cost more",
            severity=Severity.CONCLUSION,
            survives=SURVIVES,
            adjacency=claim.adjacency,
            release="the directions G_1, ..., G_{T-1} alone",
            lemmas=(ATTAINED, WORST),
            reading=Reading.ANOTHER,
        )


def _norm(m: Numbers, x: int) -> Real:
    """Norm of the first gradient of the record (e_1, x e_1) in R^3; at B = 0 the ball's maximiser is on the sphere."""
    cost, feature = [m.real(1), m.real(0), m.real(0)], [m.real(x), m.real(0), m.real(0)]
    return m.norm(gradient(m, "ball", [cost], [feature], m.frac(1, 2), m.real(1), [m.real(0)] * 9))


def _draws(claim: Claim, epsilon: str, delta: str, release: str, reading: Reading) -> Finding:
    """Hoeffding's total of T - 1 < n^2 draws, a = n step_epsilon: a^2/2 + a sqrt(2 ln(1/delta)), where a is free of n."""
    scope = "exponential descent's draws with the parameter shown"
    n, m = sympy.Symbol("n", positive=True), arb()
    a = sympy.simplify(n * expression(claim.formulas["step_epsilon_shown"]))
    odds, square = log_odds(claim), sympy.simplify(expression(claim.formulas["steps"]) - n**2)
    common: Mapping[str, Any] = {"scope": scope, "adjacency": claim.adjacency, "release": release, "reading": reading}
    if square != 0 or odds != sympy.Symbol("e", positive=True):
        return Finding(**common, verdict=Verdict.OPEN, reason="the number of steps, or the odds, have another form")
    one = apply(claim.formulas["step_epsilon_shown"], m, {"n": m.real(1)})
    total = one**2 / 2 + one * m.sqrt(2 * m.log(1 / m.real(delta)))
    if not a.free_symbols and m.le(total, m.real(epsilon)) is True and m.ge(one, 0) is True:
        return Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="Hoeffding's bound on n^2 draws is free of n: enclosed total against epsilon",
            claimed=epsilon,
            computed=ends(total),
            lemmas=(DENSITY, WORST, HOEFFDING, FUNCTION),
        )
    for steps in (2, 3, 4, 10):
        each = apply(claim.formulas["step_epsilon_shown"], m, {"n": m.real(steps)})
        true = least_delta(m, m.real(epsilon), each, steps**2)
        if m.gt(true, m.real(delta)) is True:
            return refuted(
                **common,
                claimed=delta,
                computed=true,
                at={"epsilon": epsilon, "delta": delta, "n": str(steps), "T": str(steps**2), "d": "1", "p": "1"},
                method="optimal composition of the T - 1 draws, enclosed: least delta",
                severity=Severity.CONSTANT,
                survives="It holds with the constants of the optimal composition.",
                lemmas=(ATTAINED, WORST),
            )
    return Finding(**common, verdict=Verdict.OPEN, reason="no violation for n up to 10, and no proof")
