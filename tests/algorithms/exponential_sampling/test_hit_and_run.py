"""Walks with exact conditionals: against the literal ones, against exact marginals, and diagnostics; a broken walk is seen."""

import math

import numpy as np
import pytest

from dpsco.fast.algorithms.exponential_sampling import diagnostics, hit_and_run

Q = np.array([[9.0, 6.0], [6.0, 7.0]])
C = np.array([-3.0, 2.0])
LOW, HIGH = np.array([-1.0, -0.8]), np.array([0.7, 1.0])
EDGES = np.linspace(0, 1, 21)[1:-1]


def exact_marginals() -> list[tuple[np.ndarray, np.ndarray]]:
    """Grid and distribution function of each coordinate, by the trapezoid over the other."""
    axes = [np.linspace(a, b, 1201) for a, b in zip(LOW, HIGH, strict=True)]
    x, y = np.meshgrid(*axes, indexing="ij")
    weight = np.exp(-(Q[0, 0] * x**2 / 2 + Q[0, 1] * x * y + Q[1, 1] * y**2 / 2 + C[0] * x + C[1] * y))
    found = []
    for axis, grid in enumerate(axes):
        density = np.trapezoid(weight, axes[1 - axis], axis=1 - axis)
        steps = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
        found.append((grid, steps / steps[-1]))
    return found


def misfit(path: np.ndarray) -> float:
    """Largest standardised deviation of the counts between exact quantiles, over both coordinates, by effective size."""
    worst = 0.0
    for axis, (grid, below) in enumerate(exact_marginals()):
        for level in EDGES:
            hit = (path[:, axis] <= np.interp(level, below, grid)).astype(float)
            size = diagnostics.effective_size(hit)
            worst = max(worst, abs(hit.mean() - level) / math.sqrt(level * (1 - level) / size))
    return worst


def coordinate(seed: int, steps: int) -> np.ndarray:
    uniforms = np.random.default_rng(seed).random((steps, 2))
    return hit_and_run.coordinate_walk(Q, C, LOW, HIGH, np.zeros(2), uniforms)[50:]


def dense(seed: int, steps: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return hit_and_run.hit_and_run(Q, C, LOW, HIGH, np.zeros(2), random.normal(size=(steps, 2)), random.random(steps))[50:]


def broken(seed: int, steps: int) -> np.ndarray:
    """Metropolis moves whose acceptance forgets the cross term of Q."""
    random, x, path = np.random.default_rng(seed), np.zeros(2), np.empty((steps, 2))

    def exponent(v: np.ndarray) -> float:
        return float(Q[0, 0] * v[0] ** 2 / 2 + Q[1, 1] * v[1] ** 2 / 2 + C @ v)

    moves, chances = random.normal(scale=0.5, size=(steps, 2)), random.random(steps)
    for s in range(steps):
        there = x + moves[s]
        if np.all(there >= LOW) and np.all(there <= HIGH) and chances[s] < math.exp(exponent(x) - exponent(there)):
            x = there
        path[s] = x
    return path[50:]


@pytest.mark.parametrize("walk", [coordinate, dense])
def test_marginals_are_exact(walk):
    """36 standardised counts: beyond 4.5 with probability below 10^-3 for a right walk."""
    assert misfit(walk(7, 20000)) < 4.5


def test_broken_acceptance_is_seen():
    """Negative control."""
    assert misfit(broken(7, 20000)) > 15


def test_runs_from_corners_agree():
    starts = [np.array([a, b]) for a in (LOW[0], HIGH[0]) for b in (LOW[1], HIGH[1])]
    uniforms = np.random.default_rng(3).random((4, 2000, 2))
    runs = [hit_and_run.coordinate_walk(Q, C, LOW, HIGH, start, u)[:, 0] for start, u in zip(starts, uniforms, strict=True)]
    assert diagnostics.split_r_hat(runs) < 1.02
    stuck = [run + shift for run, shift in zip(runs, (0.0, 0.0, 1.0, 1.0), strict=True)]
    assert diagnostics.split_r_hat(stuck) > 1.5


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("start", [2.0, 0.0], "start lies in the box"),
        ("low", [0.8, -0.8], "low lies below high"),
        ("Q", [[1.0, 2.0], [0.0, 1.0]], "symmetric"),
        ("c", [math.nan, 0.0], "finite"),
        ("uniforms", [[0.0, 0.5]], r"\(0, 1\)"),
        ("Q", [[1.0]], "d x d"),
    ],
)
def test_bad_input_is_named(name: str, change: object, says: str):
    given_ = {"Q": Q, "c": C, "low": LOW, "high": HIGH, "start": np.zeros(2), "uniforms": [[0.5, 0.5]]}
    with pytest.raises(ValueError, match=says):
        hit_and_run.coordinate_walk(**{**given_, name: change})
    with pytest.raises(ValueError, match="zero"):
        hit_and_run.hit_and_run(Q, C, LOW, HIGH, np.zeros(2), [[0.0, 0.0]], [0.5])
