"""Effective sample size and split R-hat in doubles: autocovariances only as far as they are asked for."""

import math
from typing import Any, Final, NoReturn

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.pairs import Pair, more, plus, ratio_of, root_of, scaled, sum_of, total_of
from dpsco.spec.algorithms.exponential_sampling import diagnostics as spec

UNCERTIFIED: Final = (
    "a run of hit-and-run has no proved distance to its density, whatever its diagnostics show: (epsilon, delta) needs an "
    "exact draw (in one dimension) or a walk whose mixing bound was really run (the grid walk with enough_steps)"
)


@kernel()
def centred(x: Any, high: Any, low: Any) -> Pair:
    """x less its mean, in `high` + `low`; the mean."""
    mean = ratio_of(total_of(x), (float(x.size), 0.0))
    for i in range(x.size):
        high[i], low[i] = sum_of((x[i], 0.0), (-mean[0], -mean[1]))
    return mean


@kernel()
def square(high: Any, low: Any) -> Pair:
    """Sum of the squares of high + low."""
    total, rest = (0.0, 0.0), 0.0
    for i in range(high.size):
        total = more(total, high[i], high[i])
        rest += 2.0 * high[i] * low[i]
    return plus(total[0], total[1] + rest)


@kernel()
def autocovariance(x: Any, lag: int) -> Pair:
    """Sum over i of x_i x_{i + lag}; the products are doubles, there are n^2/2 of them."""
    total = error = 0.0
    for i in range(x.size - lag):
        total, e = plus(total, x[i] * x[i + lag])
        error += e
    return plus(total, error)


@kernel()
def size_over(x: Any) -> float:
    """The size, from pairs of autocorrelations up to the first that is not positive, none above the one before."""
    high, low = np.empty(x.size), np.empty(x.size)
    centred(x, high, low)
    whole, total, last = autocovariance(high, 0), (0.0, 0.0), (math.inf, 0.0)
    for k in range(x.size // 2):
        pair = ratio_of(sum_of(autocovariance(high, 2 * k), autocovariance(high, 2 * k + 1)), whole)
        if pair[0] <= 0.0:
            break
        last = pair if pair[0] < last[0] or (pair[0] == last[0] and pair[1] < last[1]) else last
        total = sum_of(total, last)
    shorter = sum_of(scaled(total, 2.0), (-1.0, 0.0))
    return ratio_of((float(x.size), 0.0), shorter)[0] if shorter[0] > 1.0 else float(x.size)


@kernel()
def spread_of(halves: Any) -> float:
    """sqrt((h - 1)/h + V/W); infinite for W = 0."""
    count, h = halves.shape
    high, low, means, lost = np.empty(h), np.empty(h), np.empty(count), np.empty(count)
    within = (0.0, 0.0)
    for i in range(count):
        means[i], lost[i] = centred(halves[i], high, low)
        within = sum_of(within, square(high, low))
    if within[0] == 0.0:
        return math.inf
    middle, below = ratio_of(sum_of(total_of(means), total_of(lost)), (float(count), 0.0))
    for i in range(count):
        means[i], lost[i] = sum_of((means[i], lost[i]), (-middle, -below))
    # V/W = (between/(count - 1)) / (within/(count (h - 1)))
    between = scaled(square(means, lost), float(count) * (h - 1.0))
    share = ratio_of(between, scaled(within, count - 1.0))
    return root_of(sum_of(ratio_of((h - 1.0, 0.0), (float(h), 0.0)), share))[0]


def scaled_down(x: Any) -> Any:
    """The numbers times a power of two, so that no square over- or underflows."""
    return np.ldexp(x, -int(np.frexp(np.max(np.abs(x), initial=0.0))[1]))


def effective_size(chain: Any) -> float:
    x = np.array(chain, dtype=np.float64).reshape(-1)
    if x.size < 4 or np.all(x == x[0]):
        raise ValueError(f"chain has at least 4 numbers, not all equal, got {x.size}")
    return float(size_over(scaled_down(x)))


def split_r_hat(chains: Any) -> float:
    x = np.array(chains, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] < 4:
        raise ValueError(f"chains are runs of one length, at least 4, got shape {x.shape}")
    h = x.shape[1] // 2
    found = float(spread_of(scaled_down(np.concatenate([x[:, :h], x[:, -h:]]))))
    if found == math.inf:
        raise ValueError("chains move somewhere, got halves that are all constant")
    return found


def certified(run: object) -> NoReturn:
    """The proved distance of a walk's run to its density, for (epsilon, delta): none. Raises ValueError, and says why."""
    raise ValueError(UNCERTIFIED)


bind(effective_size, spec.effective_size)
bind(split_r_hat, spec.split_r_hat)
