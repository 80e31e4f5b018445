"""Few steps: enclosures of delta and epsilon by the powers of two grids, in whole numbers.

The second law is N(0, 1), R the product of the steps' likelihood ratios (see `grid`), put(k) = E(e^k - R)_+. Then

    REMOVE: delta = E(R - e^epsilon)_+ = 1 - e^epsilon + put(epsilon),   as E R = 1,
    ADD:    delta = E(1 - e^epsilon R)_+ = e^epsilon put(-epsilon),

so that both need the law of R below e^epsilon only: nothing far out is left out. On a grid, j counting its steps, R is the
T-th power of a polynomial with whole coefficients modulo z^(size); each product is divided by 2^bits and rounded outward.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import flint

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.reference.numbers.inversion import OutOfReachError
from dpsco.reference.privacy.subsampling.grid import Grid, Step
from dpsco.reference.privacy.subsampling.many_steps import Run
from dpsco.spec.numbers import Real
from dpsco.spec.privacy.subsampling.pair import Pair

FIRST_SIZE = 128
FIRST_LOG = -60.0
"""ln of what roundings may add up to, at first."""
FARTHEST, SMALLEST = 1000, -4000.0
FINE = 2048
"""Points from which the width at more of them is foreseen."""
FLOOR = 1e-3
"""Below it the width of an epsilon is absolute."""


def power(masses: Sequence[int], steps: int, bits: int, up: bool) -> list[int]:
    """Coefficients of (sum of masses_j z^j)^steps / 2^((steps - 1) bits) modulo z^(number of masses), rounded up or down.

    A polynomial is its value at 2^slot: a coefficient of a product is at most the product of the sums, and those are at most
    2^(bits + 3) as the masses are a law's, rounded.
    """
    size, slot = len(masses), 8 * math.ceil((2 * bits + 8) / 8)
    whole = flint.fmpz(1) << (slot * size)
    ones = (whole - 1) // ((flint.fmpz(1) << slot) - 1)
    kept, all_of_it = ones * ((1 << (slot - bits)) - 1), whole - 1

    def product(a: flint.fmpz, b: flint.fmpz) -> flint.fmpz:
        found = ((a * b & all_of_it) >> bits) & kept
        return found + ones if up else found

    one = flint.fmpz(int.from_bytes(b"".join(mass.to_bytes(slot // 8, "little") for mass in masses), "little"))
    found = one
    for bit in f"{steps:b}"[1:]:
        found = product(found, found)
        if bit == "1":
            found = product(found, one)
    octets = int(found).to_bytes(size * slot // 8, "little")
    return [int.from_bytes(octets[i : i + slot // 8], "little") for i in range(0, len(octets), slot // 8)]


@dataclass(frozen=True)
class Puts:
    """put(k) of many steps on a grid: sums of masses, and of masses times e^loss, from the least loss on."""

    m: ArbNumbers
    start: Real
    width: float
    masses: Sequence[int]
    counts: Sequence[int]
    ratios: Sequence[Real]
    scale: Real

    @staticmethod
    def of(m: ArbNumbers, one: Grid, steps: int, bits: int, up: bool) -> "Puts":
        """The steps' law by the power of one step's grid."""
        masses = power(one.masses, steps, bits, up)
        m.real(0)
        start, growth = m.real(one.start) * steps, m.exp(m.real(one.width))
        points = accumulate(range(len(masses)), lambda ratio, _: ratio * growth, initial=m.exp(start))
        m.real(0)
        ratios = accumulate((mass * ratio for mass, ratio in zip(masses, points, strict=False)), initial=m.real(0))
        return Puts(m, start, one.width, masses, list(accumulate(masses, initial=0)), list(ratios), m.real(2) ** bits)

    def at(self, k: Real) -> Real:
        """put(k). The points within one step of k are added one by one: doubles tell the others from them."""
        m = self.m
        k = m.real(k)
        near = math.floor(float((k - self.start) / self.width))
        whole = min(max(near - 1, 0), len(self.masses))
        ratio = m.exp(k)
        found = self.counts[whole] * ratio - self.ratios[whole]
        for j in range(whole, min(max(near + 2, 0), len(self.masses))):
            found += self.masses[j] * m.max(m.real(0), ratio - m.exp(self.start + j * m.real(self.width)))
        return found / self.scale


@dataclass(frozen=True)
class Curve:
    """delta as a function of epsilon, up to the epsilon that it was made for."""

    m: ArbNumbers
    top: Real
    log_small: float
    above: Puts
    below: Puts

    def largest(self, epsilon: Real, pairs: Sequence[Pair]) -> tuple[Real, Real]:
        """A lower and an upper bound on the largest delta of the pairs."""
        m = self.m
        eps, zero = m.real(epsilon), m.real(0)

        def at(puts: Puts) -> Real:
            found = (m.exp(eps) * puts.at(-eps) if pair is Pair.ADD else puts.at(eps) - m.expm1(eps) for pair in pairs)
            return m.max(zero, *found)

        return at(self.below).lower(), m.min(m.real(1), at(self.above)).upper()


def curve(run: Run, top: Real, size: int, log_small: float) -> Curve:
    """On grids of `size` points, for every epsilon up to `top`; what is rounded adds up to at most about e^log_small.

    A rounding adds 2^-bits to each of `size` masses, 2 T products and T steps pass it on, and e^epsilon multiplies it.
    """
    rounded = math.log(4 * run.steps * size) + float(top) - log_small
    bits = max(64, math.ceil(rounded / math.log(2)))
    m = ArbNumbers(2 * bits + 64)
    mu, q = run.numbers(m)
    step = Step(mu, q, bits)
    width = float(top - run.steps * m.real(step.lowest())) / (size - 2)
    above, below = (
        Puts.of(m, grid(width, size - 1), run.steps, bits, up) for grid, up in ((step.above, True), (step.below, False))
    )
    return Curve(m, top, log_small, above, below)


def delta(
    epsilon: object,
    mu: object,
    q: object,
    steps: int,
    pairs: Sequence[Pair],
    relative: float,
    most: int,
    widest: float = 1.0,
    asked: Real | None = None,
) -> Real:
    """Enclosure of the largest delta of the pairs, REMOVE or ADD, of relative width `relative` on at most so many points.

    Where `asked` is given, an enclosure that does not hold it is narrow enough.

    Domain   epsilon >= 0, mu > 0, 0 < q < 1, steps >= 1: as `composed`
    Raises   OutOfReachError where it is, or would be, wider than `widest` times what is asked for
    """
    run, m = Run(mu, q, steps), ArbNumbers(192)
    eps = m.real(epsilon)

    def found_on(made: Curve) -> Found:
        low, high = made.largest(eps, pairs)
        if asked is not None and (high <= asked or low > asked):
            return Found(m.ball(low, high), 0.0, eps)
        small = high <= m.exp(m.real(made.log_small)) / m.real(relative)
        return Found(m.ball(low, high), math.inf if small else float((high - low) / high) / relative, eps)

    return _refined(run, eps, FIRST_LOG, most, widest, found_on)


def epsilon(
    target: object, mu: object, q: object, steps: int, pairs: Sequence[Pair], relative: float, most: int, widest: float = 1.0
) -> Real:
    """Enclosure of the least epsilon >= 0 at which the largest delta of the pairs, REMOVE or ADD, is at most the target.

    Its width is at most `relative` max(epsilon, `FLOOR`).

    Domain   0 < target < 1, mu > 0, 0 < q < 1, steps >= 1: as `composed`
    Raises   OutOfReachError where it is, or would be, wider than `widest` times what is asked for
    """
    run, m = Run(mu, q, steps), ArbNumbers(192)
    asked = m.real(target)
    top = m.real(FLOOR).mid()

    def found_on(made: Curve) -> Found:
        def enough(eps: Real) -> bool:
            return bool(made.largest(eps, pairs)[1] <= asked)

        def refuted(eps: Real) -> bool:
            return bool(made.largest(eps, pairs)[0] > asked)

        if enough(m.real(0)):
            return Found(m.real(0), 0.0, top)
        if not enough(made.top):
            return Found(m.inf, math.inf, 4 * made.top)
        _, high = _turn(lambda eps: not enough(eps), made.top, relative)
        low = _turn(refuted, high, relative)[0] if refuted(m.real(0)) else m.real(0)
        aimed = relative * max(float(high), FLOOR)
        return Found(m.ball(low, high), float(high - low) / aimed, high)

    return _refined(run, top, float(m.log(asked * m.real(relative))) - 2, most, widest, found_on)


@dataclass(frozen=True)
class Found:
    """An enclosure, its width over what is asked for, and the epsilon up to which the next curve has to go."""

    value: Real
    excess: float
    top: Real


def _refined(run: Run, top: Real, log_small: float, most: int, widest: float, found_on: Callable[[Curve], Found]) -> Real:
    """What is found on finer and finer grids: widths fall with the square of the number of points, once they are fine."""
    size = FIRST_SIZE
    while True:
        found = found_on(curve(run, top, size, log_small))
        if found.excess <= 1 or (size == most and found.excess <= widest):
            return found.value
        if found.excess < math.inf:
            if size >= min(FINE, most) and found.excess * (size / most) ** 2 > widest:
                raise OutOfReachError(f"{run.steps} steps need a grid of more than {most} points")
            size = min(math.ceil(1.1 * size * math.sqrt(found.excess)), 16 * size, most)
        elif found.top <= top:
            log_small *= 2
        top = found.top
        if top > FARTHEST or log_small < SMALLEST:
            raise OutOfReachError(f"epsilon up to {float(top):.3g} and what is below e^{log_small:.3g} are out of reach")


def _turn(holds: Callable[[Real], bool], high: Real, relative: float) -> tuple[Real, Real]:
    """Points at which it holds and does not, of 0, where it does, and `high`, where it does not: near each other."""
    m = ArbNumbers(192)
    low = m.real(0)
    while high - low > m.real(relative) / 100 * high:
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high
