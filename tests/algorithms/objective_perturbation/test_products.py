"""Several products: composition of the shares, constants of the sum, rates of one and of all."""

from dataclasses import replace
from functools import cache
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.algorithms.objective_perturbation.products import JUDGES, composes
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import value
from dpsco.mutants.algorithms.objective_perturbation.products import event, leaks, shared
from dpsco.spec.algorithms.objective_perturbation import products as spec
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold

ID = "newsvendor/prop-1"


@cache
def judged(id):
    return judge(id)


def test_orders_are_open_and_the_displayed_sum_is_false():
    found = judged(ID)
    assert (found.verdict, found.proof) == (Verdict.OPEN, Proof.BROKEN)
    (ordinary,) = [f for f in found.findings if f.scope.endswith("free of S")]
    assert (ordinary.verdict, ordinary.reading, ordinary.at["epsilon"]) == (Verdict.REFUTED, Reading.MEANT, "1")
    assert ordinary.claimed is not None
    assert ordinary.computed is not None
    assert float(ordinary.computed[0]) > 4.9 * float(ordinary.claimed.split()[-1])
    printed = [f for f in found.findings if f.reading is Reading.PRINTED]
    stands = {f.scope for f in printed if f.verdict is Verdict.CERTIFIED}
    constants = {"Lipschitz constant of the summed loss", "smoothness constant of the summed loss"}
    composed = "S runs at shares that Lemma EC.3 turns into (epsilon, delta)"
    assert stands == constants | {composed, "total excess risk at every lambda, M a bound of the total demand"}
    assert len(printed) == 7


def test_amendment_stands():
    found = judged(f"{ID}-amended")
    assert found.verdict is Verdict.CERTIFIED
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) == 6


def test_refuting_composition_by_simulated_losses():
    (found,) = [f for f in judged(ID).findings if "together" in f.scope]
    S, epsilon, delta = int(found.at["S"]), float(found.at["epsilon"]), float(found.at["delta"])
    each = epsilon / (2 * sqrt(2 * S * log(2 / delta)))
    generator = np.random.Generator(np.random.Philox(key=6))
    losses = each * (S - 2 * generator.binomial(S, 1 / (1 + exp(each)), 200_000))
    gains = np.where(losses > epsilon, 1 - np.exp(np.minimum(0, epsilon - losses)), 0)
    low = gains.mean() - 6 * gains.std() / sqrt(len(gains))
    assert low > delta
    pure = event(S, epsilon, each)
    assert abs(gains.mean() - pure) < gains.mean() - low
    assert pure <= float(found.computed[1])  # with delta_0 on top
    assert float(found.computed[0]) == pytest.approx(1 - (1 - delta / (2 * S)) ** S * (1 - pure), rel=1e-9)


@given(power=st.integers(1, 4), loss=st.floats(0.01, 1))
def test_every_share_by_the_lemma_is_too_loud_for_the_rate(power, loss):
    """n = 100^power, delta' = delta^(1/loss) of any size: lambda above 1, so a risk above 3/8, and a falling rate."""
    N = 10.0**power
    n, S, epsilon, log_delta = N * N, 2, 1, N * N
    each = epsilon / sqrt(2 * S * log_delta / loss)
    lambda_ = 0.5 * sqrt(8 * (log_delta + log(S)) + 4 * each) / each / n
    assert lambda_ > 1
    assert 1 / sqrt(n) + sqrt(S * (log_delta + log(S))) / (n * epsilon) < 2.6 / N


@given(S=st.integers(1, 60), share=st.floats(0.01, 1), delta=st.floats(1e-9, 0.99))
def test_shares_compose_up_to_eight_logarithms(S, share, delta):
    epsilon = 8 * log(2 / delta) * share
    each = epsilon / (2 * sqrt(2 * S * log(2 / delta)))
    assert 1 - (1 - delta / (2 * S)) ** S * (1 - event(S, epsilon, each)) <= delta * (1 + 1e-9)


def test_a_larger_share_is_seen():
    claim = find(f"{ID}-amended")
    assert composes(claim)
    assert not composes(shared(claim, 21, 20))
    assert leaks(2.0, 200, 10.0, 0.5)
    assert not leaks(1.0, 200, 10.0, 0.5)  # negative control


def test_a_hard_pair_of_demands_costs_every_estimator():
    """The median order on two demands, n = 101: above the floor of the lemma, and the floor is not above a twentieth."""
    n, runs = 101, 4000
    g, generator = 1 / (2 * sqrt(n)), np.random.Generator(np.random.Philox(key=8))
    high = generator.binomial(n, (1 + g) / 2, runs) > n / 2
    excess = np.where(high, 0.0, g / 2)  # theta* = B = B_x = 1
    assert excess.mean() - 6 * excess.std() / sqrt(runs) > 1 / (20 * sqrt(n))
    assert sqrt(n * g * log((1 + g) / (1 - g)) / 2) <= 1 / sqrt(3)


@pytest.mark.parametrize("S", [1, 4, 25])
def test_blocks_of_the_summed_loss(S):
    generator = np.random.Generator(np.random.Philox(key=S))
    rows = generator.standard_normal((S, 3))
    rows *= 2 / np.linalg.norm(rows, axis=1, keepdims=True)
    gradient = np.concatenate([0.75 * row for row in rows])
    hessian = np.zeros((3 * S, 3 * S))
    for k, row in enumerate(rows):
        hessian[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = 0.5 / 0.1 * np.outer(row, row)
    numbers = {"S": S, "B_x": 2, "r_bar": "0.75", "K_bar": "0.5", "h": "0.1"}
    assert np.linalg.norm(gradient) == pytest.approx(value(find(ID), "lipschitz_total", numbers))
    largest = np.linalg.eigvalsh(hessian)[-1]
    assert largest * sqrt(S) == pytest.approx(value(find(ID), "smoothness_total", numbers))


def test_rates_that_lose_a_factor_are_seen():
    claim = find(f"{ID}-amended")
    one = with_formula(claim, "rate_product", spec.rate_product)
    assert fold(decided(one, JUDGES[ID])) is Verdict.REFUTED
    all_ = with_formula(
        claim,
        "rate_total",
        lambda m, S, n, d, epsilon, delta: (
            m.sqrt(S) * spec.rate_product_amended(m, S=S, n=n, d=d, epsilon=epsilon, delta=delta)
        ),
    )
    assert fold(decided(all_, JUDGES[ID])) is Verdict.REFUTED
    assert fold(decided(scaled(claim, "smoothness_total", 9, 10), JUDGES[ID])) is Verdict.REFUTED


@pytest.mark.parametrize("left", range(7))
def test_conditions_are_needed(left):
    claim = find(f"{ID}-amended")
    bare = replace(claim, preconditions=(*claim.preconditions[:left], *claim.preconditions[left + 1 :]))
    assert fold(decided(bare, JUDGES[ID])) in (Verdict.OPEN, Verdict.REFUTED)


def test_judge_reads_signs():
    claim = find(f"{ID}-amended")
    turned = replace(claim, asserts=(Relation("total excess risk", "<=", "rate_total"),))
    assert fold(decided(turned, JUDGES[ID])) is Verdict.OPEN
