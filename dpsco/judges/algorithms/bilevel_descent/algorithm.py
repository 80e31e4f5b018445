"""Judge of the privacy of bilevel descent: the query's sensitivity, the noise for a public T, a T taken from the data."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

import sympy

from dpsco.arguments.algorithms.bilevel_descent.literal_step import one_step
from dpsco.arguments.algorithms.descent.bilevel_gradients import (
    ADVERSARIAL,
    CHAIN,
    INEXACT,
    MINIMISERS,
    SYMBOLS,
    TESTS,
    K_of_12,
    constants,
    gradient_change,
    inexact_change,
    never_below,
)
from dpsco.arguments.algorithms.descent.data_steps import NOISE, leaks, not_public
from dpsco.arguments.algorithms.descent.inner_errors import inner_errors
from dpsco.arguments.assertions import known_release, reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import POST, TAIL, Scale, largest_epsilon, suffices
from dpsco.instances.privacy import CONSTANTS, DELTAS, EPSILONS
from dpsco.mutants.algorithms.bilevel_descent import algorithm as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.reference.privacy.gaussian import composed
from dpsco.spec.algorithms.bilevel_descent.algorithm import alpha_is_small
from dpsco.spec.algorithms.bilevel_descent.calibrated import FROM_START
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

PRIVATE = Relation("Algorithm 1", "is", "(epsilon, delta)-DP")
RELEASED = "the output iterate; by the proof all T noisy steps"
TRANSCRIPT, OUTPUT = "all T noisy steps", "the output iterate, uniform among x_1, ..., x_T"
PROVED, ATTAINED = Fraction(3), Fraction(2497, 1000)
"""The query's sensitivity in units of K/n: proved for every n, and attained for every n >= 1000."""
GIVEN: Final[tuple[Callable[..., Truth], ...]] = (*TESTS, alpha_is_small)
KAPPAS = range(4000, 0, -1)

ONE_STEP = Lemma("one step", "With T = 1 the output is x_1, from which the only noisy gradient is read off.")
LINE = Lemma(
    "epsilon below a multiple of ln(1/delta)",
    "If epsilon/mu = c sqrt(s), s = ln(1/delta), and epsilon <= kappa s, then z = epsilon/mu - mu/2 >= (c - kappa/(2c)) "
    "sqrt(s), and profile <= e^(-z^2/2)/2 <= delta/2 where c - kappa/(2c) >= sqrt(2).",
)


def privacy(claim: Claim) -> Iterator[Finding]:
    """Each link of the printed proof, each release, a public T and one taken from the data."""
    yield from known_release(claim, RELEASED)
    if not_public(claim):
        yield from leaks(claim, PRIVATE)
    yield query_link(claim)
    yield from inner_errors(claim, PRIVATE)
    if claim.amends is None:
        yield from _cited_route(claim)
    if not not_public(claim, NOISE):
        yield from _public(claim)


def sensitivity(claim: Claim) -> Iterator[Finding]:
    """The lemma on the query's sensitivity, with its own formulas for the bound, C of (11) and K of (12)."""
    base = Finding(
        scope="neighbours' queries at one x_t differ by at most the printed bound",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        reason="neither proved nor contradicted by the adversarial solver",
    )
    m, n = arb(192), 1000
    values: dict[str, Real] = {**constants(m, L_fx=1, beta_fxx=1, beta_fxy=1, beta_gyy=1), "n": m.real(n)}
    for name, formula in (("K", "K_of_12"), ("C", "C_of_11")):
        values[name] = apply(claim.formulas[formula], m, values)
    alpha = apply(claim.formulas["alpha_limit"], m, values)
    change = (2 * (1 - m.frac(5, 4) * alpha) + 2 * n * alpha) / n  # the lemma's problem at b = 1, L_fx = 1
    bound = apply(claim.formulas["bound"], m, values)
    if m.gt(change, bound) is True and m.lt(m.frac(5, 4) * alpha, 1) is True:
        yield refuted(
            base,
            bound,
            change,
            {"n": str(n), "L_fx": "1", "beta_fxy": "1"},
            method="two neighbours' queries in closed form, with an adversarial solver",
            severity=Severity.CONSTANT,
            survives="With K of (12) and C of (11) it is at most 3K/n.",
            lemmas=(ADVERSARIAL,),
        )
        return
    s = {**SYMBOLS, **dict(zip("nKC", sympy.symbols("n K C", positive=True), strict=True))}
    K, C = (apply(claim.formulas[name], symbolic(), SYMBOLS) for name in ("K_of_12", "C_of_11"))
    share = sympy.simplify(apply(claim.formulas["bound"], symbolic(), s) * s["n"] / s["K"])
    limit = sympy.simplify(apply(claim.formulas["alpha_limit"], symbolic(), s) * s["n"] * s["C"] / s["K"])
    proved = never_below(K, gradient_change()) and never_below(C, inexact_change()) and limit == 1
    if proved and share.is_number and share >= PROVED:
        method = "computer algebra: the printed K and C are not below the sums proved here, and 1 + 2 <= the printed factor"
        lemmas = (MINIMISERS, CHAIN, INEXACT)
        yield replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=lemmas, given=GIVEN, reason=None)
    else:
        yield base


def query_link(claim: Claim) -> Finding:
    """The printed sensitivity against the proved one and the attained one, in units of K/n."""
    n, K = sympy.symbols("n K", positive=True)
    share = sympy.simplify(apply(claim.formulas["sensitivity"], symbolic(), {"n": n, "K": K}) * n / K)
    base = Finding(
        scope="link: the query with inexact lower minimisers moves by at most the printed sensitivity",
        verdict=Verdict.OPEN,
        method="computer algebra: K of (12) is at least n times the change of the exact gradient, 2 C alpha at most 2K/n",
        claimed=f"{share} K/n",
        computed=(f"{ATTAINED} K/n (n >= 1000)", f"{PROVED} K/n"),
        adjacency=claim.adjacency,
        lemmas=(MINIMISERS, CHAIN, INEXACT),
        given=GIVEN,
        reason="the printed sensitivity lies between the attained and the proved one, or is no multiple of K/n",
    )
    if not (share.is_number and never_below(K_of_12(), gradient_change())):
        return base
    if share >= PROVED:
        return replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, reason=None)
    if share < ATTAINED:
        survives = "The sensitivity is at most 3K/n."
        return replace(
            base,
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            lemmas=(ADVERSARIAL,),
            reason=None,
            severity=Severity.CONSTANT,
            survives=survives,
        )
    return base


def _cited_route(claim: Claim) -> Iterator[Finding]:
    """Gaussian mechanism and advanced composition as cited (Lemmas A.3 and A.4), at every split of delta."""
    m = arb(192)
    at = {"epsilon": "1", "delta": "0.1", "T": "25000000", "n": "1000", "K": "7"}
    v = {name: m.real(value) for name, value in at.items()}
    shift = apply(claim.formulas["sensitivity"], m, v) / apply(claim.formulas["sigma"], m, v)
    each = shift * m.sqrt(2 * m.log(2 * v["T"] / v["delta"]))
    total = m.sqrt(2 * v["T"] * m.log(1 / v["delta"])) * each
    if m.gt(total, v["epsilon"]) is True:
        yield refuted(
            "link: Lemma A.3 for each step, then Lemma A.4, give (epsilon, delta)",
            at["epsilon"],
            total,
            at,
            method="with delta_0 <= delta/T for each step and delta' <= delta, the first term of epsilon' alone",
            severity=PROOF_STEP,
            survives="T Gaussian steps compose to one Gaussian with sqrt(T) times the shift, which loses no logarithm of T.",
        )


def _mu(claim: Claim, share: Fraction | None, m: Numbers, v: Mapping[str, Real]) -> Real:
    """mu of the transcript at the printed sensitivity, or at the given multiple of K/n."""
    printed = apply(claim.formulas["sensitivity"], m, v)
    sensitivity = printed if share is None else m.frac(share.numerator, share.denominator) * v["K"] / v["n"]
    return composed(m, apply(claim.formulas["sigma"], m, v), sensitivity, v["T"])


def _public(claim: Claim) -> Iterator[Finding]:
    """The noise for a T that is fixed without the data: refuted at the attained sensitivity, certified at the printed one."""
    axes = {
        "epsilon": EPSILONS,
        "delta": DELTAS,
        "n": ("1000",),
        "K": CONSTANTS,
        "T": ("1", "1000000"),
    }
    attained = Scale(
        lambda m, v: _mu(claim, ATTAINED, m, v),
        axes,
        "T fixed without the data: every T, n, K",
        claim.adjacency,
        TRANSCRIPT,
        lemmas=(POST, ADVERSARIAL),
        asserts=(PRIVATE,),
    )
    upper = replace(
        attained,
        mu=lambda m, v: _mu(claim, None, m, v),
        lemmas=(POST, MINIMISERS, CHAIN, INEXACT),
        given=GIVEN,
    )
    sound = query_link(claim).verdict is Verdict.CERTIFIED
    certain = next(suffices(claim, upper)) if sound else None
    if certain is not None and certain.verdict is Verdict.CERTIFIED:
        yield certain
        yield replace(certain, release=OUTPUT, method=f"{certain.method}; the output is a function of the steps and of chance")
        return
    broken = next(suffices(claim, attained))
    if broken.verdict is not Verdict.REFUTED:
        reason = "no violation at the attained sensitivity, and no certificate at the printed one"
        yield Finding(scope=upper.scope, verdict=Verdict.OPEN, release=TRANSCRIPT, reason=reason, asserts=(PRIVATE,))
        return
    kappa = _kappa(claim) if sound else None
    upper = replace(upper, mu=lambda m, v: _mu(claim, PROVED, m, v))
    survives = "What survives is not known in closed form."
    if kappa is not None:
        limits = (
            f"delta = {d}: epsilon <= {ends(largest_epsilon(upper, d), 4)[0]}, not beyond "
            f"{ends(largest_epsilon(attained, d) * m.frac(1000001, 1000000), 4)[1]}"
            for m in (arb(256),)
            for d in ("1e-10", "1e-5", "0.1")
        )
        survives = f"For T fixed without the data it holds for epsilon <= {kappa} ln(1/delta), by the sensitivity 3K/n up to "
        survives += "; ".join(limits) + "."
    yield replace(broken, survives=survives)
    one = replace(attained, axes={**axes, "T": ("1",)}, release=OUTPUT, lemmas=(POST, ADVERSARIAL, ONE_STEP))
    output = next(suffices(claim, one))
    if output.verdict is Verdict.REFUTED and FROM_START not in claim.over:
        yield replace(output, survives=survives)
    if kappa is not None:
        yield _on_the_line(claim, upper, kappa)


def _kappa(claim: Claim) -> int | None:
    """The largest integer kappa for which `LINE` applies, None where epsilon/mu is no constant times sqrt(ln(1/delta))."""
    s = symbols_of(claim.parameters)
    nats = sympy.Symbol("s", positive=True)
    s["delta"] = sympy.exp(-nats)
    c = sympy.simplify(sympy.expand_log(s["epsilon"] / _mu(claim, PROVED, symbolic(), s), force=True) / sympy.sqrt(nats))
    if not (c.is_number and c.is_positive):
        return None
    return next((k for k in KAPPAS if bool(c - sympy.Rational(k) / (2 * c) >= sympy.sqrt(2))), None)


def _on_the_line(claim: Claim, upper: Scale, kappa: int) -> Finding:
    return certified(
        f"{upper.scope}, for epsilon <= {kappa} ln(1/delta)",
        "computer algebra: epsilon/mu is a constant times sqrt(ln(1/delta)); then the tail lemma",
        *upper.lemmas,
        LINE,
        TAIL,
        adjacency=claim.adjacency,
        release=TRANSCRIPT,
        given=GIVEN,
        reading=Reading.MEANT,
    )


READ = {
    Relation("x_{t+1}", "=", "next_iterate"): one_step,
    PRIVATE: privacy,
    Relation("query_change", "<=", "bound"): sensitivity,
}

JUDGES = dict.fromkeys(
    ("bilevel/alg-1", "bilevel/lem-4.1", "bilevel/thm-4.2-privacy", "bilevel/thm-4.2-privacy-amended"), reading(READ)
)

MUTANTS = {
    "bilevel/alg-1": mutants.of_step,
    "bilevel/lem-4.1": mutants.of_sensitivity,
    "bilevel/thm-4.2-privacy-amended": mutants.of_descent,
}
