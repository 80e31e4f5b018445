"""The packing construction of the predict-then-optimize lower bounds, literally, on the set S = {w >= -1}.

The data set D^(j) holds n copies of the cost e_j with the all-ones feature vector; predictions enter as c_hat = Bhat 1.
"""

from collections.abc import Sequence
from typing import TypeAlias

from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]


def unit(m: Numbers, d: int, j: int) -> list[Real]:
    """e_j in R^d, j counted from 0; ValueError for a place that is not there.

    Domain   d >= 1, 0 <= j < d
    Returns  d numbers (cost)
    """
    if not 0 <= j < d:
        raise ValueError(f"j={j}: must be one of 0, ..., {d - 1}")
    return [m.real(int(k == j)) for k in range(d)]


def packed(m: Numbers, d: int, n: int) -> list[list[list[Real]]]:
    """The costs of D^(1), ..., D^(d), n each.

    Domain   d >= 1, n >= 1
    Returns  d data sets of n vectors of d numbers (cost)
    Source   spo, Appendix D, Part II
    """
    return [[unit(m, d, j) for _ in range(n)] for j in range(d)]


def decide(m: Numbers, c: Vector) -> list[Real]:
    """w*(c) = -c for a packed cost: -1 where the cost is 1, and 0, one of many choices, where it is 0.

    Returns  d numbers (decision)
    Source   spo, Appendix D, Part I
    """
    return [-a for a in c]


def spo_plus(m: Numbers, c: Vector, c_hat: Vector, w_star: Vector, reach: Real) -> Real:
    """The SPO+ loss on the box [-1, reach]^d: that on S where 2 c_hat >= c, elsewhere a lower bound that grows with reach.

    max over w of (c - 2 c_hat)'w + 2 c_hat'w*(c) - c'w*(c)

    Domain   c, c_hat, w_star: d numbers; reach >= -1 (decision)
    Returns  loss
    Source   spo, Definition 5
    """
    slopes = [a - 2 * b for a, b in zip(c, c_hat, strict=True)]
    largest = sum((m.max(-s, reach * s) for s in slopes), start=m.real(0))
    return largest + 2 * m.dot(c_hat, w_star) - m.dot(c, w_star)


def risk(m: Numbers, costs: Sequence[Vector], c_hat: Vector, reach: Real) -> Real:
    """Mean SPO+ loss of one prediction over a data set with a common feature vector; see `spo_plus` for `reach`."""
    losses = [spo_plus(m, c, c_hat, decide(m, c), reach) for c in costs]
    return sum(losses[1:], start=losses[0]) / len(losses)


def half_of_largest(m: Numbers, costs: Sequence[Vector], share: Real) -> list[Real]:
    """`share` times the coordinatewise largest cost; at share = 1/2 the least prediction with 2 c_hat >= c for every record."""
    return [share * m.max(*column) for column in zip(*costs, strict=True)]


def chance_of_right(m: Numbers, d: Real, n: Real, epsilon: Real) -> Real:
    """Probability that the exponential mechanism names the cost of a packed data set.

    e^(epsilon n/2)/(e^(epsilon n/2) + d - 1): weights e^(epsilon N_k/2), N_k the records with cost e_k

    Domain   d >= 1, n >= 1, epsilon > 0
    Returns  a probability; the mechanism is epsilon-DP, as replacing a record moves two counts by 1
    """
    return 1 / (1 + (d - 1) * m.exp(-epsilon * n / 2))
