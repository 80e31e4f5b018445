"""What is proved, and what is reached, by averaged noisy gradient descent from zero on the smoothed check loss.

L is the Lipschitz constant of a record's loss, T the number of iterates, all gradients have noise N(0, sigma^2 I); one record
drawn with replacement a step, or all records. The families that reach a value stand in the lemmas beside it.
"""

from collections.abc import Mapping

from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

NONEXPANSIVE = Lemma(
    "a gradient step is nonexpansive",
    "calK is nondecreasing and K_bar-Lipschitz, so the gradients of one record at two decisions differ by k x x'(theta - "
    "theta'), 0 <= k <= K_bar/h, and those of a mean by a symmetric matrix with eigenvalues in [0, beta]. A step takes the "
    "difference to (I - eta A)(theta - theta'), eigenvalues in [-1, 1] for eta <= 2/beta. The same noise cancels.",
)
DRAWN = Lemma(
    "coupled draws",
    "With the same draws and noise only a draw of the replaced record, of probability 1/n, lets the runs part by more, by at "
    "most 2 L eta: E|theta_t - theta_t'| <= 2 L eta (t - 1)/n, as theta_1 = theta_1' = 0. In the mean over t = 1..T that is L "
    "eta (T - 1)/n, which the triangle inequality gives to the averages.",
)
WHOLE = Lemma(
    "coupled full gradients",
    "The mean gradient is (n - 1)/n of the mean over the common records, a nonexpansive step, and 1/n of the replaced "
    "record's: the runs part by at most 2 L eta/n a step, |theta_t - theta_t'| <= 2 L eta (t - 1)/n for every noise; in the "
    "mean over t = 1..T that is L eta (T - 1)/n.",
)
OPPOSITE = Lemma(
    "opposite records far out",
    "Replace (x, y) by (-x, y), |x| = B_x, with y so far out on the side of the larger slope that every loss is affine with "
    "slope L wherever the iterates go (all records such): each draw of it, or each full step, moves the runs apart by 2 L eta, "
    "or 2 L eta/n, in one direction. What the noise makes of the tails tends to nothing as the outcomes grow, so that the "
    "bounds with t - 1 and T - 1 are approached, and times L by a test record of the same kind.",
)
EXCHANGE = Lemma(
    "stability bounds the generalisation gap",
    "For independent records z_1, ..., z_n, z' of one law, exchanging z_i and z' shows that E[population - empirical risk] is "
    "the mean over i of E[l(theta(D_i); z_i) - l(theta(D); z_i)] <= L E|theta(D_i) - theta(D)|. Differences of losses are "
    "bounded by L times distances, so that no moment of y is needed if the risk is read as a mean of differences.",
)
SIGNS = Lemma(
    "random signs",
    "x = +-B_x with equal chance and y so far out that every loss is affine with slope L: the average has mean eta L (T - 1)/2 "
    "times the mean of the signs, and the gap in expectation is L^2 eta (T - 1)/(2n), approached as y grows.",
)
REGRET = Lemma(
    "regret of descent",
    "With noisy gradients v_t (v_T one that is not used) the sum of <theta_t - u, v_t> is at most |u|^2/(2 eta) + (eta/2) sum "
    "|v_t|^2, by expanding |theta_{t+1} - u|^2. Given the past, v_t has the empirical risk's gradient for its mean and E|v_t|^2"
    " <= L^2 + d sigma^2; convexity and Jensen give E[smoothed empirical risk of the average - at u] <= |u|^2/(2 T eta) + eta "
    "(L^2 + d sigma^2)/2, for every data set and every u.",
)
SMOOTH = Lemma("smoothing", "ell <= ell_h <= ell + h kappa_1/2 everywhere, for every kernel (quantile/lem-3.1-3).")
SLOW = Lemma(
    "slow start",
    "x is one vector of norm B_x; y = c B_x with a chance such that the population risk has slope -a along x up to c, 0 <= a "
    "<= L, and else y is far out on the other side. A record's step along x is at most eta times its slope there, in mean at "
    "most eta a, whatever kernel, bandwidth and noise: the average lies at most at eta a (T - 1)/2 in expectation, and its "
    "excess risk is at least a (c - eta a (T - 1)/2). theta* has norm c; a = L is one record without chance.",
)
AFFINE = Lemma(
    "affine losses",
    "All records are (x, y) with |x| = B_x and y far out on the side of the larger slope: the smoothed empirical risk falls by "
    "L along x, the average lies at eta L (T - 1)/2 in expectation, and the excess over theta* at distance c along x tends to "
    "L c - eta L^2 (T - 1)/2 as y grows.",
)
SHRUNK = Lemma(
    "projection shrinks the useful coordinate",
    "n equal records, x = B_x e_1, y = B B_x, r = r_bar >= 1/2: theta* = B e_1 without excess. The average's other coordinates "
    "are N(0, v), v = eta^2 sigma^2 (T - 1)(2 T - 1)/(6 T), independent of its first, a; R B is their length. The first "
    "projected is at most B f(a/B), f(a) = a/sqrt(a^2 + R^2), f <= 0 for a < 0, increasing, concave for a > 0 with f'(1) <= "
    "2/5: its mean is at most B E(1 + R^2)^(-1/2) + (2/5) E(a - B)_+. The first coordinate is a descent in one dimension: (1 - "
    "r) B_x E(a - B)_+ is at most its proved excess. E(1 + R^2)^(-1/2) is the integral over u > 0 of (2/sqrt(pi)) e^(-u^2) (1 "
    "+ 2 v u^2/B^2)^(-(d - 1)/2), which decreases in u: a sum of left ends and e^(-36) for u > 6 are above it.",
)
BALANCE = Lemma(
    "least of a eta + c/eta",
    "For a, c > 0 it is 2 sqrt(a c), at eta = sqrt(c/a) and nowhere else.",
)


def distance(m: Numbers, L: Real, eta: Real, t: Real, n: Real) -> Real:
    """Proved and approached: distance of the t-th iterates."""
    return 2 * L * eta * (t - 1) / n


def distance_of_averages(m: Numbers, L: Real, eta: Real, T: Real, n: Real) -> Real:
    """Proved and approached."""
    return L * eta * (T - 1) / n


def gap(m: Numbers, L: Real, eta: Real, T: Real, n: Real) -> Real:
    """Proved: population minus empirical risk, in expectation; half of it is approached."""
    return L**2 * eta * (T - 1) / n


def smoothed_excess(m: Numbers, norm: Real, L: Real, eta: Real, T: Real, d: Real, sigma: Real) -> Real:
    """Proved: smoothed empirical risk of the average over that at a decision of this norm, in expectation."""
    return norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta * d * sigma**2 / 2


def excess(m: Numbers, norm: Real, L: Real, eta: Real, T: Real, d: Real, sigma: Real, n: Real, h: Real, kappa_1: Real) -> Real:
    """Proved: expected excess population risk, the sum of gap, smoothed excess and smoothing."""
    return gap(m, L, eta, T, n) + smoothed_excess(m, norm, L, eta, T, d, sigma) + h * kappa_1 / 2


def straight(m: Numbers, c: Real, L: Real, eta: Real, T: Real) -> Real:
    """Reached by excesses: slope L for certain."""
    return L * (c - eta * L * (T - 1) / 2)


def slow(m: Numbers, c: Real, L: Real, eta: Real, T: Real) -> Real:
    """Reached by the excess risk: the better of slope L and the slope c/(eta (T - 1)), which gives c^2/(2 eta (T - 1))."""
    if m.gt(eta * L * (T - 1), c) is True:
        a = c / (eta * (T - 1))
        return a * (c - eta * a * (T - 1) / 2)
    return straight(m, c, L, eta, T)


def projected(m: Numbers, v: Mapping[str, Real], h: Real, cells: int = 2400) -> Real:
    """Reached by the excess risk of the average projected at the end onto the ball of radius B, `v` with T, eta and sigma."""
    B, eta, T, sigma, L = v["B"], v["eta"], v["T"], v["sigma"], lipschitz(v)
    spread = (eta * sigma / B) ** 2 * (T - 1) * (2 * T - 1) / (6 * T)
    ends = ((6 * m.frac(k, cells)) ** 2 for k in range(cells))
    whole = sum((m.exp(-s - (v["d"] - 1) / 2 * m.log(1 + 2 * spread * s)) for s in ends), m.real(0)) * 6 / cells
    kept = 2 * whole / m.sqrt(m.pi) + m.exp(m.real(-36))
    first = smoothed_excess(m, B, L, eta, T, m.real(1), sigma) + h * v["kappa_1"] / 2
    return L * (B * (1 - kept) - 2 * first / (5 * (1 - v["r_bar"]) * v["B_x"]))


def lipschitz(values: Mapping[str, Real]) -> Real:
    """L, under its own name or as r_bar B_x."""
    return values["r_bar"] * values["B_x"] if "r_bar" in values else values["L"]
