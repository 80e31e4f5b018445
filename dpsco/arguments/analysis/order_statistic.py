"""Where an empirical quantile falls: counting demands below a point, the law of a normal median, Chernoff's bound."""

from dpsco.reference.algorithms.sample_average import at_most
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

COUNTED = Lemma(
    "counting demands below",
    "q_hat >= Q exactly where fewer than ceil(n r) demands lie below Q, so at most n r of them; q_hat <= Q exactly where at "
    "least ceil(n r) >= n r lie at or below it. F_y is continuous: both numbers are Binomial(n, F_y(Q)).",
)
CHERNOFF = Lemma(
    "Chernoff for Binomial(n, p)",
    "Pr[N <= n r] <= e^(l n r) E e^(-l N) = (e^(l r) (1 - p + p e^(-l)))^n for l >= 0; e^(-l) = r (1 - p)/(p (1 - r)), at "
    "most 1 for p >= r. The other tail for p <= r: the same with n - N, 1 - p and 1 - r.",
)
MONOTONE = Lemma(
    "farther is less likely",
    "d KL(r | p)/dp = (p - r)/(p (1 - p)): KL grows as p leaves r. For e < tau F_y(q* + e) >= r + s e and F_y(q* - e) <= "
    "r - s e.",
)
PINSKER = Lemma(
    "Pinsker for two chances",
    "KL(r | p) - 2 (r - p)^2 is 0 at p = r, and its slope in p is (p - r) (1 - 2p)^2/(p (1 - p)).",
)


def _whole(x: Real) -> int:
    return int(x.unique_fmpz())


def median_misses(m: Numbers, n: Real, distance: Real) -> Real:
    """Pr[|q_hat| >= distance] for N(0, 1) and r = 1/2, exactly."""
    size, p = _whole(n), m.Phi(distance)
    k = -(-size // 2)
    return at_most(m, size, p, k - 1) + at_most(m, size, p, size - k)


def below_level(m: Numbers, n: Real, r: Real, p: Real) -> Real:
    """Pr[Binomial(n, p) <= n r]."""
    return at_most(m, _whole(n), p, _whole(m.floor(n * r)))


def order_above(m: Numbers, n: Real, r: Real, p: Real) -> Real:
    """Pr[q_hat >= Q], F_y(Q) = p."""
    return at_most(m, _whole(n), p, _whole(m.ceil(n * r)) - 1)
