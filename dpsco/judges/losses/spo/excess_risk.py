"""Judge of excess SPO+ against excess SPO risk: sums of known inequalities, refuted at exact laws with a density; the rate."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import compare, every_sign, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.charged_balls import emptied
from dpsco.arguments.losses.cost_laws import BOXES, Values, admitted, enclosed, of_boxes
from dpsco.arguments.losses.dot_products import Facts, follows
from dpsco.arguments.losses.idle_descent import KEPT, against
from dpsco.mutants.losses.spo import excess_risk as mutants
from dpsco.reference.losses.spo import excess_risk as reference
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.spo import calibration as conditions
from dpsco.spec.losses.spo import excess_risk as spec
from dpsco.spec.predicate import shown
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict, as_step

ABOVE = Lemma(
    "SPO+ is at least SPO",
    "Lemma 4, for each c and each prediction, and so in expectation; no condition on S or on the oracle. Risks are finite.",
)
BEST_DECISION = Lemma(
    "a prediction chooses a decision",
    "Given x any w0 in W*(c_hat) has E[max over W*(c_hat) of c'w|x] >= E[c|x]'w0 >= z*(E[c|x]). At c_hat = E[c|x] with "
    "W*(E[c|x]) = {w} the left side is E[c|x]'w = z*(E[c|x]). So no prediction, linear or not, has a smaller SPO risk.",
)
SUBGRADIENT = Lemma(
    "the mean is stationary",
    "For w' = w*(2 E[c|x] - c), which attains the maximum in SPO+ at E[c|x], the SPO+ loss at c_hat is at least that at "
    "E[c|x] plus 2 (w*(c) - w')'(c_hat - E[c|x]): the difference is (c - 2 c_hat)'(w_max - w') >= 0. Given x, 2 E[c|x] - c "
    "has the law of c, so w' has the law of w*(c), the oracle being one function, and the second term has mean 0: whatever "
    "the law's atoms, ties and tails.",
)
EQUAL = Lemma(
    "both risks vanish at the mean",
    "Where w = w*(E[c|x]) is w*(c) almost surely, E[SPO at E[c|x]] = 0. By symmetry w is almost surely best for 2 E[c|x] - "
    "c too, so the maximum in SPO+ is (c - 2 E[c|x])'w, and the SPO+ loss is (c - 2 E[c|x])'w + 2 E[c|x]'w - c'w = 0.",
)
SMEARED = Lemma(
    "a continuous density",
    "E[c] + (1 - t)(c - E[c]) + t V, V independent of c, symmetric, with a continuous density on the box |v_j| <= E[c_j], "
    "is symmetric, has a continuous density, and keeps 0 <= c <= 2 E[c]. As t -> 0 it converges to c, and so do the risks, "
    "as losses are continuous in c off ties, which have probability 0: for small t the contradiction is the same.",
)
EVERYWHERE = Lemma(
    "the prediction 0",
    "At c_hat = 0 the SPO loss and SPO+ both are max over S of c'w minus z*(c), so there the excess SPO+ risk is the excess "
    "SPO risk less the gap of Theorem 9. With W*(E[c|x]) = {w} that gap is at least 2 E[E[c|x]'(w*(c) - w)], whose "
    "integrand is positive wherever w*(c) is not w. For S a ball or another set without corners that is almost everywhere.",
)
NARROW = Lemma(
    "two decisions that nearly tie",
    "S is the triangle of (1, 0), (0, 1), (1, 1), c uniform on [0, 2] x [0, 2 + 2 t], t <= 1: E[c] = (1, 1 + t). The "
    "prediction (1 + t, 1 + t/2) takes (0, 1), which costs t more. The SPO+ risk is convex with gradient 2 E[w*(c) - w*(2 "
    "c_hat - c)], which vanishes at E[c] and whose second decision changes with probability at most 2 |u_1| + 2 |u_2| for "
    "c_hat = E[c] + u: the excess SPO+ risk is at most 4 |u|^2 = 5 t^2, and the quotient at least 1/(5 t).",
)
GAP = "With the SPO+ risk less the SPO risk of E[c|x] added to the left side; as printed, exactly where w*(c) = w*(E[c|x])."
TOLD = {
    "excess_spo": (Severity.CONCLUSION, "E[c|x] minimises the SPO risk where W*(E[c|x]) is a singleton."),
    "excess_spo_plus": (Severity.CONCLUSION, "E[c|x] minimises the SPO+ risk where c given x is symmetric."),
}
TRIED = "exact, in fractions: risks under a law with a density, S the hull of finitely many points"
Usable = tuple[Any, tuple[Callable[..., Any], ...], Lemma]
"""An expression in the risks that is nonnegative, the conditions it needs, and why."""


def known() -> tuple[list[Usable], list[Usable]]:
    """Nonnegative and vanishing expressions in the risks."""
    names = ("spo_risk", "spo_risk_at_mean", "spo_plus_risk", "spo_plus_risk_at_mean", "risk")
    spo, spo_at, plus, plus_at, bound = (sympy.Symbol(name, nonnegative=True) for name in names)
    same = (conditions.singleton, spec.symmetric, conditions.same_decision)
    return [
        (plus - spo, (), ABOVE),
        (plus_at - spo_at, (), ABOVE),
        (spo - spo_at, (conditions.singleton,), BEST_DECISION),
        (plus - plus_at, (spec.symmetric,), SUBGRADIENT),
        (bound - plus + plus_at, (spec.trained,), ABOVE),
    ], [(plus_at - spo_at, same, EQUAL), (plus_at, same, EQUAL)]


def compared(left: str, right: str) -> Any:
    """The reader of a relation between two differences of risks."""

    def decide(claim: Claim, sign: str) -> Iterator[Finding]:
        if not {left, right} - {"0"} <= set(claim.formulas):
            yield Finding(scope=f"{left} {sign} {right}", verdict=Verdict.OPEN, reason="a side is not a formula of the claim")
            return
        found, certificate = list(refutations(claim, left, sign, right)), proved(claim, left, sign, right)
        if certificate is not None and found:
            raise ArithmeticError(f"{claim.id}: {left} {sign} {right} is proved, and yet contradicted at {found[0].at}")
        yield from [certificate] if certificate is not None else found
        if certificate is None and not found:
            reason = f"no proof, and no contradiction at {len(_tried(claim))} laws"
            yield Finding(scope=f"{left} {sign} {right}", verdict=Verdict.OPEN, reason=reason)

    return decide


def _side(claim: Claim, name: str) -> Any:
    return sympy.Integer(0) if name == "0" else sympy.expand(expression(claim.formulas[name], claim.parameters))


def proved(claim: Claim, left: str, sign: str, right: str) -> Finding | None:
    """Certified where the relation is a sum of known inequalities whose conditions the claim has."""
    tests = claim.tests
    facts, ties = ([x for x in part if set(x[1]) <= tests] for part in known())
    how = follows(
        _side(claim, left), sign, _side(claim, right), Facts(tuple(x for x, _, _ in facts), tuple(x for x, _, _ in ties))
    )
    if how is None:
        return None
    used = [x for x in (*facts, *ties) if f"({x[0]})" in how]
    free = [shown(test) for test in tests - {test for x in used for test in x[1]}]
    return Finding(
        scope=f"{left} {sign} {right}: every prediction, every law, every S",
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method=f"{'left - right' if sign == '>=' else 'right - left'} = {how}",
        lemmas=tuple(dict.fromkeys(lemma for _, _, lemma in used)),
        given=tuple(dict.fromkeys(test for _, needed, _ in used for test in needed)),
        coverage=_tried(claim),
        reason=f"not needed: {', '.join(sorted(free))}" if free else None,
    )


def _indices(claim: Claim) -> list[int]:
    """The laws that meet the conditions on S and c; a bound that the claim names is taken as what it has to be at least."""
    needed = [p for p in claim.preconditions if p.test != spec.trained]
    return [i for i in range(len(BOXES)) if admitted(replace(claim, preconditions=tuple(needed)), of_boxes(i)[0])]


def _tried(claim: Claim) -> tuple[str, ...]:
    return tuple(BOXES[i].says for i in _indices(claim))


def _bounds(claim: Claim, at: Values) -> Iterator[Values]:
    """The risks with each bound that the claim's condition admits."""
    excess = at["spo_plus_risk"] - at["spo_plus_risk_at_mean"]
    if all(p.name != "risk" for p in claim.parameters):
        yield at
        return
    trained = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test == spec.trained))
    for bound in (excess, excess / 2):
        given = {**at, "risk": bound}
        if bound >= 0 and admitted(trained, given):
            yield given


def refutations(claim: Claim, left: str, sign: str, right: str) -> Iterator[Finding]:
    """For each law the first prediction that contradicts the relation, and the first one without a tie."""
    m = symbolic()
    for i in _indices(claim):
        ties = set[bool]()
        for at in (bounded for risks in of_boxes(i)[1] for bounded in _bounds(claim, risks)):
            a, b = (m.real(0) if side == "0" else apply(claim.formulas[side], m, at) for side in (left, right))
            zero = not set(str(at["c_hat"])) - set("(0, )")
            if zero in ties or bool(compare(m, a, sign, b)):
                continue
            ties.add(zero)
            severity, survives = TOLD.get(left, (Severity.DOMAIN, GAP)) if right == "0" else (Severity.DOMAIN, GAP)
            yield refuted(
                f"{left} {sign} {right}: {BOXES[i].says}, {'Bhat = 0' if zero else 'Bhat x away from 0'}",
                enclosed(b)[0],
                enclosed(a),
                {"law": BOXES[i].says, "c_hat": str(at["c_hat"])},
                method=f"{TRIED}: left {a}, right {b}",
                severity=severity,
                survives=survives,
                rung=Rung.EXACT,
            )


def corollary(claim: Claim, sign: str) -> Iterator[Finding]:
    """The comparison, and the two other readings of a law that is continuous on all of R^d."""
    found = list(compared("excess_spo_plus", "excess_spo")(claim, sign))
    yield from found
    tests = claim.tests
    if found[0].verdict is Verdict.REFUTED and conditions.singleton in tests and conditions.same_decision not in tests:
        yield replace(
            found[0],
            scope="every S and every law on which w*(c) differs from w*(E[c|x]) with positive probability, Bhat = 0",
            method="written argument; the numbers are those of one such law",
            lemmas=(EVERYWHERE,),
        )
        yield from _no_constant(claim)
    if found[0].verdict is Verdict.REFUTED and spec.continuous in tests:
        yield replace(
            found[-1],
            scope="the same where continuous means a density that is a continuous function on R^d",
            lemmas=(SMEARED,),
            reading=Reading.ANOTHER,
        )
    yield from emptied(claim)


def _nearly_tied(claim: Claim, t: Fraction) -> tuple[Any, Any]:
    """The claim's two differences of risks at the lemma's law, exact."""
    vertices = [[Fraction(x) for x in w] for w in BOXES[0].vertices]
    law = [(Fraction(1), [Fraction(0)] * 2, [Fraction(2), 2 + 2 * t])]
    risks: dict[str, Any] = {}
    for name, risk in (("spo_risk", reference.spo_risk), ("spo_plus_risk", reference.spo_plus_risk)):
        for where, c_hat in (("", [1 + t, 1 + t / 2]), ("_at_mean", reference.mean(law))):
            risks[name + where] = symbolic().real(risk(law, vertices, c_hat))
    spo, plus = (apply(claim.formulas[name], symbolic(), risks) for name in ("excess_spo", "excess_spo_plus"))
    return spo, plus


def _no_constant(claim: Claim) -> Iterator[Finding]:
    """The left of the claim against the right at the lemma's law: below any multiple as t falls, shown at t = 1/10000."""
    tried = [(t, *_nearly_tied(claim, t)) for t in (Fraction(1, 100), Fraction(1, 10_000))]
    if not all(spo > 0 and plus > 0 and spo / plus >= 1 / (5 * symbolic().real(t)) for t, spo, plus in tried):
        return
    _, spo, plus = tried[-1]
    yield refuted(
        "the same with the left side times a constant, whatever the constant",
        "a constant",
        enclosed(spo / plus),
        {"t": "0.0001", "excess SPO risk": str(spo), "excess SPO+ risk": str(plus)},
        method="along laws in which two decisions nearly tie the quotient of the two excess risks is at least 1/(5 t)",
        severity=Severity.RATE,
        survives="For polytopes a square root of the excess SPO+ risk, under bounds on the density (Liu and Grigas 2021).",
        rung=Rung.EXACT,
        lemmas=(NARROW,),
        reading=Reading.ANOTHER,
    )


def stationary(claim: Claim, sign: str) -> Iterator[Finding]:
    """The SPO+ risk at E[c|x] is the least; and the stronger reading, that it is so nowhere else."""
    yield from compared("excess_spo_plus", "0")(claim, sign)
    for i in _indices(claim) if sign == ">=" else ():
        for at in of_boxes(i)[1]:
            excess = apply(claim.formulas["excess_spo_plus"], symbolic(), at)
            if excess == 0 and at["c_hat"] == "(2)":  # costs on [0, 2] all choose one end, as does every prediction above 1
                yield refuted(
                    f"the same as: at no other prediction, {BOXES[i].says}",
                    "more than 0",
                    enclosed(excess),
                    {"law": BOXES[i].says, "E[c]": "1", "c_hat": "2"},
                    method=f"{TRIED}: a second minimiser",
                    severity=Severity.DOMAIN,
                    survives="E[c|x] is one of the minimisers; it is the only one where the density is positive everywhere.",
                    rung=Rung.EXACT,
                    reading=Reading.ANOTHER,
                )


def rate(left: str, right: str, claim: Claim) -> Iterator[Finding]:
    """The rate itself, and the link of its chain that is Corollary 1."""
    yield against(claim, left, right)
    link = replace(claim, formulas={**claim.formulas, "excess_spo_plus": spec.excess_spo_plus})
    for finding in list(refutations(link, "excess_spo_plus", ">=", "excess_spo"))[:1]:
        scope = f"the chain's inequality, by Corollary 1 ({BOXES[0].says})"
        yield as_step(replace(finding, scope=scope))


def transferred(claim: Claim, sign: str) -> Iterator[Finding]:
    """The bound carried over to the SPO risk, and the other reading of its conditions."""
    yield from compared("excess_spo", "bound")(claim, sign)
    yield from emptied(claim)


READ: Table = {
    **every_sign("excess_spo", "0", compared("excess_spo", "0")),
    **every_sign("excess_spo_plus", "0", stationary),
    **every_sign("excess_spo_plus", "excess_spo", corollary),
    **every_sign("excess_spo", "bound", transferred),
    **{
        Relation(left, "<=O", right): partial(rate, left, right)
        for left, right in zip(KEPT, ("rate_exponential", "rate_gaussian"), strict=True)
    },
}


IDS = ("sec-6-conditions", "cor-1", "cor-1-amended", "sec-6-rate", "sec-6-rate-amended")
JUDGES = dict.fromkeys((f"spo/{id}" for id in IDS), reading(READ))

MUTANTS = {
    "spo/sec-6-conditions": mutants.of_conditions,
    "spo/cor-1-amended": mutants.of_corollary,
    "spo/sec-6-rate-amended": mutants.of_transfer,
}
