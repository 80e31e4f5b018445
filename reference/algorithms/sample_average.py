"""The order quantity that ignores features, literally: an order statistic, and the exact law of where it falls."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from dpsco.reference.literal import literal
from dpsco.spec.algorithms import sample_average as spec
from dpsco.spec.numbers import Numbers, Real


def rank(n: int, r: Fraction) -> int:
    """Which order statistic is the empirical r-quantile, the least y with at least n r records at or below it.

    ceil(n r)

    Domain   n >= 1, r in (0, 1), exact: n r in floating point may round up past an integer (0.07 * 100)
    Returns  an integer from 1 to n
    Raises   ValueError outside the domain
    Source   newsvendor, proof of Proposition EC.1
    """
    if n < 1:
        raise ValueError(f"n is a number of records, at least 1, got {n}")
    if not 0 < r < 1:
        raise ValueError(f"r is a quantile level in (0, 1), got {r}")
    return ceil(n * r)


def order_quantity(demands: Sequence[Any], r: Fraction) -> Any:
    """The empirical r-quantile of the demands.

    the ceil(n r)-th smallest

    Domain   at least one demand; r in (0, 1)
    Returns  one of the demands, in their unit
    Raises   ValueError outside the domain
    Source   newsvendor, Proposition EC.1 and Theorem 8
    """
    return sorted(demands)[rank(len(demands), r) - 1]


@literal(spec.empirical_quantile)
def empirical_quantile(m: Numbers, y: Any, r: Real) -> Real:
    n = len(y)
    if n < 1 or not (m.gt(r, 0) and m.lt(r, 1)):
        raise ValueError(f"at least one demand and a level r in (0, 1), got {n} demands and r={r}")
    enough = [t for t in y if m.ge(sum(1 for s in y if m.le(s, t)), n * r)]
    return m.min(*enough) if len(enough) > 1 else enough[0]


def at_most(m: Numbers, n: int, p: Real, k: int) -> Real:
    """Pr[Binomial(n, p) <= k].

    sum over j <= k of (n choose j) p^j (1 - p)^(n - j), each term from the one before

    Domain   n >= 1, p in [0, 1), k an integer (below 0 the empty sum)
    Returns  a probability
    Raises   ValueError for n < 1
    """
    if n < 1:
        raise ValueError(f"n is a number of trials, at least 1, got {n}")
    total, term = m.real(0), (m.real(1) - p) ** n
    for j in range(min(k, n) + 1):
        total += term
        term = term * (n - j) / (j + 1) * p / (1 - p)
    return total


def above(m: Numbers, n: int, r: Fraction, p: Real) -> Real:
    """Pr[order quantity >= Q] for a continuous law with F(Q) = p: fewer than ceil(n r) demands lie below Q.

    Pr[Binomial(n, p) <= ceil(n r) - 1]

    Domain   as `rank`; p in [0, 1)
    Returns  a probability
    Raises   as `rank`
    Source   newsvendor, proof of Theorem 8
    """
    return at_most(m, n, p, rank(n, r) - 1)
