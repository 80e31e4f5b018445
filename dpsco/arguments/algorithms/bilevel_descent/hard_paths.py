"""Objectives on which private descent provably keeps a large gradient: noise at rest, and a long slope.

Both are one-dimensional, f(x, y, z) = h(x) for every record and g = y^2/2, so that Phi_Z = h, the query is exact and bias is
zero. h is beta x^2/2 up to |x| = R and linear beyond. eta = 1/(2 beta) throughout.
"""

from dataclasses import dataclass

from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

REST = Lemma(
    "noise at rest",
    "h = beta x^2/2 up to |x| = L/beta, of slope L beyond; x_0 = 0, so the gap is 0. While every noise u_s is at most L in "
    "size, so is the gradient, and g_{t+1} = (g_t - u_t)/2: normal with variance v_t = sigma^2 (1 - 4^-t)/3. So E g_t^2 >= v_t "
    "- sqrt(3 p) v_t and E|g_t| >= sqrt(2 v_t/pi) - sqrt(p v_t), p = 2 T Phi(-L/sigma), by Cauchy and Schwarz.",
)
FIRST = Lemma(
    "one step off rest",
    "x_1 has the gradient (g_0 - u_0)/2 cut at L in size, |g_0| <= L. The mean of a symmetric function that grows with |g| is "
    "least at g_0 = 0 (Anderson): whatever the gap, E|grad h(x_1)| >= E min(sigma |N|/2, L), N standard normal.",
)
SLOPE = Lemma(
    "long slope",
    "h of slope g <= L beyond |x| = g/beta, started T eta g + 6 eta sigma sqrt(T) further out: the gap is g^2/(2 beta) + T eta "
    "g^2 + 6 eta sigma sqrt(T) g. The noise adds up to more than 6 sigma sqrt(T) in one direction at some time with "
    "probability at most 2 Phi(-6) (reflection): else |grad h| = g at x_0, ..., x_T.",
)
WIDTH = 6
SETTLED = 30
"""From this step on the variance at rest is as good as its limit: it grows with the step."""


@dataclass(frozen=True)
class Kept:
    """Lower bounds on the mean of |grad h| and of |grad h|^2 over the iterates that the output is drawn from."""

    norm: Real
    square: Real


def at_rest(m: Numbers, T: int, sigma: Real, L: Real, from_start: bool) -> Kept:
    """Noise at rest, T steps; the output among x_0, ..., x_{T-1} or among x_1, ..., x_T."""
    p = 2 * T * m.Phi(-L / sigma)
    first = 0 if from_start else 1
    variances = [sigma**2 * (1 - m.frac(1, 4**t)) / 3 for t in range(first, min(first + T, SETTLED))]
    last, long = sigma**2 * (1 - m.frac(1, 4**SETTLED)) / 3, max(0, first + T - SETTLED)
    squares = sum(variances, m.real(0)) + long * last
    norms = sum((m.sqrt(v) for v in variances), m.real(0)) + long * m.sqrt(last)
    return Kept((m.sqrt(2 / m.pi) - m.sqrt(p)) * norms / T, (1 - m.sqrt(3 * p)) * squares / T)


def after_one_step(m: Numbers, sigma: Real, L: Real) -> Real:
    """E min(sigma |N|/2, L): the integral of P(sigma |N|/2 > t) over 0 < t < L."""
    cut = 2 * L / sigma
    return sigma * (m.phi(m.real(0)) - m.phi(cut)) + 2 * L * m.Phi(-cut)


def slope(m: Numbers, T: int, sigma: Real, beta: Real, gap: Real) -> Real:
    """The slope g of the long slope with this gap: the positive root of a g^2 + b g = gap."""
    a = (1 + m.real(T)) / (2 * beta)
    b = WIDTH * sigma * m.sqrt(m.real(T)) / (2 * beta)
    return 2 * gap / (b + m.sqrt(b**2 + 4 * a * gap))


def on_a_slope(m: Numbers, T: int, sigma: Real, beta: Real, gap: Real, L: Real) -> Kept:
    """The long slope with this gap; nothing where its slope would exceed L."""
    g = slope(m, T, sigma, beta, gap)
    if m.le(g, L) is not True:
        return Kept(m.real(0), m.real(0))
    inside = 1 - 2 * m.Phi(m.real(-WIDTH))
    return Kept(g * inside, g**2 * inside)
