"""Judge of the warm start: two private stages, the rate with its links, and the combination of all rates."""

from collections.abc import Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.bilevel_descent.private_wells import along_epsilon, nowhere_flat
from dpsco.arguments.algorithms.bilevel_descent.two_stages import meta
from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import risk_rate
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.bilevel_descent import warm_start as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.bilevel_descent.calibrated import calibrated_target
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict, as_step

WARM = (
    "It holds for epsilon <= ln(1/delta), as for epsilon up to each multiple of it, with one logarithm, that of epsilon n "
    "L_bar D_x/(d_x Psi); the amendment has all constants, at every epsilon."
)
COMBINED = (
    "It holds up to logarithms for epsilon <= ln(1/delta), as for epsilon up to each multiple of it, on a known compact convex "
    "X that holds a minimiser over R^{d_x}; the amendment has all constants, at every epsilon."
)
SECOND = Lemma(
    "from the amendment to the printed rate",
    "Let epsilon <= ln(1/delta) = s. At (epsilon/2, delta) the noise factor has w^2 <= 2 s + epsilon/2 <= 5 s/2; the amended s "
    "is at most 4 Psi/n, so d_x/k = 4 d_x s/epsilon <= 16 Psi d_x/(epsilon n), and the gap's bound is at most 17 Psi "
    "d_x/(epsilon n) times 1 + ln max(1, k L_bar D_x/d_x) (it grows with s). The amended bound is a square root of this.",
)
LOSES = Lemma(
    "mean over a bad event",
    "A gradient norm that is L_bar on an event of probability zeta and 0 off it has the mean L_bar zeta; given the good event "
    "it is 0.",
)


def rate(claim: Claim) -> Iterator[Finding]:
    """The printed rate: against every private algorithm, against the amended instance, and two links of the proof."""
    found = list(along_epsilon(claim, "rate", WARM))
    yield from found
    if not found:
        yield Finding(scope="mean gradient against the rate", verdict=Verdict.OPEN, reason="not shown to be beyond reach")
    factor = _constant(claim)
    if factor is not None:
        yield certified(
            "epsilon <= ln(1/delta), X convex of positive volume",
            f"computer algebra: the amended bound's square is at most {factor} times the rate's times the root of 1 + "
            "ln max(1, k L_bar D_x/d_x)",
            SECOND,
            reading=Reading.MEANT,
            reason="Given bilevel/thm-4.3-amended, which is judged by itself.",
        )
    yield from _failure(claim)
    first = replace(claim, formulas={"rate": claim.formulas["first_stage"]})
    for finding in risk_rate(first, sympy.Rational(1, 2), logarithms=True):
        if finding.verdict is Verdict.REFUTED:
            scope = "link: the first stage, with the s of (4), ends within first_stage of the minimum"
            yield as_step(replace(finding, scope=scope, release="x_0"))


def _constant(claim: Claim) -> sympy.Expr | None:
    """The quotient of the amended bound's square, as estimated in `SECOND`, and the rate's; None if it is no number."""
    names = ("n", "d_x", "epsilon", "K", "Psi", "beta_Phi", "nats")
    n, d, epsilon, K, Psi, beta, nats = sympy.symbols(" ".join(names), positive=True)
    v = {"n": n, "d_x": d, "d": d, "epsilon": epsilon, "K": K, "Psi": Psi, "beta_Phi": beta, "delta": sympy.exp(-nats)}
    m = symbolic()
    one = apply(calibrated_target, m, {**v, "gap_bound": 17 * Psi * d / (epsilon * n), "delta": sympy.Integer(1)})
    factor = sympy.sqrt(2 * epsilon) / 2  # the noise factor at delta = 1, which is replaced
    square = 21 * 2 * one / factor * sympy.sqrt(sympy.Rational(5, 2) * nats)
    share = sympy.simplify(square / apply(claim.formulas["rate"], m, v) ** 2)
    return share if share.is_number else None


def _failure(claim: Claim) -> Iterator[Finding]:
    """The cost of the first stage's failure, in units of a loss where a gradient is meant."""
    m = arb(64)
    v = {"L_bar": m.real(1), "D_x": m.frac(1, 2), "failure": m.frac(1, 8)}
    cost = apply(claim.formulas["bad_event"], m, v)
    if m.gt(v["L_bar"] * v["failure"], cost) is True:
        yield refuted(
            "link: what the event costs that the first stage fails",
            cost,
            v["L_bar"] * v["failure"],
            {"L_bar": "1", "D_x": "0.5", "failure": "0.125"},
            method="a gradient norm with two values",
            severity=PROOF_STEP,
            survives="It costs at most L_bar times the probability of failure, which may be taken as small as one likes.",
            rung=Rung.EXACT,
            lemmas=(LOSES,),
        )


def links(claim: Claim) -> Iterator[Finding]:
    """The rate of the statement and the one at which its proof ends."""
    base = Finding(scope="rate and rate_of_proof", verdict=Verdict.OPEN, reason="neither equal nor shown to differ")
    names = ("n", "d_x", "epsilon", "K", "Psi", "beta_Phi")
    v = {name: sympy.Symbol(name, positive=True) for name in names}
    v["delta"] = sympy.exp(-sympy.Symbol("nats", positive=True))
    quotient = apply(claim.formulas["rate"], symbolic(), v) / apply(claim.formulas["rate_of_proof"], symbolic(), v)
    if sympy.simplify(quotient) == 1:
        method = "computer algebra: their quotient is 1"
        yield replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, reason=None)
        return
    m = arb(128)
    at = {"n": "1000", "d_x": "3", "epsilon": "2", "K": "7", "Psi": "5", "beta_Phi": "11", "delta": "0.01"}
    numbers = {name: m.real(value) for name, value in at.items()}
    left, right = (apply(claim.formulas[name], m, numbers) for name in ("rate", "rate_of_proof"))
    if m.eq(left, right) is False:
        yield refuted(
            base,
            right,
            left,
            at,
            method="both sides enclosed",
            severity=Severity.CONSTANT,
            survives="The proof's end.",
        )
    else:
        yield base


def combined(claim: Claim) -> Iterator[Finding]:
    """(3) against every private algorithm, and on problems without a stationary point."""
    found = [*along_epsilon(claim, "rate", COMBINED), *nowhere_flat(claim, "rate", COMBINED)]
    yield from found
    if not found:
        yield Finding(scope="mean gradient against (3)", verdict=Verdict.OPEN, reason="not shown to be beyond reach")
    if _four_terms(claim):
        yield certified(
            "a known compact convex X holds a minimiser over R^{d_x}, epsilon <= ln(1/delta), delta and constants fixed",
            "computer algebra: without logarithms each bound of bilevel/eq-3-amended is a multiple of its printed term",
            SECOND,
            reading=Reading.MEANT,
            reason="Given bilevel/eq-3-amended, which is judged by itself.",
        )


def _four_terms(claim: Claim) -> bool:
    """Whether the amended bounds, their logarithms and noise factor taken as constants, are constant multiples of the terms."""
    m, names = symbolic(), ("n", "d_x", "epsilon", "D_x", "L_bar", "K", "Psi", "beta_Phi", "w")
    v = {name: sympy.Symbol(name, positive=True) for name in names}
    steps = v["epsilon"] * v["n"]
    target = v["K"] * sympy.sqrt(v["d_x"] * v["beta_Phi"]) * v["w"] / steps
    gap = {"descent": v["L_bar"] * v["D_x"], "warm_start": 17 * v["Psi"] * v["d_x"] / steps}
    bounds = {name: sympy.sqrt(42 * target * sympy.sqrt(g)) for name, g in gap.items()}
    bounds["sampling"] = 2 * v["K"] * v["d_x"] / steps
    printed = {name: apply(claim.formulas[name], m, v) for name in bounds}
    moving = {v["n"], v["d_x"], v["epsilon"]}
    fixed = all(not sympy.simplify(bounds[name] / printed[name]).free_symbols & moving for name in bounds)
    return bool(fixed and apply(claim.formulas["rate"], m, v) == sympy.Min(1, *printed.values()))


READ = {
    Relation("x_priv", "is", "(epsilon, delta)-DP"): meta,
    Relation("mean_norm", "<=O", "rate times logarithms"): rate,
    Relation("rate", "=", "rate_of_proof"): links,
}
JUDGES = {
    "bilevel/alg-2": reading(READ),
    "bilevel/thm-4.3": reading(READ),
    "bilevel/eq-3": reading({Relation("mean_norm", "<=O", "rate times logarithms"): combined}),
}

MUTANTS = {"bilevel/alg-2": mutants.of_stages}
