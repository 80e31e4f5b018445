"""Whether a value lies in the range that its contract declares (see `dpsco.spec.contract`)."""

import math
import sys
from collections.abc import Iterator, Mapping, Sequence

from dpsco.reference.numbers.mp import mp
from dpsco.regression.values import promoted, rows
from dpsco.spec.contract import Contract, End, Range
from dpsco.spec.numbers import Numbers, Real, names_of

DIGITS = 80
"""Of the ends that a kernel's values are compared with."""
ROUNDING = 2.0**-50
"""Room, relative, of a kernel's values at an end that is no double, or of a norm; four times the least double at least."""


class OutOfRangeError(ArithmeticError):
    """A value that calls itself exact lies outside of its contract's range. No budget makes that right."""


def hold(contract: Contract, m: Numbers, given: Mapping[str, object], value: object, margins: Sequence[Real]) -> None:
    """Raise OutOfRangeError where an exact value is outside by more than its margin, what its certain digits leave open.

    `given` are the inputs as numbers of m; margins: for each number of the value.
    """
    rest = iter(margins)
    for held, part in zip(contract.ranges, parts(contract, value), strict=True):
        low, high = (_end(m, end, given) for end in (held.low, held.high))
        for x, margin in _measured(m, held, part, rest):
            above = x > low - margin if held.low_open else x >= low - margin
            below = x < high + margin if held.high_open else x <= high + margin
            if not (above and below):
                raise OutOfRangeError(f"the reference's value {_said(m, held, x)} is outside of {_shown(m, held, low, high)}")


def outside(contract: Contract, inputs: Mapping[str, object], value: object) -> str:
    """A sentence about the first of a kernel's numbers outside of its range; none where all lie inside.

    Open ends count as inside, since doubles are rounded. An end that is a double binds exactly. To one that is none, and for a
    norm, there is room for rounding.
    """
    m = mp(DIGITS)
    given = promoted(m, inputs)
    try:
        pairs = list(zip(contract.ranges, parts(contract, value), strict=True))
    except (TypeError, ValueError):
        return f"{len(contract.ranges)} outputs are promised, {value!r} was returned"
    for held, part in pairs:
        low, high = (_end(m, end, given) for end in (held.low, held.high))
        least, most = low - _room(m, held, low), high + _room(m, held, high)
        for x, _ in _measured(m, held, part, None):
            if not least <= x <= most:
                return f"{_said(m, held, x)} is outside of {_shown(m, held, low, high)}"
    return ""


def parts(contract: Contract, value: object) -> Sequence[object]:
    """The outputs: the value itself where there is one."""
    return (value,) if len(contract.ranges) == 1 else tuple(value)  # type: ignore[arg-type]


def _measured(m: Numbers, held: Range, part: object, margins: Iterator[Real] | None) -> Iterator[tuple[Real, Real]]:
    """What the ends are about, each with its margin: every number, or the norm of every row."""
    for row in rows(part):
        numbers = [m.real(float(x)) if margins is None else x for x in row]
        room = [m.real(0) if margins is None else next(margins) for _ in row]
        if held.norm:
            yield m.norm(numbers), m.norm(room)
        else:
            yield from zip(numbers, room, strict=True)


def _end(m: Numbers, end: End, given: Mapping[str, object]) -> Real:
    return m.real(end if isinstance(end, str) else end(m, **{name: given[name] for name in names_of(end)}))


def _room(m: Numbers, held: Range, end: Real) -> Real:
    if not abs(end) < m.inf:
        return m.real(0)
    rounded = held.norm or m.real(float(end)) != end
    return max(abs(end), m.real(sys.float_info.min)) * m.real(ROUNDING) if rounded else m.real(0)


def _said(m: Numbers, held: Range, x: Real) -> str:
    return f"{'of norm ' if held.norm else ''}{_number(m, x)}"


def _shown(m: Numbers, held: Range, low: Real, high: Real) -> str:
    start, stop = "(" if held.low_open else "[", ")" if held.high_open else "]"
    return f"{start}{_number(m, low)}, {_number(m, high)}{stop}"


def _number(m: Numbers, x: Real) -> str:
    return str(m.mp.nstr(x, 17)) if math.isfinite(x) or abs(x) < m.inf else str(x)  # type: ignore[attr-defined]
