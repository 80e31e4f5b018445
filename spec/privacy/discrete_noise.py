"""Noise on a public grid: exact normal numbers that are rounded once, and discrete Laplace and Gaussian noise on the integers.

A sum value + sigma Y, Y standard normal, rounded to the multiples of a public number is post-processing of the real sum, if
Y is a real number and the rounding looks at as many of its digits as it takes: every guarantee of the Gaussian mechanism then
holds of the rounded answer, and which answers can occur does not depend on the value. No paper of the register makes a claim
about it. Symbols: a word is 64 fair bits; a uniform number is an endless row of words, each taken when it is looked at.
"""

from fractions import Fraction
from math import frexp
from random import Random

from dpsco.spec.contract import NONNEGATIVE, POSITIVE_PROBABILITY, PROBABILITY, ULPS, Inputs, between, contract
from dpsco.spec.domain import Integers, Interval, Parameter

WORD = 64
ROOM = 1024
"""Words that are enough for a normal number, but with a chance below 2^-64: one takes about 20."""
EPSILON = Parameter("epsilon", "privacy parameter", Interval("0", "1e4", low_open=False, high_open=False), "nat")
SHIFT = Parameter("shift", "by how much neighbours' answers differ", Integers(1, 1000))
SIGMA = Parameter("sigma", "scale of the discrete Gaussian, about its standard deviation", Interval("0.05", "20"))
SCALE = Parameter("scale", "scale of the discrete Laplace", Interval("1e-3", "1e9"))


def any_words(random: Random) -> Inputs:
    """Fair words; some with the first ones equal, so that comparisons are not decided by their first words."""
    words = [random.getrandbits(WORD) for _ in range(ROOM)]
    if random.random() < 0.3:
        start = random.randrange(12)
        words[start : start + 8] = [words[start]] * 8
    return {"halves": halved(words)}


def halved(words: list[int]) -> list[int]:
    """High and low halves in turn: doubles hold them."""
    return [half for word in words for half in (word >> 32, word % (1 << 32))]


def some(seed: int) -> list[int]:
    random = Random(seed)
    return [random.getrandbits(WORD) for _ in range(ROOM)]


TIED: tuple[Inputs, ...] = tuple(
    {"halves": halved([word] * 40 + some(seed))}
    for seed, word in enumerate((0, 1, 1 << 63, (1 << 63) - 1, (1 << 64) - 1, 12345 << 40))
)
PASSED_OVER: tuple[Inputs, ...] = tuple({"halves": halved([0, 0, (1 << WORD) - last, *some(last)])} for last in (1, 4, 5))
"""The third die has six sides, 2^64 = 4 modulo 6: 2^64 - 1 to 2^64 - 4 are passed over, 2^64 - 5 is not."""


def any_sum(random: Random) -> Inputs:
    """A value from zero to far beyond the noise, a scale, a normal number's sign, whole part and first word.

    Of two sums one lies within 5 of the kernel's units, 2^-21 of a multiple, of a boundary between two multiples.
    """
    sigma = 10 ** random.uniform(-30, 30)
    value = random.choice(
        (0.0, sigma * random.uniform(-4, 4), sigma * 10 ** random.uniform(-12, 6), 10 ** random.uniform(-30, 30))
    )
    word = random.choice((random.getrandbits(WORD), random.getrandbits(8), (1 << WORD) - 1 - random.getrandbits(8)))
    sign, whole = random.choice((-1, 1)), random.choice((0, 0, 1, 2, 5, 40, 255))
    value *= random.choice((-1, 1))
    if random.random() < 0.5:
        grid = Fraction(2) ** (frexp(sigma)[1] - 32)
        noise = sign * Fraction(sigma) * (whole + Fraction(word, 1 << WORD)) / grid
        # a value below 2^31 multiples is a double to a unit
        boundary = round(noise) + random.randrange(-(1 << 31), 1 << 31) + Fraction(1, 2)
        value = float((boundary - noise + Fraction(random.uniform(-5, 5)) / (1 << 21)) * grid)
    return {"value": value, "sigma": sigma, "sign": sign, "whole": whole, "high": word >> 32, "low": word % (1 << 32)}


MOST = 2**38 + 2**40 + 1
"""Multiples of the grid: of a value that is not passed over, and of the noise, of at most 256 sigma, each of 2^32 at most."""
WORDS = between("0", str(2**32 - 1))
"""Halves of words."""


@contract(
    metric=ULPS,
    range=(between("-1", "1"), NONNEGATIVE, WORDS, WORDS, between("0", lambda m, halves: len(halves) // 2)),
    generate=any_words,
    hard=(*TIED, *PASSED_OVER),
)
def normal(halves: list[int]) -> tuple[int, int, int, int, int]:
    """A standard normal number from fair words: the sign, the whole part k, the first word of the digits x, the words used.

    With a coin of bias exp(-x^p/c): j = 1, 2, ...; stop at the first j for which not both a fair die of c j sides shows its
    first side and p uniform numbers lie below x; the coin shows heads where that j is odd. Then k counts heads of exp(-1/2)
    before the first tails; k is kept if k (k - 1) coins exp(-1/2) show heads, x, uniform, if k coins exp(-x) and one
    exp(-x^2/2) do; else all begins again; last the sign, a word's first bit.
    A die of m sides is a word modulo m, words from m floor(2^64/m) on being passed over.

    Domain   halves: of words, high and low in turn, whole numbers from 0 to 2^32 - 1, enough of them
    Returns  (sign, k, high half of the first word of x, low half, words used), +-(k + x) being standard normal. All zeros from
             the kernel, which holds one word of x, are no answer: where that word does not decide a comparison or words end
    Raises   ValueError where the words are not enough (reference)
    Source   Karney 2016, Algorithm N, with the coins of Canonne, Kamath and Steinke 2020, Algorithm 1
    """


TINY: tuple[Inputs, ...] = tuple(
    {"value": value, "sigma": 1e250, "sign": 1, "whole": 1, "high": 7, "low": 7} for value in (5e-324, -5e-324, -1e-300)
)
"""Values that are not zero, but in the kernel's units are below the doubles."""


@contract(metric=ULPS, range=(PROBABILITY, between(str(-MOST), str(MOST))), generate=any_sum, hard=TINY)
def rounded_sum(value: float, sigma: float, sign: int, whole: int, high: int, low: int) -> tuple[int, int]:
    """value + sigma Y as a multiple of the public grid g(sigma), from the first word of Y's digits, if these decide it.

    floor((value + sigma sign (whole + x))/g + 1/2), word/2^64 <= x < (word + 1)/2^64, word = 2^32 high + low;
    g = 2^(e - 32) for 2^(e-1) <= sigma < 2^e

    Domain   value, sigma > 0 in one unit, finite, sigma from 1e-250 to 1e250; sign -1 or 1; whole 0 to 255;
             high and low from 0 to 2^32 - 1
    Returns  (1, the multiple of g), or (0, 0) where it is not told by 2^-20 of a multiple, beyond 2^38 multiples, or where
             2^21 value/g is no double
    Source   this project
    """


@contract(metric=ULPS, range=PROBABILITY, inputs=(EPSILON, SCALE, SHIFT))
def laplace_profile(epsilon: float, scale: float, shift: int) -> float:
    """Least delta for which a whole answer with discrete Laplace noise, P(k) ~ e^{-|k|/scale}, is (epsilon, delta)-DP.

    delta = sum_k max(0, P(k) - e^epsilon P(k - shift)) = (1 - e^{epsilon + (K - shift)/scale} + a (1 - a^K))/(1 + a),
    a = e^{-1/scale}, K = floor((shift - epsilon scale)/2), for epsilon < shift/scale, else 0

    Domain   epsilon in [0, 1e4] (nats), scale in (1e-3, 1e9), shift from 1 to 1000
    Returns  delta, a probability
    Source   the sum over the k whose privacy loss (|k - shift| - |k|)/scale is above epsilon; Ghosh, Roughgarden and
             Sundararajan 2012 for the mechanism
    """


@contract(metric=ULPS, range=POSITIVE_PROBABILITY, inputs=(EPSILON, SIGMA, SHIFT))
def gaussian_profile(epsilon: float, sigma: float, shift: int) -> float:
    """Least delta for which a whole answer with discrete Gaussian noise, P(k) ~ e^{-k^2/(2 sigma^2)}, is (epsilon, delta)-DP.

    delta = sum_{k <= shift/2 - epsilon sigma^2/shift} P(k) (1 - e^{epsilon - (shift^2 - 2 shift k)/(2 sigma^2)})

    Domain   epsilon in [0, 1e4] (nats), sigma in (0.05, 20), shift from 1 to 1000
    Returns  delta, a probability
    Source   Canonne, Kamath and Steinke 2020, Theorem 7
    """
