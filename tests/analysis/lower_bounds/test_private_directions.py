"""Lemmas of the lower bounds: each constant at hard places, small cases by exact linear programs, fingerprints simulated."""

from fractions import Fraction
from math import comb, e, exp, floor, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.reference.numbers.linear_program import minimise

sizes = st.integers(1, 10**7)
shares = st.floats(0.0001, 1)


@pytest.mark.parametrize("d", [1, 2, 3, 8, 9, 16, 40, 100, 400])
def test_code_is_large_enough(d: int):
    """By counting the ball of d/4 places: N >= 2^d/ball >= e^(d/8)."""
    ball = sum(comb(d, j) for j in range(floor(d / 4) + 1))
    assert Fraction(2**d, ball) >= Fraction(exp(d / 8)) * Fraction(999, 1000)
    copies = max(2, exp(d / 8))
    assert 3 * (copies - 1) >= exp(max(1, d / 8)) * 0.9999


@given(sizes, st.integers(1, 10**5), shares)
def test_copies_of_the_packing(n: int, d: int, share: float):
    epsilon = share * max(0.5, d / 16)
    x = max(1, d / 8) / epsilon
    most = min(n, floor(x))
    copies = most - (n - most) % 2
    assert copies >= 1
    assert copies >= min(n, x / 3)
    assert copies * epsilon <= max(1, d / 8) * (1 + 1e-12)
    assert copies / (32 * n) >= min(1 / 32, d / (768 * n * epsilon)) * (1 - 1e-12)


@given(sizes, shares)
def test_two_opposite_data_sets(n: int, share: float):
    epsilon = share / 2
    most = min(n, floor(1 / epsilon))
    copies = most - (n - most) % 2
    delta = (64 * n) ** -1.0001
    beta = (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1)
    assert beta <= epsilon / 2 + delta + 1e-15
    assert copies >= min(n, 1 / (3 * epsilon)) - 1e-9
    assert 1 - copies * beta >= 0.48


@given(st.integers(16, 10**5), shares, sizes)
def test_packing_that_is_missed_half_of_the_time(d: int, share: float, n: int):
    """N - 1 >= e^(d/16) >= e^(epsilon M), copies of n's parity, the norm exact."""
    epsilon = share * d / 32
    assert d > 5000 or exp(d / 8) >= 1 + exp(d / 16)
    x = d / (16 * epsilon)
    most = min(n, floor(x))
    copies = most - (n - most) % 2
    assert copies >= max(1, min(n, x / 3) * (1 - 1e-12))
    assert copies * epsilon <= d / 16 * (1 + 1e-12)
    assert copies / (2 * n) >= min(1 / 2, d / (96 * n * epsilon)) * (1 - 1e-12)


@given(sizes, st.floats(0.5, 1), st.floats(0.0001, 5))
def test_two_records_that_differ(n: int, epsilon: float, h: float):
    delta, copies = (64 * n) ** -(1 + h), 2 - n % 2
    group = delta if copies == 1 else (1 + exp(epsilon)) * delta
    distance = (exp(copies * epsilon) - 1 + 2 * group) / (exp(copies * epsilon) + 1)
    assert distance <= 0.77
    assert 1 - distance >= 0.23
    assert (1 - distance) / 2 >= 0.11 >= 1 / 16


@given(st.floats(1, 60))
def test_single_records_are_packed(epsilon: float):
    """At d = 16 epsilon, the smallest: 3/4 and the other balls exceed 1."""
    half = exp(2 * epsilon) / 2
    assert half - 1 >= 2.6 * exp(epsilon - 1)
    assert 3 / 4 + (half - 1) * exp(-epsilon) * (3 / 4 - 1 / 64) >= 1
    assert sqrt(2) / 2 / 64 / 4 > 0.0027


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_sums_with_a_fixed_sign_vector_are_told_apart_by_their_directions(d: int, seed: int):
    """v + u = 2 <e, u> e, and a distance of v and w above 1 keeps the directions 1/4 apart."""
    rng = np.random.default_rng(seed)
    u, v, w = (rng.choice((-1.0, 1.0), d) / sqrt(d) for _ in range(3))
    v, w = (a if a @ u >= 0 else -a for a in (v, w))
    e, f = ((a + u) / np.linalg.norm(a + u) for a in (v, w))
    assert np.linalg.norm(v + u) >= sqrt(2) - 1e-12
    assert np.allclose(2 * (e @ u) * e, v + u)
    assert np.linalg.norm(v - w) <= 4 * np.linalg.norm(e - f) + 1e-12


@given(sizes, st.integers(2048, 10**8), st.floats(1e-6, 1), st.floats(0.01, 5), st.floats(0, 40))
def test_groups_of_fingerprints(n: int, d: int, share: float, h: float, tiny: float):
    """Every inequality of the lemma on group sizes, at random places of its whole range."""
    epsilon, b = share * d / 4096, h / (1 + h)
    size = (1 + h) * log(64 * n) + tiny
    a0 = min(b * size, d / 4096)
    k = min(n, 1 + floor(a0 / epsilon))
    a = k * epsilon
    room = sqrt(d) / (16 * (sqrt(2 * a) + 1.26))
    assert room >= 1
    groups = min(n // k, floor(room))
    assert groups >= 1
    odd = (n - groups * k) % 2
    assert groups * k + odd <= n
    number, total = groups + odd, groups * k + odd
    log_lost = min(0.0, log(k) - size + (k - 1) * epsilon)  # ln of k delta e^((k-1) epsilon)
    assert (number / 2 + 1) * (sqrt(2 * a) + 1.26) / sqrt(d) <= 1 / 8 + 1e-12
    assert (number + 2) * exp(log_lost) <= 1 / 16 + 1e-9
    c = sqrt(b) / (2900 * (1 + 0.9 / sqrt(min(4 * h, 0.5))))
    assert total / (4 * n) >= min(1 / 8, c * sqrt(d * min(d, size)) / (4 * n * epsilon)) * (1 - 1e-9)


@given(sizes, st.integers(400, 10**8), shares, st.floats(0.01, 5), st.floats(0, 40))
def test_fingerprints_in_laws(n: int, d: int, epsilon: float, h: float, tiny: float):
    b = h / (1 + h)
    size = (1 + h) * log(64 * n) + tiny
    a0 = min(b * size, d / 4096)
    k0 = a0 / (1.72 * epsilon)
    number = floor(sqrt(d) / (12 * (sqrt(2 * k0 * epsilon) + 1.26)))
    assert number >= 1
    t = min(1, number * k0 / n)
    k = n * t / number
    assert exp(epsilon) - 1 <= 1.72 * epsilon
    lost = k * exp(1 + 1.72 * k * epsilon - size)
    bound = (number / 2 + 1) * ((sqrt(2 * k * epsilon) + 1.26) / sqrt(d) + 2 * lost)
    assert 1 / 2 - bound >= 1 / 5
    assert number * k0 >= sqrt(d * a0) / (42 * epsilon * (1.08 + 1.26 / sqrt(min(4 * h, 0.09)))) * (1 - 1e-9)


def test_score_bound_and_identity_by_simulation():
    """x = direction of a noisy mean: E sum sigma_i = 2 E<x, p>, and a score of a record left out has Gaussian tails."""
    rng = np.random.default_rng(7)
    d, m, runs = 20, 4, 20_000
    p = rng.uniform(-1, 1, (runs, d))
    s = np.where(rng.uniform(size=(runs, m, d)) < (1 + p[:, None, :]) / 2, 1.0, -1.0)
    noisy = s.mean(1) + rng.normal(size=(runs, d))
    x = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
    total = ((s - p[:, None, :]) * x[:, None, :]).sum((1, 2))
    gap = total - 2 * (x * p).sum(1)
    assert abs(gap.mean()) < 5 * gap.std() / sqrt(runs)
    wrong = total - 1.5 * (x * p).sum(1)  # negative control: another factor
    assert abs(wrong.mean()) > 5 * wrong.std() / sqrt(runs)
    fresh = np.where(rng.uniform(size=(runs, d)) < (1 + p) / 2, 1.0, -1.0)
    scores = ((fresh - p) * x).sum(1)
    for level in (1.0, 2.0, 3.0):
        assert (scores > level).mean() <= exp(-(level**2) / 2) + 3 / sqrt(runs)
    assert sqrt(pi / 2) <= 1.26
    assert (np.linalg.norm(p, axis=1) >= 0).mean() * sqrt(d) / 2 <= np.linalg.norm(p, axis=1).mean()


def least_direction_risk(n: int, factor: Fraction) -> Fraction:
    """d = 1: least over (ln factor, 0)-DP maps of n signs to {-1, 1} of the largest 2 |mean| P(wrong sign), a linear program.

    By symmetry the map depends on the number of +1 alone; answers between -1 and 1 are mixtures of the two. Columns: the
    largest risk, P(wrong) by count (P(-1) where the mean is 0), a slack for each pair of signs that differ.
    """
    middle = [k for k in range(n) if 2 * k < n <= 2 * (k + 1)]
    width = n + 2 + 2 * len(middle)
    below, bounds, equal = [], [], []

    def row(**entries: Fraction) -> list[Fraction]:
        return [Fraction(entries.get(f"c{i}", 0)) for i in range(width)]

    for k in range(n + 1):
        below += [row(c0=Fraction(-1), **{f"c{k + 1}": abs(Fraction(2 * (2 * k - n), n))}), row(**{f"c{k + 1}": Fraction(1)})]
        bounds += [Fraction(0), Fraction(1)]
    for k in range(n):
        if k in middle:  # P(1) at k is the wrong one, P(-1) at k + 1: 1 - v <= F w, both ways
            for i, (one, other) in enumerate(((k, k + 1), (k + 1, k))):
                slack = {f"c{n + 2 + i}": Fraction(-1)}
                equal.append(row(**{f"c{one + 1}": Fraction(1), f"c{other + 1}": factor}, **slack))
            continue
        for one, other in ((k, k + 1), (k + 1, k)):
            below += [
                row(**{f"c{one + 1}": Fraction(1), f"c{other + 1}": -factor}),
                row(**{f"c{one + 1}": Fraction(-1), f"c{other + 1}": factor}),
            ]
            bounds += [Fraction(0), factor - 1]
    cost = [Fraction(i == 0) for i in range(width)]
    return minimise(cost, below, bounds, equal, [Fraction(1)] * len(equal)).value


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("factor", [Fraction(11, 10), Fraction(3, 2), Fraction(8, 5)])
def test_least_risk_in_one_dimension_is_above_the_bound(n: int, factor: Fraction):
    epsilon = log(factor)
    exact = float(least_direction_risk(n, factor))
    assert exact >= min(1 / 32, 1 / (768 * n * epsilon))
    assert exact <= min(1.0, 2.4 / (e * n * epsilon)) + 1e-9  # a sign with geometric noise reaches the order


def test_large_epsilon_breaks_the_bound():
    """Negative control: beyond the range of epsilon the least risk falls below any multiple of 1/epsilon."""
    risks = [float(least_direction_risk(3, Fraction(10**k))) * k for k in (2, 4, 8)]
    assert risks[0] > 30 * risks[1] > 30**2 * risks[2]
    assert least_direction_risk(1, Fraction(3)) == Fraction(1, 2)  # one record: randomised response, 2/(1 + e^epsilon)
