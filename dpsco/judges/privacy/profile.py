"""Judges of what (epsilon, delta)-DP means: does a printed definition imply the usual one, and does processing keep it?

Both ask whether an inequality P(W) <= allowed(Q(W)), for points or for sets, implies P(W) <= e^epsilon Q(W) + delta for sets
(or is implied by it). Pairs of laws on two or on many points decide.
"""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.instances.privacy import DELTAS, EPSILONS
from dpsco.mutants.privacy import profile as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

SHARES = ("0", "0.25", "0.5", "0.75", "1")
BITS = 2200
"""At epsilon = 700 the probabilities of a pair differ by 2^-1010, and deltas go down to 1e-300."""

SPREAD = Lemma(
    "laws spread over many points",
    "P uniform on k points and Q uniform on k others have P(w) <= 1/k for every single point w, so the inequality for points "
    "holds with delta = 1/k, whatever epsilon; the set of P's points has P = 1 and Q = 0. For laws without atoms, as the "
    "uniform ones on [-1, 0] and [0, 1], it holds with epsilon = delta = 0.",
)
LITERAL = Lemma("the same inequality", "For measurable sets the printed inequality is that of Definition 1, word for word.")
ATOMS = Lemma(
    "discrete outputs, delta = 0",
    "Summed over the points of a countable set, P(w) <= e^epsilon Q(w) gives P(W) <= e^epsilon Q(W).",
)
PREIMAGE = Lemma(
    "preimage",
    "For a measurable f that is free of the data the event f(M(D)) in S' is the event M(D) in f^-1(S'), one set for both data "
    "sets, to which M's inequality applies. For a random f do so given its randomness, and average.",
)
TIGHT = Lemma(
    "two points that use up the allowance",
    "For b in [0, (1 - delta)/(1 + e^epsilon)] the laws (e^epsilon b + delta, rest) and (b, rest) on two points are (epsilon, "
    "delta)-indistinguishable: 1 - b <= e^epsilon (1 - e^epsilon b - delta) + delta is linear in b and true at both ends.",
)
OWN_DATA = Lemma("a function of the data", "f_D(w) = (a record of D) tells neighbours apart with certainty, whatever M does.")
MERGED = Lemma(
    "a function that merges points",
    "If the inequality is asked of points only, f constant on P's points makes one point of them.",
)


def restates(claim: Claim) -> Iterator[Finding]:
    """Does the printed inequality, for the printed events, imply Definition 1 with the same epsilon and delta?"""
    common = _common(claim)
    if "point" in claim.parameter("event").domain.names:  # type: ignore[attr-defined]
        yield refuted(
            "a law that meets the definition for points meets Definition 1, every delta",
            "0.1",
            "1",
            {"epsilon": "0.001", "delta": "0.1", "k": "10"},
            method="P uniform on 10 points, Q on 10 others: the least delta of Definition 1",
            severity=Severity.CONCLUSION,
            survives="For discrete outputs and delta = 0 the two are the same.",
            rung=Rung.EXACT,
            lemmas=(SPREAD,),
            **common,
        )
        yield Finding(
            **common,
            scope="the same for discrete outputs and delta = 0",
            reading=Reading.MEANT,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="summation over points",
            lemmas=(ATOMS,),
        )
        return
    yield _implies(claim, common)


def processed(claim: Claim) -> Iterator[Finding]:
    """Does f(M(D)) meet the printed inequality when M meets Definition 1?"""
    common = _common(claim)
    if any(name != "the output" for name in claim.parameter("processing").domain.names):  # type: ignore[attr-defined]
        yield refuted(
            "functions that may use the data",
            "0",
            "1",
            {},
            method="f returns a record: an event of probability 1 on one data set and 0 on its neighbour; least delta",
            severity=Severity.CONCLUSION,
            survives="It holds for functions of the output alone.",
            rung=Rung.EXACT,
            lemmas=(OWN_DATA,),
            **common,
        )
    yield _kept(claim, common)
    yield refuted(
        "the same if (epsilon, delta)-DP is asked of single outputs (the paper's Definition 6), delta > 0",
        "0.1",
        "1",
        {"delta": "0.1", "k": "10"},
        method="P uniform on 10 points, Q on 10 others, f constant on the first: least delta before 0.1, after",
        severity=Severity.DOMAIN,
        survives="It holds for the sets of Definition 1.",
        rung=Rung.EXACT,
        reading=Reading.ANOTHER,
        lemmas=(SPREAD, MERGED),
        **common,
    )


def _common(claim: Claim) -> dict[str, Any]:
    return {"adjacency": claim.adjacency, "release": claim.releases}


def _slack(claim: Claim) -> Any:
    """Printed allowance minus e^epsilon q + delta."""
    epsilon, delta, q = (sympy.Symbol(name, positive=True) for name in ("epsilon", "delta", "probability"))
    values = {"epsilon": epsilon, "delta": delta, "probability": q}
    return sympy.simplify(apply(claim.formulas["allowed_probability"], symbolic(), values) - sympy.exp(epsilon) * q - delta)


def _grid(claim: Claim) -> Any:
    return grid(claim, {"epsilon": EPSILONS, "delta": ("0", *DELTAS, "1")})


def _pair(m: Numbers, instance: Instance, share: str) -> tuple[Real, Real]:
    """(a, b) of the lemma TIGHT, b at a share of its range."""
    e, delta = m.exp(m.real(instance["epsilon"])), m.real(instance["delta"])
    b = m.real(share) * (1 - delta) / (1 + e)
    return e * b + delta, b


def _allowed(claim: Claim, m: Numbers, instance: Instance, probability: Real) -> Real:
    values = {name: m.real(value) for name, value in instance.items()}
    return apply(claim.formulas["allowed_probability"], m, {**values, "probability": probability})


def _implies(claim: Claim, common: dict[str, Any]) -> Finding:
    """Refuted by two laws (a, 1 - a), (1 - a, a) that meet the printed inequality and not Definition 1."""
    m = arb(BITS)
    tried = _grid(claim)
    common = {**common, "scope": "a law that meets the definition meets Definition 1", "coverage": tried.coverage}
    for instance in tried:
        e, delta = m.exp(m.real(instance["epsilon"])), m.real(instance["delta"])
        edge = (e + delta) / (1 + e)
        for share in ("0.999", "0.99", "0.9", "0.5"):
            a = 1 - (1 - edge) * m.real(share)
            meets = m.all(m.le(a, _allowed(claim, m, instance, 1 - a)), m.le(1 - a, _allowed(claim, m, instance, a)))
            least = a - e * (1 - a)
            if meets is True and m.gt(least, delta) is True:
                return refuted(
                    **common,
                    claimed=instance["delta"],
                    computed=least,
                    at={**instance, "a": a.str(17, radius=False)},
                    method="two laws on two points that meet the printed inequality: the least delta of Definition 1, enclosed",
                    severity=Severity.CONSTANT,
                    survives="It holds with the allowance of Definition 1.",
                )
    proved = bool((-_slack(claim)).is_nonnegative)
    return Finding(
        **common,
        verdict=Verdict.CERTIFIED if proved else Verdict.OPEN,
        rung=Rung.EXACT if proved else None,
        method="computer algebra: the printed allowance is at most e^epsilon q + delta",
        lemmas=(LITERAL,) if proved else (),
        reason=None if proved else f"no contradiction at {len(tried)} instances, and no proof",
    )


def _kept(claim: Claim, common: dict[str, Any]) -> Finding:
    """Refuted by a private pair on two points, f the identity, that exceeds the printed allowance."""
    m = arb(BITS)
    tried = _grid(claim)
    scope = "every (epsilon, delta)-DP mechanism, every measurable function of its output"
    common = {**common, "scope": scope, "coverage": tried.coverage}
    for instance in tried:
        for share in SHARES:
            a, b = _pair(m, instance, share)
            allowed = _allowed(claim, m, instance, b)
            if m.gt(a, allowed) is True:
                return refuted(
                    **common,
                    claimed=allowed,
                    computed=a,
                    at={**instance, "b": b.str(17, radius=False)},
                    method="a private pair of laws on two points, f the identity: a probability above the printed allowance",
                    severity=Severity.CONSTANT,
                    survives="It holds with the allowance of Definition 1.",
                    lemmas=(TIGHT,),
                )
    proved = bool(_slack(claim).is_nonnegative)
    return Finding(
        **common,
        verdict=Verdict.CERTIFIED if proved else Verdict.OPEN,
        rung=Rung.EXACT if proved else None,
        method="computer algebra: the printed allowance is at least e^epsilon q + delta",
        lemmas=(PREIMAGE,) if proved else (),
        reason=None if proved else f"no contradiction at {len(tried)} instances, and no proof",
    )


def stated(claim: Claim) -> Iterator[Finding]:
    """The inequality by which a definition gives a name."""
    yield Finding(**_common(claim), scope="the inequality that defines the name", verdict=Verdict.STATED)


READ = {
    Relation("P[A(D1) = w]", "<=", "allowed_probability at P[A(D2) = w]"): stated,
    Relation("P[A(D1) in W]", "<=", "allowed_probability at P[A(D2) in W]"): stated,
    Relation("Definition 6", "=>", "Definition 1, which it is said to restate"): restates,
    Relation("f(M(D))", "is", "(epsilon, delta)-DP"): processed,
}

JUDGES = dict.fromkeys(("spo/def-6", "spo/def-6-amended", "spo/sec-2.3"), reading(READ))

MUTANTS = {"spo/def-6-amended": mutants.of_definition, "spo/sec-2.3": mutants.of_processing}
