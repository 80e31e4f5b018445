"""What both losses of penalty selection share: gradients, trained models that keep their promise, constants that are needed."""

from dataclasses import replace
from inspect import signature
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from dpsco.fast.losses.bilevel import logistic as fast_logistic
from dpsco.fast.losses.bilevel import ridge as fast_ridge
from dpsco.fast.losses.bilevel.assumptions import sampled_violation
from dpsco.reference.losses.bilevel import logistic as reference_logistic
from dpsco.reference.losses.bilevel import ridge as reference_ridge
from dpsco.regression.errors import error
from dpsco.spec.losses.bilevel import logistic, ridge, selection

LARGEST_ERROR = 16.0
LOSSES = {
    "logistic": SimpleNamespace(spec=logistic, reference=reference_logistic, fast=fast_logistic),
    "ridge": SimpleNamespace(spec=ridge, reference=reference_ridge, fast=fast_ridge),
}
CONSTANTS = ("L_fy", "L_gy", "beta_fyy", "beta_gyy", "beta_gxy", "M_gxy", "M_gyy", "C_gxy")
NEEDED = [(name, constant) for name in LOSSES for constant in CONSTANTS] + [("logistic", "C_gyy")]


def called(kernel, given):
    """The kernel at those of the given inputs that it takes, lists as arrays."""
    taken = {name: given[name] for name in signature(kernel).parameters if name in given}
    return kernel(**{name: np.array(value) if isinstance(value, list) else value for name, value in taken.items()})


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", LOSSES)
def test_fast_matches_reference(name: str, seed: int):
    loss = LOSSES[name]
    given = loss.spec.any_records(Random(seed))
    found = called(loss.fast.approximate_gradient, given)
    assert error(loss.spec.approximate_gradient, loss.reference.approximate_gradient, given, found) <= LARGEST_ERROR
    wrong = found * (1 + 1e-9) + 1e-300
    assert error(loss.spec.approximate_gradient, loss.reference.approximate_gradient, given, wrong) > LARGEST_ERROR


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", LOSSES)
def test_trained_models_keep_their_promise(name: str, seed: int):
    loss = LOSSES[name]
    given = selection.lower_only(loss.spec.any_records(Random(seed)))
    found = called(loss.fast.lower_minimiser, given)
    assert found[1] <= given["accuracy"]
    assert error(loss.spec.lower_minimiser, loss.reference.lower_minimiser, given, found) <= 1
    away = (found[0] + 2 * given["accuracy"], found[1])
    assert error(loss.spec.lower_minimiser, loss.reference.lower_minimiser, given, away) > 1


@pytest.mark.parametrize(("name", "constant"), NEEDED)
def test_a_constant_that_is_too_small_is_found(name: str, constant: str):
    loss = LOSSES[name]

    def found(seed: int) -> bool:
        given = called(loss.fast.problem, loss.spec.any_records(Random(seed)))
        smaller = max(getattr(given.constants, constant) / 30, given.constants.mu_g if constant == "beta_gyy" else 0.0)
        less = replace(given, constants=replace(given.constants, **{constant: smaller}))
        violation = sampled_violation(less, np.random.default_rng(seed), 8, 3.0)
        return violation is not None and violation.constant == constant

    assert any(map(found, range(10)))
