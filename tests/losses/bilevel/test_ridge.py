"""Penalties of ridge regression selected on a validation loss: rational models, gradients, constants, bad input."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from dpsco.fast.losses.bilevel import ridge as fast
from dpsco.fast.losses.bilevel.assumptions import sampled_violation
from dpsco.fast.losses.bilevel.problem import hypergradient, solve
from dpsco.reference.losses.bilevel import ridge as reference
from dpsco.reference.losses.bilevel.problem import minimiser
from dpsco.reference.numbers.mp import mp
from dpsco.spec.losses.bilevel import ridge as spec

ORDER = ("A", "b", "C", "e", "groups", "bound", "outcome_bound", "low", "high")


def arrays(given):
    return {name: np.array(value) if isinstance(value, list) else value for name, value in given.items()}


def problem(seed: int):
    given = arrays(spec.any_records(Random(seed)))
    return fast.problem(*(given[name] for name in ORDER)), given


def test_one_model_in_rational_numbers():
    """Two rows, x = 0, low = 1/4, high = 1: the penalty is 1/2, and the model solves a 1 x 1 system in fractions."""
    A, b = [[Fraction(1, 2)], [Fraction(-3, 4)]], [Fraction(1), Fraction(-1, 2)]
    top = (A[0][0] * b[0] + A[1][0] * b[1]) / 2
    exact = top / ((A[0][0] ** 2 + A[1][0] ** 2) / 2 + Fraction(1, 2))
    rows, outcomes = np.array(A, dtype=float), np.array(b, dtype=float)
    given = fast.problem(rows, outcomes, rows, outcomes, [0], 1.0, 1.0, 0.25, 1.0)
    y, accuracy = solve(given, [0.0], [0.0], 1e-10)
    assert abs(y[0] - float(exact)) <= accuracy
    # Phi' = F_y dy/dx with dy/dx = -lambda' y/(mean a^2 + lambda), lambda' = (1/2) log(4)/4
    residual = sum(row[0] * (row[0] * exact - t) for row, t in zip(A, b, strict=True)) / 2
    slope = float(residual) * -(0.5 * np.log(4) / 4) * float(exact) / float((A[0][0] ** 2 + A[1][0] ** 2) / 2 + Fraction(1, 2))
    assert hypergradient(given, [0.0], y)[0] == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_minimisers_lie_in_the_ball_and_no_violation_is_found(seed: int):
    given, inputs = problem(seed)
    assert sampled_violation(given, np.random.default_rng(seed), 6, 3.0) is None
    m = mp(40)
    exact = reference.problem(m, *(inputs[name].tolist() for name in ORDER[:5]), inputs["low"], inputs["high"])
    y = minimiser(m, exact, [m.real(t) for t in inputs["x"]], m.real("1e-30"))
    bounds = {name: m.real(inputs[name]) for name in ("bound", "outcome_bound", "low")}
    assert m.norm(y) <= spec.radius(m, **bounds)


def test_large_outcomes_are_clipped_and_bad_bounds_named():
    given = fast.problem([[1.0]], [50.0], [[1.0]], [-50.0], [0], 1.0, 2.0, 1.0, 1.0)
    y, _ = solve(given, [0.0], [0.0], 1e-9)
    assert y[0] == pytest.approx(1.0)  # 2/(1 + 1): the outcome counts as 2
    assert given.upper(np.zeros(1), np.zeros(1)) == 2.0
    for bad in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="outcome_bound"):
            fast.problem([[1.0]], [1.0], [[1.0]], [1.0], [0], 1.0, bad, 1.0, 1.0)
    with pytest.raises(ValueError, match="start has norm"):
        solve(given, [0.0], [given.radius * 1.1], 1e-6)
