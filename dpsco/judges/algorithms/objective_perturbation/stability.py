"""Stability of the perturbed minimiser, judged link by link.

A link between two displayed formulas is certified by an exact combination of facts that hold for all data
(`dpsco.arguments.chains`), or refuted at a pair of data sets whose minimisers are rational. A bound on a distance is compared
with the largest distance, which is attained.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from dpsco.arguments.algorithms.objective_perturbation.stability import stability_facts as facts
from dpsco.arguments.algorithms.objective_perturbation.stability import stability_scopes as scopes
from dpsco.arguments.algorithms.objective_perturbation.stability.stability_search import largest_move
from dpsco.arguments.assertions import by_assertion
from dpsco.arguments.chains import SIGNS, Formula, arguments, follows
from dpsco.arguments.comparing import certified, refuted
from dpsco.instances.stability import Pair, pairs
from dpsco.mutants.algorithms.objective_perturbation import stability as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.algorithms.objective_perturbation.stability import lipschitz_slope
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth, names_of
from dpsco.spec.predicate import shown
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

HARD = tuple(facts.instances(pairs()))
SEARCH_ERROR = 1e-5
"""What the search's doubles may add: its solver stops at a gradient, not at the minimiser."""
SURVIVES = "The minimisers stay within L/(n lambda) of each other, and within |b|/(2 n lambda) of the one without noise."
MOVED, SHIFT = "|theta(D) - theta(D')|", "shift"
EVERYTHING = "every data set, kernel, noise vector and dimension"


def moved(m: Numbers, moved: Real) -> Real:
    """The distance of the neighbours' minimisers."""
    return moved


def shift(m: Numbers, shift: Real) -> Real:
    """The distance of the minimisers with and without noise."""
    return shift


@dataclass(frozen=True)
class Distance:
    """A distance of minimisers: the quantity, its unit, its largest value in that unit, and why it is no larger."""

    value: Formula
    unit: Formula
    unit_says: str
    largest: Fraction
    lemma: Lemma
    given: tuple[Callable[..., Truth], ...] = ()

    @property
    def quantity(self) -> str:
        (name,) = names_of(self.value)
        return name


WITHOUT_NOISE = Distance(shift, facts.shift_unit, "|b|/(n lambda)", Fraction(1, 2), facts.GRADIENT_AT_BARE)
APART = {
    adjacency: Distance(moved, facts.distance_unit, "L/(n lambda)", largest, facts.GRADIENT_AT_OTHER, (lipschitz_slope,))
    for adjacency, largest in ((Adjacency.REPLACE_ONE, Fraction(1)), (Adjacency.ADD_ONE_N_FIXED, Fraction(1, 2)))
}


def at(formula: Formula, values: Mapping[str, Fraction], m: Numbers) -> Real:
    """The formula at an instance."""
    return formula(m, **{name: m.real(values[name]) for name in names_of(formula)})


def violates(m: Numbers, left: Real, sign: str, right: Real) -> Truth:
    """Whether the relation certainly fails; never for a sign that compares no two numbers."""
    match sign:
        case "=":
            return m.any(m.lt(left, right), m.gt(left, right))
        case "<=":
            return m.gt(left, right)
        case "<":
            return m.ge(left, right)
        case ">=":
            return m.lt(left, right)
        case ">":
            return m.le(left, right)
    return None


def lacking(claim: Claim, tests: tuple[Callable[..., Truth], ...]) -> list[Callable[..., Truth]]:
    """The tests that are no precondition of the claim."""
    held = claim.tests
    return [test for test in tests if test not in held]


def neighbours(pair: Pair, adjacency: Adjacency | None) -> bool:
    """Whether the pair's data sets are neighbours: a record with the feature 0 is, to the minimiser, no record."""
    return adjacency is Adjacency.REPLACE_ONE or (adjacency is Adjacency.ADD_ONE_N_FIXED and 0 in (pair.x, pair.x2))


def worst_pair(
    claim: Claim, left: Formula, sign: str, right: Formula, adjacency: Adjacency | None
) -> tuple[Mapping[str, str], Real, Real] | None:
    """A pair of data sets that the claim admits and at which the relation certainly fails: where, and both sides."""
    m = arb()
    named = arguments(left) | arguments(right)
    for pair, whole in HARD:
        if not named <= {*whole} or (named & facts.NEIGHBOURS and not neighbours(pair, adjacency)):
            continue
        for values in facts.loosened(whole):
            sides = at(left, values, m), at(right, values, m)
            if violates(m, sides[0], sign, sides[1]) is True and scopes.admitted(claim, values):
                changed = {name: str(values[name]) for name in ("L", "B") if values[name] != whole[name]}
                return {**pair.at(), **changed}, *sides
    return None


def link(relation: Relation, claim: Claim) -> Iterator[Finding]:
    """One displayed inequality or equality between two formulas."""
    scope = f"link: {relation}"
    left, right = claim.formulas[relation.left], claim.formulas[relation.right]
    if claim.adjacency is not Adjacency.REPLACE_ONE and (arguments(left) | arguments(right)) & facts.REPLACEMENT:
        reason = "its quantities are named for a record and the one that replaces it"
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
        return
    wide = facts.ungrounded(claim)
    proof = None
    if relation.sign in SIGNS and not wide:
        proof = follows(left, relation.sign, right, facts.FACTS, facts.IDENTITIES, claim.parameters)
    used = proof.terms if proof else ()
    given = tuple(dict.fromkeys(test for name, test in facts.GIVEN.items() if name in used))
    missing = lacking(claim, given)
    if proof is not None and not missing:
        yield Finding(
            scope=scope,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"exact combination of facts: {proof}",
            coverage=(EVERYTHING,),
            lemmas=tuple(dict.fromkeys(facts.LEMMAS[name] for name in used)),
            given=given,
        )
        return
    why = [f"the facts do not cover {what}" for what in wide]
    why += [f"rests on {shown(test)}, which is lacking" for test in missing]
    reason = "; ".join(why) or f"no combination of the facts, and no contradiction at {len(HARD)} pairs"
    yield refuted_link(claim, relation, scope) or Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)


def refuted_link(claim: Claim, relation: Relation, scope: str) -> Finding | None:
    """The link at the hard pairs: refuted at the first that contradicts it."""
    left, right = claim.formulas[relation.left], claim.formulas[relation.right]
    found = worst_pair(claim, left, relation.sign, right, claim.adjacency)
    if found is None:
        return None
    where, value, against = found
    return refuted(
        scope,
        against,
        value,
        where,
        method=f"both sides at rational minimisers: {relation.left} computed, {relation.right} claimed",
        severity=PROOF_STEP,
        survives=SURVIVES,
    )


def shift_bound(relation: Relation, claim: Claim) -> Iterator[Finding]:
    """Distance of the minimisers with and without noise against the claimed bound."""
    yield against_attained(claim, relation, WITHOUT_NOISE, claim.adjacency)


def moved_bound(relation: Relation, claim: Claim) -> Iterator[Finding]:
    """Distance of the minimisers of neighbours against the claimed bound, for each adjacency."""
    if claim.adjacency is None:
        yield Finding(scope=str(relation), verdict=Verdict.OPEN, reason="the claim does not say which data sets are neighbours")
    for adjacency in Adjacency:
        reading = Reading.PRINTED if adjacency is claim.adjacency else Reading.ANOTHER
        if adjacency in APART:
            yield against_attained(claim, relation, APART[adjacency], adjacency, reading)
        elif relation.sign == "<=":
            yield scopes.changing_normaliser(claim, relation.right, reading)
        else:
            reason = "no argument for this sign where the normaliser changes"
            yield Finding(scope=f"{relation}, {adjacency}", verdict=Verdict.OPEN, reason=reason, reading=reading)


def exceeded(ratio: float, bound: Any) -> bool:
    """Whether a distance of `ratio` units passes a bound of `bound` units (an expression is not decided)."""
    return bool(bound.is_number and ratio > bound * (1 + SEARCH_ERROR))


def against_attained(
    claim: Claim, relation: Relation, distance: Distance, adjacency: Adjacency | None, reading: Reading = Reading.PRINTED
) -> Finding:
    """The claimed bound over the largest value, which is attained: an exact ratio decides, or a pair that exceeds it."""
    name = relation.right
    scope = f"{distance.quantity} {relation.sign} {name}" + (f", {adjacency}" if distance.value is moved else "")
    ratio, enough = scopes.in_units(claim, name, distance.unit, distance.largest)
    wide = facts.ungrounded(claim)
    missing = lacking(claim, distance.given)
    if enough and relation.sign == "<=" and not wide and not missing:
        found = largest_move() if adjacency is Adjacency.REPLACE_ONE and distance.value is moved else None
        if found is not None and exceeded(found.ratio, ratio):
            return Finding(
                scope=scope,
                verdict=Verdict.INCONSISTENT,
                rung=Rung.SEARCH,
                at=found.at,
                effort=found.effort,
                reason="the search exceeds a value that the lemma proves: one of the two is wrong",
                reading=reading,
            )
        return certified(
            f"{scope}, in units of {distance.unit_says}",
            "the quotient of the bound and its unit against the largest value, which is attained",
            distance.lemma,
            claimed=scopes.multiple(ratio),
            computed=ends(arb().real(distance.largest)),
            adjacency=adjacency,
            at=found.at if found else {},
            effort=found.effort if found else "",
            coverage=(EVERYTHING, *(found.coverage if found else ())),
            given=distance.given,
            reason=f"not tight: {distance.largest} {distance.unit_says} is the best constant"
            if ratio != distance.largest
            else None,
            reading=reading,
        )

    pair = worst_pair(claim, distance.value, relation.sign, claim.formulas[name], adjacency)
    if pair is None:
        why = [f"the argument does not cover {what}" for what in wide]
        why += [f"rests on {shown(test)}, which is lacking" for test in missing]
        reason = "; ".join(why) or f"bound over unit is {ratio}: not decided"
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, reading=reading)
    where, value, claimed = pair
    return refuted(
        scope,
        claimed,
        value,
        where,
        method="distance of two rational minimisers",
        severity=Severity.CONSTANT if ratio.is_number else Severity.RATE,
        survives=SURVIVES,
        adjacency=adjacency,
        reading=reading,
    )


def judge(claim: Claim) -> Iterator[Finding]:
    """A finding for every assertion of the claim, and for the distance one under every adjacency."""
    yield from by_assertion(claim, {relation: how for relation in claim.asserts if (how := _procedure(claim, relation))})
    bounds = [a.right for a in claim.asserts if (a.left, a.sign) == (MOVED, "<=") and a.right in claim.formulas]
    if bounds and "risk_gap_bound" in claim.formulas:
        yield scopes.unsquared(claim, bounds[0])


def _procedure(claim: Claim, relation: Relation) -> Callable[[Claim], Iterator[Finding]] | None:
    """How the relation is decided, None where nothing here reads it: each procedure reads both sides and the sign."""
    if relation.right not in claim.formulas:
        return None
    match relation.left, relation.sign:
        case ("uniform stability with respect to the check loss", "<="):
            return partial(scopes.uniform, name=relation.right)
        case ("E[population risk - empirical risk] of the released decision", "<="):
            return partial(scopes.generalisation, name=relation.right)
        case (left, _) if left == MOVED:
            return partial(moved_bound, relation)
        case (left, _) if left == SHIFT:
            return partial(shift_bound, relation)
        case (left, _) if left in claim.formulas:
            return partial(link, relation)
    return None


IDS = ("quantile/thm-3.6-stability", "newsvendor/thm-2-stability")
JUDGES = dict.fromkeys(IDS, judge)
MUTANTS = {id: partial(mutants.mutants, id) for id in IDS}
