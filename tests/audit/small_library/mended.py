"""The four faulty mechanisms of the library, mended."""

import mechanisms
import numpy as np


def balance(data, rng, size):
    """The noise is that of sensitivity 2."""
    return np.clip(data, -1, 1).sum() + rng.laplace(0, 2, size)


class Histogram:
    """Fresh noise for every release."""

    def __call__(self, data, rng):
        return np.bincount(np.asarray(data, dtype=int), minlength=3) + rng.laplace(0, 1, 3)


def report(data, rng, n):
    """The public number of rows is told."""
    return {"sum": mechanisms.laplace(np.clip(data, 0, 1).sum(), 1, rng), "rows": n}


def first_above(data, rng):
    """Half of the budget for the threshold; the counts move by one, either way."""
    counts = (np.asarray(data)[:, None] > np.linspace(0, 0.5, 20)).sum(axis=0)
    above = np.flatnonzero(counts + rng.laplace(0, 4, 20) > 1 + rng.laplace(0, 2))
    return int(above[0]) if len(above) else 20
