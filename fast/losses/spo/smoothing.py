"""The smoothed SPO+ loss in doubles: one projection, and both decisions in every formula."""

from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.quantile.piecewise import away as less
from dpsco.fast.losses.quantile.smoothing import quotient
from dpsco.fast.losses.spo.regions import oracle, projected, vectors
from dpsco.fast.pairs import more
from dpsco.spec.losses.spo import smoothing as spec

Array = Any


@kernel()
def point_of(c: Array, c_hat: Array, mu: float) -> Array:
    """(c - 2 c_hat)/mu, rounded once."""
    found = np.empty(c.size)
    for j in range(c.size):
        high, low = quotient(*less(c[j], 2.0 * c_hat[j]), mu)
        found[j] = high + low
    return found


@kernel()
def integrand(c: Array, c_hat: Array, mu: float, best: Array, w: Array) -> float:
    """(2 c_hat - c)'(best - w) - (mu/2) w'w, rounded once where nothing overflows."""
    total, rest = (0.0, 0.0), 0.0
    for j in range(c.size):
        (cost, lost), (way, left) = less(2.0 * c_hat[j], c[j]), less(best[j], w[j])
        total = more(total, cost, way)
        rest += cost * left + lost * way
        square = more((0.0, 0.0), w[j], w[j])
        total = more(total, -0.5 * mu, square[0])
        rest -= 0.5 * mu * square[1]
    return total[0] + (total[1] + rest)


def maximiser(shape: str, table: Any, c: Array, c_hat: Array, mu: float) -> Array:
    """The decision that attains the maximum: the nearest to (c - 2 c_hat)/mu."""
    if not 0.0 < mu < np.inf:
        raise ValueError(f"mu is positive and finite, got {mu}")
    return projected(shape, table, point_of(c, c_hat, float(mu)))


def smoothed_loss(shape: str, table: Any, c: Any, c_hat: Any, mu: float) -> float:
    cost, predicted = vectors(shape, table, c=c, c_hat=c_hat)
    w, best = maximiser(shape, table, cost, predicted, mu), oracle(shape, table, cost)
    return float(integrand(cost, predicted, float(mu), best, w))


def smoothed_gradient(shape: str, table: Any, c: Any, c_hat: Any, mu: float) -> Any:
    cost, predicted = vectors(shape, table, c=c, c_hat=c_hat)
    return 2.0 * (oracle(shape, table, cost) - maximiser(shape, table, cost, predicted, mu))


for implementation, contract in ((smoothed_loss, spec.smoothed_loss), (smoothed_gradient, spec.smoothed_gradient)):
    bind(implementation, contract)
