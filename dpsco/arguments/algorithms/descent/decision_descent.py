"""What is proved, and what is reached, by Gaussian descent on the smoothed SPO+ loss: its average, projected or not.

L bounds a record's gradient in B, decisions have norm at most B_w, |x| <= B_x, the comparator norm at most B_B; T = n^2.
"""

from collections.abc import Mapping

from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.gradient_perturbation.gaussian_descent import variance
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

NONEXPANSIVE = Lemma(
    "a step on the smoothed SPO+ loss is nonexpansive",
    "The gradient in c_hat is 2 w*(c) - 2 w, w the projection of (c - 2 c_hat)/mu onto S: monotone and 4/mu-Lipschitz, as "
    "projections are firmly nonexpansive; in B the loss is convex and 4 |x|^2/mu-smooth, and so is a mean with |x| <= B_x. "
    "Steps are nonexpansive for eta <= 2 mu/(4 B_x^2). The same noise cancels.",
)
COUPLED = Lemma(
    "coupled full gradients",
    "The mean gradient is (n - 1)/n of the mean over the common records, a nonexpansive step, and 1/n of the replaced "
    "record's: runs on neighbours part by at most 2 L eta/n a step, their averages by L eta (T - 1)/n. Exchanging records one "
    "by one, the smoothed loss has population minus empirical risk at most L^2 eta (T - 1)/n in expectation.",
)
REGRET = Lemma(
    "regret of descent with noise in all coordinates",
    "Given the past a noisy gradient has the empirical gradient for its mean and E|v_t|^2 <= L^2 + p d sigma^2; expanding "
    "|B_{t+1} - B*|^2 and convexity give the average an expected smoothed empirical risk of at most that of B* + |B*|^2/(2 T "
    "eta) + eta (L^2 + p d sigma^2)/2, for every data set.",
)
SMOOTH = Lemma(
    "smoothing is paid once",
    "l_mu <= l <= l_mu + mu B_w^2/2, as |w| <= B_w on S. So E R(B) - R(B*) <= E R_mu(B) - R_mu(B*) + mu B_w^2/2, and the rest "
    "is said of the smoothed loss alone.",
)
SLOW = Lemma(
    "slow start",
    "S = [0, B_w] (times zeros), one record, x = |x| e_1, c = 2 |x| B_B e_1: w*(c) = 0, B* = B_B e_1, and the SPO+ loss of B "
    "is B_w max(0, c - 2 |x| B_1) >= a (B_B - B_1), a = 2 B_w |x|. The smoothed gradient is -2 w |x|, 0 <= w <= B_w, whatever "
    "mu: E B_1 of the average is at most eta a (T - 1)/2. Any a <= min(L, 2 B_w B_x) may be had.",
)
IDLE = Lemma(
    "smoothing that never starts",
    "S = [s, 2 s], d = 1, one record, x = |x| e_1, c = 2 |x| B_B, mu = c/s, L = 2 s |x|: w*(c) = s, the SPO+ loss is s max(0, "
    "c - 2 |x| B_1) >= L (B_B - B_1), B* = B_B e_1. The smoothed gradient is -2 (w - s) |x|, w the point of [s, 2 s] next to "
    "(c - 2 |x| B_1)/mu: zero for B_1 >= 0, and for B_1 < 0 it pushes toward 0, not beyond it for eta <= mu/(4 |x|^2). So E "
    "B_1^2 grows by at most eta^2 sigma^2 a step, |E B_1| of the average, projected or not, is at most eta sigma sqrt(T), and "
    "the excess risk at least L (B_B - eta sigma sqrt(T)): mu stays as it is while n grows.",
)
SHRUNK = Lemma(
    "projection shrinks the useful coordinate",
    "The record of the slow start, d = 1, a = L, p features: p - 1 coordinates of the average are independent N(0, v), v = "
    "eta^2 sigma^2 (T - 1)(2 T - 1)/(6 T), of length R, E R^(-2) = 1/(v (p - 3)). The first, a_1, is independent of them and "
    "has E max(a_1, 0) <= eta L (T - 1)/2 + sqrt(v). Projected onto the ball it is at most B_B max(a_1, 0)/R: its mean is at "
    "most B_B (eta L (T - 1)/2 + sqrt(v))/sqrt(v (p - 3)), for every mu, and the excess risk at least L times what B_B leaves "
    "of it.",
)


def proved(m: Numbers, v: Mapping[str, Real], eta: Real, mu: Real) -> Real:
    """Proved for eta <= mu/(2 B_x^2): expected excess risk of the average at T = n^2."""
    T, noise = v["n"] ** 2, variance(m, v["L"], v["n"] ** 2, v["delta"], v["n"], v["epsilon"])
    gap = v["L"] ** 2 * eta * (T - 1) / v["n"]
    regret = v["B_B"] ** 2 / (2 * T * eta) + eta * (v["L"] ** 2 + v["p"] * v["d"] * noise) / 2
    return gap + regret + mu * v["B_w"] ** 2 / 2


def with_noise(m: Numbers, v: Mapping[str, Real]) -> dict[str, Real]:
    """The values at T = n^2, with the algorithm's sigma."""
    noise = variance(m, v["L"], v["n"] ** 2, v["delta"], v["n"], v["epsilon"])
    return {**v, "T": v["n"] ** 2, "sigma": m.sqrt(noise)}


def step(claim: Claim, m: Numbers, v: Mapping[str, Real]) -> Real:
    """The claim's step length with that noise."""
    return apply(claim.formulas["eta_stated"], m, with_noise(m, v))


def idle(m: Numbers, v: Mapping[str, Real], eta: Real) -> Real:
    """Reached where mu is not tied to eta: mu = 4 |x|^2 B_B/L, B_w = L/|x|."""
    return v["L"] * (v["B_B"] - eta * with_noise(m, v)["sigma"] * v["n"])


def shrunk(m: Numbers, v: Mapping[str, Real], eta: Real) -> Real:
    """Reached by the projected average, for every mu; `v` with p > 3."""
    T, sigma = v["n"] ** 2, with_noise(m, v)["sigma"]
    spread = eta**2 * sigma**2 * (T - 1) * (2 * T - 1) / (6 * T)
    kept = (eta * v["L"] * (T - 1) / 2 + m.sqrt(spread)) / m.sqrt(spread * (v["p"] - 3))
    return v["L"] * v["B_B"] * (1 - kept)
