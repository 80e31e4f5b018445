"""What is proved, and what is reached, by exponential descent: gradients turned by one random rotation a step.

q is the length of the mean direction, (e^epsilon - 1)/(e^epsilon + 1) times the mean c_d of a half-sphere, d the length of B.
The families that reach a value stand in the lemmas beside it.
"""

from collections.abc import Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import averaged_descent as known
from dpsco.arguments.polynomial_slack import Value, quantities
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.randomised_response import half_sphere_mean
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.randomised_response import advantage
from dpsco.verdict import Lemma

H, C = sympy.Symbol("h_more", positive=True), sympy.Symbol("c_more", nonnegative=True)
"""(e^epsilon - 1)/(e^epsilon + 1) = 1/(1 + H) and c_d = 1/(1 + C): what epsilon > 0 and d >= 1 say, and no more."""

TURNED = Lemma(
    "one rotation for all vectors",
    "A law of rotations M (of signs at d = 1) serves every vector at once (spo/def-12-amended), so runs on two data sets can "
    "be coupled by it. M is linear, keeps lengths, and E M = q I: E|u - a M w|^2 = |u|^2 - 2 a q <u, w> + a^2 |w|^2.",
)
LENGTH = Lemma(
    "length of the mean direction",
    "c_d = E|u_1| for u uniform on the unit sphere of R^d, so 0 < c_d <= 1, with 1 at d = 1 only; c_d <= (E u_1^2)^(1/2) = "
    "d^(-1/2), and c_d >= sqrt(2/(pi d)) as Gamma(x + 1/2) <= sqrt(x) Gamma(x).",
)
MEAN_STEP = Lemma(
    "Jensen and co-coercivity",
    "With <u, w> >= kappa |w|^2 and a <= 2 q kappa the mean square is at most |u|^2, and the mean at most its root. Smoothed "
    "SPO+ losses have gradients 2 w*(c) x - 2 w x, w a projection of (c - 2 B x)/mu on a convex set: they are convex with "
    "(4 |x|^2/mu)-Lipschitz gradients in B, co-coercive with kappa = mu/(4 B_x^2), and so are their means.",
)
PARTED = Lemma(
    "the replaced record",
    "M turns the mean gradient, (n - 1)/n of the common records' and 1/n of record k's. The first does not expand in mean, the "
    "second moves the runs apart by at most 2 L eta/n: E|B_t - B_t'| <= 2 L eta (t - 1)/n, as B_1 = B_1' = 0, and the averages "
    "by L eta (T - 1)/n in mean. The plain loss lies between the smoothed one and that plus mu B_w^2/2.",
)
REGRET = Lemma(
    "regret of turned descent",
    "Lemma 8 with v_t = M_t g_t, |v_t| = |g_t| <= L (v_T one that is not used): E sum <B_t - u, M_t g_t> = q E sum <B_t - u, "
    "g_t>, as M_t is independent of the past. Convexity and Jensen: the smoothed empirical risk of the average exceeds that at "
    "u by at most (|u|^2/(2 T eta) + eta L^2/2)/q, for every data set; at the fixed u = B* its mean is the population's.",
)
SLOW = Lemma(
    "slow start",
    "d = 1, S = [-B_w, B_w], x = (|x|, 0, ...), L = 4 B_w |x|. With chance s the cost is positive, its loss has slope -L up to "
    "B* and then 0; else it is so negative that the slope is L wherever iterates go. The population's slope before B* is -a, a "
    "= (2 s - 1) L, the smoothed gradients lie above it in mean for every mu, and a step moves along x by at most q eta a in "
    "mean: the average by q eta a (T - 1)/2, so that its excess risk is at least a (|B*| - q eta a (T - 1)/2). a = L: one "
    "record. No average is longer than eta L (T - 1)/2: up to B_B the final projection leaves it.",
)
APART = Lemma(
    "runs that part",
    "S = [-r, r]^d, p = 1, all |x| = B_x, L = 4 r sqrt(d) B_x; record k has a cost +-(s, ..., s), s as large as one likes, so "
    "that its gradients are opposite constants of norm L; the common records have c = 0, w*(0) = 0, and the gradient 4 B_x^2 "
    "B/mu as long as 2 B_x |B_j| <= r mu. Then B_t' = -B_t, |B_2 - B_2'| = 2 L eta/n. With beta = 4 B_x^2 eta (n - 1)/(n mu) "
    "and 2 sqrt(d) beta <= n - 1 the next gradients still have that form, and their difference is at least beta - 1 times "
    "2 L/n: |B_3 - B_3'| >= (beta - 2) 2 L eta/n for certain, whatever is drawn.",
)
FAR = Lemma(
    "constant gradients",
    "All costs so large that every gradient is constant, those of record k opposite and of norm L: B_t - B_t' is 2 L eta/n "
    "times a sum of t - 1 turned unit vectors, of mean length at least (t - 1) q; exactly 1 at t = 2.",
)
LOST = Lemma(
    "losses that part",
    "In the family of runs that part let T = 3 and the test record be like record k, its loss affine with slope L along e: "
    "|loss(B) - loss(B')| = 2 L |<B, e>|, B = (2 B_2 - eta M g)/3, |B_2| = L eta/n, |g| >= (beta - 1) L/n. The law of |<M g, "
    "e>| is that of a uniform direction, of mean c_d |g|: the mean is at least (2/3) (c_d (beta - 1) - 2) L^2 eta/n.",
)

PLANE = Lemma(
    "every admitted triple occurs",
    "With mu |w|^2 <= <u, w> <= |u| |w| there is a quadratic loss on the plane with Hessian between 0 and 1/mu that takes u to "
    "w: two eigenvalues of given first two moments. The smoothed SPO+ loss with |x| = 1/2, c = 0 has Hessian 1/mu near 0.",
)
PARALLEL = Lemma(
    "parallel differences in space",
    "For d = 3 and w = (|w|/|u|) u the cosine of u and M w is uniform on [0, 1] with probability e^epsilon/(e^epsilon + 1), on "
    "[-1, 0] otherwise: E|u - a M w| is two integrals of sqrt(|u|^2 + b^2 - 2 |u| b t), b = a |w|. Always |u - a M w| >= b - "
    "|u|.",
)


def factor(m: Numbers, v: Mapping[str, Real]) -> Real:
    """q, at d = 1 where the instance has no dimension of its own."""
    return half_sphere_mean(m, v.get("d", m.real(1))) * advantage(m, epsilon=v["epsilon"])


def features(m: Numbers, v: Mapping[str, Real]) -> Real:
    """B_x; 1/2 where the claim has none, at which a smoothed loss is (1/mu)-smooth."""
    return v.get("B_x", m.frac(1, 2))


def squared_drift(m: Numbers, v: Mapping[str, Real], q: Real) -> Real:
    """Exact: expected squared distance after a step without record k."""
    a = v["eta"] * (v["n"] - 1) / v["n"]
    return v["drift"] ** 2 - 2 * a * q * v["correlation"] + a**2 * v["gradient_drift"] ** 2


def regret(m: Numbers, v: Mapping[str, Real], q: Real) -> Real:
    """Proved: smoothed empirical risk of the average over that at B*, in expectation."""
    return (v["minimiser_norm"] ** 2 / (2 * v["T"] * v["eta"]) + v["eta"] * v["L"] ** 2 / 2) / q


def excess(m: Numbers, v: Mapping[str, Real], q: Real, mu: Real, more: int = 0) -> Real:
    """Proved for mu >= 2 B_x^2 eta/q: expected excess population risk of the average; `more` rounds T - 1 up."""
    return known.gap(m, v["L"], v["eta"], v["T"] + more, v["n"]) + regret(m, v, q) + mu * v["B_w"] ** 2 / 2


def reached(m: Numbers, v: Mapping[str, Real], norm: Real, eta: Real, q: Real, T: Real) -> Real:
    """Reached by the excess risk: the slow start, with the slope that B_w and B_x allow."""
    slope = m.min(v["L"], 4 * v["B_w"] * v["B_x"]) if "B_x" in v else v["L"]
    return known.slow(m, norm, slope, q * eta, T)


def kept(m: Numbers, v: Mapping[str, Real], norm: Real, eta: Real, q: Real, T: Real) -> Real:
    """The same for the projected average, where it is too short for the projection to the ball of radius B_B; else 0."""
    short = m.le(eta * v["L"] * (T - 1) / 2, v["B_B"]) is True
    return known.straight(m, norm, v["L"], q * eta, T) if short else m.real(0)


def growth(m: Numbers, v: Mapping[str, Real]) -> Real:
    """beta of the runs that part; 0 where the family does not apply."""
    beta = 4 * features(m, v) ** 2 * v["eta"] * (v["n"] - 1) / (v["n"] * v["mu"])
    inside = m.le(2 * m.sqrt(v.get("d", m.real(2))) * beta, v["n"] - 1)
    return beta if inside is True else m.real(0)


def reduced(claim: Claim, value: Value, one: Any = None, **more: Any) -> Any:
    """The value over the claim's whole domain, epsilon (or the step's parameter `one`) and c_d through H and C alone."""
    names = {**quantities(claim), **more}
    found = sympy.sympify(value(symbolic(), names))
    found = found.xreplace({sympy.exp(names["epsilon"] if one is None else one): 1 + 2 / H})
    if "d" in names:
        d = names["d"]
        found = found.xreplace({sympy.gamma(d / 2): sympy.sqrt(sympy.pi) * sympy.gamma((d + 1) / 2) / (1 + C)})
    return sympy.cancel(found)
