"""What a fit would spend and what its noise would do, from public numbers alone, before any data are used."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpsco.estimators.private import Spent
from dpsco.noise.asked import number

MOST_ROWS = 2**40
PRECISE = 1.01


@dataclass(frozen=True)
class Preview:
    """Public: no data were used."""

    spent: Spent
    noise: Any
    """The constants that `noise_` would hold."""
    error: float
    """An upper bound on what the noise is expected to do; infinite where none is proved."""
    meaning: str
    """Of `error`, with its unit."""
    rows: int | None
    """Least number of rows, to 1 %, at which `error` is at most what was wanted; None: nothing was wanted."""


def preview(at: Callable[[int], tuple[Spent, Any, float]], n: int, meaning: str, wanted: Any) -> Preview:
    """The preview at n rows, and the rows at which `error` comes down to `wanted`.

    Domain   at: from a number of rows to (spent, noise, error); wanted: None, or above 0
    Raises   ValueError where no number of rows up to 2^40 is enough, and as `at`
    """
    spent, noise, error = at(n)
    return Preview(spent, noise, error, meaning, None if wanted is None else _rows(at, number("wanted", wanted)))


def _rows(at: Callable[[int], tuple[Spent, Any, float]], wanted: float) -> int:
    if not wanted > 0:
        raise ValueError(f"wanted={wanted}: must be positive")
    low, high = 1, 2
    while not _error(at, high) <= wanted:
        low, high = high, 2 * high
        if high > MOST_ROWS:
            raise ValueError(f"wanted={wanted}: not reached with 2^40 rows at these parameters")
    while high > low * PRECISE and high > low + 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _error(at, middle) <= wanted else (middle, high)
    return high


def _error(at: Callable[[int], tuple[Spent, Any, float]], n: int) -> float:
    """Infinite where the calibration refuses so few rows."""
    try:
        return at(n)[2]
    except ValueError:
        return float("inf")
