"""The library's own suite: ten promises."""

import mechanisms
import pytest
from hypothesis import strategies as st

unit, votes = st.floats(0, 1), st.integers(0, 2)
promised = pytest.mark.dp


@promised(epsilon=1, adjacency="add-one", rows=unit, sizes=[1, 2, 10])
def test_mean(dp):
    dp.check(mechanisms.mean)


@promised(epsilon=1, adjacency="add-remove", rows=unit)
def test_count(dp):
    dp.check(mechanisms.count)


@promised(epsilon=1, delta=1e-3, adjacency="add-remove", rows=unit)
def test_total(dp):
    dp.check(mechanisms.total)


@promised(epsilon=1, adjacency="replace-one", rows=votes)
def test_choice(dp):
    dp.check(mechanisms.choice)


@promised(epsilon=1, adjacency="replace-one", rows=st.integers(0, 1), sizes=[1, 3])
def test_answers(dp):
    dp.check(mechanisms.answers)


@promised(epsilon=1, adjacency="replace-one", rows=unit)
def test_median(dp):
    dp.check(mechanisms.median)


@promised(epsilon=1, adjacency="replace-one", rows=st.floats(-1, 1))
def test_balance(dp):
    dp.check(mechanisms.balance)


@promised(epsilon=1, adjacency="add-remove", rows=votes)
def test_histogram(dp):
    dp.check(mechanisms.Histogram())


@promised(adjacency="add-one", rows=unit)
def test_report(dp):
    dp.replay(mechanisms.report, noise="mechanisms.laplace", sensitivity=1)


@promised(epsilon=1, adjacency="replace-one", rows=unit)
def test_first_above(dp):
    dp.check(mechanisms.first_above)
