"""Effective sample size and split R-hat in doubles: autocovariances only as far as they are asked for."""

import math
from typing import Any, Final, NoReturn

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.exponential_sampling import diagnostics as spec

UNCERTIFIED: Final = (
    "a run of hit-and-run has no proved distance to its density, whatever its diagnostics show: (epsilon, delta) needs an "
    "exact draw (in one dimension) or a walk whose mixing bound was really run (the grid walk with enough_steps)"
)


@kernel()
def autocovariance(x: Any, lag: int) -> float:
    """Sum over i of x_i x_{i + lag}, with compensation."""
    total = error = 0.0
    for i in range(x.size - lag):
        term = x[i] * x[i + lag]
        new = total + term
        back = new - total
        error += (total - (new - back)) + (term - back)
        total = new
    return total + error


@kernel()
def pairs_over(x: Any) -> float:
    """Sum of the pairs of autocorrelations, up to the first that is not positive, none above the one before."""
    whole, total, last = autocovariance(x, 0), 0.0, math.inf
    for k in range(x.size // 2):
        pair = (autocovariance(x, 2 * k) + autocovariance(x, 2 * k + 1)) / whole
        if pair <= 0.0:
            break
        last = min(last, pair)
        total += last
    return total


def effective_size(chain: Any) -> float:
    x = np.array(chain, dtype=np.float64).reshape(-1)
    if x.size < 4 or np.all(x == x[0]):
        raise ValueError(f"chain has at least 4 numbers, not all equal, got {x.size}")
    return float(x.size / max(1.0, 2.0 * pairs_over(x - math.fsum(x) / x.size) - 1.0))


def split_r_hat(chains: Any) -> float:
    x = np.array(chains, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 4:
        raise ValueError(f"chains are runs of one length, at least 4, got shape {x.shape}")
    h = x.shape[1] // 2
    halves = np.concatenate([x[:, :h], x[:, -h:]])
    within = float(np.mean(np.var(halves, axis=1, ddof=1)))
    if within == 0:
        raise ValueError("chains move somewhere, got halves that are all constant")
    return math.sqrt(((h - 1) * within / h + float(np.var(np.mean(halves, axis=1), ddof=1))) / within)


def certified(run: object) -> NoReturn:
    """The proved distance of a walk's run to its density, for (epsilon, delta): none. Raises ValueError, and says why."""
    raise ValueError(UNCERTIFIED)


bind(effective_size, spec.effective_size)
bind(split_r_hat, spec.split_r_hat)
