"""Matrix factorisation: the sensitivity against brute force, the answers against the Gaussian's."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from dpsco.audit import Verdict, gaussian, matrix_factorisation
from dpsco.audit.factorisation import matrix, squares


def root(steps: int) -> list[list[float]]:
    """The square root of the prefix sums' matrix: coefficients of (1 - z)^(-1/2)."""
    line = [1.0]
    for k in range(1, steps):
        line.append(line[-1] * (2 * k - 1) / (2 * k))
    return [[line[i - j] if i >= j else 0.0 for j in range(steps)] for i in range(steps)]


def by_force(rows: Any, participations: int, separation: int) -> float:
    """The largest |C u| over admitted u of 0 and 1, each on its own."""
    rows, best = np.array(rows), 0.0
    for count in range(1, participations + 1):
        for places in combinations(range(rows.shape[1]), count):
            if all(b - a >= separation for a, b in pairwise(places)):
                best = max(best, float(np.linalg.norm(rows[:, places].sum(axis=1))))
    return best


@pytest.mark.parametrize(("participations", "separation"), [(1, 1), (2, 1), (2, 4), (3, 3), (12, 1), (5, 3)])
def test_where_nothing_is_negative_it_is_one_number(participations: int, separation: int):
    rows = root(12)
    found = squares(matrix(rows), participations, separation)
    assert found.lower == found.upper
    assert float(found.upper) ** 0.5 == pytest.approx(by_force(rows, participations, separation), rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_with_signs_it_is_a_bracket_that_holds_every_direction(seed: int):
    """Unit vectors of three coordinates, one for each step, drawn and improved."""
    draw, rng = Random(seed), np.random.default_rng(seed)
    rows = [[draw.choice([-1, 1, 0.5]) * draw.random() for _ in range(6)] for _ in range(6)]
    found = squares(matrix(rows), 3, 2)
    best = by_force(rows, 3, 2)
    for places in combinations(range(6), 3):
        if min(b - a for a, b in pairwise(places)) < 2:
            continue
        for _ in range(60):
            x = rng.standard_normal((3, 3))
            x /= np.linalg.norm(x, axis=1, keepdims=True)
            best = max(best, float(np.linalg.norm(np.array(rows)[:, places] @ x)))
    assert best**2 <= float(found.upper) * (1 + 1e-12)
    assert float(found.lower) <= float(found.upper)
    assert float(found.lower) == pytest.approx(by_force(rows, 3, 2) ** 2)


def test_many_patterns_are_bounded_from_both_sides():
    rows = matrix(root(40))
    found = squares(rows, 8, 4)
    assert squares(matrix(root(30)), 30, 1).upper >= by_force(root(30), 1, 1) ** 2, "2^30 sets are not looked at one by one"
    assert 0 < found.lower <= found.upper < 3 * found.lower
    few = squares(matrix(root(14)), 3, 3)
    import dpsco.audit.factorisation as module

    patterns, module.PATTERNS = module.PATTERNS, 0
    try:
        wide = squares(matrix(root(14)), 3, 3)
    finally:
        module.PATTERNS = patterns
    assert wide.lower <= few.lower
    assert few.upper <= wide.upper


def test_no_correlation_is_the_plain_mechanism():
    eye = [[Fraction(i == j) for j in range(5)] for i in range(5)]
    one = matrix_factorisation(eye, noise_multiplier=2, delta=1e-6)
    assert one.upper == pytest.approx(gaussian(sigma=2, sensitivity=1, delta=1e-6).upper, rel=Decimal("1e-20"))
    five = matrix_factorisation(eye, noise_multiplier=2, delta=1e-6, participations=5)
    assert five.upper == pytest.approx(gaussian(sigma=2, sensitivity=1, steps=5, delta=1e-6).upper, rel=Decimal("1e-20"))


def test_what_is_solved_for_holds_and_less_does_not():
    rows = np.array(root(16))
    found = matrix_factorisation(rows, epsilon=1, delta=1e-6, participations=2, separation=8)
    assert found.solved == "noise_multiplier"
    ask = {"epsilon": 1, "delta": 1e-6, "participations": 2, "separation": 8}
    assert matrix_factorisation(rows, **ask, noise_multiplier=found.value).verdict is Verdict.SOUND
    assert matrix_factorisation(rows, **ask, noise_multiplier=found.value * 0.97).verdict is Verdict.BROKEN
    assert "sensitivity of C" in found.explain()
    assert any("may depend on earlier rows" in text for text in found.assumed)
    flipped = matrix_factorisation(rows.T, epsilon=1, delta=1e-6)
    assert any("does not depend on the answer" in text for text in flipped.assumed)
    once = matrix_factorisation(rows, epsilon=1, delta=1e-6, noise_multiplier=found.value)
    assert once.verdict is Verdict.SOUND


def test_between_both_ends_nothing_is_decided():
    rows = [[1, -1, 1], [1, 1, -1], [0.5, 1, 1]]
    ends = matrix_factorisation(rows, epsilon=1, delta=1e-6, participations=3)
    assert ends.lower < ends.upper
    middle = (ends.lower + ends.upper) / 2
    found = matrix_factorisation(rows, epsilon=1, delta=1e-6, participations=3, noise_multiplier=middle)
    assert found.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("encoder", "options", "said"),
    [
        ("abc", {}, "encoder must be a matrix, got a str"),
        ([[1, 2], [3]], {}, "rows of equal length"),
        ([[1, float("nan")]], {}, "finite numbers"),
        ([[0, 0]], {}, "a column that is not 0"),
        ([[1]], {"participations": 0}, "participations=0: must be a whole number"),
        ([[1]], {"separation": 1.5}, "separation=1.5: must be a whole number"),
        ([[1]], {"delta": None}, "epsilon, delta are open"),
    ],
)
def test_what_is_wrong_is_said_on_one_line(encoder: Any, options: dict[str, Any], said: str):
    with pytest.raises(ValueError, match=said) as caught:
        matrix_factorisation(encoder, **{"noise_multiplier": 1, "delta": 1e-6, **options})
    assert "\n" not in str(caught.value)
