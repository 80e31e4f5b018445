"""SPO+ against the SPO loss: the dot-product prover, the exact laws, the judge, and by-hand computations beside them."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import mpmath
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.formula import apply
from dpsco.arguments.losses.cost_laws import POINTS, of_points
from dpsco.arguments.losses.dot_products import Facts, expressed, follows, optimality, vector
from dpsco.judges.losses.spo.calibration import JUDGES, MUTANTS, facts, proved
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.reference.losses.spo import calibration, loss
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Relation
from dpsco.spec.losses.spo import calibration as spec
from dpsco.spec.losses.spo import loss as losses
from dpsco.spec.losses.spo import regions
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Rung, Severity, Verdict, fold, worst

M = mp(30)
EXPECTED = {
    "spo/lem-4": (Verdict.CERTIFIED, None),
    "spo/lem-5": (Verdict.REFUTED, Severity.DOMAIN),
    "spo/lem-5-amended": (Verdict.CERTIFIED, None),
    "spo/app-g-vector": (Verdict.STATED, None),
    "spo/app-g-vector-amended": (Verdict.CERTIFIED, None),
    "spo/thm-9": (Verdict.REFUTED, Severity.DOMAIN),
    "spo/thm-9-amended": (Verdict.CERTIFIED, None),
}
coordinates = st.integers(-4, 4).map(Fraction)


def points(d: int, size: int = 4) -> st.SearchStrategy[list[list[Fraction]]]:
    return st.lists(st.lists(coordinates, min_size=d, max_size=d), min_size=1, max_size=size)


@pytest.mark.parametrize("id", list(EXPECTED))
def test_verdicts_and_power(id: str):
    judgement = judge(id)
    assert (judgement.verdict, worst(judgement.findings)) == EXPECTED[id]
    if id in MUTANTS:
        assert len(judgement.mutants[Fate.KILLED]) >= 5
        assert set(judgement.mutants) == {Fate.KILLED}


def test_every_claim_has_a_judge():
    assert set(EXPECTED) == set(JUDGES)
    assert {id for id in EXPECTED if EXPECTED[id][0] is Verdict.CERTIFIED} == set(MUTANTS)


def test_refutations_are_exact_and_name_their_law():
    for id in ("spo/lem-5", "spo/app-g-vector", "spo/thm-9"):
        against = [f for f in decided(find(id)) if f.verdict is Verdict.REFUTED]
        assert all(f.rung is Rung.EXACT and f.at["law"] for f in against)
        assert {"unit disc", "triangle"} <= {f.at["law"].split(",")[0] for f in against}
        assert {relation for f in against for relation in f.asserts} <= set(find(id).asserts)


@pytest.mark.parametrize("id", ["spo/lem-5", "spo/app-g-vector", "spo/thm-9"])
def test_the_printed_proofs_are_broken(id: str):
    """Theorem 9's by the display that is a claim of its own."""
    found = judge(id, with_mutants=False)
    assert found.proof is Proof.BROKEN
    steps = [f for f in found.findings if f.about is Part.PROOF]
    assert any("app-g-vector" in f.scope for f in steps) is (id == "spo/thm-9")


@given(points(2), st.lists(coordinates, min_size=2, max_size=2), st.lists(coordinates, min_size=2, max_size=2))
def test_spo_plus_is_above_spo_with_every_oracle(S: list[list[Fraction]], c: list[Fraction], c_hat: list[Fraction]):
    """By enumeration of vertices and of oracles; nine tenths of SPO+ fail somewhere."""

    def dot(u: list[Fraction], v: list[Fraction]) -> Fraction:
        return u[0] * v[0] + u[1] * v[1]

    least, predicted = min(dot(c, w) for w in S), min(dot(c_hat, w) for w in S)
    spo = max(dot(c, w) for w in S if dot(c_hat, w) == predicted) - least
    for w_star in (w for w in S if dot(c, w) == least):
        plus = max(dot(c, w) - 2 * dot(c_hat, w) for w in S) + 2 * dot(c_hat, w_star) - least
        assert plus >= spo


def test_spo_plus_is_above_spo_on_every_region():
    """Balls, spheres, boxes, simplices, paths, knapsacks: tied and zero costs and predictions, and 200 at random."""
    random = Random(4)
    tried = [*regions.PAIRS, *(regions.any_pair(random) for _ in range(200))]
    for found_ in tried:
        shape, table, *vectors = (found_[name] for name in ("shape", "table", "c", "c_hat"))
        exact = [[M.real(x) for x in row] for row in table]  # type: ignore[union-attr]
        c, c_hat = ([M.real(x) for x in v] for v in vectors)  # type: ignore[union-attr]
        try:
            plus, spo = (f(M, shape, exact, c, c_hat)[0] for f in (loss.spo_plus_loss, loss.spo_loss))
        except ValueError:
            assert shape == "box"  # unbounded where the cost falls
            continue
        assert plus >= spo - M.real("1e-20") * (1 + abs(spo))


def test_negative_control_no_smaller_multiple_of_spo_plus_is_above_spo():
    values = loss.decisions(M, "polytope", [[M.real(-1)], [M.real(1)]], [M.real(1)], [M.real(0)])
    plus, spo = (apply(f, M, values) for f in (losses.spo_plus, losses.spo))
    assert plus == spo == 2
    assert plus * M.real("0.9") < spo


@given(st.integers(1, 9), st.data())
def test_dot_products_are_the_formula_in_every_dimension(d: int, data: st.DataObject):
    names = ["c", "c_hat", "w_max", "w_hat", "w_star"]
    drawn = {name: data.draw(st.lists(coordinates, min_size=d, max_size=d)) for name in names}
    values = {name: [symbolic().real(x) for x in v] for name, v in drawn.items()}
    for formula in (losses.spo, losses.spo_plus):
        found_ = expressed(formula, names)
        assert found_ is not None
        at = {s: symbolic().dot(*(values[name] for name in str(s).split("."))) for s in found_.free_symbols}
        assert found_.subs(at) == apply(formula, symbolic(), values)


def test_formulas_that_look_into_vectors_are_not_read():
    def first(m, c, w_max):
        return m.dot(c, w_max) + c[0] * w_max[0]

    def length(m, c, w_max):
        return m.norm(c) * m.dot(c, w_max)

    assert expressed(first, ["c", "w_max"]) is None
    assert expressed(length, ["c", "w_max"]) is None


def test_negative_control_without_the_predictions_optimality_nothing_follows():
    claim = find("spo/lem-4")
    names = [p.name for p in claim.parameters]
    plus, spo = (expressed(claim.formulas[name], names) for name in ("spo_plus", "spo"))
    assert follows(plus, ">=", spo, facts(claim)) is not None
    c, mirror = vector(c=1), vector(c=-1, c_hat=2)
    fewer = optimality({"w_star": (c,), "w_max": (mirror,)}, ["w_star", "w_max", "w_hat"])
    assert follows(plus, ">=", spo, fewer) is None
    assert follows(plus, ">", spo, facts(claim)) is None
    x = sympy.Symbol("x", real=True)
    assert follows(-x, ">=", sympy.Integer(0), Facts((x,))) is None  # a negative share of a fact proves nothing
    assert follows(-x, "=", sympy.Integer(0), Facts((), (x,))) is not None


def test_the_disc_by_hand():
    """c = (2, 0) or (0, 2): 2 against sqrt(2) in Lemma 5, 2 against 2 - sqrt(2) in Theorem 9."""
    root = mpmath.sqrt(2)
    means = {"c_mean": [1, 1], "w_mean": [-1 / root, -1 / root], "w_max": [0, -1], "w_star": [-1, 0], "c": [2, 0]}
    values = {name: [M.real(x) if isinstance(x, int) else x for x in v] for name, v in means.items()}
    at = {name: apply(f, M, values) for name, f in find("spo/thm-9").formulas.items()}  # the same for the other cost
    assert abs(at["spo_plus_at_mean"] - 2) < 1e-25
    assert abs(at["spo_at_mean"] - (2 - root)) < 1e-12
    summary, law = of_points(0)
    exact = sum(p * apply(find("spo/thm-9").formulas["spo_at_mean"], symbolic(), v) for p, v in law)
    assert sympy.simplify(exact - (2 - sympy.sqrt(2))) == 0
    assert summary["largest_excess"] == summary["least_cost"] == summary["face_diameter"] == 0


@given(points(2, 5), points(2, 3))
def test_the_gap_at_the_mean_is_two_regrets(S: list[list[Fraction]], costs: list[list[Fraction]]):
    """E[SPO+] - E[SPO] at E[c] for the decision w = w*(E[c]): regret of w for 2 E[c] - c, plus twice that of w*(c) for E[c]."""
    m, table = symbolic(), [[symbolic().real(x) for x in w] for w in S]
    law = [(m.frac(1, len(costs)), [m.real(x) for x in c]) for c in costs]
    gap = sympy.Integer(0)
    for p, c in law:
        v = calibration.decisions(m, "polytope", table, law, c)
        mirror = [2 * b - a for a, b in zip(c, v["c_mean"], strict=True)]
        regrets = m.dot(mirror, v["w_mean"]) - m.dot(mirror, v["w_max"])
        regrets += 2 * (m.dot(v["c_mean"], v["w_star"]) - m.dot(v["c_mean"], v["w_mean"]))
        plus, spo = spec.spo_plus_at_mean, spec.spo_at_mean
        assert apply(plus, m, v) - apply(spo, m, v) == regrets
        gap += p * regrets
    assert gap >= 0


def test_conditions_of_the_laws():
    told = {world.says: of_points(i)[0] for i, world in enumerate(POINTS)}
    assert told["square, c = (2, 1) or (1, 2)"]["least_gap"] == 0
    assert told["unit disc, c = (2, 0) or (0, 2)"]["least_gap"] == 2 - sympy.sqrt(2)
    assert told["[-1, 1], c = 1 or -1"]["face_diameter"] == 2
    assert told["[0, 1] with w*(0) = 1, c = 0 or 2"]["decision_gap"] == 1
    with pytest.raises(ValueError, match="add up to 1"):
        calibration.mean(M, [(M.real("0.5"), [M.real(1)])])


@pytest.mark.parametrize("id", [id for id in EXPECTED if id.endswith("amended")])
def test_every_printed_formula_is_read(id: str):
    claim = find(id)
    for name in claim.formulas:
        moved = with_formula(claim, name, lambda m: m.real(1))
        assert fold(decided(moved)) is not Verdict.CERTIFIED


def test_other_signs_and_prose_do_not_pass():
    claim = find("spo/lem-4")
    assert proved(claim, "spo", "<=", "spo_plus") is not None
    assert fold(decided(replace(claim, asserts=(Relation("spo", "<=", "spo_plus"),)))) is Verdict.OPEN  # not in the table
    assert fold(decided(replace(claim, over=("every S",)))) is Verdict.OPEN
