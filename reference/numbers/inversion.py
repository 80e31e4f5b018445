"""The expected excess of a sum of independent steps, E(e^S - e^k)_+, from the moments of one step: enclosed.

With M(s) = E e^{s Y} of one step's Y and T steps, for any c > 1,

    E(e^S - e^k)_+ = (1/2 pi) integral of M(s)^T e^{-(s-1) k} / (s (s-1)), s = c + i u, over real u.

The sum over u = j eta instead adds the same expectation at k + n period, n != 0, period = 2 pi / eta, times e^{(c-1) n period}:
all positive, and bounded by Chernoff. What is left out beyond the last u is bounded in `decay`.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import mul
from typing import Any, Protocol

import flint

from dpsco.reference.numbers.decay import Decay, Smooth
from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.spec.numbers import Real

AT_ONCE = 4096
"""Nodes of one matrix product: some tens of MiB."""


class OutOfReachError(ValueError):
    """Inside the domain, but the sums would be too long, or what is sought is beyond the doubles that plan them."""


@contextmanager
def planned() -> Iterator[None]:
    """Around what is planned in doubles, after the domain was checked: whatever fails there is out of reach, not wrong."""
    try:
        yield
    except (ValueError, ArithmeticError) as error:
        raise OutOfReachError(str(error)) from error


@dataclass(frozen=True)
class Nodes:
    """M(s) = sum of weight e^{s y}, to within `error` where Re s = c and |Im s| <= top; `tilted` its value at c."""

    weights: Sequence[Real]
    logs: Sequence[Real]
    error: Real
    tilted: Real


class Computed(Protocol):
    """What is computed in a context of its own."""

    @property
    def m(self) -> ArbNumbers:
        """The context of its numbers."""
        ...


class Law(Computed, Smooth, Protocol):
    """One step's Y: a finite positive measure, known through nodes, and as `decay` wants to know it."""

    def rough(self) -> Sequence[tuple[float, float]]:
        """Logarithms of weights, and values of Y: M in doubles, near enough to choose by."""
        ...

    def nodes(self, c: Real, top: Real, room: float = math.inf) -> Nodes | None:
        """The rule for the line at c, its error enclosed; None where it takes more than `room` nodes."""
        ...


@dataclass(frozen=True)
class Saddle:
    """In doubles: the c that about minimises the integrand, ln of the peak, standard deviation of the sum, ln of the answer."""

    c: float
    log_peak: float
    spread: float
    log_value: float


def saddle(law: Law, steps: int, k: float) -> Saddle:
    """Any c is right; this one is quick."""
    nodes = law.rough()

    def height(distance: float) -> float:
        c = 1 + distance
        return steps * _log_moment(nodes, c) - distance * k - math.log(c * distance)

    high = 1e-6
    while height(2 * high) < height(high) and high < 1e12:
        high *= 2
    low, high = high / 2, 2 * high
    for _ in range(40):
        first, second = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (low, second) if height(first) < height(second) else (first, high)
    away = (low + high) / 2
    c, log_moment = 1 + away, _log_moment(nodes, 1 + away)
    tilted = [(math.exp(w + c * y - log_moment), y) for w, y in nodes]
    mean = sum(p * y for p, y in tilted)
    spread = math.sqrt(steps * sum(p * (y - mean) ** 2 for p, y in tilted))
    log_peak = steps * log_moment - away * k
    return Saddle(c, log_peak, spread, log_peak - math.log(2 * c * away * (1 + spread * away)))


@dataclass(frozen=True)
class Transform:
    """M(c + i j eta)^T / (s (s-1)), j = 0, 1, ..., and bounds of the rest: right for every k, sharp near the one it is for."""

    law: Computed
    steps: int
    c: Real
    eta: Real
    values: Sequence[Any]
    power: Real
    """M(c)^T."""
    tail: Real
    """Of the integral of |M(s) / M(c)|^T / u^2 beyond the last u."""
    sides: tuple[tuple[Real, Real], ...]
    """Other c, and M(c)^T or more: one below, one above."""

    def at(self, k: Real) -> Real:
        """Enclosure of E(e^S - e^k)_+."""
        m = self.law.m
        k = m.real(k)
        flint.ctx.prec = m.bits
        turn, total = flint.acb(0, -self.eta * k).exp(), m.real(0)
        phase = flint.acb(1)
        for j, value in enumerate(self.values):
            phase = flint.acb(0, -j * self.eta * k).exp() if j % 32 == 0 else phase * turn
            total += (value * phase).real / (2 if j == 0 else 1)
        drop = m.exp(-(self.c - 1) * k)
        found = total * drop * self.eta / m.pi
        beyond = (self.power * drop * self.tail / m.pi).upper()
        alias = self.alias(k).upper()
        return m.max(m.real(0), m.ball((found - beyond - alias).lower(), (found + beyond).upper()))

    def alias(self, k: Real) -> Real:
        """Upper bound of what the sum adds: e^{(c-1) y} M(c2)^T e^{-(c2-1)(k + y)} over y = n period, c2 on the side of n."""
        m, total = self.law.m, self.law.m.real(0)
        period = 2 * m.pi / self.eta
        for other, power in self.sides:
            drop = m.exp(-m.abs(other - self.c) * period)
            total += power * m.exp(-(other - 1) * k) * drop / (1 - drop)
        return total


def transform(law: Law, steps: int, k: float, relative: float, most: float, log_value: float | None = None) -> Transform:
    """Of this relative width at k, where ln of the answer is about `log_value`: the saddle's, if it is not known.

    Raises   OutOfReachError where that would take more than `most` products: decided before any is made
    """
    m, at = law.m, saddle(law, steps, k)
    c = m.real(at.c)
    plain = law.nodes(c, m.real(0))
    assert plain is not None
    moment = m.ball(plain.tilted - plain.error, plain.tilted + plain.error)
    decay = Decay(law, steps, c, moment)
    reach = max(y for _, y in law.rough()) - min(y for _, y in law.rough())
    target = (at.log_value if log_value is None else log_value) - at.log_peak + math.log(relative / 10)
    period = _period(law, steps, k, at, target + at.log_peak)
    top = decay.top(at.spread, target)
    too_long = OutOfReachError(f"{steps} steps need more than {most:.3g} products for a relative width of {relative:.0e}")
    if top is None:
        raise too_long
    count = math.ceil(top * period / (2 * math.pi)) + 1
    eta = m.real(top / count)
    room = most / (count + 16 * math.sqrt(count))  # a power, and its place in a matrix, cost as much as eight products
    nodes = law.nodes(c, (count * eta).upper(), room) if top * reach < 6 * room else None  # pi nodes a turn at least
    if nodes is None:
        raise too_long
    values = []
    for j, value in enumerate(along(m, nodes, eta, count)):
        s = flint.acb(c, j * eta)
        values.append(value**steps / (s * (s - 1)))
    tail = decay.tail((count * eta).lower())
    sides = []
    for _, other in _sides(law, steps, k, at, float(2 * math.pi / eta)):
        beside = law.nodes(m.real(other), m.real(0))
        assert beside is not None
        sides.append((m.real(other), (beside.tilted + beside.error) ** steps))
    m.real(0)
    return Transform(law, steps, c, eta, values, moment**steps, tail, tuple(sides))


def along(m: ArbNumbers, nodes: Nodes, eta: Real, count: int) -> Iterator[Any]:
    """M(c + i j eta) for j = 0, ..., count: e^{i (a B + b) eta y} as a product of two matrices."""
    flint.ctx.prec = m.bits
    ring = flint.acb(m.ball(-nodes.error, nodes.error), m.ball(-nodes.error, nodes.error))
    block = max(1, math.isqrt(count + 1))
    rows = -(-(count + 1) // block)
    total = flint.acb_mat(rows, block)
    for first in range(0, len(nodes.logs), AT_ONCE):
        weights, logs = nodes.weights[first : first + AT_ONCE], nodes.logs[first : first + AT_ONCE]
        fine = _powers((flint.acb(0, eta * y).exp() for y in logs), [flint.acb(1)] * len(logs), block)
        coarse = _powers((flint.acb(0, block * eta * y).exp() for y in logs), map(flint.acb, weights), rows)
        total += flint.acb_mat(coarse).transpose() * flint.acb_mat(fine)
    for a in range(rows):
        for b in range(min(block, count + 1 - a * block)):
            flint.ctx.prec = m.bits
            yield total[a, b] + ring


def _powers(turns: Iterable[Any], starts: Iterable[Any], count: int) -> list[list[Any]]:
    """start turn^j, j = 0, ..., count - 1, a list for each turn."""
    return [list(accumulate(repeat(turn, count - 1), mul, initial=start)) for turn, start in zip(turns, starts, strict=True)]


def _log_moment(nodes: Sequence[tuple[float, float]], c: float) -> float:
    logs = [w + c * y for w, y in nodes]
    most = max(logs)
    return most + math.log(math.fsum(math.exp(x - most) for x in logs))


def _sides(law: Law, steps: int, k: float, at: Saddle, period: float) -> list[tuple[float, float]]:
    """For each side the ln of about the least of its bounds on the alias, and the c that gives it."""
    nodes, best = law.rough(), []
    for side in (-1, 1):
        found = (math.inf, 1.0)
        for j in range(32):
            away = 2 ** (j / 2 - 2) / period
            other = max(1.0, at.c - away) if side < 0 else at.c + away
            log_value = steps * _log_moment(nodes, other) - (other - 1) * k - abs(other - at.c) * period
            if log_value > found[0] + 1:
                break
            found = min(found, (log_value, other))
            if other == 1.0:
                break
        best.append(found)
    return best


def _period(law: Law, steps: int, k: float, at: Saddle, target: float) -> float:
    """A period for which the alias is about e^target."""
    low = 3 * at.spread + 0.2 / (at.c - 1)
    high, far = 2 * low, 1e7 * low
    while max(_sides(law, steps, k, at, high))[0] > target and high < far:
        low, high = high, 2 * high
    while high > 1.05 * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if max(_sides(law, steps, k, at, middle))[0] > target else (low, middle)
    return high
