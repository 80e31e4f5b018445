"""Amplification by shuffling in doubles: one pass over the number of clones, with ratios in the place of tails.

The tail of Bin(c, 1/2) enters as its ratio to the term beside it, which stays between 0 and sqrt(c) where both underflow, and
obeys a recurrence that damps its own errors when c falls. The probabilities of (c, j) are carried relative to each other, as
mantissa and exponent, and scaled by the largest one at the end, so that none underflows on the way. Numbers of clones
further than REACH standard deviations from their mean are left out: together they hold less than 1e-300.
"""

import math
from typing import Any, Final

from dpsco.fast.kernel import kernel
from dpsco.fast.pairs import LN2, Pair, exp_of, expm1_of, log_of, scaled, sum_of
from dpsco.spec.privacy import shuffling as spec

REACH = 40.0
HALF_LOG_2PI: Final = (0.9189385332046728, -3.8782941580672414e-17)
STIRLING: Final = (
    0.08106146679532726,
    0.0413406959554093,
    0.02767792568499834,
    0.020790672103765093,
    0.016644691189821193,
    0.013876128823070748,
    0.01189670994589177,
    0.010411265261972096,
    0.009255462182712733,
    0.00833056343336287,
    0.007573675487951841,
    0.00694284010720953,
    0.006408994188004207,
    0.0059513701127588475,
    0.005554733551962801,
)
"""ln k! less Stirling's formula (k + 1/2) ln k - k + ln(2 pi)/2, for k from 1 on."""


@kernel()
def _stirling(k: float) -> float:
    """ln k! less Stirling's formula, for k >= 1."""
    if k < 16.0:
        return STIRLING[int(k) - 1]
    s = 1.0 / (k * k)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / k


@kernel()
def _part(k: float) -> Pair:
    """(k + 1/2) ln k."""
    return scaled(log_of((k, 0.0)), k + 0.5)


@kernel()
def _log_mass(trials: float, k: float, log_hit: Pair, log_miss: Pair) -> Pair:
    """ln P(K = k) for a binomial K, from the logarithms of both probabilities, in pairs: its exponential keeps its digits."""
    rest = trials - k
    power = sum_of(scaled(log_hit, k), scaled(log_miss, rest))
    if k == 0.0 or rest == 0.0:
        return power
    less = sum_of(sum_of(_part(k), _part(rest)), HALF_LOG_2PI)
    ways = sum_of(_part(trials), (-less[0], -less[1]))
    return sum_of(sum_of(ways, power), (_stirling(trials) - _stirling(k) - _stirling(rest), 0.0))


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
    lost, half = expm1_of(-epsilon_0), (-LN2[0], -LN2[1])
    log_w = _log_mass(float(others), float(best_c), (-epsilon_0, 0.0), log_of((-lost[0], -lost[1])))
    there = exp_of(sum_of(log_w, _log_mass(float(best_c), float(best_k), half, half)))
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
    others, added = n - 1, log_of(sum_of(expm1_of(-epsilon_0), (2.0, 0.0)))
    log_miss = (-added[0], -added[1])
    log_hit = sum_of(log_miss, (-epsilon_0, 0.0))
    k = min(math.floor(n * (up * small / (down + up * small))), others)
    i = max(0, math.ceil(n * (down * small / (down * small + up))) - 1)
    ones, zeros = (
        _tail_ratio(float(others), float(k), small),
        _tail_ratio(float(others), float(others - i), math.exp(epsilon_0)),
    )
    high = exp_of(_log_mass(float(others), float(k), log_hit, log_miss)) * (g - h * ones)
    low = exp_of(_log_mass(float(others), float(i), log_hit, log_miss)) * (g - h * zeros)
    return min(1.0, max(0.0, high, low))
