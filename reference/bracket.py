"""Bisection with certain answers: a bracket whose ends were both decided."""

from collections.abc import Callable
from dataclasses import dataclass

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.spec.numbers import Real

BITS = 256


@dataclass(frozen=True)
class Bracket:
    """Exact points with the answer yes at `low` and no at `high`."""

    low: Real
    high: Real

    def ball(self) -> Real:
        """The smallest ball that holds the bracket."""
        return ArbNumbers(BITS).ball(self.low, self.high)


def bracket(below: Callable[[Real], bool | None], start: Real, relative_bits: int = 84) -> Bracket:
    """Where a decreasing condition on x > 0 turns from yes to no, to a relative width of 2^-relative_bits.

    `below(x)` answers True while x is under the turning point, False beyond it, None where undecided; undecided points
    stop the bisection early, so that the bracket stays proved. ValueError if no sign change is found in [2^-1100, 2^1100].
    """
    m = ArbNumbers(BITS)
    low = high = m.real(start).mid()
    for _ in range(1100):
        if below(low) is True:
            break
        low = low / 2
    else:
        raise ValueError("the condition holds at no x > 2^-1100")
    for _ in range(1100):
        if below(high) is False:
            break
        high = high * 2
    else:
        raise ValueError("the condition holds at every x < 2^1100")
    while (m.real(high) - low) > low * m.real(2) ** -relative_bits:
        # geometric steps while the ends are far apart, arithmetic ones after
        middle = (m.sqrt(low * high) if high > 4 * low else (m.real(low) + high) / 2).mid()
        answer = below(middle)
        if answer is None:
            break
        low, high = (middle, high) if answer else (low, middle)
    return Bracket(low, high)


def least(enough: Callable[[Real], bool | None]) -> Real:
    """Enclosure of the least x >= 0 from which on a condition holds; exactly 0 only where it is proved to hold there.

    `enough(x)` answers True beyond the turning point, False before it, None where undecided; where it is undecided at 0, or
    down to 2^-1100, the ball begins at 0 and ends at a proved point. ValueError if it is proved at no x <= 2^1100.
    """
    m = ArbNumbers(BITS)
    at_zero, high = enough(m.real(0)), m.real(1)
    if at_zero is True:
        return m.real(0)
    for _ in range(1100):
        if enough(high) is True:
            break
        high = high * 2
    else:
        raise ValueError("the condition is proved at no x < 2^1100")
    for _ in range(1100):
        if enough(high / 2) is not True:
            break
        high = high / 2
    else:
        return m.ball(0, high)
    if at_zero is None:
        return m.ball(0, high)

    def below(x: Real) -> bool | None:
        answer = enough(x)
        return None if answer is None else not answer

    return bracket(below, high).ball()
