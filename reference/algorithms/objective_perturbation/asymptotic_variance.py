"""Covariance of the objective-perturbation estimator in closed form, for the linear law in one dimension, x = 1."""

from dpsco.reference.algorithms.objective_perturbation.asymptotics import minimiser_shift, smoothed_slope
from dpsco.spec.losses.kernels import known
from dpsco.spec.numbers import Numbers, Real


def K_cross(m: Numbers, kernel: str) -> Real:
    """Integral of u K(u) calK(u): a quarter of E|V - V'|, V and V' independent with density K.

    Domain   kernel a name
    Returns  1/(2 sqrt pi), 1/2, 1/6, 9/70
    Raises   ValueError for another name
    Source   newsvendor, Lemma EC.11
    """
    match kernel:
        case "gaussian":
            return 1 / (2 * m.sqrt(m.pi))
        case "logistic":
            return m.frac(1, 2)
        case "uniform":
            return m.frac(1, 6)
        case "epanechnikov":
            return m.frac(9, 70)
    raise known(kernel)


def inverse_curvature(
    m: Numbers, lambda_: Real, h: Real, kappa_2: Real, theta: Real, density: Real, density_slope: Real
) -> Real:
    """One over the curvature of the smoothed, regularised risk at its minimiser.

    1/(density + density_slope delta + 2 lambda), delta = minimiser_shift

    Domain   as minimiser_shift
    Returns  decision^2/loss
    Source   newsvendor, display (EC.61)
    """
    delta = minimiser_shift(m, lambda_, h, kappa_2, theta, density, density_slope)
    return 1 / (density + density_slope * delta + 2 * lambda_)


def gradient_spread(
    m: Numbers,
    lambda_: Real,
    h: Real,
    r: Real,
    kappa_2: Real,
    theta: Real,
    density: Real,
    density_slope: Real,
    K_cross: Real,
) -> Real:
    """Variance of the smoothed loss's slope calK((delta - e)/h) - r at the minimiser.

    E calK = r + smoothed_slope, E calK^2 = r + density (delta - 2 h K) + density_slope (delta^2 - 4 delta h K + h^2 kappa_2)/2:
    2 calK K is a density with mean 2 K and second moment kappa_2.

    Domain   as minimiser_shift
    Returns  (loss/decision)^2
    Source   newsvendor, displays (EC.62), (EC.67)
    """
    delta = minimiser_shift(m, lambda_, h, kappa_2, theta, density, density_slope)
    mean = r + smoothed_slope(m, delta, h, kappa_2, density, density_slope)
    bend = delta**2 - 4 * delta * h * K_cross + h**2 * kappa_2
    return r + density * (delta - 2 * h * K_cross) + density_slope * bend / 2 - mean**2


def covariance(
    m: Numbers,
    n: Real,
    lambda_: Real,
    h: Real,
    r: Real,
    sigma: Real,
    kappa_2: Real,
    theta: Real,
    density: Real,
    density_slope: Real,
    K_cross: Real,
) -> Real:
    """Asymptotic variance of sqrt(n) times the estimator: inverse_curvature^2 (gradient_spread + sigma^2/n).

    Domain   as minimiser_shift, sigma/n -> 0
    Returns  decision^2
    Source   newsvendor, display (EC.60)
    """
    inverse = inverse_curvature(m, lambda_, h, kappa_2, theta, density, density_slope)
    spread = gradient_spread(m, lambda_, h, r, kappa_2, theta, density, density_slope, K_cross)
    return inverse**2 * (spread + sigma**2 / n)


def runaway_variance(m: Numbers, n: Real, lambda_: Real, sigma: Real, r: Real) -> Real:
    """At most the variance of sqrt(n) times the estimator, for every n and h, where errors are symmetric about theta* = 0.

    Empirical slopes lie in [-r, 1 - r], here r = 1/2, so |estimator| >= (|b|/n - r)^+/(2 lambda); its mean is 0 by symmetry.
    n E[((|b|/n - r)^+)^2]/(4 lambda^2), s = sigma/n: = n s^2 2 ((1 + a^2) Phi(-a) - a phi(a))/(4 lambda^2), a = r/s

    Domain   r = 1/2, decisions in the whole line
    Returns  decision^2
    """
    s = sigma / n
    a = r / s
    return n * s**2 * ((1 + a**2) * m.Phi(-a) - a * m.phi(a)) / (2 * lambda_**2)


def hidden_inverse_curvature(m: Numbers, delta: Real, h: Real, base: Real, lift: Real) -> Real:
    """One over the smoothed curvature in the intercept, for the law of `hidden_shift`, at its minimiser `delta`.

    1/(base + lift (h + delta)^2/(4 h)): over w the density is base + lift t^+, the kernel uniform on [-1, 1]

    Domain   -h < delta <= 0
    Returns  decision^2/loss
    """
    return 1 / (base + lift * (h + delta) ** 2 / (4 * h))


def clustered_gradient_spread(m: Numbers, h: Real, r: Real, base: Real, mass: Real) -> Real:
    """Variance of the smoothed loss's slope in the intercept at the minimiser, for the law of `clustered_shift`, lambda -> 0.

    delta = -y h, base y = lift (1 - y)^2/4, lift = 2 mass ln 2; r (1 - r) - base h (y + 1/3) + lift h (1 - y)^3/12

    Domain   0 < h < 1/4, the kernel uniform on [-1, 1]
    Returns  (loss/decision)^2
    """
    lift = 2 * mass * m.log(m.real(2))
    half = 1 + 2 * base / lift
    y = half - m.sqrt(half**2 - 1)
    return r * (1 - r) - base * h * (y + m.frac(1, 3)) + lift * h * (1 - y) ** 3 / 12


def clustered_variance(m: Numbers, r: Real, base: Real, mass: Real) -> Real:
    """Variance of the limit of sqrt(n) times the intercept without privacy, for the law of `clustered_shift`.

    The averaged slope is base below theta* and base + lift above it: the limit is A Z for Z < 0, B Z for Z > 0, of variance
    r (1 - r) [(A^2 + B^2)/2 - (A - B)^2/(2 pi)], A = 1/base, B = 1/(base + 2 mass ln 2)

    Domain   0 < r < 1, base > 0, mass >= 0
    Returns  decision^2
    """
    A, B = 1 / base, 1 / (base + 2 * mass * m.log(m.real(2)))
    return r * (1 - r) * ((A**2 + B**2) / 2 - (A - B) ** 2 / (2 * m.pi))
