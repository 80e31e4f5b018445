"""Noise on a public grid, literally: whole numbers and fractions, uniform numbers of as many words as are looked at.

Nothing here rounds. `drawn` and `rounded` take their words from a function, so that they never end for want of digits; the
contracts' functions are the same on a list.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from dpsco.reference.literal import literal
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy import discrete_noise as spec
from dpsco.spec.privacy.discrete_noise import WORD

Words = Callable[[], int]
"""Gives the next word."""
HALF, FAR = WORD // 2, 40
GRID_BITS = 32
"""The grid is between 2^-32 and 2^-31 of sigma."""


@dataclass
class Normal:
    """A standard normal number sign (whole + x): of x the words that were looked at."""

    sign: int = 1
    whole: int = 0
    words: list[int] = field(default_factory=list)

    def known(self) -> tuple[int, int, int]:
        """What the words so far say: the number lies strictly between low/2^width and high/2^width, or at an end with chance
        0."""
        known = self.whole
        for word in self.words:
            known = known << WORD | word
        low, high = (known, known + 1) if self.sign > 0 else (-known - 1, -known)
        return low, high, WORD * len(self.words)

    def interval(self) -> tuple[Fraction, Fraction]:
        low, high, width = self.known()
        return Fraction(low, 1 << width), Fraction(high, 1 << width)


def die(word: Words, sides: int) -> int:
    """Each of 0, ..., sides - 1 as likely."""
    most = (1 << WORD) // sides * sides
    while (found := word()) >= most:
        pass
    return found % sides


def below(word: Words, x: list[int]) -> bool:
    """Whether a fresh uniform number is below x; both get further words while they agree."""
    place = 0
    while True:
        if place == len(x):
            x.append(word())
        fresh = word()
        if fresh != x[place]:
            return fresh < x[place]
        place += 1


def coin(word: Words, x: list[int], power: int, divisor: int) -> bool:
    """True with probability exp(-x^power/divisor)."""
    j = 1
    while die(word, divisor * j) == 0 and all(below(word, x) for _ in range(power)):
        j += 1
    return j % 2 == 1


def tried(word: Words) -> Iterator[Normal]:
    """Numbers that are tried one after the other: the last one is kept, and is standard normal."""
    kept = False
    while not kept:
        whole = 0
        while coin(word, [], 0, 2):
            whole += 1
        if all(coin(word, [], 0, 2) for _ in range(whole * (whole - 1))):
            x = [word()]
            kept = all(coin(word, x, 1, 1) for _ in range(whole)) and coin(word, x, 2, 2)
            yield Normal(1 if kept and word() >> (WORD - 1) else -1, whole, x)


def drawn(word: Words) -> Normal:
    """A standard normal number."""
    *_, last = tried(word)
    return last


def rounded(value: Fraction, sigma: Fraction, grid: Fraction, normal: Normal, word: Words) -> int:
    """floor((value + sigma Y)/grid + 1/2) of a real standard normal Y: its digits are looked at until they decide.

    Domain   value in the unit of the answer; sigma > 0 and grid > 0 public; normal: `drawn`, gets further words
    Returns  a whole number, of grids
    Source   post-processing of the sum in real numbers
    """
    shift, scale = value / grid + Fraction(1, 2), sigma / grid
    a, b, c = shift.numerator * scale.denominator, scale.numerator * shift.denominator, shift.denominator * scale.denominator
    while True:
        # floor(shift + scale end/2^width) in whole numbers: fractions would be reduced after every step
        *ends, width = normal.known()
        low, high = (((a << width) + b * end) // (c << width) for end in ends)
        if low == high:
            return low
        normal.words.append(word())


def grid_of(sigma: float, bits: int = GRID_BITS) -> Fraction:
    """The public grid of a scale: the power of two 2^(e - bits), 2^(e-1) <= sigma < 2^e."""
    top, bottom = sigma.as_integer_ratio()
    e = top.bit_length() - bottom.bit_length()
    e += Fraction(top, bottom) >= Fraction(2) ** e
    return Fraction(2) ** (e - bits)


@literal(spec.normal)
def normal(m: Numbers, halves: Sequence[int]) -> tuple[Real, Real, Real, Real, Real]:
    used = 0

    def word() -> int:
        nonlocal used
        if 2 * used == len(halves):
            raise ValueError(f"halves: {len(halves)} of them are not enough")
        used += 1
        return int(halves[2 * used - 2]) << HALF | int(halves[2 * used - 1])

    numbers = list(tried(word))
    if any(len(number.words) > 1 for number in numbers):  # undecided by one word, be it of a number that is not kept
        return (m.real(0),) * 5
    found = numbers[-1]
    first = found.words[0]
    return m.real(found.sign), m.real(found.whole), m.real(first >> HALF), m.real(first % (1 << HALF)), m.real(used)


@literal(spec.rounded_sum)
def rounded_sum(m: Numbers, value: Real, sigma: Real, sign: int, whole: int, high: int, low: int) -> tuple[Real, Real]:
    grid = grid_of(float(sigma))
    exact = Fraction(float(value)) / grid
    # the kernel's own units: 2^-21 of a grid, each of the two terms rounded down on its own
    noise = Fraction(float(sigma)) / grid * (int(whole) + Fraction(int(high) << HALF | int(low), 1 << WORD))
    unit = 1 << 21
    a, b = floor(exact * unit), floor(noise * unit)
    least = (a + b if sign > 0 else a - b - 2) + unit // 2  # and below least + 3
    known = abs(exact) < 1 << 38 and float(exact * unit) == exact * unit and least // unit == (least + 3) // unit
    return (m.real(1), m.real(least // unit)) if known else (m.real(0), m.real(0))


@literal(spec.laplace_profile)
def laplace_profile(m: Numbers, epsilon: Real, scale: Real, shift: Real) -> Real:
    if m.ge(epsilon * scale, shift) is True:
        return m.real(0)
    a, K = m.exp(-1 / scale), m.floor((shift - epsilon * scale) / 2)
    return (-m.expm1(epsilon + (K - shift) / scale) - a * m.expm1(-K / scale)) / (1 + a)


@literal(spec.gaussian_profile)
def gaussian_profile(m: Numbers, epsilon: Real, sigma: Real, shift: int) -> Real:
    """As the contract says; what is left out is below 2^-1000 of the sum. No term is negative, so nothing cancels."""
    e, square, step = Fraction(float(epsilon)), Fraction(float(sigma)) ** 2, int(shift)
    variance, reach = 2 * sigma**2, FAR * (floor(float(sigma)) + 1)
    last = floor(Fraction(step, 2) - e * square / step)

    def terms(k: int) -> Iterator[tuple[int, Real]]:
        """(j, e^(-j^2/variance)) for j = k, k - 1, ..., each from the one above it."""
        weight = m.exp(-m.real(k * k) / variance)
        ratio, bend = m.exp(m.real(2 * k - 1) / variance), m.exp(-2 / variance)
        for j in range(k, k - max(k, 0) - reach, -1):
            yield j, weight
            weight, ratio = weight * ratio, ratio * bend

    # e^(epsilon - loss): the loss of last is nearest to epsilon, maybe equal, each answer below has step/sigma^2 more
    excess, further = m.real(e - (step * step - 2 * step * last) / (2 * square)), m.exp(m.real(-step / square))
    total, share = m.real(0), m.exp(excess)
    for j, weight in terms(last):
        total += weight * (-m.expm1(excess) if j == last else 1 - share)
        share *= further
    return total / (1 + 2 * sum((weight for _, weight in terms(-1)), start=m.real(0)))
