"""Penalties selected on a validation loss, in doubles: one pass over the rows for each mean.

Symbols: p a row's prediction, lambda_j the penalty of coordinate j, steep_k the slope of group k's penalty.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import kernel
from dpsco.fast.linear import into_ball
from dpsco.fast.losses.bilevel.problem import UP, Constants, Problem

Array = Any
LOGISTIC, RIDGE = 0, 1


@kernel()
def loss_at(which: int, p: float, b: float) -> float:
    if which == RIDGE:
        return 0.5 * (p - b) * (p - b)
    t = b * p
    return math.log1p(math.exp(-t)) if t >= 0.0 else math.log1p(math.exp(t)) - t


@kernel()
def slope_at(which: int, p: float, b: float) -> float:
    if which == RIDGE:
        return p - b
    t = b * p
    if t >= 0.0:
        q = math.exp(-t)
        return -b * (q / (1.0 + q))
    return -b / (1.0 + math.exp(t))


@kernel()
def bend_at(which: int, p: float, b: float) -> float:
    if which == RIDGE:
        return 1.0
    q = math.exp(-abs(p))
    return q / ((1.0 + q) * (1.0 + q))


@kernel()
def mean_loss(which: int, rows: Array, outcomes: Array, y: Array) -> float:
    n, d = rows.shape
    total = 0.0
    for i in range(n):
        p = 0.0
        for j in range(d):
            p += rows[i, j] * y[j]
        total += loss_at(which, p, outcomes[i])
    return total / n


@kernel()
def mean_slope(which: int, rows: Array, outcomes: Array, y: Array) -> Array:
    """Mean of rho' times the row."""
    n, d = rows.shape
    g = np.zeros(d)
    for i in range(n):
        p = 0.0
        for j in range(d):
            p += rows[i, j] * y[j]
        c = slope_at(which, p, outcomes[i])
        for j in range(d):
            g[j] += c * rows[i, j]
    return g / n


@kernel()
def mean_bend(which: int, rows: Array, outcomes: Array, y: Array) -> Array:
    """Mean of rho'' times the row's outer product."""
    n, d = rows.shape
    H = np.zeros((d, d))
    for i in range(n):
        p = 0.0
        for j in range(d):
            p += rows[i, j] * y[j]
        c = bend_at(which, p, outcomes[i])
        for j in range(d):
            part = c * rows[i, j]
            for k in range(j + 1):
                H[j, k] += part * rows[i, k]
    for j in range(d):
        for k in range(j + 1):
            H[j, k] /= n
            H[k, j] = H[j, k]
    return H


def share(x: Array) -> Array:
    """1/(1 + e^-x), without overflow."""
    q = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + q), q / (1 + q))


def width(low: float, high: float) -> float:
    """log(high / low); of ends that are close, the quotient would keep few digits of their distance."""
    return math.log1p((high - low) / low) if high < 2 * low else math.log(high / low)


def penalties(x: Array, low: float, high: float) -> Array:
    """lambda(x_k), inside [low, high] whatever the rounding."""
    if low == high:
        return np.full(x.shape, low)
    return np.clip(low * np.exp(width(low, high) * share(x)), low, high)


def penalty_slopes(x: Array, low: float, high: float) -> Array:
    return penalties(x, low, high) * (width(low, high) * share(x) * share(-x))


def checked_groups(groups: Any, d_y: int) -> Array:
    """ValueError unless there is one group for each coordinate, and every group from 0 on has one."""
    found = np.asarray(groups)
    if found.shape != (d_y,) or not np.issubdtype(found.dtype, np.integer):
        raise ValueError(f"groups={groups!r}: one integer for each of the {d_y} coordinates of y")
    if set(found.tolist()) != set(range(int(found.max()) + 1)):
        raise ValueError(f"groups={groups!r}: numbered 0, 1, ..., d_x - 1, each with a coordinate")
    return found


def checked_penalties(low: float, high: float) -> None:
    """ValueError unless 0 < low <= high < inf."""
    if not 0 < low <= high < math.inf:
        raise ValueError(f"low={low!r}, high={high!r}: an interval of penalties, 0 < low <= high, finite")


def checked_rows(name: str, rows: Any, outcomes: Any, bound: float) -> tuple[Array, Array]:
    """n x d finite rows, longer ones shortened to `bound` (which is not private), and n finite outcomes."""
    A, b = np.ascontiguousarray(rows, dtype=np.float64), np.ascontiguousarray(outcomes, dtype=np.float64)
    if A.ndim != 2 or not A.size or b.shape != A.shape[:1]:
        raise ValueError(f"{name} is n x d_y with n outcomes, n and d_y at least 1; got {A.shape} and {b.shape}")
    if not (np.all(np.isfinite(A)) and np.all(np.isfinite(b))):
        raise ValueError(f"{name} and its outcomes must be finite")
    if not 1e-100 <= bound <= 1e100:
        raise ValueError(f"bound={bound!r}: the longest row, from 1e-100 to 1e100")
    return into_ball(A, bound)[0], b


def problem(
    which: int,
    constants: dict[str, float],
    radius: float,
    train: tuple[Array, Array],
    judge: tuple[Array, Array],
    groups: Array,
    low: float,
    high: float,
) -> Problem:
    """The problem of checked arrays; see `dpsco.spec.losses.bilevel.selection`.

    Domain   train, judge: (rows n x d_y, outcomes n); constants: by name, without those that are 0
    """
    if train[0].shape != judge[0].shape:
        raise ValueError(f"C has shape {judge[0].shape}: must be that of A, {train[0].shape} (a record has a row of each)")
    n, d_y = train[0].shape
    d_x = int(groups.max()) + 1

    def lower(x: Array, y: Array) -> float:
        return float(mean_loss(which, *train, y) + 0.5 * np.sum(penalties(x, low, high)[groups] * y * y))

    def lower_yy(x: Array, y: Array) -> Array:
        H = mean_bend(which, *train, y)
        H[np.diag_indices(d_y)] += penalties(x, low, high)[groups]
        return H

    def lower_xy(x: Array, y: Array, v: Array) -> Array:
        return penalty_slopes(x, low, high) * np.bincount(groups, weights=y * v, minlength=d_x)

    def of_record(i: int) -> Problem:
        one = slice(i, i + 1)
        parts = (train[0][one], train[1][one]), (judge[0][one], judge[1][one])
        return problem(which, constants, radius, *parts, groups, low, high)

    return Problem(
        records=n,
        d_x=d_x,
        d_y=d_y,
        constants=Constants(**{name: value * UP for name, value in constants.items() if name != "mu_g"}, mu_g=low),
        radius=radius * UP,
        upper=lambda x, y: float(mean_loss(which, *judge, y)),
        upper_x=lambda x, y: np.zeros(d_x),
        upper_y=lambda x, y: mean_slope(which, *judge, y),
        lower=lower,
        lower_y=lambda x, y: mean_slope(which, *train, y) + penalties(x, low, high)[groups] * y,
        lower_yy=lower_yy,
        lower_xy=lower_xy,
        of_record=of_record,
    )
