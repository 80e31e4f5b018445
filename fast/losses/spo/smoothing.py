"""The smoothed SPO+ loss in doubles: one projection, and both decisions in every formula."""

from typing import Any

import numpy as np

from dpsco.fast.kernel import bind
from dpsco.fast.losses.spo.regions import oracle, projected, vectors
from dpsco.spec.losses.spo import smoothing as spec

Array = Any


def maximiser(shape: str, table: Any, c: Array, c_hat: Array, mu: float) -> Array:
    """The decision that attains the maximum: the nearest to (c - 2 c_hat)/mu."""
    if not 0.0 < mu < np.inf:
        raise ValueError(f"mu is positive and finite, got {mu}")
    return projected(shape, table, (c - 2.0 * c_hat) / mu)


def smoothed_loss(shape: str, table: Any, c: Any, c_hat: Any, mu: float) -> float:
    cost, predicted = vectors(shape, table, c=c, c_hat=c_hat)
    w, best = maximiser(shape, table, cost, predicted, mu), oracle(shape, table, cost)
    return float(np.dot(2.0 * predicted - cost, best - w) - 0.5 * mu * np.dot(w, w))


def smoothed_gradient(shape: str, table: Any, c: Any, c_hat: Any, mu: float) -> Any:
    cost, predicted = vectors(shape, table, c=c, c_hat=c_hat)
    return 2.0 * (oracle(shape, table, cost) - maximiser(shape, table, cost, predicted, mu))


for implementation, contract in ((smoothed_loss, spec.smoothed_loss), (smoothed_gradient, spec.smoothed_gradient)):
    bind(implementation, contract)
