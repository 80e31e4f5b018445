"""The algorithms that bound the minimax risk from above: their regret and their sensitivity, computed on small instances."""

from itertools import product
from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.analysis.private_minimax import NOISY_FIT, ONE_PASS
from dpsco.reference.numbers.mp import mp

B = 2.0


def risk(theta: float, r: float, chance: float, label: float) -> float:
    """x = 1, y = label with probability `chance`, else -label."""

    def loss(y: float) -> float:
        return r * max(y - theta, 0.0) + (1 - r) * max(theta - y, 0.0)

    return chance * loss(label) + (1 - chance) * loss(-label)


def mean_excess(k: int, r: float, chance: float, label: float) -> float:
    """Expected excess of the average of one pass over k draws, all 2^k sequences enumerated; B_x = 1."""
    w, total = max(r, 1 - r), 0.0
    for draws in product((1, -1), repeat=k):
        theta, average = 0.0, 0.0
        for y in draws:
            average += theta / k
            slope = -r if y * label > theta else 1 - r
            theta = min(B, max(-B, theta - B / (w * sqrt(k)) * slope))
        weight = chance ** draws.count(1) * (1 - chance) ** draws.count(-1)
        total += weight * risk(average, r, chance, label)
    return total - min(risk(t, r, chance, label) for t in (-B, B, label, -label) if abs(t) <= B)


@pytest.mark.parametrize("k", [1, 2, 4, 8])
@pytest.mark.parametrize("r", [0.5, 0.1, 0.8])
def test_one_pass_stays_below_its_bound(k: int, r: float):
    """w B/sqrt(k) for every distribution tried, labels inside, at and far outside the ball."""
    w = max(r, 1 - r)
    for chance, label in product((0.0, 0.1, 0.5, 0.7, 1.0), (0.5, 2.0, 50.0)):
        assert mean_excess(k, r, chance, label) <= w * B / sqrt(k) + 1e-12


def test_one_pass_needs_its_records():
    """A negative control: with one record the bound for sixteen records is exceeded."""
    assert max(mean_excess(1, 0.5, chance, 2.0) for chance in (0.5, 0.7, 1.0)) > 0.5 * B / sqrt(16)


def fitted(rows: list[tuple[float, float]], r: float, lam: float) -> float:
    """Minimiser of the mean check loss + lam theta^2/2, by bisection of a subgradient."""

    def slope(t: float) -> float:
        return lam * t + sum((-r if y > t * x else 1 - r) * x for x, y in rows) / len(rows)

    low, high = -100.0, 100.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return low


rows_of_data = st.lists(st.tuples(st.floats(-1, 1), st.floats(-5, 5)), min_size=3, max_size=3)


@settings(max_examples=60)
@given(rows_of_data, st.tuples(st.floats(-1, 1), st.floats(-5, 5)), st.floats(0.05, 0.95), st.floats(0.1, 3))
def test_replacing_a_record_moves_the_regularised_fit_little(rows, other, r, lam):
    """2 w B_x/(lambda n), B_x = 1."""
    moved = abs(fitted(rows, r, lam) - fitted([other, *rows[1:]], r, lam))
    assert moved <= 2 * max(r, 1 - r) / (lam * 3) + 1e-9


def test_the_sensitivity_is_nearly_reached():
    """A negative control: two thirds of it are not enough."""
    far = [(1.0, 50.0)], [(1.0, -50.0)]
    assert abs(fitted(far[0], 0.5, 0.1) - fitted(far[1], 0.5, 0.1)) > 2 / 3 * 2 * 0.5 / 0.1


def test_bounds_are_what_the_lemmas_say():
    """sqrt(1/floor(delta n)); and the least of lambda B^2/2 + 2 L^2 (1 + s)/(lambda n) by a search over lambda, L = B = 1."""
    m = mp(40)
    at = {"n": m.real(1000), "d": m.real(10**9), "epsilon": m.frac(1, 2), "delta": m.real("1e-6")}
    assert ONE_PASS.over(m, {**at, "delta": m.frac(1, 4)}) == pytest.approx(1 / sqrt(250))
    s = sqrt(2 * log(1.25e6)) / 0.5
    searched = min(x / 2 + 2 * (1 + s) / (x * 1000) for x in (0.001 * 1.01**k for k in range(1500)))
    assert NOISY_FIT.over(m, at) == pytest.approx(searched, rel=1e-4)
