"""What is proved of the risk of objective perturbation: the minimiser of smoothed risk + lambda |theta|^2 + <b, theta>/n.

b is N(0, sigma^2 I) in d dimensions, every record's smoothed loss is convex and L-Lipschitz in the decision; nothing else is
asked of the data, the kernel, h or lambda. Each formula stands for every lambda > 0 and h > 0; what is reached stands in
`objective_risk_instances`.
"""

from dpsco.arguments.algorithms.descent.averaged_descent import EXCHANGE, SMOOTH
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

MOVED = Lemma(
    "distance of the minimisers of neighbours",
    "The objective is 2 lambda-strongly convex, so |theta - argmin| <= |gradient at theta|/(2 lambda). With the same b, at the "
    "minimiser for the data with one record replaced the gradient is (g - g')/n, |g|, |g'| <= L: the minimisers lie at most "
    "L/(n lambda) apart, for every b. With the exchange of records the gap is at most L times that.",
)
PERTURBED = Lemma(
    "excess of the perturbed minimiser",
    "F the smoothed empirical risk, t the minimiser of F + lambda |.|^2 + <b, .>/n, u any decision that b is independent of. "
    "Growth by lambda |u - t|^2 from the minimum gives F(t) - F(u) <= 2 lambda <u, t> - 2 lambda |t|^2 - <b, t>/n + <b, u>/n, "
    "whose largest value over t is |2 lambda u - b/n|^2/(8 lambda) + <b, u>/n. As E b = 0 and E |b|^2 = d sigma^2, its mean is "
    "lambda |u|^2/2 + d sigma^2/(8 n^2 lambda), for every data set and every u.",
)
TAIL = Lemma(
    "smoothing away from the kink",
    "The kernel is even, so c_h(u) - c(u) = h int_t^inf (v - t) K(v) dv with t = |u|/h. As t (v - t) <= v^2/4, that is at most "
    "(h/t) kappa_2/8 = h^2 kappa_2/(8 |u|), for every u and h and every even kernel with this second moment. In the mean over "
    "u, the residual at theta*: h^2 kappa_2 M/8, M = E[1/|u|].",
)
SPREAD = Lemma(
    "smoothing under a bounded density",
    "The residual's conditional distribution functions are s-Lipschitz: the mean of c_h(u) - c(u) is at most s times its "
    "integral over u, 2 s h^2 int_0^inf int_t^inf (v - t) K(v) dv dt = s h^2 kappa_2/2, at every decision. Reached where the "
    "density is s out to where the kernel ends.",
)
SUM = Lemma(
    "parts of the excess risk",
    "ell <= ell_h, so risk = E[population - empirical] + E[empirical at theta_OP - at theta*] is at most E[population - "
    "empirical] + E[smoothed empirical at theta_OP - at theta*] + smoothed population risk - population risk at theta*.",
)
LEAST = Lemma("least of a lambda + c/lambda", "For a, c > 0 it is 2 sqrt(a c), at lambda = sqrt(c/a) and nowhere else.")
ANY_DATA = (MOVED, EXCHANGE, PERTURBED, SMOOTH, SUM)
AWAY = (MOVED, EXCHANGE, PERTURBED, TAIL, SUM)
BOUNDED_DENSITY = (MOVED, EXCHANGE, PERTURBED, SPREAD, SUM)
"""The lemmas of the three bounds on the risk."""


def gap(m: Numbers, L: Real, n: Real, lambda_: Real) -> Real:
    """Proved: population minus empirical risk of the unsmoothed loss at theta_OP, in expectation."""
    return L**2 / (n * lambda_)


def empirical(m: Numbers, d: Real, sigma: Real, n: Real, lambda_: Real, norm: Real) -> Real:
    """Proved: smoothed empirical risk at theta_OP over that at a decision of this norm, in expectation over b."""
    return d * sigma**2 / (8 * n**2 * lambda_) + lambda_ * norm**2 / 2


def smoothing(m: Numbers, h: Real, kappa_1: Real) -> Real:
    """Proved: smoothed minus true risk, at every decision."""
    return h * kappa_1 / 2


def smoothing_away(m: Numbers, h: Real, kappa_2: Real, M: Real) -> Real:
    """Proved: smoothed minus true population risk at a decision whose residual has M = E[1/|u|]."""
    return h**2 * kappa_2 * M / 8


def smoothing_spread(m: Numbers, h: Real, kappa_2: Real, s: Real) -> Real:
    """Proved: the same at every decision, if the residual's conditional distribution functions are s-Lipschitz."""
    return h**2 * kappa_2 * s / 2


def unsmoothed(m: Numbers, L: Real, n: Real, lambda_: Real, d: Real, sigma: Real, norm: Real) -> Real:
    """Proved: the excess risk over a decision of this norm, less what smoothing costs there; norm <= B in the claims."""
    return gap(m, L, n, lambda_) + empirical(m, d, sigma, n, lambda_, norm)


def risk(m: Numbers, L: Real, n: Real, lambda_: Real, d: Real, sigma: Real, norm: Real, h: Real, kappa_1: Real) -> Real:
    """Proved: expected excess population risk, for every distribution."""
    return unsmoothed(m, L, n, lambda_, d, sigma, norm) + smoothing(m, h, kappa_1)


def risk_away(
    m: Numbers, L: Real, n: Real, lambda_: Real, d: Real, sigma: Real, norm: Real, h: Real, kappa_2: Real, M: Real
) -> Real:
    """Proved: expected excess population risk where M = E[1/|y - theta*'x|] is finite."""
    return unsmoothed(m, L, n, lambda_, d, sigma, norm) + smoothing_away(m, h, kappa_2, M)


def risk_spread(
    m: Numbers, L: Real, n: Real, lambda_: Real, d: Real, sigma: Real, norm: Real, h: Real, kappa_2: Real, s: Real
) -> Real:
    """Proved: expected excess population risk where the residual's distribution functions are s-Lipschitz."""
    return unsmoothed(m, L, n, lambda_, d, sigma, norm) + smoothing_spread(m, h, kappa_2, s)
