"""Events that may tell two data sets apart, and the choice of one: all of it on outputs that are not counted afterwards."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Score = Callable[[Array], Array]
"""From outputs, one a row, to a number for each."""
COORDINATES = 16
"""At most so many coordinates are looked at one by one."""
THRESHOLDS, BINS = 63, 24
LARGEST = 1e100
"""Outputs beyond are not taken: squares and products must stay finite."""
RIDGE = 1e-12
"""Relative to the largest variance: what keeps the covariance invertible where outputs lie in a plane."""


@dataclass(frozen=True)
class Event:
    """Outputs whose score is on one side of a threshold; `swapped`: it is likelier under the first data set."""

    name: str
    score: Score
    threshold: float
    above: bool
    swapped: bool

    def count(self, outputs: Array) -> int:
        """How many of the outputs lie in it."""
        s = self.score(outputs)
        return int(np.count_nonzero(s >= self.threshold if self.above else s <= self.threshold))

    def limit(self, zero: Array, one: Array, delta: float, error: float) -> float:
        """About the limit of epsilon that these outputs give, by Wilson's limits: to choose by, no exact one."""
        more, less = (zero, one) if self.swapped else (one, zero)
        p, q = (np.array([self.count(x) / len(x)]) for x in (more, less))
        return float(_limit(p, len(more), q, len(less), delta, error)[0])

    def __str__(self) -> str:
        return f"{self.name} {'>=' if self.above else '<='} {self.threshold:.6g}"


def scores(zero: Array, one: Array) -> Iterator[tuple[str, Score]]:
    """Numbers that the outputs are reduced to: coordinates, norms, directions, likelihood ratios, atoms.

    Domain   zero, one: outputs under the first and the second data set, shapes (runs, numbers), up to 1e100, at least 2 runs
    Returns  names and functions that are fixed from here on
    """
    raw = list(_plain(zero, one))
    yield from raw
    for name, score in raw:
        yield f"log likelihood ratio of {name}", _binned(score, score(zero), score(one))
    yield from _atoms(zero, one)


def choose(zero: Array, one: Array, candidates: list[tuple[str, Score]], delta: float, error: float) -> tuple[Event, Event]:
    """For each direction the event of the largest estimated limit of epsilon.

    Domain   zero, one: outputs other than those that the scores were made from; delta in [0, 1); error in (0, 1)
    Returns  the event that is likelier under the second data set, and the one that is likelier under the first
    """
    best: dict[bool, tuple[tuple[float, float], Event]] = {}
    for name, score in candidates:
        a, b = np.sort(score(zero)), np.sort(score(one))
        at = _thresholds(a, b)
        for above in (True, False):
            p0, p1 = (_share(s, at, above) for s in (a, b))
            for swapped, p, n, q, k in ((False, p1, len(b), p0, len(a)), (True, p0, len(a), p1, len(b))):
                limit = _limit(p, n, q, k, delta, error)
                top = int(np.lexsort((p - q, limit))[-1])
                merit = (float(limit[top]), float(p[top] - q[top]))
                if swapped not in best or merit > best[swapped][0]:
                    best[swapped] = merit, Event(name, score, float(at[top]), above, swapped)
    return best[False][1], best[True][1]


def _plain(zero: Array, one: Array) -> Iterator[tuple[str, Score]]:
    both = np.concatenate((zero, one))
    means, spread = (zero.mean(0), one.mean(0)), both.std(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.nan_to_num(np.abs(means[1] - means[0]) / spread) + np.nan_to_num(np.abs(one.std(0) - zero.std(0)) / spread)
    for j in np.sort(np.argsort(-apart, kind="stable")[:COORDINATES]):
        yield f"coordinate {j + 1}", lambda x, j=int(j): x[:, j]  # type: ignore[misc]
    if both.shape[1] == 1:
        return
    yield "l1 norm", lambda x: np.abs(x).sum(1)
    yield "l2 norm", lambda x: np.sqrt((x**2).sum(1))
    yield "largest coordinate", lambda x: np.abs(x).max(1)
    centre = both.mean(0)
    yield "distance to the mean", lambda x: np.sqrt(((x - centre) ** 2).sum(1))
    direction = _direction(zero, one)
    yield "linear direction", lambda x: x @ direction
    v0, v1 = (s.var(0) + RIDGE * (1 + both.var(0)) for s in (zero, one))
    yield "Gaussian statistic", lambda x: ((x - means[0]) ** 2 / v0 - (x - means[1]) ** 2 / v1).sum(1)
    if both.shape[1] <= COORDINATES:
        yield "Laplace statistic", lambda x: (np.abs(x - means[0]) - np.abs(x - means[1])).sum(1)


def _direction(zero: Array, one: Array) -> Array:
    """Fisher's linear discriminant."""
    within = np.atleast_2d((np.cov(zero.T) + np.cov(one.T)) / 2)
    within += RIDGE * (np.trace(within) + 1e-300) * np.eye(len(within))
    found: Array = np.linalg.lstsq(within, one.mean(0) - zero.mean(0), rcond=1e-14)[0]
    size = float(np.abs(found).max())
    return found / size if size > 0 and np.isfinite(size) else np.ones(len(found))


def _binned(score: Score, zero: Array, one: Array) -> Score:
    """ln of the ratio of the shares in bins between quantiles: events on both sides of a mean, and in the middle."""
    edges = np.unique(np.quantile(np.concatenate((zero, one)), np.linspace(0, 1, BINS + 1)[1:-1]))
    inside = [np.bincount(np.searchsorted(edges, s, side="right"), minlength=len(edges) + 1) for s in (zero, one)]
    ratio = np.log((inside[1] + 0.5) / (len(one) + 0.5)) - np.log((inside[0] + 0.5) / (len(zero) + 0.5))
    return lambda x: np.asarray(ratio[np.searchsorted(edges, score(x), side="right")])


def _atoms(zero: Array, one: Array) -> Iterator[tuple[str, Score]]:
    """Outputs that come again to the last bit, by how much likelier they are under the second data set; others are at 0."""
    counts: dict[bytes, list[int]] = {}
    for which, outputs in enumerate((zero, one)):
        for row in np.ascontiguousarray(outputs):
            counts.setdefault(row.tobytes(), [0, 0])[which] += 1
    ratio = {key: np.log((b + 0.5) / len(one) / ((a + 0.5) / len(zero))) for key, (a, b) in counts.items() if a + b > 1}
    if ratio:
        yield (
            "atoms' log likelihood ratio",
            lambda x: np.array([ratio.get(row.tobytes(), 0.0) for row in np.ascontiguousarray(x)]),
        )


def _thresholds(a: Array, b: Array) -> Array:
    """Quantiles of both samples, and the ends: from beyond its smallest value on, a sample has none below."""
    shares = np.concatenate((np.linspace(0, 1, THRESHOLDS), [0.002, 0.005, 0.01, 0.99, 0.995, 0.998]))
    at: Array = np.unique(np.concatenate([s[((len(s) - 1) * shares).astype(np.intp)] for s in (a, b)]))
    return at


def _share(ordered: Array, at: Array, above: bool) -> Array:
    below = np.searchsorted(ordered, at, side="left" if above else "right") / len(ordered)
    return np.asarray(1 - below if above else below)


def _limit(p: Array, n: int, q: Array, k: int, delta: float, error: float) -> Array:
    """ln((p - delta)/q) at Wilson's limits of shares p of n and q of k; -inf where p is not above delta."""
    z = -NormalDist().inv_cdf(error / 2)
    gain = _wilson(p, n, -z) - delta
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gain > 0, np.log(np.maximum(gain, 1e-300) / _wilson(q, k, z)), -np.inf)


def _wilson(share: Array, n: int, z: float) -> Array:
    """Wilson's limit, the upper one where z > 0: for the choice only, the limits that count are exact."""
    middle, spread = share + z * z / (2 * n), abs(z) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.asarray(np.clip((middle + np.sign(z) * spread) / (1 + z * z / n), 0, 1))
