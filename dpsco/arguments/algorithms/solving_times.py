"""Table 2 of the quantile paper as intervals: a mean that is printed with one decimal lies within 0.05 of it."""

from collections.abc import Iterable
from fractions import Fraction

from dpsco.spec.algorithms.experiments.quantile_simulations import ALGORITHMS, SOLVING_TIMES

SIZES = (100, 1000, 5000)
COLUMNS = tuple((d, n) for d in (3, 51) for n in SIZES)
OURS, BASELINE = "objective perturbation", "non-private"
PRIVATE = tuple(name for name in ALGORITHMS if name not in (OURS, BASELINE))
ITERATIVE = ("dp-sgd", "sgd without smoothing", "moreau")
HALF = Fraction(1, 20)
Interval = tuple[Fraction, Fraction]


def printed(method: str, column: tuple[int, int]) -> str:
    """The mean as printed."""
    d, n = column
    return SOLVING_TIMES[d, method][SIZES.index(n)][0]


def mean_time(method: str, column: tuple[int, int]) -> Interval:
    """Where the mean lies: half a unit of the last decimal about the printed one, not below 0."""
    mean = Fraction(printed(method, column))
    return max(mean - HALF, Fraction(0)), mean + HALF


def columns_where(methods: Iterable[str], faster: bool) -> list[tuple[str, tuple[int, int]]]:
    """The cells in which the method is certainly slower than objective perturbation (`faster`: certainly faster)."""
    found = []
    for method in methods:
        for column in COLUMNS:
            ours, other = mean_time(OURS, column), mean_time(method, column)
            less, more = (other, ours) if faster else (ours, other)
            if less[1] < more[0]:
                found.append((method, column))
    return found


def growth(method: str, d: int, start: int = 1000, end: int = 5000) -> Interval:
    """The quotient of the mean times at n = end and n = start; the latter must be printed above 0."""
    many, few = mean_time(method, (d, end)), mean_time(method, (d, start))
    return many[0] / few[1], many[1] / few[0]
