"""Maps over (epsilon, delta): at which points does a printed noise scale suffice, proved or refuted by enclosure?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from enum import StrEnum

from dpsco.audit.calibration.formulas import Printed, quantities
from dpsco.audit.calibration.mechanism import Mechanism
from dpsco.audit.calibration.solver import holds
from dpsco.reference.numbers.inversion import OutOfReachError
from dpsco.spec.domain import Interval
from dpsco.spec.register import find

EPSILONS = ("0.001", "0.01", "0.1", "0.5", "1", "2", "5", "10", "20", "50", "100")
UP_TO_ONE = ("0.001", "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.99", "1")
DELTAS = ("0.9", "0.5", "0.1", "0.01", "1e-3", "1e-5", "1e-7", "1e-10", "1e-20", "1e-40")
DIGITS = 3


class Cell(StrEnum):
    """What is known at a point."""

    VALID = "valid"
    """The mechanism with the printed scale is (epsilon, delta)-DP: proved at this point."""
    REFUTED = "refuted"
    """It is not."""
    UNDECIDED = "undecided"
    OUTSIDE = "outside"
    """The claim does not speak of this point."""


@dataclass(frozen=True)
class Region:
    """The map of one formula. `largest` gives for each delta the largest valid epsilon between two of the columns, to three
    digits, with the next one that is not proved: None where all columns are valid, or not even the first that is admitted."""

    epsilons: Sequence[str]
    deltas: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    largest: Sequence[tuple[str, str] | None]


def decide(mechanism: Mechanism, row: Printed, epsilon: str, delta: str, fixed: Mapping[str, str]) -> Cell:
    """One point."""
    given = quantities(row, epsilon, delta, fixed)
    if given is None:
        return Cell.OUTSIDE
    try:
        found = holds(mechanism, given)
    except OutOfReachError:  # what is outside a domain stays an error: a formula or the table is wrong then
        return Cell.UNDECIDED
    return Cell.UNDECIDED if found is None else Cell.VALID if found else Cell.REFUTED


def axes(row: Printed) -> tuple[Sequence[str], Sequence[str]]:
    """Epsilons that the claim admits, and deltas."""
    domain = find(row.claim).parameter("epsilon").domain
    short = isinstance(domain, Interval) and domain.high == "1"
    return (UP_TO_ONE if short else EPSILONS), DELTAS


def region(
    mechanism: Mechanism,
    row: Printed,
    fixed: Mapping[str, str],
    *,
    epsilons: Sequence[str] | None = None,
    deltas: Sequence[str] | None = None,
    digits: int = DIGITS,
    at: Callable[[str], None] = lambda _: None,
) -> Region:
    """The map of one formula; `at` hears which delta is under way."""
    usual = axes(row)
    across, down = epsilons or usual[0], deltas or usual[1]
    cells, largest = [], []
    for delta in down:
        at(f"{row.claim}, delta {delta}")
        line = [decide(mechanism, row, epsilon, delta, fixed) for epsilon in across]
        cells.append(line)
        largest.append(_edge(mechanism, row, delta, fixed, across, line, digits))
    return Region(across, down, cells, largest)


def _edge(
    mechanism: Mechanism,
    row: Printed,
    delta: str,
    fixed: Mapping[str, str],
    across: Sequence[str],
    line: Sequence[Cell],
    digits: int,
) -> tuple[str, str] | None:
    """Between the last valid column and the next one: neighbouring decimals, the first of them certainly valid."""
    valid = [i for i, cell in enumerate(line) if cell is Cell.VALID]
    if not valid or valid[-1] + 1 == len(line) or line[valid[-1] + 1] is Cell.OUTSIDE:
        return None
    low, high = Decimal(across[valid[-1]]), Decimal(across[valid[-1] + 1])
    rounded = Context(prec=digits, rounding=ROUND_FLOOR)
    while True:
        middle = rounded.plus((low + high) / 2)
        if not low < middle < high:
            unit = Decimal(1).scaleb(low.adjusted() - digits + 1)
            middle = low + unit
            if not middle < high:
                return str(low), str(high)
        if decide(mechanism, row, str(middle), delta, fixed) is Cell.VALID:
            low = middle
        else:
            high = middle
