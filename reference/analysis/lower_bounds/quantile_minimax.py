"""The hard data of the lower bound in exact arithmetic: sign rows, their labels, risks, minimisers and sign errors.

Rows are sign vectors s_i; the feature vectors are e s_i with the entry e = B_x/sqrt(d). All losses and errors are in units of
e, so that they are rational: y_i = half_width s_i'sign(mean), theta'x_i = theta's_i.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from dpsco.spec.numbers import Numbers, Real

Row = tuple[int, ...]
Rows = tuple[Row, ...]
POSITIVE_AT_ZERO: Final = 1
"""The sign of 0, which the papers leave open."""


def sign(t: Fraction | int) -> int:
    """1 for t >= 0, else -1."""
    return POSITIVE_AT_ZERO if t == 0 else (1 if t > 0 else -1)


def mean(rows: Rows) -> tuple[Fraction, ...]:
    """Average of the rows.

    Raises   ValueError where the rows are no signs of one length
    """
    if not rows or any(len(row) != len(rows[0]) or set(row) - {-1, 1} for row in rows):
        raise ValueError(f"rows must be sign vectors of one length, got {rows}")
    return tuple(Fraction(sum(column), len(rows)) for column in zip(*rows, strict=True))


def labels(rows: Rows, half_width: Fraction) -> tuple[Fraction, ...]:
    """y_i = half_width s_i'sign(mean)."""
    signs = [sign(t) for t in mean(rows)]
    return tuple(half_width * sum(a * b for a, b in zip(row, signs, strict=True)) for row in rows)


def records_changed(rows: Rows, others: Rows, half_width: Fraction) -> int:
    """In how many places the two data sets of rows with their labels differ."""
    one, two = (list(zip(x, labels(x, half_width), strict=True)) for x in (rows, others))
    return sum(a != b for a, b in zip(one, two, strict=True))


def empirical_risk(r: Fraction, theta: Sequence[Fraction], rows: Rows, half_width: Fraction) -> Fraction:
    """Mean check loss r u^+ + (1 - r) u^- of theta, u = y_i - theta's_i.

    Domain   r in (0, 1); theta of the rows' length
    Returns  the loss in units of e
    """
    losses = []
    for row, y in zip(rows, labels(rows, half_width), strict=True):
        u = y - sum((t * s for t, s in zip(theta, row, strict=True)), Fraction(0))
        losses.append(r * u if u > 0 else (r - 1) * u)
    return sum(losses, Fraction(0)) / len(rows)


def least_in_box(rows: Rows, half_width: Fraction) -> tuple[Fraction, ...]:
    """half_width sign(mean), of risk 0."""
    return tuple(half_width * sign(t) for t in mean(rows))


def least_loss_in_ball(m: Numbers, r: Real, B: Real, half_width: Real, d: Real) -> Real:
    """Least empirical risk over |theta|_2 <= B where all rows are equal, in units of e.

    y = half_width d; theta's is at most B sqrt(d), so the residual is at least max(half_width d - B sqrt(d), 0), reached.

    Source   the check loss grows with the residual on u >= 0
    """
    return r * m.max(half_width * d - B * m.sqrt(d), 0)


def sign_error(rows: Rows, answer: Sequence[Fraction | int]) -> Fraction:
    """sum_j |mean_j| 1{sign(mean_j) differs from sign(answer_j)}, in units of e."""
    return sum((abs(t) for t, a in zip(mean(rows), answer, strict=True) if sign(t) != sign(a)), Fraction(0))


def spread_bound(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real, r: Real) -> Real:
    """Lower bound on the excess risk of every (epsilon, delta)-DP answer in R^d, by d quantiles of one coordinate each.

    min(rho/(4 sqrt(d)), sqrt(d)/(16 n beta)), rho = min(r, 1 - r), beta = (e^epsilon - 1 + 2 delta)/(e^epsilon + 1)

    Returns  the risk in units of B B_x
    Source   features B_x e_j, labels +-B_x B/sqrt(d); coupled samples differ in 2 t n/d records on average: Assouad's lemma
             under privacy, Acharya, Sun and Zhang 2021
    """
    beta = (m.expm1(epsilon) + 2 * delta) / (m.exp(epsilon) + 1)
    return m.min(m.min(r, 1 - r) / (4 * m.sqrt(d)), m.sqrt(d) / (16 * n * beta))


def fingerprint_bound(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real, r: Real) -> Real:
    """Lower bound on the excess risk of every (epsilon, delta)-DP answer in the ball, by losses that are linear on it.

    (w/4) min(1, sqrt(d)/(2 n (sinh(epsilon) + 4 sqrt(d) delta))), w = max(r, 1 - r)

    Returns  the risk in units of B B_x
    Source   features with random means in [-1, 1]^d times B_x/sqrt(d), labels B B_x: fingerprints, Bun, Ullman and Vadhan
             2014, Steinke and Ullman 2016
    """
    told = (m.exp(epsilon) - m.exp(-epsilon)) / 2 + 4 * m.sqrt(d) * delta
    return m.max(r, 1 - r) / 4 * m.min(1, m.sqrt(d) / (2 * n * told))
