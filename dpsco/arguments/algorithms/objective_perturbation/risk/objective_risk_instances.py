"""What the risk of objective perturbation reaches: laws on which the perturbed minimiser can be followed in one dimension.

All features are multiples of x = B_x e_1, so that the other coordinates of theta cost nothing and every bound holds for every
d. The level is r = L/B_x >= 1/2; for r < 1/2 outcomes change their sign. The kernel that the last two take is uniform on [-w,
w], w = 2 kappa_1, its value at 0 raised to K_bar: kappa_2 = 4 kappa_1^2/3, and its tail is 0.
"""

from collections.abc import Mapping, Sequence

from dpsco.instances.grid import Grid, Instance, grid
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

SHRUNK = Lemma(
    "shrinkage",
    "x = B_x e_1; y = c B_x with a chance such that the population risk has slope -a along e_1 up to c = theta*, 0 < a <= L, "
    "and else y is far out on the other side (a = L: one record for certain). A record's smoothed slope at c is at most its "
    "slope there, so 2 lambda E theta_OP = -E[gradient] - E b/n is in mean at most a along e_1, whatever kernel, bandwidth and "
    "noise; the risk is convex and lies above a (c - theta): risk >= a (c - a/(2 lambda)).",
)
SHRUNK_AWAY = Lemma(
    "shrinkage away from the kink",
    "The law of the shrinkage with y = c B_x split into c B_x - g and c B_x + g such that the population risk is flat between: "
    "theta* = c is a minimiser, M = E[1/|u|] <= 1/g (choose g for M), and risk >= a (c - g/B_x - a/(2 lambda)), g <= 1/M.",
)
BIASED = Lemma(
    "bias of smoothing",
    "The uniform kernel, raised to K_bar at the single point 0, which changes no integral. x = B_x e_1, y = B_x theta* + g "
    "with chance 1 - r and - g with chance r: flat between, so theta* is a minimiser and M = 1/g (g = 0: one record). "
    "In s = B_x theta_1 the objective's derivative with all records below is (s - y)/(2 h w) + 1/2 - "
    "r + 2 lambda s/B_x^2 + b_1/(n B_x) while |s - y| <= h w; records above make it smaller and the root larger. For b_1 <= t "
    "sigma, of chance Phi(t), the root is at least that at t sigma, and the excess risk at least (1 - r)(s - y_above).",
)
KINK = Lemma(
    "smoothing at two points",
    "Residuals +-1/M, chances as above, uniform kernel: c_h - c = h (w - t)^2/(4 w) at t = 1/(h M) <= w.",
)
SIGNS = Lemma(
    "random signs",
    "x = +-B_x e_1 with equal chance, y so far out that every loss is affine with slope L: theta_OP is minus (mean gradient + "
    "b/n)/(2 lambda), and population less empirical risk is in mean E|mean gradient|^2/(2 lambda) = L^2/(2 n lambda).",
)
STRAIGHT = Lemma(
    "straight up to theta*",
    "Every record is x = B_x e_1, y = c B_x, theta* = c: the minimiser lies in mean at most at L/(2 lambda), and the smoothed "
    "empirical excess is at least L (c - L/(2 lambda)) - h kappa_1/2; h is free and may be small.",
)
BOWL = Lemma(
    "bowl",
    "Every record is x = B_x e_1, y = 0, r = 1/2, theta* = 0; uniform kernel with h w = B_x^2/(4 lambda): the smoothed risk is "
    "lambda theta^2 up to |theta| = h w/B_x, theta_OP = -b_1/(4 n lambda) for |b_1| <= n B_x. The mean of lambda theta_OP^2 "
    "over these is sigma^2/(16 n^2 lambda) (erf(z/sqrt 2) - 2 z phi(z)), z = n B_x/sigma.",
)
EVEN = Lemma(
    "even spread",
    "The residual has density s from -r/s to (1 - r)/s and h w <= (1 - r)/s: its mean of c_h - c is s h^2 kappa_2/2.",
)


def shrunk(m: Numbers, c: Real, L: Real, lambda_: Real) -> Real:
    """Reached by the risk for every law: slope L, or lambda c where that is less."""
    return lambda_ * c**2 / 2 if m.le(lambda_ * c, L) is True else straight(m, c, L, lambda_)


def straight(m: Numbers, c: Real, L: Real, lambda_: Real) -> Real:
    """Reached by the smoothed empirical excess: slope L for certain."""
    return L * (c - L / (2 * lambda_))


def shrunk_away(m: Numbers, c: Real, L: Real, lambda_: Real, B_x: Real, M: Real) -> Real:
    """Reached by the risk where E[1/|u|] = M."""
    rest = c - 1 / (M * B_x)
    return shrunk(m, rest, L, lambda_) if m.gt(rest, m.real(0)) is True else m.real(0)


def biased(m: Numbers, v: Mapping[str, Real], apart: Real) -> Real:
    """Reached by the risk under a wide kernel; `v` with L, B_x, kappa_1, h, n, lambda_, sigma, optimum_norm; `apart` = 2 g."""
    r, W, B_x = v["L"] / v["B_x"], 2 * v["kappa_1"] * v["h"], v["B_x"]
    below = -B_x * v["optimum_norm"] - apart / 2
    found = m.real(0)
    for t in (m.real(0), m.real(2)):
        pull = r - m.frac(1, 2) + below / (2 * W) - t * v["sigma"] / (v["n"] * B_x)
        root = m.min(pull / (1 / (2 * W) + 2 * v["lambda_"] / B_x**2), below + W)
        found = m.max(found, m.Phi(t) * (1 - r) * (root - below - apart))
    return found


def kink(m: Numbers, h: Real, M: Real, kappa_1: Real) -> Real:
    """Reached by smoothed less true population risk at theta* where E[1/|u|] = M."""
    w, t = 2 * kappa_1, 1 / (h * M)
    return h * (w - t) ** 2 / (4 * w) if m.le(t, w) is True else m.real(0)


def even(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Reached by the same where the residual's distribution functions are s-Lipschitz."""
    r, s, W = v["L"] / v["B_x"], v["s"], 2 * v["kappa_1"] * v["h"]
    return s * v["h"] ** 2 * v["kappa_2"] / 2 if m.le(W * s, 1 - r) is True else m.real(0)


def signs(m: Numbers, L: Real, n: Real, lambda_: Real) -> Real:
    """Reached by population less empirical risk."""
    return L**2 / (2 * n * lambda_)


def bowl(m: Numbers, n: Real, lambda_: Real, sigma: Real, B_x: Real) -> Real:
    """Reached by the smoothed empirical excess over theta* = 0, for L = B_x/2."""
    z = n * B_x / sigma
    return sigma**2 / (16 * n**2 * lambda_) * (m.erf(z / m.sqrt(m.real(2))) - 2 * z * m.phi(z))


KERNELS = (
    {"kappa_1": "1.5", "K_bar": "0.17", "kappa_2": "3", "L": "0.75", "B_x": "1"},
    {"kappa_1": "0.15", "K_bar": "1.7", "kappa_2": "0.03", "L": "5.25", "B_x": "7"},
    {"kappa_1": "12", "K_bar": "0.021", "kappa_2": "192", "L": "0.75", "B_x": "1"},
    {"kappa_1": "0.15", "K_bar": "1000000", "kappa_2": "0.03", "L": "0.25", "B_x": "0.5"},
)
OPTIMA = ({"B": "1", "optimum_norm": "1"}, {"B": "300", "optimum_norm": "300"}, {"B": "2", "optimum_norm": "0"})
PAIRS = ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 2), (3, 2))
"""Which kernel goes with which optimum."""
PRIVACY: Mapping[str, Sequence[str]] = {
    "n": ("1", "2", "1000", "100000000"),
    "d": ("1", "10000"),
    "epsilon": ("0.001", "1", "1000"),
    "delta": ("1e-40", "0.999"),
    "omega": ("1e-9",),
    "tail_cube": ("0",),
}
ONE: Mapping[str, Sequence[str]] = {**PRIVACY, "n": ("1",), "d": ("3",), "epsilon": ("1",), "delta": ("0.1",)}
REGULARISED: Mapping[str, Sequence[str]] = {"lambda_": ("1e-6", "0.75")}
SMOOTHED: Mapping[str, Sequence[str]] = {"h": ("0.01", "1000")}
AWAY: Mapping[str, Sequence[str]] = {"M": ("0.02", "1", "100")}


_FOUND: dict[object, Grid] = {}


def instances(claim: Claim, *axes: Mapping[str, Sequence[str]]) -> Grid:
    """What the claim admits of these axes with kernels of both sizes, optima at 0 and on the boundary of the ball.

    Kept by the claim's domains and conditions: mutants share them with the claim that they were made of.
    """
    names = {parameter.name for parameter in claim.parameters}
    given = {name: tuple(values) for axis in axes for name, values in axis.items() if name in names}
    domains = tuple((parameter.name, parameter.domain) for parameter in claim.parameters)
    key = (domains, tuple(predicate.test for predicate in claim.preconditions), tuple(given.items()))
    if key not in _FOUND:
        fixed: list[Instance] = []
        for one in ({**KERNELS[kernel], **OPTIMA[optimum]} for kernel, optimum in PAIRS):
            cut = {name: value for name, value in one.items() if name in names}
            fixed += [] if cut in fixed else [cut]
        _FOUND[key] = grid(claim, given, fixed)
    return _FOUND[key]
