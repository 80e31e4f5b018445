"""Judge of what regularised mirror descent reaches: its stability, empirical and population risk, the choices of T and n."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import contracting, overshoot
from dpsco.arguments.algorithms.mirror_descent.contracting import SYMBOLS, formula
from dpsco.arguments.analysis.regular_spaces import SMOOTH
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import Formula, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.missing_range import beside
from dpsco.arguments.orders_of_growth import Exponents, bounded_above, exponent, grows, told
from dpsco.mutants.algorithms.mirror_descent import regularised_utility as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.algorithms.mirror_descent import regularised_utility as spec
from dpsco.spec.algorithms.mirror_descent.regularised import kappa_amended
from dpsco.spec.algorithms.mirror_descent.regularised_steps import alpha_at_most_beta
from dpsco.spec.claim import Claim, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.predicate import shown
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict, as_step

CONVEX = Relation("Phi", "is", "1-strongly convex with respect to |.|_p")
SURVIVES = "With a 1-strongly convex Phi and n bounded from below: lp/thm-7-amended."
NOT_AT_HAND = (
    "its Algorithm 3, Assumption 3 and the theorem's own range are not at hand. The potential that the proof prints is not "
    "strongly convex, and the risk leaves its rate where epsilon and ln(1/delta) are as large as the printed n = O(...) forces "
    "them to be (beside)."
)
CONDITIONS = (
    gradients_are_bounded, alpha_at_most_beta, spec.alpha_is_chosen, spec.records_are_many,
)  # fmt: skip
PROOF = (contracting.EMPIRICAL, contracting.STABLE, contracting.NOISE, SMOOTH)
Reached = Callable[[Numbers, Mapping[str, Real]], Real]


def mended(claim: Claim) -> bool:
    """Whether the claim names a potential that is strongly convex: its own, not the printed kappa/(kappa - 1)."""
    if CONVEX not in claim.asserts or claim.parameter("d").domain.contains(arb(), "1") is not False:
        return False
    return _strongly_convex(claim.formulas["kappa_of_p_and_d"], claim.formulas["potential_index"])


@cache
def _strongly_convex(kappa: Formula, index: Formula) -> bool:
    """Whether kappa is enough for d >= 2, the index being r/(r - 1)."""
    same = sympy.simplify(expression(index) - expression(spec.potential_index)) == 0
    quotient = sympy.simplify(expression(kappa) / expression(kappa_amended))
    return same and bool(quotient.is_number and quotient >= 1)


def potential(claim: Claim) -> Iterator[Finding]:
    """(kappa/2) |w|_s^2: s the printed dual of the smooth norm's index and kappa its regularity constant."""
    scope, needs = "the potential's modulus in l_p^d, d >= 2", "Phi is 1-strongly convex exactly where l_r makes l_q^d regular."
    m = arb()
    for p, d in ((p, d) for p in ("1.001", "1.05", "1.5", "1.99") for d in ("2", "4", "1000")):
        v = {"p": m.real(p), "d": m.real(d)}
        kappa, s = (apply(claim.formulas[name], m, v) for name in ("kappa_of_p_and_d", "potential_index"))
        needed = contracting.strongly_convex_needs(m, v["p"], v["d"], s)
        if m.lt(kappa, needed) is True:
            yield refuted(
                scope,
                kappa,
                needed,
                {"p": p, "d": d},
                method="second derivative at (1, ..., 1) along (1, -1, ...), enclosed",
                severity=Severity.CONSTANT,
                survives=needs,
            )
            return
    if not mended(claim):
        yield Finding(
            scope=scope, verdict=Verdict.OPEN, reason="another index than r/(r - 1), or no multiple of min(1/(p-1), 2 e ln d)"
        )
        return
    yield certified(
        scope,
        "computer algebra: the index is r/(r - 1), kappa a multiple of min(1/(p-1), 2 e ln d) by at least 1",
        SMOOTH,
        DUAL,
    )


DUAL = Lemma(
    "conjugate of a smooth norm",
    "|.|_r^2/2 is (r - 1)-smooth in l_r, so |.|_s^2/2 is 1/(r - 1)-strongly convex in l_s, s = r/(r - 1) >= p, and |h|_p^2 <= "
    "d^(2/p - 2/s) |h|_s^2 with 2/p - 2/s = 2/r - 2/q: kappa >= (r - 1) d^(2/r - 2/q) is enough.",
)


def _path(claim: Claim, name: str, direction: Exponents) -> bool:
    """Whether what is reached, of order t, leaves the formula's multiples along the path, which meets the conditions."""
    v = {**SYMBOLS, "kappa": sympy.Integer(2)}
    if direction == overshoot.FIXED:
        v |= {"n": sympy.Integer(6), "T": sympy.Integer(3), "alpha": SYMBOLS["beta"], "decay": sympy.Rational(1, 2)}
        chosen = {"beta": SYMBOLS["beta"], "T": sympy.Integer(3), "n": sympy.Integer(6)}
        if sympy.simplify(apply(claim.formulas["alpha_choice"], symbolic(), chosen) - v["alpha"]) != 0:
            return False  # another alpha than the instance's
    inside = all(
        exponent(bounded, direction) <= 0
        for predicate in claim.preconditions
        if predicate.test in contracting.FORMS
        for bounded in contracting.FORMS[predicate.test](claim, v)
    )
    same = exponent(formula(claim, "steps_choice", v) / v["T"], direction) == 0
    return inside and same and exponent(formula(claim, name, v), direction) < 1


def overshoots(
    claim: Claim,
    name: str,
    scope: str,
    direction: Exponents,
    reached: Reached,
    at: Mapping[str, str],
    lemmas: tuple[Lemma, ...],
) -> Iterator[Finding]:
    """The printed potential: what is reached grows along the path by t, and the formula by less."""
    if not _path(claim, name, direction):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="what is reached with the printed Phi does not leave the rate")
        return
    m = arb(192)
    v = {key: m.real(value) for key, value in at.items()} | {"kappa": m.real(2)}
    if "alpha" not in v:
        v["alpha"] = apply(claim.formulas["alpha_choice"], m, v)
    yield refuted(
        f"{scope}, with the printed Phi",
        f"bounded multiple of {ends(apply(claim.formulas[name], m, v))[1]}",
        reached(m, v),
        {**at, "p": overshoot.P, "kappa": overshoot.KAPPA},
        method=f"exponents along the path {told(direction)} for every hidden constant; at least this at one point of it",
        severity=Severity.RATE,
        survives=SURVIVES,
        rung=Rung.EXACT,
        effort=ALONG_IT if direction == overshoot.GROWING else "",
        lemmas=lemmas,
    )


FAR = {"L": "1", "beta": "1", "d": "1e12", "n": "6", "T": "3", "alpha": "1"}
FAR |= {"delta": "1e-4400000000000000", "epsilon": "20000000000000000", "C": "1", "C_D": "0.01"}
"""K = 10^4, C_D = K^(-1/2); alpha = beta, T >= 2 beta/alpha, n is below the threshold, epsilon <= 2 ln(1/delta)."""
LONG = {"L": "1", "beta": "1", "d": "1e18", "n": "1002001", "T": "1001", "delta": "1e-132000000000000000000"}
LONG |= {"epsilon": "607000000000000000000", "C": "4"}
"""T = 1001, n = T^2, K = 10^6, hidden constant of sigma^2 up to 4; n is below the threshold, epsilon <= 2 ln(1/delta)."""
ALONG_IT = "epsilon and ln(1/delta) are as large as the printed n = O(epsilon^4/...) forces them to be"


def risk(claim: Claim) -> Iterator[Finding]:
    """The population risk: proved for a strongly convex potential, contradicted for the printed one."""
    scope = "the population risk"
    if not mended(claim):
        lemmas = (overshoot.ALONG, overshoot.ALTERNATES, overshoot.FAR_OUT)
        for finding in overshoots(claim, "rate", scope, overshoot.GROWING, overshoot.after_many_steps, LONG, lemmas):
            missing = claim.provenance is Provenance.REBUILT and finding.verdict is Verdict.REFUTED
            yield from beside(finding, "if no range is meant", NOT_AT_HAND) if missing else (finding,)
        return
    alpha = sympy.simplify(formula(claim, "alpha_choice", SYMBOLS))
    v = {**SYMBOLS, "alpha": alpha, "C_D": sympy.sqrt(SYMBOLS["kappa"]) * SYMBOLS["W"], "decay": SYMBOLS["T"] / SYMBOLS["n"]}
    noise = contracting.noise_of(claim, SYMBOLS)
    proved = SYMBOLS["L"] * contracting.stability(noise, v) + contracting.empirical_excess(noise, v)
    needed = sympy.simplify(alpha * (SYMBOLS["T"] + 1) / (4 * SYMBOLS["beta"]) - SYMBOLS["ell"]) == 0
    yield _bounded(claim, "rate", scope, proved if needed else None, contracting.HELD, (*PROOF, contracting.GAP))


def steps(claim: Claim, name: str, scope: str) -> Iterator[Finding]:
    """Stability or empirical excess, alpha and C_D free, with universal constants."""
    if not mended(claim):
        if name == "stability_rate":
            pair: tuple[Lemma, ...] = (overshoot.PAIR,)
            reached: Reached = overshoot.neighbours_apart
        else:
            pair, reached = (), overshoot.after_many_steps
        lemmas = (overshoot.ALONG, overshoot.ALTERNATES, *pair, overshoot.NEAR)
        yield from overshoots(claim, name, scope, overshoot.FIXED, reached, FAR, lemmas)
        return
    noise = contracting.noise_of(claim, SYMBOLS)
    proved = (contracting.stability if name == "stability_rate" else contracting.empirical_excess)(noise, SYMBOLS)
    yield _bounded(claim, name, scope, proved, ("c_n", "c_T"), PROOF)


def _bounded(claim: Claim, name: str, scope: str, proved: Any, held: tuple[str, ...], lemmas: tuple[Lemma, ...]) -> Finding:
    away = (
        None if proved is None else grows(proved, formula(claim, name, SYMBOLS), list(contracting.domain(claim, SYMBOLS)), held)
    )
    if proved is None or away is not None:
        reason = "another alpha than in the proof" if proved is None else f"the proved bound leaves it along {told(away or {})}"
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=f"not proved: {reason}")
    return certified(
        f"{scope}, with the strongly convex Phi, constants depend on {', '.join(held)} only",
        "the proved bound's monomials are means of the rate's, by their exponents on the claim's conditions",
        *lemmas,
        given=CONDITIONS,
    )


def at_choice(claim: Claim) -> Iterator[Finding]:
    """The rate in T at the chosen T, constants aside."""
    scope, chosen = "the rate in T at the chosen T", formula(claim, "steps_choice", SYMBOLS)
    left = formula(claim, "rate_in_steps", {**SYMBOLS, "T": chosen})
    right = formula(claim, "rate", SYMBOLS)
    away = grows(left, right, list(contracting.domain(claim, SYMBOLS, chosen)), contracting.HELD)
    if away is None:
        tests = claim.tests & {*contracting.FORMS}
        yield certified(
            scope,
            "each monomial is a mean of the rate's, by its exponents on the claim's conditions, n > T among them",
            given=tuple(sorted(tests, key=shown)),
        )
    else:
        yield refuted(
            scope,
            "bounded",
            "inf",
            {"path": told(away)},
            method="exponents along a path inside the conditions",
            severity=Severity.RATE,
            survives="kappa^(4/5) (sqrt(d ln(1/delta))/(n epsilon))^(2/5) where T^2 >= kappa and T = O(sqrt(n sqrt(kappa))).",
            rung=Rung.EXACT,
        )


def range_of_n(claim: Claim) -> Iterator[Finding]:
    """The proof's last remark, T = O(sqrt(n sqrt(kappa))) comes for free: with n = O(threshold), and with n = Omega."""
    v, chosen = SYMBOLS, formula(claim, "steps_choice", SYMBOLS)
    scope = "link: the condition on n gives T = O(sqrt(n sqrt(kappa))) at the chosen T"
    most, threshold = sympy.sqrt(v["n"] * sympy.sqrt(v["kappa"])), formula(claim, "sample_threshold", SYMBOLS)
    base = [1 / v["n"], 1 / v["d"], 1 / v["kappa"], v["epsilon"] / v["nats"]]
    for ratio, reading in ((v["n"] / threshold, Reading.PRINTED), (threshold / v["n"], Reading.MEANT)):
        cone = [part for x in (*base, ratio) for part in bounded_above(x)]
        away = grows(chosen, most, cone)
        meant = reading is Reading.MEANT
        if away is None:
            found = certified(f"{scope}{', n = Omega' if meant else ''}", "exponents", reading=reading)
            yield as_step(found)
        else:
            yield refuted(
                f"{scope}{', n = Omega' if meant else ', n = O as printed'}",
                "bounded",
                "inf",
                {"path": told(away)},
                method="exponents along a path",
                severity=PROOF_STEP,
                survives="With n = Omega(...) it does; with both conditions n is within constants of the threshold.",
                rung=Rung.EXACT,
                reading=reading,
            )


READ: Table = {
    spec.RESULT[0]: risk,
    spec.RESULT[1]: partial(steps, name="stability_rate", scope="stability of the average"),
    spec.RESULT[2]: partial(steps, name="empirical_excess_rate", scope="the empirical excess"),
    spec.RESULT[3]: at_choice,
    CONVEX: potential,
}


def utility(claim: Claim) -> Iterator[Finding]:
    """Each assertion; for the printed condition on n, what it is said to give."""
    yield from by_assertion(claim, READ)
    if spec.n_is_below_threshold in claim.tests:
        yield from range_of_n(claim)


JUDGES = dict.fromkeys(("lp/thm-7", "lp/thm-7-amended"), utility)

MUTANTS = {"lp/thm-7-amended": mutants.of_amended}
