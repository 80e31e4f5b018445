"""Judge of SPO+ against the SPO loss: by optimality of the decisions in every dimension, refuted at exact laws of costs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.assertions import false_displays, reading
from dpsco.arguments.comparing import certified, compare, every_sign, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.cost_laws import POINTS, Values, admitted, enclosed, of_points, predicted
from dpsco.arguments.losses.dot_products import Facts, Linear, along, expressed, follows, optimality, product, vector
from dpsco.mutants.losses.spo import calibration as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.losses.spo import calibration as spec
from dpsco.spec.numbers import Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

OPTIMAL = Lemma(
    "each decision is best for its own direction",
    "w*(c) minimises c'w over S, w_hat in W*(c_hat) minimises c_hat'w, w*(E[c|x]) minimises E[c|x]'w, and w_max, which "
    "maximises (c - 2 c_hat)'w (where the prediction is E[c|x], with that for c_hat), minimises 2 c_hat'w - c'w. So for "
    "each of them the direction's product with any other decision of S is at least that with its own; two that share a "
    "direction have the same product. This needs S compact, whatever minimiser the oracle takes.",
)
AVERAGED = Lemma(
    "means given x",
    "For v that depends on x only E[c'v|x] = E[c|x]'v, and E[E[c|x]'w*(c)|x] = E[c|x]'E[w*(c)|x]; E[w*(c)|x] lies in S, "
    "which is compact and convex. An inequality that holds for every x holds for the mean over x.",
)
LEAST = Lemma(
    "the least vector",
    "If v in S is least in every coordinate, u'v <= u'w for every w in S and u >= 0. With c <= 2 E[c|x] both u = 2 E[c|x] - "
    "c and its mean given x, E[c|x], are such u; with c >= 0 so is c.",
)
SAME = Lemma(
    "one decision",
    "Where w*(c) = w*(E[c|x]) almost surely, the two have the same product with everything, and so has their mean given x; "
    "where it is best for 2 E[c|x] - c too, it shares the direction of w_max.",
)
TRIED = "exact, by computer algebra, at a law of finitely many costs (probabilities and decisions rational or square roots)"
CONDITIONS = {
    spec.singleton: (),
    spec.below_twice_mean: (LEAST,),
    spec.costs_nonnegative: (),
    spec.has_least: (LEAST,),
    spec.same_decision: (SAME,),
    spec.mirrored: (SAME,),
}
"""Conditions that an argument may use, each with its reason."""


@dataclass(frozen=True)
class Words:
    """How a refutation of a relation is told."""

    severity: Severity
    survives: str


TOLD = {
    "spo_plus": Words(Severity.CONSTANT, "SPO+ is at least the SPO loss."),
    "E[support_term]": Words(
        Severity.DOMAIN,
        "E[support_term] >= E[mean_term], by Jensen; equality where w*(E[c|x]) attains the left maximum almost surely, so "
        "where S contains its coordinatewise least vector.",
    ),
    "E[mean_term]": Words(Severity.CONSTANT, "max over S of -E[c|x]'w = -E[c|x]'w*(E[c|x])."),
    "support_term": Words(
        Severity.DOMAIN, "support_term <= least_term, with equality where S contains its coordinatewise least vector."
    ),
    "cross_term": Words(Severity.CONCLUSION, "The opposite inequality, for every S and every law."),
    "E[w*(c)|x]": Words(Severity.CONCLUSION, "No order between the vectors; E[c|x]'E[w*(c)|x] >= E[c|x]'w*(E[c|x])."),
    "E[spo_plus_at_mean]": Words(
        Severity.DOMAIN,
        "At E[c|x] the SPO+ risk less the SPO risk is the mean regret of w*(E[c|x]) for 2 E[c|x] - c plus twice that of w*(c) "
        "for E[c|x]: nonnegative, and 0 only where both risks are 0.",
    ),
}


def facts(claim: Claim) -> Facts:
    """What is known of the decisions that the claim names, from its conditions."""
    tests, names = claim.tests, {p.name for p in claim.parameters}
    c, c_mean = vector(c=1), vector(c_mean=1)
    prediction = vector(c_hat=1) if "c_hat" in names else c_mean
    mirror = 2 * prediction - c
    directions: dict[str, Sequence[Linear]] = {
        "w_star": (c,),
        "w_hat": (prediction,),
        "w_max": (mirror,),
        "w_mean": (c_mean, mirror) if spec.mirrored in tests else (c_mean,),
    }
    if {spec.has_least, spec.below_twice_mean} <= tests:
        directions["w_least"] = (mirror, c_mean, c) if spec.costs_nonnegative in tests else (mirror, c_mean)
    minimised = {name: found for name, found in directions.items() if name in names}
    known = optimality(minimised, [*minimised, *(["mean_decision"] if "mean_decision" in names else [])])
    if spec.same_decision not in tests:
        return known
    same = [along(u, "w_star") - along(u, "w_mean") for u in (c, c_mean)]
    return Facts(known.nonnegative, (*known.zero, *same))


def given_features(claim: Claim, x: Any) -> Any:
    """The mean given x of an expression in dot products."""
    fixed = ["c_mean", "w_least", "mean_decision"] + (["w_mean"] if spec.singleton in claim.tests else [])
    if not {"E[spo_plus_at_mean]", "E[spo_at_mean]"} & {side for r in claim.asserts for side in (r.left, r.right)}:
        fixed.append("w_mean")  # the least value of E[c|x]'w does not depend on which minimiser is named
    change = {product("c", v): product("c_mean", v) for v in fixed}
    return x.subs({**change, product("c_mean", "w_star"): product("c_mean", "mean_decision")})


def proved(claim: Claim, left: str, sign: str, right: str) -> str | None:
    """How the relation follows, for every S, law and dimension; None where it does not."""
    names = [p.name for p in claim.parameters]
    sides = [expressed(claim.formulas[_bare(side)], names) for side in (left, right)]
    if any(side is None for side in sides):
        return None
    known = facts(claim)
    if left != _bare(left):  # pointwise first: it is the stronger statement
        how = follows(sides[0], sign, sides[1], known)
        averaged = [sympy.expand(given_features(claim, side)) for side in sides]
        return how or follows(averaged[0], sign, averaged[1], known.mapped(lambda x: given_features(claim, x)))
    return follows(sides[0], sign, sides[1], known)


def compared(left: str, right: str) -> Any:
    """The reader of a relation between two formulas, with or without an expectation."""

    def decide(claim: Claim, sign: str) -> Iterator[Finding]:
        if not {_bare(left), _bare(right)} <= set(claim.formulas):
            yield _open(left, sign, right, "a side is not a formula of the claim")
            return
        found = list(_refutations(claim, left, sign, right))
        how = proved(claim, left, sign, right)
        if how is not None and found:
            raise ArithmeticError(f"{claim.id}: {left} {sign} {right} is proved, and yet contradicted at {found[0].at}")
        if how is not None:
            tests = claim.tests
            used = [test for test in CONDITIONS if test in tests]
            yield certified(
                f"{left} {sign} {right}: every S, every law, every dimension",
                f"{'right - left' if sign != '>=' else 'left - right'} = {how}",
                OPTIMAL,
                AVERAGED,
                *dict.fromkeys(x for test in used for x in CONDITIONS[test]),
                given=tuple(used),
                coverage=_tried(claim),
            )
        yield from found
        if how is None and not found:
            yield _open(left, sign, right, f"no proof, and no contradiction at {len(_tried(claim))} laws")

    return decide


def _bare(side: str) -> str:
    return side[2:-1] if side.startswith("E[") else side


def _open(left: str, sign: str, right: str, reason: str) -> Finding:
    return Finding(scope=f"{left} {sign} {right}", verdict=Verdict.OPEN, reason=reason)


def _indices(claim: Claim) -> list[int]:
    return [i for i in range(len(POINTS)) if admitted(claim, of_points(i)[0])]


def _tried(claim: Claim) -> tuple[str, ...]:
    return tuple(POINTS[i].says for i in _indices(claim))


def _refutations(claim: Claim, left: str, sign: str, right: str) -> Iterator[Finding]:
    """One finding for each law on which the relation fails."""
    for i in _indices(claim):
        for pairs in _instances(claim, i, left != _bare(left)):
            m = symbolic()
            a, b = (
                sympy.expand(sum((p * apply(claim.formulas[_bare(side)], m, v) for p, v in pairs), start=m.real(0)))
                for side in (left, right)
            )
            if _holds(a, sign, b) is False:
                yield _refuted(f"{left} {sign} {right}", POINTS[i].says, left, a, b, _at(pairs))
                break


def _instances(claim: Claim, i: int, expected: bool) -> Iterator[Sequence[tuple[Real, Values]]]:
    """What the formulas are evaluated at: all costs of the law with their probabilities, or each cost alone."""
    if "c_hat" in {p.name for p in claim.parameters}:
        yield from ([(symbolic().real(1), values)] for values in predicted(i))
    elif expected:
        yield of_points(i)[1]
    else:
        yield from ([(symbolic().real(1), values)] for _, values in of_points(i)[1])


def _holds(a: Any, sign: str, b: Any) -> Truth:
    answer = compare(symbolic(), a, sign, b)
    return bool(answer) if answer in (sympy.true, sympy.false) else None


def _at(pairs: Sequence[tuple[Real, Values]]) -> Mapping[str, str]:
    shown = ("c", "c_hat") if "c_hat" in pairs[0][1] else ("c_mean",)
    return {name: str(pairs[0][1][name]) for name in shown}


def _refuted(relation: str, law: str, left: str, a: Any, b: Any, at: Mapping[str, str]) -> Finding:
    told = TOLD[left]
    return refuted(
        f"{relation}: {law}",
        enclosed(b)[0],
        enclosed(a),
        {"law": law, **at},
        method=f"{TRIED}: left {a}, right {b}",
        severity=told.severity,
        survives=told.survives,
        rung=Rung.EXACT,
    )


def vectors(claim: Claim, sign: str) -> Iterator[Finding]:
    """E[w*(c)|x] against w*(E[c|x]), coordinate by coordinate."""
    left, right, found = "E[w*(c)|x]", "w*(E[c|x])", 0
    for i in _indices(claim):
        values = of_points(i)[1][0][1]
        for j, (a, b) in enumerate(zip(values["mean_decision"], values["w_mean"], strict=True)):
            if _holds(a, sign, b) is False:
                found += 1
                at = {"c_mean": str(values["c_mean"]), "coordinate": str(j + 1)}
                yield _refuted(f"{left} {sign} {right}", POINTS[i].says, left, a, b, at)
                break
    if not found:
        yield _open(left, sign, right, f"no argument, and no contradiction at {len(_tried(claim))} laws")


PAIRS = (
    ("spo_plus", "spo"),
    ("E[support_term]", "E[mean_term]"),
    ("E[mean_term]", "E[negated_term]"),
    ("support_term", "least_term"),
    ("cross_term", "cross_term_at_mean"),
    ("E[spo_plus_at_mean]", "E[spo_at_mean]"),
)
READ = {relation: entry for left, right in PAIRS for relation, entry in every_sign(left, right, compared(left, right)).items()}
READ |= every_sign("E[w*(c)|x]", "w*(E[c|x])", vectors)


IDS = ("lem-4", "lem-5", "lem-5-amended", "app-g-vector", "app-g-vector-amended", "thm-9", "thm-9-amended")


def equality(claim: Claim) -> Iterator[Finding]:
    """Each assertion, and the displays of the proof that are a claim of their own."""
    yield from reading(READ)(claim)
    yield from false_displays("spo/app-g-vector", reading(READ))


JUDGES = dict.fromkeys((f"spo/{id}" for id in IDS), reading(READ)) | {"spo/thm-9": equality}

MUTANTS = {
    "spo/lem-4": mutants.of_bound,
    "spo/lem-5-amended": mutants.of_support,
    "spo/app-g-vector-amended": mutants.of_cross_term,
    "spo/thm-9-amended": mutants.of_equality,
}
