"""Several products: each run is the single one with its share of the budget; fast against the gradients of the exact noise."""

import math

import numpy as np
import pytest

from dpsco.fast.algorithms.objective_perturbation import algorithm as single
from dpsco.fast.algorithms.objective_perturbation import products as fast
from dpsco.reference.algorithms.objective_perturbation import products as reference
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.objective_perturbation import products as spec

CASE = {
    "kernel": "logistic",
    "X": [[1.0, 0.5], [1.0, -2.0], [1.0, 3.0]],
    "Y": [[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]],
    "normals": [[0.3, -1.2], [0.1, 0.4]],
    "h": 0.5,
    "r": [0.3, 0.8],
    "lambda_": 0.1,
    "epsilon": 1.0,
    "delta": 1e-3,
    "B_x": 1.0,
    "tolerance": 1e-8,
}


@pytest.mark.parametrize(
    "moved", [{"epsilon": 1.001}, {"delta": 1.1e-3}, {"B_x": 1.001}, {"r": [0.3, 0.81]}, {"lambda_": 0.1001}]
)
def test_a_moved_argument_is_noticed(moved):
    assert error(spec.policies, reference.policies, CASE, fast.policies(**CASE)) <= 1
    assert error(spec.policies, reference.policies, CASE, fast.policies(**{**CASE, **moved})) > 1


def test_each_product_is_a_single_run_with_its_share():
    """Shares and noise by hand: epsilon_0 = 1/(2 sqrt(4 ln 2000)), delta_0 = 1e-3/4."""
    thetas, _ = fast.policies(**CASE)
    share, part = 1 / (2 * math.sqrt(4 * math.log(2000))), 1e-3 / 4
    for s, level in enumerate(CASE["r"]):
        sigma = max(level, 1 - level) * math.sqrt(8 * math.log(1 / part) + 4 * share) / share
        b = sigma * np.array(CASE["normals"][s])
        alone, _ = single.solve("logistic", CASE["X"], CASE["Y"][s], b, 0.5, level, 0.1, 1e-8)
        assert np.allclose(thetas[s], alone, rtol=0, atol=1e-6)
    # negative control: with the whole budget each run has less noise, and is another
    whole, _ = single.solve("logistic", CASE["X"], CASE["Y"][0], np.array(CASE["normals"][0]) * 5.0, 0.5, 0.3, 0.1, 1e-8)
    assert not np.allclose(thetas[0], whole, rtol=1e-2)


def test_one_product_does_not_touch_another():
    other = {**CASE, "Y": [CASE["Y"][0], [9.0, -9.0, 2.0]]}
    assert (fast.policies(**other)[0][0] == fast.policies(**CASE)[0][0]).all()
    assert (fast.policies(**other)[0][1] != fast.policies(**CASE)[0][1]).any()


def test_literal_and_fast_agree():
    thetas, norms = reference.policies(mp(40), **CASE)
    assert max(norms) <= 1e-8
    # both gradients are below the tolerance, and the objective is 2 lambda-strongly convex
    assert np.allclose([[float(t) for t in theta] for theta in thetas], fast.policies(**CASE)[0], rtol=0, atol=2e-8 / 0.2)


@pytest.mark.parametrize("run", [fast.policies, lambda **given: reference.policies(mp(), **given)], ids=["fast", "reference"])
@pytest.mark.parametrize("moved", [{"r": [0.3]}, {"normals": [[0.3, -1.2]]}])
def test_bad_input_is_refused(run, moved):
    with pytest.raises(ValueError, match=r"one (noise vector|level)"):
        run(**{**CASE, **moved})
