"""A kernel of one's own in doubles: density, tail and gap of each piece in powers of the room left to its end.

Near the last end all three vanish: there no digits are lost, as the room's lowest power leads.
"""

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, TypeAlias

import numpy as np

from dpsco.fast.kernel import kernel
from dpsco.spec.losses import polynomial_kernel as exact
from dpsco.spec.losses.polynomial_kernel import Polynomial, PolynomialKernel

Which: TypeAlias = Any
"""A kernel in compiled code: the int of a name, or a table."""
DENSITY, TAIL, GAP = range(3)


@kernel()
def polynomial_at(table: Any, what: int, t: float, dt: float) -> float:
    """Density, tail or gap (`what`) at |t + dt|."""
    a = abs(t)
    da = dt if t >= 0.0 else -dt
    length = (table.shape[1] - 1) // 3
    for i in range(table.shape[0]):
        room = (table[i, 0] - a) - da
        if room >= 0.0:
            total = 0.0
            for j in range(length - 1, -1, -1):
                total = total * room + table[i, 1 + what * length + j]
            return total
    return 0.0


def from_end(p: Polynomial, end: Fraction) -> Polynomial:
    """The coefficients of x -> p(end - x)."""
    powers = range(len(p))
    return tuple(
        (-1) ** k * sum((p[j] * comb(j, k) * end ** (j - k) for j in powers if j >= k), start=Fraction(0)) for k in powers
    )


def expansions(kernel: PolynomialKernel) -> list[tuple[Polynomial, Polynomial, Polynomial]]:
    """Density, tail and gap of each piece, in powers of the room left to its end."""
    each = zip(kernel.ends, kernel.pieces, exact.tails(kernel), exact.gaps(kernel), strict=True)
    return [(from_end(K, end), from_end(Q, end), from_end(G, end)) for end, K, Q, G in each]


@cache
def table(kernel: PolynomialKernel) -> Any:
    """A row for each piece: its end, then the coefficients of density, tail and gap, each padded with zeros to one length."""
    rows = expansions(kernel)
    length = max(len(p) for row in rows for p in row)
    found = np.zeros((len(rows), 1 + 3 * length))
    for i, (end, row) in enumerate(zip(kernel.ends, rows, strict=True)):
        found[i, 0] = end
        for what, p in enumerate(row):
            found[i, 1 + what * length : 1 + what * length + len(p)] = [float(c) for c in p]
    return found


def rounding(kernel: PolynomialKernel) -> float:
    """How far `polynomial_at` may lie from the tail, in units of 2^-53, the argument's own error not counted.

    Horner's rule on rounded coefficients: (2 length + 2) times the sum of |coefficient| room^k; and a rounded end and room:
    2 units of the end times K_bar.
    """
    most = Fraction(0)
    for (_, Q, _), (start, end) in zip(expansions(kernel), kernel.intervals, strict=True):
        size = sum((abs(c) * (end - start) ** k for k, c in enumerate(Q)), start=Fraction(0))
        most = max(most, (2 * len(Q) + 2) * size)
    return float(most + 2 * kernel.ends[-1] * kernel.pieces[0][0]) * (1 + 2.0**-50)
