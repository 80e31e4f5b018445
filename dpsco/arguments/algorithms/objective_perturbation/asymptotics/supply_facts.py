"""Facts about a private newsvendor's order: profits, the expansion of the minimiser, its limit law."""

from collections.abc import Callable, Mapping

from dpsco.arguments.formula import apply
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

PROFIT = Lemma(
    "profit at x",
    "p min(y, q) - w q = (p - w) y - (p - w)(y - q)^+ - w (q - y)^+, and E[y | x] = q* - z: the newsvendor's profit is RevN - "
    "U - C - e, e the excess cost of q at x. The error is independent of x, so C is the cost at every x, and the cost has "
    "slope 0 at q* and second derivative at most p/sqrt(2 pi): 0 <= e <= p (q* - q)^2/(2 sqrt(2 pi)), which is o(P). Where "
    "the joint profit Rev - U - C is not 0, the share is smooth in e and P around (0, 0).",
)
SHIFT = Lemma(
    "expansion of the minimiser",
    "With lambda and h tending to 0 and sigma = o(n): grad L_h(theta) + 2 lambda theta + b/n vanishes at the private "
    "minimiser up to O_p(1/sqrt(n)) (features bounded, slopes bounded, minimisers in a compact set), and grad L_h(theta* + "
    "delta) = h^2 kappa_2 E[f'(0) x]/2 + J delta + O(h^4 + h^2 |delta| + |delta|^2) for normal errors and a kernel with a "
    "fourth moment, as each of the paper's has. So delta is O_p(lambda + h^2 + sigma/n + 1/sqrt(n)) and J delta = -2 lambda "
    "theta* - h^2 kappa_2 E[f'(0) x]/2 + O_p(1/sqrt(n) + sigma/n + (lambda + h^2)^2), and the square is o(lambda) + o(h^2). "
    "Where sigma/n does not tend to 0, Proposition 2's compact decision set is bound enough.",
)
ATTAINED = Lemma(
    "the remainder is attained",
    "x = 1, p = 2w (z = 0): Phi(delta) - 1/2 + 2 lambda (theta* + delta) + b/n = an average of n bounded mean-zero variables "
    "of variance near 1/4. Its solution has normal fluctuations of exact orders 1/sqrt(n) and sigma/n beside the shift, for "
    "lambda and h that fall as fast as one likes.",
)
CENTRAL = Lemma(
    "central limit",
    "Let sqrt(n) lambda have a limit, ridge_limit, and sqrt(n) h^2 and sigma/sqrt(n) vanish, as for the chosen values at a "
    "fixed epsilon. Then sqrt(n) J delta = -2 sqrt(n) lambda theta* - (1/sqrt(n)) sum of (1{error_i <= 0} - r) x_i + o_p(1). "
    "With 0 < r < 1 and J = f(0) E[x x'], sqrt(n) (q* - q_private)(x) tends to N(2 ridge_limit "
    "u'x, r (1-r) x'E[x x']^{-1}x/f(0)^2).",
)
FIRST = Lemma(
    "first column",
    "x_1 = 1 and E[x] = e_1 give E[x x'] e_1 = E[x x_1] = e_1. So J^{-1} E[f'(0) x] = (f'(0)/f(0)) e_1 and v'x = f'(0)/f(0); "
    "and E[u'x] = e_1'J^{-1} theta* = theta*_1/f(0) = E[q*(x)]/f(0), which is positive if q* is.",
)
CORRELATED = Lemma(
    "correlated features",
    "d = 3, x = (1, x_2, x_3), x_2 and x_3 in {-1, 1} with mean 0, variance 1 and correlation 1/2: equal with probability 3/4, "
    "each pair of unequal ones has 1/8. theta* = (1.1, 1, 0): q* is 0.1 or 2.1. E[x_2 x_3] = 1/2, f(0) u = (1.1, 4/3, -2/3).",
)
ORDERED = Lemma(
    "lambda against h^2",
    "lambda >= sqrt(2/n) L/B and h = K_bar B_x^2/(lambda n epsilon), so for epsilon >= C n^(-1/4): h^2 <= K_bar^2 B_x^4 "
    "B^2/(2 L^2 n epsilon^2) <= K_bar^2 B_x^4 B^2/(2 L^2 C^2 sqrt(n)) <= K_bar^2 B_x^4 B^3 lambda/(2^(3/2) L^3 C^2).",
)
BERRY = Lemma(
    "smoothed count",
    "x = 1, p = 2w, kernel uniform on [-1, 1]. The private order is at least q* if the slope at theta* is at most 0: if the "
    "sum of n variables in [0, 1] is at most n (1/2 - 2 lambda theta*) - b. They have mean 1/2 by symmetry, variance at least "
    "(1 - 2 h phi(0))/4, third absolute moment at most 1/8: Berry and Esseen (constant 0.4748). Pr[b <= 3 sigma] > 0.998.",
)
FAR_BALL = {"epsilon": "1", "delta": "0.000001", "n": "100000000", "d": "1", "B": "10", "B_x": "1", "r_bar": "0.5"}
"""The chosen lambda at theta* = 1, one tenth of the radius."""


def cost_at(m: Numbers, t: Real) -> Real:
    """The cost of an order t away from the optimal one, p = 2, w = 1: 2 phi(t) + t (2 Phi(t) - 1)."""
    return 2 * m.phi(t) + t * (2 * m.Phi(t) - 1)


def chance_of_gain(m: Numbers, chosen: Mapping[str, Callable[..., Real]]) -> tuple[Real, Real]:
    """A lower bound of Pr[P <= 0] at the chosen lambda with n = 10^8, and the limit of Pr[P > 0] for Theorem 2's choices."""
    v = {name: m.real(value) for name, value in FAR_BALL.items()} | {"K_bar": m.frac(1, 2)}
    ridge, h, noise = (apply(chosen[name], m, v) for name in ("lambda_chosen", "bandwidth", "sigma"))
    variance = (1 - 2 * h * m.phi(m.real(0))) / 4
    count = m.Phi(-(2 * ridge * v["n"] + 3 * noise) / m.sqrt(v["n"] * variance))
    count -= m.real("0.4748") / (8 * variance * m.sqrt(v["n"] * variance))
    return m.real("0.998") * count, m.Phi(2 * m.sqrt(m.real(2)) * 1 / v["B"])
