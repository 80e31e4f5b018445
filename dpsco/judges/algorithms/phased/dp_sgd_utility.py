"""Judge of what phased DP-SGD reaches: risk up to constants in l2 and l_p, the proof's terms, the comparison of norms."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import phased_descent as known
from dpsco.arguments.algorithms.descent.compared_norms import HOLDER, compares, gradient, normed, optimum, private, smooth
from dpsco.arguments.algorithms.descent.phased_descent import SYMBOLS, Reach, formula
from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, bounded_above, grows, told
from dpsco.mutants.algorithms.phased import dp_sgd_utility as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.algorithms.phased import dp_sgd_utility as spec
from dpsco.spec.algorithms.phased.dp_sgd import epsilon_is_moderate, phase_sigma
from dpsco.spec.claim import Claim
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.domain import Interval
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

NEAR = "With L max(1, |theta*|_2^2) in its place, and as printed for |theta*|_2 >= 1."
ROOTED = (
    "For 2 <= p, with ln(1/delta) under the root of eta (as in Lemma 14; the scan may have broken it) and with L max(1, d^(1 - "
    "2/p) |theta*|_p^2): "
    "lp/thm-8-amended."
)
FAR = {"n": "100000000", "d": "1", "epsilon": "1", "delta": "1e-4342945", "L": "1", "beta": "1000"}
TINY = {"n": "2", "d": "1", "epsilon": "1", "delta": "0.001", "L": "1"}
METHOD = "each monomial of the proved bound is a weighted mean of the rate's, by exact exponents on the claim's domain"


def values(claim: Claim, p: Any = None, d: Any = None) -> dict[str, Any]:
    """The symbols, and theta*'s norm under the claim's name for the l2 norm W."""
    v = {**SYMBOLS, "optimum_norm": SYMBOLS["W"]}
    if normed(claim):
        v["p"] = sympy.Symbol("p", positive=True) if p is None else p
        v["optimum_p_norm"] = SYMBOLS["W"] * v["d"] ** (1 / v["p"] - sympy.Rational(1, 2))
    return v if d is None else {**v, "d": d, **({"optimum_p_norm": SYMBOLS["W"]} if normed(claim) else {})}


def cone(claim: Claim, *more: Any) -> list[Exponents]:
    """What the claim keeps bounded."""
    base = [1 / SYMBOLS["n"], 1 / SYMBOLS["d"], 1 / SYMBOLS["T"]]
    if epsilon_is_moderate in claim.tests:
        base.append(SYMBOLS["epsilon"] / SYMBOLS["nats"])
    return [part for x in (*base, *more) for part in bounded_above(x)]


def scopes(claim: Claim) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """All theta*; where that is refuted by short ones, those of length 1 and more by themselves."""
    yield "every theta*", ()
    yield "theta* of length 1 and more", (1 / SYMBOLS["W"],)


def risk(claim: Claim) -> Iterator[Finding]:
    """The excess risk of w_k against the rate: unavoidable risks that leave it, else the proved bound."""
    first = None
    for scope, more in scopes(claim):
        if first is not None and first.verdict is not Verdict.REFUTED:
            return
        found = _risk(claim, scope, more)
        yield as_scanned(found) if first is not None and "eta_lemma_14" in claim.formulas else found
        first = found


def as_scanned(found: Finding) -> Finding:
    """What rests on a root that the scan may have broken: beside the verdict, one reading of eta."""
    if found.verdict is not Verdict.REFUTED:
        return found
    scope = f"{found.scope}, the root of eta as scanned"
    return replace(found, scope=scope, reading=Reading.ANOTHER, severity=Severity.MISPRINT)


def _risk(claim: Claim, scope: str, more: tuple[Any, ...]) -> Finding:
    scope = f"excess population risk of w_k, {scope}"
    away = unavoidable(claim, more)
    if away is not None:
        return at_a_point(claim, scope, *away)
    v = values(claim)
    eta, rate = (formula(claim.formulas[name], v) for name in ("eta", "rate"))
    proved = compares(claim) and not rate.has(sympy.Symbol("p", positive=True))
    path = grows(known.upper(eta, v), rate, cone(claim, *more)) if proved else {}
    if path is not None:
        says = "the norms do not compare for p < 2, or d's power is another"
        reason = f"not proved along {told(path)}" if proved else says
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
    return certified(
        scope,
        METHOD,
        known.PASS,
        known.TELESCOPED,
        *((HOLDER,) if normed(claim) else ()),
        release="the last w_k",
        given=(gradients_are_bounded,),
        reason="universal constants: 40 does for the amended rate at Lemma 14's step; no condition on beta or epsilon is used",
    )


def unavoidable(claim: Claim, more: tuple[Any, ...]) -> tuple[Reach, str] | None:
    """A reached risk that leaves the rate, and the path: at d = 1 for every p, in l2, else at one p."""
    cases: list[tuple[str, dict[str, Any]]] = [("", values(claim))]
    if normed(claim):
        cases = [("d = 1, every p, ", values(claim, d=sympy.Integer(1)))]
        inside = [p for p in (2, 4) if claim.parameter("p").domain.contains(arb(), str(p)) is True]
        cases += [(f"p = {p}, ", values(claim, p=sympy.Integer(p))) for p in inside]
    for says, v in cases:
        eta, rate = (formula(claim.formulas[name], v) for name in ("eta", "rate"))
        if rate.has(sympy.Symbol("p", positive=True)):
            continue
        # |u|_q for the direction u = (1, ..., 1)/sqrt(d) in which |theta*|_2 is longest, q the dual index
        slope = v["L"] * v["d"] ** (1 / v["p"] - sympy.Rational(1, 2)) if normed(claim) else v["L"]
        found = [
            (reach, path)
            for reach in known.reached(eta, {**v, "L": slope} if says.startswith("p") else v)
            if (path := escape(reach.value, rate, cone(claim, *reach.bounded, *more))) is not None
        ]
        if found:
            reach, path = min(found, key=lambda one: len(one[1]))
            return reach, f"{says}{told(path)}"
    return None


def escape(left: Any, right: Any, domain: list[Exponents]) -> Exponents | None:
    """A path along which left leaves right: that of short theta* alone if it does, else any."""
    alone = grows(left, right, domain, [name for name in SYMBOLS if name != "W"])
    return grows(left, right, domain) if alone is None else alone


def at_a_point(claim: Claim, scope: str, reach: Reach, path: str) -> Finding:
    """The path, and one point of it enclosed."""
    m, far = arb(256), reach.lemma is known.START
    at = {**FAR, "W": "1"} if far else {**TINY, "W": "0", "beta": "5"}
    v = {name: m.real(value) for name, value in at.items()} | {"p": m.real(2)}
    v |= {"optimum_norm": v["W"], "optimum_p_norm": v["W"]}
    eta, rate = (apply(claim.formulas[name], m, v) for name in ("eta", "rate"))
    true = (known.started if far else known.stayed)(m, eta, v)
    named_so = "optimum_p_norm" if normed(claim) else "optimum_norm"
    shown = {named_so if name == "W" else name: value for name, value in at.items()} | {"largest_gradient_norm": "1"}
    return refuted(
        scope,
        f"a bounded multiple of {ends(rate)[1]}",
        true,
        shown | ({"p": "3"} if normed(claim) else {}),
        f"a risk that is reached leaves every multiple of the rate along {path}; enclosed at one instance",
        Severity.RATE if far else Severity.DOMAIN,
        ROOTED if normed(claim) else NEAR,
        Rung.EXACT,
        release="the last w_k",
        lemmas=(reach.lemma,),
    )


def compared(claim: Claim, scope: str, left: Any, right: Any, lemmas: tuple[Lemma, ...], survives: str) -> Finding:
    """left <=O right for orders, left being reached."""
    path = escape(left, right, cone(claim))
    if path is None:
        return certified(scope, METHOD, *lemmas)
    how, severity = "exponents of both sides along a path inside the domain", Severity.RATE
    if path.keys() == {"W"}:
        severity = Severity.DOMAIN
    return refuted(scope, "bounded", "inf", {"path": told(path)}, how, severity, survives, Rung.EXACT)


ROOT = Lemma("mean length of the noise", "sqrt(2/pi) sqrt(d) sigma <= E|N(0, sigma^2 I)| <= sqrt(d) sigma, by Jensen.")


def last_noise(claim: Claim) -> Iterator[Finding]:
    """L E|zeta_k| against term A."""
    v = values(claim)
    v = {**v, "eta": formula(claim.formulas["eta"], v)}
    left = v["L"] * sympy.sqrt(v["d"]) * formula(phase_sigma, {**v, "i": known.K})
    right = formula(claim.formulas["last_noise_term"], v)
    yield compared(claim, "term A, the last noise", left, right, (ROOT,), "4 L^2 sqrt(d ln(1/delta)) eta_k/epsilon.")


def terms(claim: Claim) -> Iterator[Finding]:
    """The proof's three terms against the rate, at the lemma's step and at the proof's."""
    for name, says in (("eta", "the lemma's eta"), ("eta_proof", "the proof's eta")):
        v = values(claim)
        v = {**v, "eta": formula(claim.formulas[name], v)}
        parts = ("last_noise_term", "first_phase_term", "later_phases_term")
        left = sum(formula(claim.formulas[part], v) for part in parts)
        yield compared(claim, f"terms A, B and C at {says}", left, formula(claim.formulas["rate"], v), (), NEAR)


def descent(claim: Claim) -> Iterator[Finding]:
    """Gradient descent's average: reached gaps that leave the rate, else the proved bound."""
    scope, rate = "average of T + 1 iterates, every w, eta and T", formula(claim.formulas["rate"], SYMBOLS)
    for reach in known.single_reached(SYMBOLS):
        path = grows(reach.value, rate, cone(claim, *reach.bounded))
        if path is not None:
            how, kept = "exponents of a gap that is reached and of the rate along a path", "|w_0 - w|^2/(2 eta T) + eta L^2/2."
            at, lemmas = {"path": told(path)}, (reach.lemma,)
            yield refuted(scope, "bounded", "inf", at, how, Severity.RATE, kept, Rung.EXACT, lemmas=lemmas)
            return
    path = grows(known.single_upper(SYMBOLS), rate, cone(claim))
    if path is not None:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=f"the proved bound leaves the rate along {told(path)}")
        return
    given = (gradients_are_bounded,)
    yield certified(scope, METHOD, known.SINGLE, given=given)


READ = {
    spec.DESCENT: descent,
    spec.NOISE: last_noise,
    spec.TERMS: terms,
    spec.OPTIMUM: optimum,
    spec.GRADIENT: gradient,
    spec.SMOOTH: smooth,
    spec.PRIVATE: private,
    spec.RISK: risk,
}


def steps(claim: Claim) -> Iterator[Finding]:
    """The theorem's step against the lemma's, which its proof needs to be equal up to constants; the risk as meant."""
    v = values(claim)
    printed, lemma = (formula(claim.formulas[name], v) for name in ("eta", "eta_lemma_14"))
    found = compared(claim, "link: the theorem's step is the lemma's up to constants", lemma, printed, (), "Lemma 14's step.")
    if found.verdict is not Verdict.REFUTED:
        yield found
        return
    yield as_scanned(found)
    from_two = tuple(p.within(Interval("2", "inf", False, False)) if p.name == "p" else p for p in claim.parameters)
    meant = replace(claim, parameters=from_two, formulas={**claim.formulas, "eta": claim.formulas["eta_lemma_14"]})
    scope = "with Lemma 14's eta, 2 <= p, d^(1/2 - 1/p) |theta*|_p of length 1 and more"
    yield replace(_risk(meant, scope, (1 / SYMBOLS["W"],)), reading=Reading.MEANT)


def utility(claim: Claim) -> Iterator[Finding]:
    """Each assertion; where two steps are printed, whether they agree."""
    yield from by_assertion(claim, READ)
    if "eta_lemma_14" in claim.formulas:
        yield from steps(claim)


IDS = ("lp/lem-15", "lp/lem-14-risk", "lp/lem-14-risk-amended", "lp/thm-8", "lp/thm-8-amended")
JUDGES = dict.fromkeys(IDS, utility)

MUTANTS = {
    "lp/lem-15": mutants.of_descent,
    "lp/lem-14-risk-amended": mutants.of_risk,
    "lp/thm-8-amended": mutants.of_normed,
}
