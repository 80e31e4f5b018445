"""Judge of bilevel descent's utility: one step, the bound with its three terms, and the rate at the chosen number of steps."""

from collections.abc import Iterator

import sympy

from dpsco.arguments.algorithms.bilevel_descent.averaged_gradients import (
    GIVEN,
    PARABOLA,
    TELESCOPE,
    UNBIASED,
    average,
    shares,
)
from dpsco.arguments.algorithms.bilevel_descent.biased_steps import EXPANSION, one_step
from dpsco.arguments.algorithms.bilevel_descent.hard_paths import FIRST, REST, SLOPE, after_one_step, at_rest, on_a_slope
from dpsco.arguments.algorithms.descent.bilevel_gradients import constants
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import identical, named
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.algorithms.bilevel_descent import utility as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.bilevel_descent.calibrated import FROM_START
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

OUTPUT = "the output iterate"
RUNS = {
    "epsilon": ("0.001", "1", "100", "1e30"),
    "delta": ("1e-40", "0.5", "0.999"),
    "n": ("1", "1000", "1000000"),
    "T": ("1", "2", "10", "1000"),
}
GAPS = ("0", "0.001", "0.4", "1e9")
NUMBERS = {**RUNS, "K": ("0.3", "7"), "d_x": ("1", "9")}
VANISHING = ("1e-10", "1e-20", "1e-40", "1e-80")
SHIFTED = Lemma(
    "the printed sum",
    "The descent lemma summed over t = 1, ..., T leaves E Phi(x_1) - E Phi(x_{T+1}), not Phi(x_0) - inf Phi: at x_0 = 0 where "
    "Phi = beta x^2/2 is least, without bias, E Phi(x_1) - Phi(x_0) = beta eta^2 sigma^2/2 = sigma^2/(8 beta).",
)


def three_terms(claim: Claim) -> Iterator[Finding]:
    """The bound for every T against the proved sum of gap, bias and noise; then the printed step of its proof."""
    scope, broken = "mean square over x_1, ..., x_T, every T", _exceeded(claim)
    if broken is not None:
        at, claimed, kept = broken
        how, stays = "mean square on a hard path, enclosed from below", "4 beta_Phi gap/T + (C alpha)^2 + d_x sigma^2/2."
        yield refuted(scope, claimed, kept, at, how, Severity.CONSTANT, stays, lemmas=(REST, SLOPE), release=OUTPUT)
    elif _covered(claim):
        yield certified(
            scope,
            "computer algebra: the bound less 4 beta_Phi gap/T + (C alpha)^2 + d_x sigma^2/2, alpha one of its two "
            "printed limits, has no negative term",
            EXPANSION,
            TELESCOPE,
            UNBIASED,
            given=GIVEN,
            release=OUTPUT,
            reason="For gap = 0 the chosen alpha is 0: an exact lower solver, which the bound then needs.",
        )
    else:
        reason = "no hard path exceeds it, and it is not shown to be at least the proved bound"
        yield Finding(scope=scope, verdict=Verdict.OPEN, release=OUTPUT, reason=reason)
    m = arb(128)
    yield refuted(
        "link (23): the sum over t = 1, ..., T of the descent lemma starts from the gap at x_0",
        "0",
        m.frac(1, 8),
        {"gap": "0", "beta_Phi": "1", "sigma": "1", "T": "1"},
        method="E Phi(x_1) - Phi(x_0) in closed form, sigma = beta_Phi = 1",
        severity=PROOF_STEP,
        survives="Summed from t = 0, with |grad Phi(x_T)|^2 <= 2 beta_Phi (Phi(x_T) - inf Phi), it gives the bound.",
        lemmas=(SHIFTED,),
    )


def _covered(claim: Claim) -> bool:
    """Whether the bound is never below 4 beta gap/T + (C alpha)^2 + d sigma^2/2."""
    v = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    v["delta"] = sympy.exp(-sympy.Symbol("nats", positive=True))
    m = symbolic()
    bound, sigma, alpha = (
        apply(claim.formulas[name], m, v).replace(sympy.log, lambda x: sympy.expand_log(sympy.log(x), force=True))
        for name in ("bound", "sigma", "alpha_chosen")
    )
    limits = alpha.args if isinstance(alpha, sympy.Min) else (alpha,)
    proved = 4 * v["beta_Phi"] * v["gap"] / v["T"] + v["d_x"] * sigma**2 / 2

    def terms(limit: Real) -> list[Real]:
        slack = sympy.expand(sympy.powsimp(sympy.expand(bound - proved - (v["C"] * limit) ** 2), force=True))
        return [term.as_coeff_Mul()[0] for term in sympy.Add.make_args(slack)]

    return any(all(bool(c >= 0) for c in terms(limit)) for limit in limits)


def _exceeded(claim: Claim) -> tuple[Instance, Real, Real] | None:
    """An instance, the bound and a larger mean square on a hard path."""
    for at in grid(claim, RUNS):
        for gap in GAPS:
            m = arb(128)
            v = {**constants(m, **PARABOLA), **{key: m.real(value) for key, value in at.items()}}
            v |= {"d_x": m.real(1), "gap": m.real(gap)}
            T, sigma = int(at["T"]), apply(claim.formulas["sigma"], m, v)
            kept = at_rest(m, T, sigma, v["L_fx"], False).square
            if gap != "0":
                kept = m.max(kept, on_a_slope(m, T, sigma, v["beta_Phi"], v["gap"], v["L_fx"]).square)
            claimed = apply(claim.formulas["bound"], m, v)
            if m.gt(kept, claimed) is True:
                return {**at, "gap": gap, "d_x": "1", "L_fx": "1", "K": "4", "C": "1", "beta_Phi": "1"}, claimed, kept
    return None


def power(claim: Claim) -> Iterator[Finding]:
    """d_x sigma^2 as printed."""
    yield identical(
        claim,
        "power of the noise",
        lambda m, v: v["d_x"] * named(claim, "sigma")(m, v) ** 2,
        named(claim, "noise_power"),
        grid(claim, NUMBERS),
        severity=Severity.CONSTANT,
        survives="Sigma^2 = d_x sigma^2.",
    )


def rate(claim: Claim) -> Iterator[Finding]:
    """The mean gradient against the rate: x_0 near a minimum, where one step is chosen; and where T is at least 2."""
    scope, found = "mean gradient against the rate", shares(claim, "rate")
    lost = None if FROM_START in claim.over else _vanishing(claim)
    x = "n epsilon sqrt(beta_Phi gap) >= K sqrt(d_x ln(1/delta))"
    if lost is not None:
        at, claimed, kept = lost
        yield refuted(
            f"{scope}, x_0 near a minimum of Phi_Z",
            claimed,
            kept,
            at,
            method="as gap -> 0 one step is chosen, the rate tends to 0 (computer algebra), the mean gradient at x_1 does not",
            rung=Rung.EXACT,
            release=OUTPUT,
            coverage=tuple(f"gap = {gap}: T = 1" for gap in VANISHING),
            lemmas=(FIRST,),
            severity=Severity.DOMAIN,
            survives=f"It holds where {x}, and always if the output is one of x_0, ..., x_{{T-1}} (the amendment); "
            "gap = 0 chooses T = 0, no output at all.",
        )
    else:
        reason = "not shown to leave every multiple of the rate"
        yield Finding(scope=f"{scope}, x_0 near a minimum of Phi_Z", verdict=Verdict.OPEN, release=OUTPUT, reason=reason)
    if found is not None and found.total is not None:
        yield certified(
            f"{scope}, {x}",
            f"computer algebra: mean square at most {found.total} times the square of the rate (gap {found.gap}, bias "
            f"{found.bias}, noise {found.noise})",
            EXPANSION,
            TELESCOPE,
            UNBIASED,
            given=GIVEN,
            release=OUTPUT,
            reading=Reading.MEANT,
        )


def _vanishing(claim: Claim) -> tuple[Instance, Real, Real] | None:
    """gap -> 0 with everything else fixed: the last instance, its rate and what the gradient at x_1 stays above."""
    at = {"epsilon": "1", "delta": "1e-5", "n": "1000", "d_x": "1"}
    if not len(grid(claim, {}, fixed=[at])):
        return None
    gap = sympy.Symbol("gap", positive=True)
    numbers = {name: sympy.Rational(value) for name, value in {**at, "delta": "1/100000"}.items()}
    fixed = {**constants(symbolic(), **PARABOLA), **numbers, "gap": gap}
    printed = apply(claim.formulas["rate"], symbolic(), fixed)
    if sympy.limit(printed, gap, 0, "+") != 0:
        return None
    m = arb(128)
    v = {**constants(m, **PARABOLA), **{name: m.real(value) for name, value in at.items()}}
    for small in VANISHING:
        if m.eq(apply(claim.formulas["T_chosen"], m, {**v, "gap": m.real(small)}), 1) is not True:
            return None
    v |= {"gap": m.real(VANISHING[-1]), "T": m.real(1)}
    kept = after_one_step(m, apply(claim.formulas["sigma"], m, v), v["L_fx"])
    return {**at, "gap": VANISHING[-1], "L_fx": "1", "K": "4", "C": "1", "T": "1"}, apply(claim.formulas["rate"], m, v), kept


CHANGE = Relation("mean_change", "<=", "bound")
READ = {
    CHANGE: one_step,
    Relation("mean_square", "<=", "bound"): three_terms,
    Relation("d_x sigma^2", "=", "noise_power"): power,
    Relation("mean_square", "<=", "averaged_bound"): average,
    Relation("mean_norm", "<=O", "rate"): rate,
}
JUDGES = dict.fromkeys(
    ("bilevel/lem-C.4", "bilevel/lem-C.4-amended", "bilevel/thm-C.3-bound", "bilevel/thm-4.2"),
    reading(READ),
)

MUTANTS = {"bilevel/lem-C.4-amended": mutants.of_one_step, "bilevel/thm-C.3-bound": mutants.of_three_terms}
