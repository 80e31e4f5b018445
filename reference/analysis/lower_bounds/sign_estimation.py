"""The least worst-case error of private sign vectors on small instances, exactly: a linear program over symmetric estimators.

The error and the notion of neighbours do not change when rows or columns are permuted, or a column and its answer change
sign; so some best estimator is symmetric, and Pr[answer o on X] is a function of X with its columns times o, up to
permutations.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product

from dpsco.reference.numbers.linear_program import minimise

Rows = tuple[tuple[int, ...], ...]


def least_error(n: int, d: int, factor: Fraction, delta: Fraction) -> Fraction:
    """Least over (ln factor, delta)-DP maps from n sign rows to sign vectors of the largest expected sign error, replace-one.

    error = sum_j |mean_j| 1{sign(mean_j) wrong}, in units of the rows' entry

    Domain   n, d of 1, 2, 3; factor = e^epsilon >= 1; delta in [0, 1]
    Returns  the exact value, proved by a dual solution
    Raises   ValueError where factor < 1 or delta is no probability
    """
    if factor < 1 or not 0 <= delta <= 1:
        raise ValueError(f"factor must be at least 1 and delta in [0, 1], got {factor} and {delta}")
    inputs = sorted({_canonical((x,))[0] for x in product(product((-1, 1), repeat=d), repeat=n)})
    answers = list(product((-1, 1), repeat=d))
    columns: dict[object, int] = {"largest": 0}
    below: list[dict[int, Fraction]] = []
    bounds: list[Fraction] = []
    equal = []

    def column(name: object) -> int:
        return columns.setdefault(name, len(columns))

    for x in inputs:
        told = [_canonical((_times(x, o),))[0] for o in answers]
        equal.append(_sum((column(y), Fraction(1)) for y in told))
        below.append(_sum([*((column(y), _weight(y)) for y in told), (0, Fraction(-1))]))
        bounds.append(Fraction(0))
    pairs = {_canonical((_times(x, o), _times(z, o))) for x in inputs for z in _neighbours(x) for o in answers}
    for y, z in sorted(pairs):
        one, other = column(_canonical((y,))[0]), column(_canonical((z,))[0])
        row = [(one, Fraction(1)), (other, -factor)]
        below.append(_sum([*row, (column((y, z)), Fraction(-1))] if delta else row))
        bounds.append(Fraction(0))
    if delta:
        for x in inputs:
            for z in _neighbours(x):
                below.append(_sum((column(_canonical((_times(x, o), _times(z, o)))), Fraction(1)) for o in answers))
                bounds.append(delta)
    kept = list(dict.fromkeys((tuple(sorted(row.items())), b) for row, b in zip(below, bounds, strict=True)))
    cost = [Fraction(i == 0) for i in range(len(columns))]
    found = minimise(
        cost,
        [_dense(dict(row), len(cost)) for row, _ in kept],
        [b for _, b in kept],
        [_dense(row, len(cost)) for row in equal],
        [Fraction(1)] * len(equal),
    )
    return found.value


def _sum(entries: object) -> dict[int, Fraction]:
    total: dict[int, Fraction] = {}
    for i, value in entries:  # type: ignore[attr-defined]
        total[i] = total.get(i, Fraction(0)) + value
    return total


def _dense(row: dict[int, Fraction], length: int) -> list[Fraction]:
    return [row.get(i, Fraction(0)) for i in range(length)]


def _times(x: Rows, o: tuple[int, ...]) -> Rows:
    return tuple(tuple(a * b for a, b in zip(row, o, strict=True)) for row in x)


def _weight(y: Rows) -> Fraction:
    """Error of the answer 1, ..., 1 on y."""
    return sum((Fraction(-sum(column), len(y)) for column in zip(*y, strict=True) if sum(column) < 0), Fraction(0))


def _neighbours(x: Rows) -> Iterator[Rows]:
    """Every x with its i-th row replaced."""
    for i in range(len(x)):
        for row in product((-1, 1), repeat=len(x[0])):
            if row != x[i]:
                yield (*x[:i], row, *x[i + 1 :])


@cache
def _canonical(several: tuple[Rows, ...]) -> tuple[Rows, ...]:
    """The first, in lexical order, of the versions with rows and columns permuted, the same in each of `several`."""
    n, d = len(several[0]), len(several[0][0])
    return min(
        tuple(tuple(tuple(x[i][j] for j in columns) for i in rows) for x in several)
        for rows in permutations(range(n))
        for columns in permutations(range(d))
    )
