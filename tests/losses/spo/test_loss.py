"""The SPO losses: reference against lists of vertices, fast against reference, subgradients, the judges and their controls."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.losses.decision_sets import CASES
from dpsco.arguments.losses.inner_products import combination, expressed, product
from dpsco.fast.losses.spo import loss as fast
from dpsco.fast.losses.spo import regions as sets
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.losses.spo import loss, regions
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.losses.spo import loss as spec
from dpsco.spec.losses.spo.regions import any_pair, some_cost
from dpsco.spec.numbers import names_of
from dpsco.spec.register import find
from dpsco.verdict import Reading, Verdict, fold

M = mp(40)
NAMES = ("spo_loss", "spo_plus_loss", "spo_plus_subgradient")
BUDGET = 4.0
CERTIFIED = ("spo/def-4", "spo/eq-2", "spo/def-5", "spo/sec-3.1")
seeds = st.integers(0, 2**32).map(Random)
GRID = ("paths", [[5.0, 5.0]])


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(loss, name), given_, getattr(fast, name)(**given_))


@settings(max_examples=25)
@given(seeds)
def test_fast_matches_reference(random: Random):
    found = dict(any_pair(random))
    for name in NAMES:
        assert off(name, found) <= BUDGET, (name, found)


@pytest.mark.parametrize("name", NAMES)
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 30, 7))
    assert 0 < worst <= BUDGET


def test_negative_control_the_optimistic_tie_rule_is_seen():
    """SPO with the oracle's own minimiser instead of the worst one."""
    given_ = {"shape": "box", "table": [[-1.0], [1.0]], "c": [2.0], "c_hat": [0.0]}
    assert fast.spo_loss(**given_) == 4.0
    assert error(spec.spo_loss, loss.spo_loss, given_, 2.0) > 1e10


@given(seeds)
def test_reference_is_the_definition_on_vertices(random: Random):
    found = any_pair(random)
    shape, table, c, c_hat = (found[name] for name in ("shape", "table", "c", "c_hat"))
    if shape in ("ball", "sphere"):
        return
    S = regions.vertices(M, shape, table)
    least = min(M.dot(c_hat, w) for w in S)
    true = max(M.dot(c, w) for w in S if M.dot(c_hat, w) == least) - min(M.dot(c, w) for w in S)
    assert loss.spo_loss(M, shape, table, c, c_hat)[0] == true
    best = regions.oracle(M, shape, table, c)
    top = max(M.dot(c, w) - 2 * M.dot(c_hat, w) for w in S)
    plus = loss.spo_plus_loss(M, shape, table, c, c_hat)[0]
    assert plus == top + 2 * M.dot(c_hat, best) - M.dot(c, best)
    assert plus >= true >= 0


@settings(max_examples=25)
@given(seeds)
def test_subgradient_inequality_and_bound(random: Random):
    found = dict(any_pair(random))
    shape, table, c, c_hat = (found[name] for name in ("shape", "table", "c", "c_hat"))
    other = some_cost(random, len(c))
    here, there = (loss.spo_plus_loss(M, shape, table, c, h)[0] for h in (c_hat, other))
    g = loss.spo_plus_subgradient(M, shape, table, c, c_hat)[0]
    assert there >= here + M.dot(g, [a - b for a, b in zip(other, c_hat, strict=True)]) - 1e-25
    assert M.norm(g) <= 2 * regions.diameter(M, shape, table) + 1e-25


@settings(max_examples=15)
@given(seeds, st.integers(1, 2), st.integers(1, 2))
def test_many_records_and_the_model(random: Random, n: int, p: int):
    """The kernels over records against the scalar functions and the reference's subgradient in B."""
    shape, table = random.choice((GRID, ("box", [[-1.0, 0.0], [1.0, 2.0]]), ("simplex", [[0.0] * 3, [1.0]])))
    d = regions.dimension(shape, table)
    C = np.array([some_cost(random, d) for _ in range(n)])
    X = np.array([some_cost(random, p) for _ in range(n)])
    B = np.array([some_cost(random, p) for _ in range(d)])
    G = fast.subgradients(shape, table, C, X @ B.T)
    assert all((G[i] == fast.spo_plus_subgradient(shape, table, C[i], X[i] @ B.T)).all() for i in range(n))
    kind, T = sets.packed(shape, table)
    work, best, total, w = sets.workspace(shape, table), np.empty_like(C), np.empty_like(B), np.empty(d)
    assert fast.optima_over(kind, T, C, best, work) == -1
    risk = fast.risk_and_gradient(kind, T, C, X, B, best, total, w, np.empty(d), work)
    assert risk == pytest.approx(np.mean([fast.spo_plus_loss(shape, table, C[i], X[i] @ B.T) for i in range(n)]), abs=1e-9)
    rows = [loss.subgradient_in_model(M, shape, table, list(C[i]), list(X[i]), list(B.ravel())) for i in range(n)]
    assert np.allclose(total.ravel(), np.mean([[float(x) for x in row] for row in rows], axis=0), atol=1e-9)


def test_many_records_refuse_what_does_not_fit():
    C = np.ones((2, 40))
    for costs, predicted, best, said in (
        (C[:, :3], C[:, :3], None, "shape"),
        (C, C[:1], None, "shape"),
        (C * np.nan, C, None, "finite"),
        (C, C * np.inf, None, "finite"),
        (C, C, C[:1], "W_star"),
    ):
        with pytest.raises(ValueError, match=said):
            fast.subgradients(*GRID, costs, predicted, best)
    open_box = ("box", [[0.0], [np.inf]])
    with pytest.raises(ValueError, match="row 1"):
        fast.subgradients(*open_box, [[1.0], [-1.0]], [[1.0], [1.0]])
    with pytest.raises(ValueError, match="2 C_hat - C"):
        fast.subgradients(*open_box, [[1.0], [1.0]], [[1.0], [0.0]])


@pytest.mark.parametrize("id", CERTIFIED)
def test_certified_with_full_power(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 6
    assert set(judgement.mutants) == {Fate.KILLED}


def test_the_sphere_is_stated_and_is_no_set_of_the_theory():
    judgement = judge("spo/notation-s")
    assert judgement.verdict is Verdict.STATED
    assert set(judgement.mutants) == {Fate.KILLED}
    beside = [(f.verdict, f.reading) for f in judgement.findings if f.reading is not Reading.PRINTED]
    assert beside == [(Verdict.REFUTED, Reading.ANOTHER), (Verdict.CERTIFIED, Reading.MEANT)]


@given(seeds)
def test_sphere_and_ball_have_the_same_losses(random: Random):
    """What the second finding says, by the reference; c other than 0, where both oracles agree."""
    d = random.choice((1, 2, 3))
    c, c_hat = some_cost(random, d), some_cost(random, d)
    table = [[0.0] * d, [1.0]]
    if any(c):
        for name in ("spo_loss", "spo_plus_loss"):
            ball, sphere = (getattr(loss, name)(M, shape, table, c, c_hat)[0] for shape in ("ball", "sphere"))
            assert abs(ball - sphere) < 1e-30


@pytest.mark.parametrize("id", CERTIFIED)
def test_every_printed_formula_is_read(id: str):
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    for name, formula in claim.formulas.items():
        names = names_of(formula)
        given = ", ".join(f"{name}={name}" for name in names)
        half = eval(f"lambda m, {', '.join(names)}: f(m, {given}) / 2", {"f": formula})
        assert fold(decided(with_formula(claim, name, half), decide)) is Verdict.REFUTED, name


def test_a_formula_of_coordinates_is_not_expressed_and_not_certified():
    """True on the line only: the algebra must not take one dimension for all."""
    claim, decide = find("spo/def-4"), judge_of("spo/def-4")
    assert decide is not None

    def first(m, c, w_hat, w_star):
        return c[0] * (w_hat[0] - w_star[0])

    assert expressed(claim, first) is None
    assert fold(decided(with_formula(claim, "spo", first), decide)) is Verdict.REFUTED


def test_other_quantifiers_are_not_covered():
    claim, decide = find("spo/eq-2"), judge_of("spo/eq-2")
    assert decide is not None
    assert fold(decided(replace(claim, over=("every closed S",)), decide)) is Verdict.OPEN


def test_combinations_are_of_nonnegative_weights():
    a, b = product("u", "v"), product("v", "w")
    assert combination(2 * a + b, [a, b]) == (2, 1)
    assert combination(a - b, [a, b]) is None
    assert combination(a, [b]) is None


def test_the_hard_cases_hold_ties_zeros_and_flat_sets():
    shapes = {region[0] for region, _, _ in CASES}
    assert shapes >= {"box", "polytope", "simplex", "l1_ball", "ball", "paths", "knapsack"}
    assert any(not any(map(float, c_hat)) for _, _, c_hat in CASES)
    assert any(not any(map(float, c)) for _, c, _ in CASES)
    tied = 0
    for (shape, table), _, c_hat in CASES:
        if shape != "ball":
            values = [M.dot([M.real(x) for x in c_hat], w) for w in regions.vertices(M, shape, [list(row) for row in table])]
            tied += sum(v == min(values) for v in values) > 1
    assert tied >= 6


def test_two_oracles_differ_at_zero_cost():
    """SPO+ on [-1, 1] with c = 0 and c_hat = 1 for each end as w*(0): the remark of the judge."""
    values = [max(-2 * w for w in (-1, 1)) + 2 * best for best in (1, -1)]
    assert values == [4, 0]
    assert all(spec.spo_plus(M, [0], [1], [-1], [best]) == v for best, v in zip((1, -1), values, strict=True))


def test_concave_is_refuted_by_the_printed_integrand_only():
    claim = find("spo/sec-3.1")
    claim = replace(claim, asserts=(replace(claim.asserts[0], left="SPO+ loss", sign="is", right="concave in c_hat"),))
    flat = with_formula(claim, "conjugate_integrand", lambda m, c, w: m.dot(c, w))
    assert fold(decided(claim, judge_of(claim.id))) is Verdict.REFUTED
    assert fold(decided(flat, judge_of(claim.id))) is Verdict.OPEN
