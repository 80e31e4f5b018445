"""Two private stages, the second started where the first ended: their composition, and the warm start's own two stages."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import (
    ADVERSARIAL,
    CHAIN,
    MINIMISERS,
    TESTS,
    K_of_12,
    gradient_change,
    never_below,
)
from dpsco.arguments.algorithms.descent.data_steps import not_public
from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import (
    CENTRED,
    LIPSCHITZ,
    SHIFT,
    WEIGHTS,
    centred_range,
    loss_is_bounded,
    never_negative,
    symbols,
)
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import POST, Scale, suffices
from dpsco.instances.grid import grid
from dpsco.instances.privacy import CONSTANTS, DELTAS, EPSILONS
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbol, symbolic, symbols_of
from dpsco.reference.privacy.gaussian import composed
from dpsco.spec.algorithms.bilevel_descent.algorithm import alpha_is_small
from dpsco.spec.algorithms.exponential_sampling.calibrated import scale_is_positive
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

REPLACED = (Adjacency.REPLACE_ONE,)
BASIC = Lemma(
    "adaptive basic composition",
    "A is (a, p)-DP and B(., x_0), with coins of its own, (b, q)-DP for every x_0. For each set S of pairs, B(Z, x_0) lies in "
    "its section with probability at most min(1, e^b P(B(Z', x_0) in it)) + q, a function of x_0 in [0, 1] plus q, whose mean "
    "under A(Z) is at most e^a times that under A(Z') plus p: (a + b, p + q)-DP, for the pair and so for its second part.",
    REPLACED,
)
INEXACT_QUERIES = Lemma(
    "inexact queries",
    "Whatever the solver within alpha <= K/(C n), two neighbours' queries at one x_t differ by K/n, the change of the gradient,"
    " plus 2 C alpha at most: by 3K/n.",
    REPLACED,
)
TWICE = Lemma(
    "one bit asked twice",
    "A and B, whatever x_0, tell a record's bit outright with probability q, otherwise by randomised response of odds e^a: "
    "each (a, q)-DP. Both answers together need at least 1 - (1 - q)^2 (1 - r), r = max(0, e^{2a} - e^epsilon)/(1 + e^a)^2.",
    REPLACED,
)
AXES = {"epsilon": ("0.001", "1", "20"), "delta": ("1e-40", "1e-5", "0.1", "0.5", "0.999")}
WARM_RELEASE = "x_priv; by the proof x_0 and all noisy steps too"
STEPS = "all noisy steps of the second stage"


def both_answers(m: Numbers, epsilon: Real, a: Real, q: Real) -> Real:
    """The delta of the lemma `TWICE`."""
    rest = m.max(m.real(0), m.exp(2 * a) - m.exp(epsilon)) / (1 + m.exp(a)) ** 2
    return 1 - (1 - q) ** 2 * (1 - rest)


def meta(claim: Claim) -> Iterator[Finding]:
    """Two stages with the claim's own shares of epsilon and delta."""
    base = Finding(
        scope="every private A, every B that is private for each x_0",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        release=claim.releases,
        reason="no violation, and the shares do not add up to epsilon and delta",
    )
    tried, worst = grid(claim, AXES), None
    for at in tried:
        m = arb(256)
        v = {name: m.real(value) for name, value in at.items()}
        a, q = (apply(claim.formulas[name], m, v) for name in ("epsilon_stage", "delta_stage"))
        if m.gt(both_answers(m, v["epsilon"], a, q), v["delta"]) is True:
            worst = (at, v["delta"], both_answers(m, v["epsilon"], a, q))
    if worst is not None:
        yield refuted(
            base,
            worst[1],
            worst[2],
            worst[0],
            method="least delta of two answers to one bit, enclosed",
            severity=Severity.CONSTANT,
            survives="Shares of epsilon/2 and delta/2 compose to (epsilon, delta).",
            coverage=tried.coverage,
            lemmas=(TWICE,),
        )
        return
    v = symbols_of(claim.parameters)
    left = [v[name] - 2 * apply(claim.formulas[f"{name}_stage"], symbolic(), v) for name in ("epsilon", "delta")]
    if all(sympy.simplify(x).is_nonnegative for x in left):
        yield replace(
            base,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="computer algebra: twice each share is at most epsilon, delta (and (epsilon/2, 0) with (epsilon/2, delta))",
            coverage=tried.coverage,
            lemmas=(BASIC,),
            reason="B is to be private for every x_0: Algorithm 1 as printed is not (bilevel/thm-4.2-privacy).",
        )
    else:
        yield base


def warm(claim: Claim) -> Iterator[Finding]:
    """The density's loss, at most epsilon/2, and the noise of the second stage at the rest of epsilon."""
    base = Finding(
        scope="both stages, T fixed without the data",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        release=claim.releases,
        reason="the two stages do not add up to (epsilon, delta), and neither alone exceeds it",
    )
    unknown = not_public(claim)
    if unknown or claim.releases != WARM_RELEASE:
        reason = f"no argument for this release, or for steps and noise that take {', '.join(unknown) or 'nothing'}"
        yield replace(base, reason=reason)
        return
    yield from _alone(claim)
    first = _first_stage(claim)
    second = next(suffices(claim, _second_stage(claim, 4, 2)))
    sound = never_below(K_of_12(), gradient_change()) and _sensitivity(claim)
    if first and sound and second.verdict is Verdict.CERTIFIED:
        given: tuple[Callable[..., Truth], ...] = (*LIPSCHITZ, *TESTS, alpha_is_small, scale_is_positive)
        yield replace(
            base,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"computer algebra: 2 k R <= epsilon for the density; at epsilon/2 {second.method}",
            lemmas=(BASIC, SHIFT, CENTRED, WEIGHTS, MINIMISERS, CHAIN, INEXACT_QUERIES, *second.lemmas),
            given=tuple(dict.fromkeys(given)),
            reason=None,
        )
    else:
        yield base


def _first_stage(claim: Claim) -> bool:
    """Whether k R <= epsilon/2, k the claim's inverse temperature with its own s."""
    v = symbols(claim)
    v["s"] = apply(claim.formulas["s"], symbolic(), v)
    k = -apply(claim.formulas["log_weight"], symbolic(), v) / v["objective"]
    return v["objective"] not in k.free_symbols and never_negative(v["epsilon"] / (2 * k) - centred_range(symbolic(), v))


def _sensitivity(claim: Claim) -> bool:
    """Whether the claim's sensitivity is at least the proved 3K/n."""
    v = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    share = sympy.simplify(apply(claim.formulas["sensitivity"], symbolic(), v) * v["n"] / v["K"])
    return bool(share.is_number and share >= 3 and alpha_is_small in claim.tests)


def _second_stage(claim: Claim, share: Real, stage: int) -> Scale:
    """The noise against steps that move by share K/n, at epsilon/stage."""

    def mu(m: Numbers, v: Mapping[str, Real]) -> Real:
        moved = share if isinstance(share, int) else m.real(share)
        sigma = apply(claim.formulas["sigma"], m, {**v, "epsilon": stage * v["epsilon"]})
        return composed(m, sigma, moved * v["K"] / v["n"], v["T"])

    axes = {"epsilon": EPSILONS, "delta": DELTAS, "n": ("1000",), "K": CONSTANTS, "T": ("1", "1000000")}
    return Scale(mu, axes, "second stage", claim.adjacency, STEPS, lemmas=(POST,))


def _alone(claim: Claim) -> Iterator[Finding]:
    """Either stage alone against the whole (epsilon, delta): refuted, or nothing."""
    second = next(suffices(claim, replace(_second_stage(claim, "2.497", 1), lemmas=(POST, ADVERSARIAL))))
    if second.verdict is Verdict.REFUTED:
        yield replace(second, scope="the noisy steps of the second stage alone", release=claim.releases)
    k = -apply(claim.formulas["log_weight"], symbolic(), symbols_of(claim.parameters))
    objective, epsilon, s = (symbol(claim.parameter(name)) for name in ("objective", "epsilon", "s"))
    twice = sympy.simplify(epsilon * objective / (2 * s * k))  # exp(-epsilon Phi/(2 s twice)) is the density
    if not twice.is_number:
        return

    def stretched(m: Numbers, n: Real, L_fx: Real, L_fy: Real, L_gy: Real, mu_g: Real, D_x: Real, D_y: Real) -> Real:
        v = {"n": n, "L_fx": L_fx, "L_fy": L_fy, "L_gy": L_gy, "mu_g": mu_g, "D_x": D_x, "D_y": D_y}
        return apply(claim.formulas["s"], m, v) * m.frac(int(twice.p), int(twice.q))

    for finding in loss_is_bounded(replace(claim, formulas={**claim.formulas, "s": stretched})):
        if finding.verdict is Verdict.REFUTED:
            yield replace(finding, scope="the density of x_0 alone")


def start_gap(claim: Claim) -> bool:
    """Whether the chosen bound on the gap is at least what X lacks and the first stage's excess, with the claim's own k."""
    v = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    m = symbolic()
    k = -apply(claim.formulas["log_weight"], m, v) / v["objective"]
    d = v["d_x"]
    excess = d / k * (1 + sympy.log(sympy.Max(1, k * v["L_bar"] * v["D_x"] / d)))
    proved = v["Psi"] * d / (v["epsilon"] * v["n"]) + excess
    return bool(sympy.simplify(apply(claim.formulas["gap_bound_chosen"], m, v) - proved) == 0)
