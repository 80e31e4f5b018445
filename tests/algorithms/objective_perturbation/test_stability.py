"""Stability: the judge's instances against the solver, its proofs against moved chains, its search against a known limit."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import pytest

from dpsco.arguments.algorithms.objective_perturbation.stability import stability_facts as facts
from dpsco.arguments.algorithms.objective_perturbation.stability import stability_search as search
from dpsco.arguments.chains import follows
from dpsco.instances.stability import Pair, pairs
from dpsco.judges.algorithms.objective_perturbation.stability import APART, JUDGES, against_attained, at
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.objective_perturbation import stability as mutants
from dpsco.reference.algorithms.objective_perturbation.algorithm import solve
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import stability as spec
from dpsco.spec.claim import Adjacency, Relation
from dpsco.spec.domain import reals
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Verdict, fold

IDS = list(JUDGES)


@pytest.mark.parametrize("id", IDS)
def test_verdict_and_power(id):
    found = judge(id)
    assert (found.verdict, found.proof) == (Verdict.STATED, Proof.HOLDS)
    assert len(found.mutants[Fate.KILLED]) >= 9
    assert set(found.mutants) == {Fate.KILLED}


def test_other_readings_are_refuted_beside():
    beside = [f for f in judge("newsvendor/thm-2-stability", with_mutants=False).findings if f.reading is Reading.ANOTHER]
    refuted = [f.scope for f in beside if f.verdict is Verdict.REFUTED]
    assert len(refuted) == 2
    assert any("regulariser" in scope for scope in refuted)
    assert any("add-remove" in scope for scope in refuted)


def test_unsquared_regulariser_by_direct_evaluation():
    """The two decisions of the refuting instance minimise |theta|-regularised objectives: no better point on a fine grid."""

    def objective(y: float, theta: float) -> float:
        u = y - theta
        loss = abs(u) / 2 if abs(u) >= 1 else (u * u / 2 + 0.5) / 2
        return loss + abs(theta) / 8

    grid = [k / 16 for k in range(-3200, 3201)]
    assert min(grid, key=lambda t: objective(100, t)) == 99.75
    assert min(grid, key=lambda t: objective(-100, t)) == -99.75


def test_rational_minimisers_are_minimisers():
    small = [pair for pair in pairs() if pair.n <= 3 and pair.B_x == 1]
    m = mp()
    for pair in islice(small, 0, None, 7):
        rows, other, y = pair.rows()
        scalars = ("1e-45",)
        for features, b, expected in (
            (rows, pair.b, pair.points[0]),
            (other, pair.b, pair.points[1]),
            (rows, Fraction(0), pair.points[2]),
        ):
            theta, _ = solve(m, "uniform", features, y, [b], pair.h, pair.r, pair.lambda_, *scalars)
            assert abs(theta[0] - m.real(expected)) <= m.real("1e-40")


def test_facts_and_identities_hold_at_every_instance():
    m = arb()
    for _, values in facts.instances(pairs()):
        for name, fact in facts.FACTS.items():
            assert m.lt(at(fact, values, m), m.real(0)) is not True, name
        for name, identity in facts.IDENTITIES.items():
            assert at(identity, values, m).contains(0), name


def test_instances_attain_the_constants():
    values = [pair.values() for pair in pairs()]
    assert max(v["moved"] * v["n"] * v["lambda_"] / v["L"] for v in values) == 1
    assert {v["shift"] * v["n"] * v["lambda_"] / v["b_norm"] for v in values if v["b_norm"]} == {Fraction(1, 2)}


def test_an_instance_inside_the_bandwidth_is_refused():
    pair = Pair(1, Fraction(1), Fraction(1, 2), Fraction(1), Fraction(0), Fraction(1), Fraction(-1), 1, Fraction(0))
    with pytest.raises(ValueError, match="inside the bandwidth"):
        pair.loss(Fraction(1), pair.y)


def test_proofs_are_found_and_only_for_true_links():
    names = {"facts": facts.FACTS, "identities": facts.IDENTITIES, "parameters": find(IDS[1]).parameters}
    assert follows(spec.risk_gap_dropped, "=", spec.risk_gap_perturbed, **names) is not None
    assert follows(spec.growth, "<=", spec.objective_gap, **names) is not None
    assert follows(spec.objective_gap, "<=", spec.growth, **names) is None
    assert follows(spec.risk_gap_bound, "<=", spec.risk_gap_noise, **names) is None
    assert follows(spec.gap_through_neighbour, ">=", spec.lipschitz_gap, **names) is None
    without = {name: fact for name, fact in facts.FACTS.items() if name != "Cauchy-Schwarz"}
    assert follows(spec.risk_gap_replaced, "<=", spec.risk_gap_noise, **{**names, "facts": without}) is None
    with pytest.raises(ValueError, match="sign"):
        follows(spec.growth, "<", spec.objective_gap, **names)


def test_proof_adds_up_at_an_instance():
    """The combination that the judge prints, evaluated: facts times coefficients make the difference of the two sides."""
    m = mp()
    _, values = next(iter(facts.instances(islice(pairs(), 40, None))))
    known = {**facts.FACTS, **facts.IDENTITIES}
    claim = find("newsvendor/thm-2-stability")
    for relation in claim.asserts:
        if {relation.left, relation.right} <= set(claim.formulas):
            left, right = claim.formulas[relation.left], claim.formulas[relation.right]
            proof = follows(left, relation.sign, right, facts.FACTS, facts.IDENTITIES, claim.parameters)
            total = sum((m.real(c) * at(known[name], values, m) for name, c in proof.terms.items()), start=m.real(0))
            assert abs(total - (at(right, values, m) - at(left, values, m))) < m.real("1e-30"), relation


def test_search_reaches_the_limit_and_never_passes_it():
    found = search.largest_move()
    assert 0.97 < found.ratio <= 1 + 1e-5


def test_search_would_notice_a_bound_that_is_too_small():
    """Were the lemma to say half of the truth, a bound of half the truth would be inconsistent with the search."""
    claim = scaled(find("quantile/thm-3.6-stability"), "distance", 1, 4)
    relation = next(a for a in claim.asserts if a.right == "distance")
    wrong = replace(APART[Adjacency.REPLACE_ONE], largest=Fraction(1, 2))
    assert against_attained(claim, relation, wrong, Adjacency.REPLACE_ONE).verdict is Verdict.INCONSISTENT
    assert against_attained(claim, relation, APART[Adjacency.REPLACE_ONE], Adjacency.REPLACE_ONE).verdict is Verdict.REFUTED


def verdict(claim):
    """On the steps: the claims are displays of a proof."""
    return fold(decided(claim, JUDGES[claim.id]), Part.PROOF)


def domain(claim, name, wide):
    return replace(claim, parameters=tuple(p.within(wide) if p.name == name else p for p in claim.parameters))


@pytest.mark.parametrize("id", IDS)
def test_certificates_rest_on_the_preconditions(id):
    claim = find(id)
    for predicate in claim.preconditions:
        bare = mutants.without(claim, predicate.test)
        assert verdict(bare) is Verdict.REFUTED, predicate.says
        silent = [f for f in decided(bare, JUDGES[id]) if predicate.test in f.given]
        assert not silent
        # the same words on another test are another condition
        other = replace(predicate, test=lambda m, **values: True)
        assert verdict(replace(bare, preconditions=(*bare.preconditions, other))) is not Verdict.CERTIFIED
    named = {test for finding in JUDGES[id](claim) for test in finding.given}
    assert named == {predicate.test for predicate in claim.preconditions}


@pytest.mark.parametrize("id", IDS)
def test_certificates_rest_on_the_domains(id):
    claim = find(id)
    for name in ("lambda_", "b_norm", "norm_star"):
        if name in {p.name for p in claim.parameters}:
            assert verdict(domain(claim, name, reals)) is not Verdict.CERTIFIED, name
    for name in {p.name for p in claim.parameters} & {*facts.POSITIVE, *facts.NONNEGATIVE}:
        assert facts.ungrounded(domain(claim, name, reals)) == [f"{name} in (-inf, inf)"]
    fewer = replace(claim, parameters=tuple(p for p in claim.parameters if p.name != "lambda_"))
    assert verdict(fewer) is not Verdict.CERTIFIED


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("sign", ["<", ">=", "=", ">", "<=O", "~", "is"])
def test_every_sign_is_read(id, sign):
    """Each assertion alone with another sign is never certified, except >= and <= where = was."""
    claim = find(id)
    for relation in claim.asserts:
        if relation.sign == sign or (relation.sign == "=" and sign == ">="):
            continue
        assert verdict(replace(claim, asserts=(replace(relation, sign=sign),))) is not Verdict.CERTIFIED, relation


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_REMOVE, Adjacency.ADD_ONE_N_FIXED, None])
def test_links_through_a_neighbour_are_for_a_replaced_record(adjacency):
    claim = replace(find("newsvendor/thm-2-stability"), adjacency=adjacency)
    found = decided(claim, JUDGES[claim.id])
    through = [f for f in found if f.reading is Reading.PRINTED and "gap_through_neighbour" in f.scope]
    assert len(through) == 2
    assert Verdict.CERTIFIED not in {f.verdict for f in through}
    printed = {f.verdict for f in found if f.reading is Reading.PRINTED}
    assert printed & {Verdict.OPEN, Verdict.REFUTED}


def test_numbers_are_decimals_and_sentences_are_whole():
    for id in IDS:
        for finding in judge(id, with_mutants=False).findings:
            for number in (finding.claimed, *(finding.computed or ())):
                assert number is None or Decimal(number).is_finite()
            if finding.survives:
                assert finding.survives[0].isupper()
                assert finding.survives.endswith(".")


def test_one_record_more_is_not_refuted_by_a_replaced_one():
    """0.6 L/(n lambda) is exceeded by replacing a record, not by adding one."""
    claim = scaled(find("quantile/thm-3.6-stability"), "distance", 3, 10)
    assert verdict(claim) is Verdict.REFUTED
    added = [f for f in JUDGES[claim.id](replace(claim, adjacency=Adjacency.ADD_ONE_N_FIXED)) if "moved" in f.scope]
    assert [f.verdict for f in added if f.reading is Reading.PRINTED] == [Verdict.CERTIFIED]


def test_judge_reads_the_claim_it_is_given():
    claim = find("quantile/thm-3.6-stability")
    odd = replace(claim, asserts=(*claim.asserts, Relation("something else", "<=", "distance")))
    assert Verdict.OPEN in {finding.verdict for finding in JUDGES[claim.id](odd)}
    moved = replace(claim, adjacency=Adjacency.ADD_ONE_N_FIXED)
    printed = [f for f in JUDGES[claim.id](moved) if f.reading is Reading.PRINTED and f.scope.startswith("moved")]
    assert [f.adjacency for f in printed] == [Adjacency.ADD_ONE_N_FIXED]
