"""Amplification by shuffling in doubles: one pass over the number of clones, with ratios in the place of tails.

The tail of Bin(c, 1/2) enters as its ratio to the term beside it, which stays between 0 and sqrt(c) where both underflow, and
obeys a recurrence that damps its own errors when c falls. The probabilities of (c, j) are carried relative to each other, as
mantissa and exponent, and scaled by the largest one at the end, so that none underflows on the way. Numbers of clones
further than REACH standard deviations from their mean are left out: together they hold less than 1e-300.
"""

import math
from typing import Any

from dpsco.fast.kernel import kernel
from dpsco.spec.privacy import shuffling as spec

REACH = 40.0
LOG_2 = math.log(2.0)


@kernel()
def _stirling(k: float) -> float:
    """ln k! less Stirling's formula."""
    if k < 16.0:
        return math.lgamma(k + 1.0) - (k + 0.5) * math.log(k) + k - 0.9189385332046727 if k > 0.0 else 0.0
    s = 1.0 / (k * k)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / k


@kernel()
def _deviance(x: float, mean: float) -> float:
    """x ln(x / mean) + mean - x, without cancellation where x is close to the mean."""
    if abs(x - mean) < 0.1 * (x + mean):
        v = (x - mean) / (x + mean)
        total, power = (x - mean) * v, 2.0 * x * v
        for i in range(1, 1000):
            power *= v * v
            following = total + power / (2 * i + 1)
            if following == total:
                break
            total = following
        return total
    return x * math.log(x / mean) + mean - x


@kernel()
def _log_mass(trials: float, k: float, hit: float, miss: float, log_hit: float, log_miss: float) -> float:
    """ln P(K = k) for a binomial K, by Loader's saddle point: no difference of large logarithms."""
    if k == 0.0:
        return trials * log_miss
    if k == trials:
        return trials * log_hit
    rest = trials - k
    off = _stirling(trials) - _stirling(k) - _stirling(rest) - _deviance(k, trials * hit) - _deviance(rest, trials * miss)
    return off + 0.5 * math.log(trials / (2.0 * math.pi * k * rest))


@kernel()
def _tail_ratio(trials: float, k: float, odds: float) -> float:
    """P(K > k) / P(K = k)."""
    term, total, at = 1.0, 0.0, k
    while at < trials:
        term *= odds * (trials - at) / (at + 1.0)
        total += term
        at += 1.0
        if term < 1e-18 * total:
            break
    return total


@kernel()
def _share(epsilon: float, epsilon_0: float) -> float:
    """(1 + tanh(epsilon/2) / tanh(epsilon_0/2)) / 2."""
    if epsilon_0 < 1e-150:  # both are their arguments, whose halves may vanish
        return 0.5 + 0.5 * (epsilon / epsilon_0)
    return 0.5 + 0.5 * (math.tanh(epsilon / 2.0) / math.tanh(epsilon_0 / 2.0))


@kernel(spec.clones)
def clones(epsilon: Any, epsilon_0: Any, n: Any) -> Any:
    if not (epsilon >= 0.0 and 0.0 < epsilon_0 <= 700.0 and n >= 1):
        return math.nan
    if epsilon >= epsilon_0:
        return 0.0
    g, h = -math.expm1(epsilon - epsilon_0) / (1.0 + math.exp(-epsilon_0)), math.expm1(epsilon)
    share, odds, others = _share(epsilon, epsilon_0), math.expm1(epsilon_0), n - 1
    hit, miss = math.exp(-epsilon_0), -math.expm1(-epsilon_0)
    reach = REACH * math.sqrt(others * hit * miss) + REACH * REACH
    low, high = max(0, int(others * hit - reach)), min(others, int(others * hit + reach) + 1)
    c, k = high, min(math.floor((high + 1) * share), high)
    # every term relative to the one that the pass begins with, in units of 2^exponent; the largest one fixes the scale
    ratio, mantissa, exponent, total = _tail_ratio(float(c), float(k), 1.0), 1.0, 0, 0.0
    largest, scale, scale_exponent, best_c, best_k = -1.0, 1.0, 0, c, k
    while True:
        term = mantissa * max(0.0, g - h * ratio)
        total += term
        if math.ldexp(term, exponent - scale_exponent) > largest:
            largest, scale, scale_exponent, best_c, best_k = term, mantissa, exponent, c, k
        if c == low or scale_exponent - exponent > 900:
            break
        following = min(math.floor(c * share), c - 1)
        while following < k:  # from (c, k) to (c, k - 1)
            ratio = (ratio + 1.0) * (c - k + 1) / k
            mantissa *= k / (c - k + 1)
            k -= 1
        ratio = max(0.0, ratio * c / (2.0 * (c - k)) - 0.5)
        # the weight of c - 1 over that of c, times b_{c-1}(k) / b_c(k)
        mantissa *= (2.0 * (c - k) / (n - c)) * odds
        mantissa, more = math.frexp(mantissa)
        total = math.ldexp(total, -more)
        exponent += more
        c -= 1
    log_w = _log_mass(float(others), float(best_c), hit, miss, -epsilon_0, math.log(miss))
    there = math.exp(log_w + _log_mass(float(best_c), float(best_k), 0.5, 0.5, -LOG_2, -LOG_2))
    return min(1.0, math.ldexp(total, exponent - scale_exponent) / scale * there)


@kernel(spec.binary)
def binary(epsilon: Any, epsilon_0: Any, n: Any) -> Any:
    if not (epsilon >= 0.0 and 0.0 < epsilon_0 <= 700.0 and n >= 1):
        return math.nan
    if epsilon >= epsilon_0:
        return 0.0
    small = math.exp(-epsilon_0)
    g, h = -math.expm1(epsilon - epsilon_0) / (1.0 + small), math.expm1(epsilon)
    # up / a and down / a of the thresholds, a = e^epsilon_0
    up, down = -math.exp(epsilon) * math.expm1(-epsilon - epsilon_0), -math.expm1(epsilon - epsilon_0)
    others, hit, miss = n - 1, small / (1.0 + small), 1.0 / (1.0 + small)
    log_hit, log_miss = -epsilon_0 - math.log1p(small), -math.log1p(small)
    k = min(math.floor(n * (up * small / (down + up * small))), others)
    i = max(0, math.ceil(n * (down * small / (down * small + up))) - 1)
    ones, zeros = (
        _tail_ratio(float(others), float(k), small),
        _tail_ratio(float(others), float(others - i), math.exp(epsilon_0)),
    )
    high = math.exp(_log_mass(float(others), float(k), hit, miss, log_hit, log_miss)) * (g - h * ones)
    low = math.exp(_log_mass(float(others), float(i), hit, miss, log_hit, log_miss)) * (g - h * zeros)
    return min(1.0, max(0.0, high, low))
