"""The library's own suite: ten promises."""

import mechanisms
import pytest
from hypothesis import strategies as st

unit, votes = st.floats(0, 1), st.integers(0, 2)
promised = pytest.mark.dp


@promised(epsilon=1, adjacency="add-remove", rows=unit)
def test_count(dp):
    dp.check(mechanisms.count)


@promised(epsilon=1, delta=1e-3, adjacency="add-remove", rows=unit)
def test_total(dp):
    dp.check(mechanisms.total)


@promised(epsilon=1, adjacency="replace-one", rows=unit)
def test_mean(dp):
    dp.check(mechanisms.mean)


@promised(epsilon=1, adjacency="add-remove", rows=votes)
def test_histogram(dp):
    dp.check(mechanisms.histogram)


@promised(epsilon=1, adjacency="replace-one", rows=st.integers(0, 1), sizes=[1, 3])
def test_answers(dp):
    dp.check(mechanisms.answers)


@promised(epsilon=1, adjacency="replace-one", rows=votes)
def test_favourite(dp):
    dp.check(mechanisms.favourite)


@promised(epsilon=1, adjacency="replace-one", rows=st.floats(-1, 1))
def test_balance(dp):
    dp.check(mechanisms.balance)


@promised(epsilon=1, adjacency="replace-one", rows=unit)
def test_reproducible(dp):
    dp.check(mechanisms.reproducible)


@promised(epsilon=1, adjacency="replace-one", rows=votes)
def test_winner(dp):
    dp.check(mechanisms.winner)


@promised(epsilon=1, adjacency="add-remove", rows=unit)
def test_average(dp):
    dp.check(mechanisms.average)
