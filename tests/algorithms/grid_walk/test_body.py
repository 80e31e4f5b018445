"""The grid walk on a ball inside a cube: the literal walk, and runs against the law of the enumerated chain."""

import math

import numpy as np

from dpsco.fast.algorithms.grid_walk import walk
from dpsco.reference.algorithms.grid_walk import body as literal
from dpsco.reference.algorithms.grid_walk import mixing
from dpsco.reference.algorithms.grid_walk.walk import states
from dpsco.reference.numbers.enclosure import arb

CELLS, STEPS, RUNS, SIDE, RADIUS, PENALTY = 4, 40, 8000, 2.0, 0.9, 6.0
SLOPE = np.array([[0.8, -0.5]])


def exponent(theta: np.ndarray, penalty: float) -> float:
    """Written out here: f is affine, so it extends itself."""
    return float(SLOPE[0] @ theta) + penalty * max(0.0, float(np.linalg.norm(theta)) / RADIUS - 1)


def kept_law(penalty: float) -> np.ndarray:
    """Law of the kept point's cell: the enumerated chain's after its steps, times the mean acceptance in the cell."""
    m, gamma = arb(), SIDE / CELLS
    corners = [np.array(cell) * gamma - 1 for cell in states(2, CELLS)]
    values = [exponent(corner + gamma / 2, penalty) for corner in corners]
    P = mixing.transitions(m, [m.real(v) for v in values], 2, CELLS)
    law = np.linalg.matrix_power(np.array([[float(p.mid()) for p in row] for row in P]), STEPS)[0]
    places = [np.array([i + 0.5, j + 0.5]) * gamma / 24 for i in range(24) for j in range(24)]
    share = [
        np.mean([math.exp(value - exponent(corner + place, penalty)) for place in places])
        for corner, value in zip(corners, values, strict=True)
    ]
    weights = law * np.array(share)
    return weights / weights.sum()


def test_runs_on_a_ball_have_the_law_of_the_chain():
    """Pearson's statistic of the cells of the kept points; without the penalty it must fail."""
    generator = np.random.default_rng(5)
    counts = np.zeros(CELLS**2)
    outside = 0
    f = (SLOPE, np.zeros(1), np.empty((0, 2)), np.empty(0), RADIUS, 1.0, PENALTY)
    for _ in range(RUNS):
        found = walk.attempts(f, np.zeros(CELLS**2), False, 0.0, -1.0, SIDE, CELLS, 0, generator.random((60, 3 + 3 * STEPS)))
        assert found[0] > 0
        cell = np.floor((found[1:] + 1) / (SIDE / CELLS)).astype(int)
        counts[cell[0] * CELLS + cell[1]] += 1
        outside += float(np.linalg.norm(found[1:])) > RADIUS

    def pearson(law: np.ndarray) -> float:
        return float(((counts - RUNS * law) ** 2 / (RUNS * law)).sum())

    limit = 15 + 6 * math.sqrt(30) + 12
    assert pearson(kept_law(PENALTY)) < limit
    assert pearson(kept_law(0.0)) > 10 * limit
    assert 0 < outside / RUNS < 0.3  # of the cube's area 1 - pi 0.81/4 = 0.36 lies outside


def test_the_penalty_is_what_keeps_points_inside():
    m = arb()
    far = [m.real(1), m.real(1)]
    numbers = [[[m.real(0), m.real(0)]], [m.real(0)], [], [], m.real("0.5"), m.real(1)]
    assert float(literal.exponent(m, *numbers, m.real(3), far).mid()) > 5
    assert float(literal.exponent(m, *numbers, m.real(0), far).mid()) == 0
