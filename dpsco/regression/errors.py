"""The error of a double result against the exact value, in the metric of a contract (see `dpsco.spec.contract`)."""

import math
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from dpsco.reference.numbers.mp import mp
from dpsco.regression.ranges import hold
from dpsco.regression.values import Shape, flat, nested, promoted, shape
from dpsco.spec.contract import SUBOPTIMALITY, SUM_SCALED, ULPS, Contract
from dpsco.spec.numbers import Numbers, Real

DIGITS = (50, 80, 130, 210, 340, 550, 890, 1440, 2330)
"""Precisions tried: a value is taken when two in a row agree."""
WIDE = 550
"""Doubles span 616 decades: where inputs do, low precisions may agree on what is left after a total cancellation. So values
of contracts over scalars are confirmed with this many digits, and values that come out as exactly zero with more."""
WIDEST = (80, *(digits for digits in DIGITS if digits >= WIDE))
AGREE = 20
"""Digits to which they must agree."""
SMALLEST, LARGEST = -1074, 1023
"""Binary exponents of the smallest and the largest doubles."""

Reference = Callable[..., Any]
Entries = list[tuple[float, Any, Real]]
Exact = list[tuple[Real, Real]]
"""For each entry: the exact value, and the size against which its error is measured (0 where the value itself is)."""


def error(contract: Contract, reference: Reference, inputs: Mapping[str, object], result: object) -> float:
    """The error of `result`, in the contract's metric; infinite for a wrong shape, a NaN or a wrong infinity.

    Raises  OutOfRangeError where the reference's value, a NaN for example, lies outside of the contract's range
    """
    if contract.metric == SUBOPTIMALITY:
        return suboptimality(reference, inputs, result)
    if contract.metric not in (ULPS, SUM_SCALED):
        raise ValueError(f"{contract.id} has the unknown metric {contract.metric!r}")
    found = entries(contract, reference, inputs, result)
    return math.inf if found is None else max((off for off, _, _ in found), default=0.0)


def entries(contract: Contract, reference: Reference, inputs: Mapping[str, object], result: object) -> Entries | None:
    """For each number of a result: its error in the contract's metric, the number, the exact value; None for a wrong shape.

    Raises  as `exact`
    """
    wanted, known = exact(contract, reference, inputs)
    if shape(result) != wanted:
        return None
    pairs = zip(flat(result), known, strict=True)
    if contract.metric == SUM_SCALED:
        return [(sum_scaled(x, value, size), x, value) for x, (value, size) in pairs]
    return [(ulps(x, value, contract.floor), x, value) for x, (value, _) in pairs]


def ulps(given: object, value: Real, floor: float = 0.0) -> float:
    """|given - value| in units of the last place of `value`, or of `floor` if that is larger.

    Below the smallest normal double the unit is 2^-1074. A value beyond the largest double must be given as infinite.
    """
    m = mp(DIGITS[1])
    special = _special(m, given, value)
    if special is not None:
        return special
    size = max(abs(value), m.real(floor))
    unit = m.real(2) ** max(_exponent(m, size) - 52, SMALLEST)
    return float(abs(m.real(_double(given)) - value) / unit)


def sum_scaled(given: object, value: Real, size: Real) -> float:
    """|given - value| over the sum of |terms|, in units of 2^-53 (at least 2^-1074); a sum of no size must be given exactly."""
    m = mp(DIGITS[1])
    special = _special(m, given, value)
    if special is not None:
        return special
    off = abs(m.real(_double(given)) - value)
    if size == 0 or off == 0:
        return 0.0 if off == 0 else math.inf
    return float(off / max(abs(size) * m.real(2) ** -53, m.real(2) ** SMALLEST))


def suboptimality(reference: Reference, inputs: Mapping[str, object], result: object) -> float:
    """What the reference's room says of the point: norm of the objective's gradient there over the tolerance asked for."""
    room = import_module(reference.__module__)
    answer = result if isinstance(result, tuple) else (result,)
    if not all(math.isfinite(_double(x)) for x in flat(answer[0])):
        return math.inf
    low, high = (room.suboptimality(mp(digits), inputs, answer) for digits in DIGITS[:2])
    if not _close(low, high, mp().real(1)):
        raise ValueError(f"the gradient has no {AGREE} certain digits with {DIGITS[1]} digits of working precision")
    return float(high)


def exact(contract: Contract, reference: Reference, inputs: Mapping[str, object], agree: int = AGREE) -> tuple[Shape, Exact]:
    """How the exact value is nested, and its numbers, certain to `agree` digits.

    Raises  ValueError where the metric is about a point that is not determined, or where there are no certain digits;
            OutOfRangeError where the reference's value lies outside of the contract's range
    """
    if contract.metric not in (ULPS, SUM_SCALED):
        raise ValueError(f"{contract.id} is measured by {contract.metric}: its values are not determined to the last digit")
    digits = DIGITS if contract.generate else WIDEST
    wanted, known = agreed(reference, inputs, contract.metric == SUM_SCALED, contract.floor, digits, agree)
    m = mp(DIGITS[1])
    uncertain = m.real(10) ** -agree
    margins = [uncertain * max(abs(value), abs(size), m.real(contract.floor)) for value, size in known]
    hold(contract, m, promoted(m, inputs), nested(wanted, (value for value, _ in known)), margins)
    return wanted, known


def agreed(
    reference: Reference, inputs: Mapping[str, object], scaled: bool, floor: float, digits: Sequence[int], agree: int = AGREE
) -> tuple[Shape, Exact]:
    """The exact values and their shape: at two working precisions the same to `agree` digits; precision is raised until so."""
    last: Exact | None = None
    for working in digits:
        m = mp(working)
        found = reference(m, **promoted(m, inputs))
        value, sizes = found if scaled else (found, None)
        values = flat(value)
        scales = [m.real(0)] * len(values) if sizes is None else flat(sizes)
        if len(scales) == 1:
            scales = scales * len(values)
        if len(scales) != len(values):
            raise ValueError(f"the reference gives {len(values)} values and {len(scales)} sizes of terms")
        now = list(zip(values, scales, strict=True))
        if last is not None and len(now) == len(last):
            pairs = zip(last, now, strict=True)
            if all(_close(x, y, max(abs(size), m.real(floor)), working > WIDE, agree) for (x, _), (y, size) in pairs):
                return shape(value), now
        last = now
    raise ValueError(f"the reference has no {agree} certain digits with {digits[-1]} digits of working precision")


def _double(given: object) -> float:
    return float(given)  # type: ignore[arg-type]


def _exponent(m: Numbers, size: Real) -> int:
    """floor(log2(size)), the smallest exponent of a double for zero."""
    return int(m.mp.frexp(size)[1]) - 1 if size else SMALLEST  # type: ignore[attr-defined]


def _special(m: Numbers, given: object, value: Real) -> float | None:
    """The error where the value or what is given is no finite double, None where both are."""
    double = _double(given)
    if value != value or double != double:
        return math.inf
    if abs(value) >= m.real(2) ** LARGEST * (2 - m.real(2) ** -53):
        return 0.0 if double == math.copysign(math.inf, value) else math.inf
    return math.inf if math.isinf(double) else None


def _close(x: Real, y: Real, size: Real, zero: bool = True, agree: int = AGREE) -> bool:
    if y == 0 and size == 0 and not zero:
        return False
    if x == y or (x != x and y != y):
        return True
    if not (abs(x) < mp().inf and abs(y) < mp().inf):
        return False
    return bool(abs(x - y) <= max(abs(y), size) * mp().real(10) ** -agree)
