"""Ten mechanisms as a small library has them. Four are faulty, each in a way that was published of some library."""

import zlib

import numpy as np


def count(data, rng, size):
    """(1, 0), rows added or removed."""
    return len(data) + rng.laplace(0, 1, size)


def total(data, rng, size):
    """(1, 0.001), rows in [0, 1] added or removed: sigma is a little above the least, 2.57."""
    return np.clip(data, 0, 1).sum() + rng.normal(0, 2.6, size)


def mean(data, rng, n, size):
    """(1, 0), rows in [0, 1] replaced: n is public."""
    return np.clip(data, 0, 1).sum() / n + rng.laplace(0, 1 / n, size)


def histogram(data, rng, size):
    """(1, 0), whole numbers below 3 added or removed: one bin moves by one."""
    return np.bincount(np.asarray(data, dtype=int), minlength=3) + rng.laplace(0, 1, (size, 3))


def answers(data, rng, size):
    """(1, 0), yes or no replaced: each answer is told truly with probability e/(1 + e)."""
    truly = rng.random((size, len(data))) < 1 / (1 + np.exp(-1))
    return np.where(truly, data, 1 - np.asarray(data, dtype=int))


def favourite(data, rng):
    """(1, 0), votes replaced: the largest of noisy counts, each of which moves by one."""
    return int(np.argmax(np.bincount(np.asarray(data, dtype=int), minlength=3) + rng.laplace(0, 2, 3)))


def balance(data, rng, size):
    """Faulty: rows in [-1, 1] replaced move the sum by 2, not by 1."""
    return np.clip(data, -1, 1).sum() + rng.laplace(0, 1, size)


def reproducible(data, rng):
    """Faulty: the noise is a function of the data."""
    return np.clip(data, 0, 1).sum() + np.random.default_rng(zlib.crc32(repr(data).encode())).laplace(0, 1)


def winner(data, rng):
    """Faulty: the noisy maximum with the noise of twice the budget."""
    return int(np.argmax(np.bincount(np.asarray(data, dtype=int), minlength=3) + rng.laplace(0, 0.5, 3)))


def average(data, rng, size):
    """Faulty: rows added or removed, and the number of rows is in the denominator and in the noise."""
    return np.clip(data, 0, 1).sum() / len(data) + rng.laplace(0, 1 / len(data), size)
