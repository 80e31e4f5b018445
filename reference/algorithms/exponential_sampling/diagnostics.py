"""Effective sample size and split R-hat, literally."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_sampling import diagnostics as spec
from dpsco.spec.numbers import Numbers, Real


def mean(m: Numbers, x: Any) -> Real:
    """The mean of some numbers."""
    return sum(x, start=m.real(0)) / len(x)


def variance(m: Numbers, x: Any) -> Real:
    """The sample variance, divided by one less than the number."""
    centre = mean(m, x)
    return sum(((v - centre) ** 2 for v in x), start=m.real(0)) / (len(x) - 1)


@literal(spec.effective_size)
def effective_size(m: Numbers, chain: Any) -> Real:
    S = len(chain)
    if S < 4 or all(m.eq(v, chain[0]) for v in chain):
        raise ValueError(f"chain has at least 4 numbers, not all equal, got {S}")
    centre = mean(m, chain)
    x = [v - centre for v in chain]

    def correlation(t: int) -> Real:
        return sum((x[i] * x[i + t] for i in range(S - t)), start=m.real(0)) / sum(v**2 for v in x)

    total, last, k = m.real(0), None, 0
    while 2 * k + 1 < S:
        pair = correlation(2 * k) + correlation(2 * k + 1)
        if not m.gt(pair, 0):
            break
        last = pair if last is None else m.min(last, pair)
        total, k = total + last, k + 1
    return S / m.max(m.real(1), 2 * total - 1)


@literal(spec.split_r_hat)
def split_r_hat(m: Numbers, chains: Any) -> Real:
    S = len(chains[0]) if len(chains) else 0
    if S < 4 or any(len(chain) != S for chain in chains):
        raise ValueError(f"chains are runs of one length, at least 4, got {[len(chain) for chain in chains]}")
    h = S // 2
    halves = [part for chain in chains for part in (chain[:h], chain[S - h :])]
    within = mean(m, [variance(m, part) for part in halves])
    if m.eq(within, 0):
        raise ValueError("chains move somewhere, got halves that are all constant")
    return m.sqrt(((h - 1) * within / h + variance(m, [mean(m, part) for part in halves])) / within)
