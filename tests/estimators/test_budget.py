"""The account: totals are never passed, copies are the account itself, pickled copies are closed."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402

from dpsco.estimators import Budget, BudgetError  # noqa: E402

REPLACE = "replace-one"
TENTHS = st.integers(1, 30).map(lambda k: k / 10)


def granted(budget: Budget, epsilon: float, delta: float = 0.0, adjacency: str = REPLACE) -> bool:
    try:
        budget.draw(epsilon, delta, adjacency, "a test")
    except BudgetError:
        return False
    return True


@given(st.lists(TENTHS, max_size=12), TENTHS, st.lists(st.integers(0, 5), min_size=12, max_size=12))
def test_what_is_granted_is_what_fits(asked, total, deltas):
    budget, spent, spare = Budget(total, 1e-5), Fraction(0), Fraction(0)
    for epsilon, k in zip(asked, deltas, strict=False):
        e, d = Fraction(round(epsilon * 10), 10), Fraction(k, 10**6)
        fits = spent + e <= Fraction(round(total * 10), 10) and spare + d <= Fraction(1, 10**5)
        assert granted(budget, epsilon, float(d)) is fits
        spent, spare = (spent + e, spare + d) if fits else (spent, spare)
    assert sum(e for e, _, _ in budget.drawn) <= total * (1 + 1e-12)


def test_ten_tenths_are_one_and_an_eleventh_is_refused():
    budget = Budget(1.0, 1e-5)
    assert [granted(budget, 0.1, 1e-6) for _ in range(11)] == [True] * 10 + [False]
    assert budget.left == (0.0, 0.0)
    assert len(budget.drawn) == 10


def test_a_refused_draw_takes_nothing():
    budget = Budget(1.0, 1e-6)
    assert not granted(budget, 1.5)
    assert not granted(budget, 0.5, 2e-6)
    assert budget.left == (1.0, 1e-6)
    with pytest.raises(BudgetError, match="left are epsilon=1, delta=1e-06"):
        budget.draw(1.5, 0.0, REPLACE, "a test")


def test_threads_share_one_total():
    budget = Budget(1.0, 0.0)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: granted(budget, 0.1), range(64)))
    assert sum(found) == 10


def test_copies_are_the_account_and_pickles_are_closed():
    budget = Budget(1.0, 0.0)
    assert copy.copy(budget) is budget
    assert copy.deepcopy([budget])[0] is budget
    assert clone(budget, safe=False) is budget
    far = pickle.loads(pickle.dumps(budget))
    assert far.closed
    assert (far.epsilon, far.delta, far.adjacency) == (1.0, 0.0, REPLACE)
    assert not granted(far, 0.1)
    assert granted(budget, 0.1)


def test_a_forked_process_has_no_account():
    budget = Budget(1.0, 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.getpid", lambda: -1)
        assert not granted(budget, 0.1)
    assert granted(budget, 0.1)


def test_adjacencies_do_not_add_up():
    budget = Budget(1.0, 0.0, "add-one")
    assert not granted(budget, 0.1)
    assert granted(budget, 0.1, adjacency="add-one, n fixed")


@pytest.mark.parametrize("wrong", [{"epsilon": 0}, {"epsilon": "much"}, {"delta": 1.0}, {"delta": -0.1}, {"adjacency": "far"}])
def test_bad_totals_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Budget(**({"epsilon": 1.0, "delta": 0.0} | wrong))
