"""Ten mechanisms as a small library has them, each for epsilon = 1. Four are faulty, each in another way."""

import numpy as np


def laplace(value, scale, rng):
    """The library's own noise."""
    return value + rng.laplace(0, scale)


def mean(data, rng, n, size):
    """Rows in [0, 1] replaced, or added where their number stays public: n divides whatever the data."""
    return np.clip(data, 0, 1).sum() / n + rng.laplace(0, 1 / n, size)


def count(data, rng, size):
    """Rows added or removed: the difference of two geometric numbers is the discrete Laplace noise."""
    chance = 1 - np.exp(-1)
    return len(data) + rng.geometric(chance, size) - rng.geometric(chance, size)


def total(data, rng, size):
    """Rows in [0, 1] added or removed, delta = 0.001: sigma is a little above the least, 2.57."""
    return np.clip(data, 0, 1).sum() + rng.normal(0, 2.6, size)


def choice(data, rng, size):
    """Votes replaced: drawn with weights exp(count/2), as the largest of counts with Gumbel noise."""
    return np.argmax(np.bincount(np.asarray(data, dtype=int), minlength=3) / 2 + rng.gumbel(size=(size, 3)), axis=1)


def answers(data, rng, size):
    """Yes or no replaced: each answer is told truly with probability e/(1 + e)."""
    truly = rng.random((size, len(data))) < 1 / (1 + np.exp(-1))
    return np.where(truly, data, 1 - np.asarray(data, dtype=int))


def median(data, rng, size):
    """Rows in [0, 1] replaced: one of eleven points, drawn by how far its rank is from the middle, which moves by one."""
    points = np.linspace(0, 1, 11)
    ranks = (np.asarray(data)[:, None] <= points).sum(axis=0)
    weights = np.exp(-np.abs(ranks - len(data) / 2) / 2)
    return rng.choice(points, size, p=weights / weights.sum())


def balance(data, rng, size):
    """Faulty: rows in [-1, 1] replaced move the sum by 2, and the noise is that of sensitivity 1."""
    return np.clip(data, -1, 1).sum() + rng.laplace(0, 1, size)


class Histogram:
    """Faulty: votes added or removed; the noise is drawn at the first release and used again at every later one."""

    def __init__(self):
        self.noise = None

    def __call__(self, data, rng):
        if self.noise is None:
            self.noise = rng.laplace(0, 1, 3)
        return np.bincount(np.asarray(data, dtype=int), minlength=3) + self.noise


def report(data, rng):
    """Faulty: rows in [0, 1] added where their number stays public, and the number of those at hand is told as well."""
    return {"sum": laplace(np.clip(data, 0, 1).sum(), 1, rng), "rows": len(data)}


def first_above(data, rng):
    """Faulty: rows in [0, 1] replaced; the first of twenty noisy counts that is above one, which itself is without noise."""
    counts = (np.asarray(data)[:, None] > np.linspace(0, 0.5, 20)).sum(axis=0)
    above = np.flatnonzero(counts + rng.laplace(0, 2, 20) > 1)
    return int(above[0]) if len(above) else 20
