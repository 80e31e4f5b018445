"""What regularised mirror descent does with the printed potential, kappa_+ = kappa/(kappa - 1): steps that overshoot.

At p = 3/2, d >= 3, kappa = 2 and kappa_+ = 2: Phi = |w|_2^2, whose modulus of strong convexity in l_{3/2} falls like d^(-1/3).
K = d^(1/3) measures by how much a step is too long. All records are equal unless said otherwise.
"""

from collections.abc import Mapping

from dpsco.arguments.orders_of_growth import form
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

P, KAPPA = "1.5", "2"
ALONG = Lemma(
    "losses along the diagonal",
    "p = 3/2, so q = 3 and kappa = min(2, 2 ln d) = 2 = kappa_+ for d >= 3: Phi = |w|_2^2, grad Phi = 2 w. u = d^(-1/3) (1, "
    "..., 1) has |u|_q = 1, |u|_2^2 = |u|_p = K = d^(1/3). l(w) = phi(<u, w>), phi' = beta (s - v) cut to [-L, L], v = "
    "L/beta, is convex, L-Lipschitz and beta-smooth in l_p. For s = <u, w> the algorithm is s_{t+1} = beta/(alpha + beta) "
    "(s_t - K phi'(s_t)/(2 beta) - <u, g_t>/(2 beta)), s_1 = 0, phi'(0) = -L. Minimisers have s = v, the nearest Phi = v^2/K.",
)
TWO_STEPS = Lemma(
    "two steps without noise",
    "T = 2, alpha = beta, g = 0 and K >= 8: s_2 = K L/(4 beta) >= 2 L/beta, s_3 = -K L/(8 beta), the average with weights 3/2 "
    "and 9/4 is s = K L/(40 beta). w*_alpha has s = v/(1 + 2/K), D_Phi(w*_alpha, 0) = s^2/K. With f(s u/K) = phi(s) + alpha "
    "s^2/K, f(w_hat) - f(w*_alpha) is exact, and >= phi(s) - phi(0) >= (L^2/beta) (K/40 - 2).",
)
ALTERNATES = Lemma(
    "steps that alternate",
    "T odd, y = alpha/(2 beta) <= 1/2, rho = 1/(1 + 2 y), K >= 48. In x = 2 beta s/(K L) a step is x' = rho (x - phi'/L - "
    "xi), |xi| <= |g_t|_q/L. Without noise x_{t+1} = rho (rho^t - (-1)^t)/(1 + rho): phi' is -L at odd t and L at even t, "
    "where x >= 4/K. Where all |xi| <= (1 - rho)/4 the noise moves x_t by less than its distance from [0, 4/K] and the slopes "
    "stay. The weighted average is then the number c = (rho/(1 + rho)) sum r^t (rho^t - (-1)^t)/sum r^t >= 2 y/15, r = 1 + y, "
    "plus a sum N of the noises, which averages out, as their law and the event are symmetric. So the excess is at least P "
    "(L^2/beta) (K c/2 - 3/2), and 1 - P <= 16 T E|g_t|_q^2/(L y)^2 by Chebyshev. Population and empirical excess are alike.",
)
PAIR = Lemma(
    "neighbours along the diagonal",
    "n >= 6 of these records, one of them replaced by the loss 0: all slopes are multiplied by 1 - 1/n, so c is, and the signs "
    "stay with the same bound on xi (5/12 > 1/4, and 1/6 rho >= 4/K). |w_hat - w_hat'|_p >= |s - s'| as |u|_q = 1. For every "
    "coupling E|s - s'| >= (K L/(2 beta)) ((c/n) (1 - 2 (1 - P)) - 2 E|N|), E|N| <= (rho/(1 - rho)) E|xi| <= g/(2 y L). The "
    "minimisers nearest to 0 have Phi = v^2/K on both data sets.",
)
FAR_OUT = Lemma(
    "along the path",
    "n = T^2, K = T^2, ln(1/delta) = c d sqrt(n), epsilon = 2 ln(1/delta), c fixed, T odd: n is within constants of the "
    "threshold and T of its choice, and epsilon in the range that the paper prints elsewhere. E|g_t|_q^2 <= C L^2 d kappa T "
    "ln(1/delta)/(n epsilon)^2 is of order (L/n)^2, y = 2 log2(T)/(T + 1), so 1 - P is O(1/T) for every C, and alpha <= beta "
    "from T = 17 on. The excess is at least (1 - o(1)) (L^2/beta) (2 T^2 log2(T)/(15 (T + 1)) - 3/2), unbounded; L, beta and "
    "E|w~*|^2 = v^2/K are bounded.",
)
NEAR = Lemma(
    "three steps",
    "T = 3, n = 6, alpha = 4 beta log2(2)/4 = beta, so T >= 2 beta/alpha. K -> infinity, ln(1/delta) = 10^4 C d, epsilon = 2 "
    "ln(1/delta): n is below the threshold, T within constants of its choice, E|g_t|_q^2 <= L^2/240000, 1 - P <= 0.0008, c = "
    "0.2039: what is reached is of order K.",
)
FIXED = form(d=3, nats=3, epsilon=3, C_D="-1/2")
"""T = 3 and n = 6 fixed, K = t, epsilon = 2 nats, nats = ln(1/delta)."""
GROWING = form(d=6, nats=7, epsilon=7, n=2, T=1, C_D=-1)
"""n = T^2 = t^2, K = t^2."""


def edge(m: Numbers, d: Real) -> Real:
    """K = d^{1/3}, how much the dual norm of u is below its l_2 norm, squared."""
    return d ** m.frac(1, 3)


def start(m: Numbers, v: Mapping[str, Real]) -> Real:
    """D_Phi(w*_alpha, 0) = s^2/K at s = v/(1 + 2 alpha/(beta K))."""
    K = edge(m, v["d"])
    return (v["L"] / v["beta"] / (1 + 2 * v["alpha"] / (v["beta"] * K))) ** 2 / K


def after_first_step(m: Numbers, v: Mapping[str, Real]) -> Real:
    """D_Phi(w*_alpha, w_2) without noise: (s_2 - s)^2/K, s_2 = K L/(2 (alpha + beta))."""
    K = edge(m, v["d"])
    best = v["L"] / v["beta"] / (1 + 2 * v["alpha"] / (v["beta"] * K))
    return (K * v["L"] / (2 * (v["alpha"] + v["beta"])) - best) ** 2 / K


def after_two_steps(m: Numbers, v: Mapping[str, Real]) -> Real:
    """f(w_hat) - f(w*_alpha) at T = 2, alpha = beta, without noise, K >= 80, where the average is beyond 2 v."""
    K, L, beta = edge(m, v["d"]), v["L"], v["beta"]
    s, best = K * L / (40 * beta), L / beta / (1 + 2 / K)
    reached = L * (s - L / beta) - L**2 / (2 * beta) + beta * s**2 / K
    return reached - beta * (L / beta - best) ** 2 / 2 - beta * best**2 / K


def averaged(m: Numbers, v: Mapping[str, Real]) -> Real:
    """c, the weighted average of x_2, ..., x_{T+1} without noise, T odd, by geometric sums."""
    y = v["alpha"] / (2 * v["beta"])
    r, rho, T = 1 + y, 1 / (1 + 2 * y), v["T"]
    falling = rho * r * (1 - (rho * r) ** T) / (1 - rho * r)
    signed = r * (r**T + 1) / (r + 1)
    return rho / (1 + rho) * (falling + signed) * (r - 1) / (r * (r**T - 1))


def noise(m: Numbers, v: Mapping[str, Real]) -> Real:
    """At most E|g_t|_q^2/L^2, C hidden in it."""
    return v["C"] * v["d"] * v["kappa"] * v["T"] * m.log(1 / v["delta"]) / (v["n"] * v["epsilon"]) ** 2


def strays(m: Numbers, v: Mapping[str, Real]) -> Real:
    """At most 1 - P."""
    y = v["alpha"] / (2 * v["beta"])
    return 16 * v["T"] * noise(m, v) / y**2


def after_many_steps(m: Numbers, v: Mapping[str, Real]) -> Real:
    """At most the expected excess risk, T odd: P (L^2/beta) (K c/2 - 3/2)."""
    gain = edge(m, v["d"]) * averaged(m, v) / 2 - m.frac(3, 2)
    return (1 - strays(m, v)) * v["L"] ** 2 / v["beta"] * gain


def neighbours_apart(m: Numbers, v: Mapping[str, Real]) -> Real:
    """At most E|w_hat - w_hat'|, T odd, n >= 6."""
    y = v["alpha"] / (2 * v["beta"])
    apart = averaged(m, v) / v["n"] * (1 - 2 * strays(m, v)) - m.sqrt(noise(m, v)) / y
    return edge(m, v["d"]) * v["L"] / (2 * v["beta"]) * apart
