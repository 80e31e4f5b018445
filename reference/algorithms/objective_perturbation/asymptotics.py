"""Population minimisers in closed form: laws for which the smoothed, regularised risk is known exactly, one dimension, x = 1.

The linear law has density f(t) = density + density_slope t for |t| up to a reach within which the kernel's window stays; what
lies beyond it never matters. A compact kernel enters through its second moment only.
"""

from dpsco.reference.bracket import bracket
from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.spec.numbers import Numbers, Real


def smoothed_slope(m: Numbers, delta: Real, h: Real, kappa_2: Real, density: Real, density_slope: Real) -> Real:
    """Slope of the smoothed population risk at distance delta from theta*.

    E calK((delta - e)/h) - r = density delta + density_slope (delta^2 + h^2 kappa_2)/2

    Domain   the linear law, a symmetric kernel on [-w, w], |delta| + h w within the law's reach
    Returns  loss/decision
    Source   newsvendor, display (EC.52)
    """
    return density * delta + density_slope * (delta**2 + h**2 * kappa_2) / 2


def minimiser_shift(m: Numbers, lambda_: Real, h: Real, kappa_2: Real, theta: Real, density: Real, density_slope: Real) -> Real:
    """Where the smoothed, regularised risk of the linear law has its minimiser, measured from theta* = theta.

    The root delta near 0 of smoothed_slope(delta) + 2 lambda (theta + delta) = 0

    Domain   lambda, h so small that the root is real and within the law's reach
    Returns  delta, a decision
    Source   newsvendor, Lemma EC.9
    """
    a, b = density_slope / 2, density + 2 * lambda_
    c = density_slope * h**2 * kappa_2 / 2 + 2 * lambda_ * theta
    return -2 * c / (b + m.sqrt(b**2 - 4 * a * c))


def hidden_shift(h: Real, base: Real, lift: Real) -> Real:
    """The same, smoothed only, for densities whose slopes at 0 are all 0 and steep next to it; enclosed.

    x = (1, sqrt(3) w), w uniform on [-1, 1]; given w the error has density base for t < |w|, base + lift for |w| < t < 1. By
    symmetry in w only the intercept moves; with the uniform kernel on [-1, 1], delta = -h^2 y, where y is the root of
    y = lift (1 - h y)^3 / (12 base).

    Domain   0 < h < 1/2, 0 < lift <= base
    Returns  delta < 0
    """
    m = ArbNumbers(256)

    def below(y: Real) -> bool | None:
        answer = m.lt(y, lift * (1 - h * y) ** 3 / (12 * base))
        return None if answer is None else bool(answer)

    return -(h**2) * bracket(below, m.frac(1, 12)).ball()


def clustered_shift(m: Numbers, lambda_: Real, theta: Real, base: Real, mass: Real) -> Real:
    """Minimiser of the regularised risk, no smoothing, where a cluster of errors lies near 0 for every x, measured from theta*.

    x = (1, sqrt(3) w), w uniform on [-1, 1]; given w the density is base, and in [|w|/2, |w|] higher by 2 mass/|w|: over w
    the density is base for t < 0 and base + 2 mass ln 2 for 0 < t < 1/2, while E[f(0|x) x x'] = base I.

    Domain   theta = (theta, 0), theta < 0, lambda so small that the shift is below 1/2
    Returns  -2 lambda theta/(base + 2 mass ln 2 + 2 lambda)
    """
    return -2 * lambda_ * theta / (base + 2 * mass * m.log(m.real(2)) + 2 * lambda_)


def radius_tail(m: Numbers, d: int, a: Real) -> Real:
    """Pr[|z| >= a] for z from N(0, I_d).

    Domain   d >= 1, a >= 0
    Returns  a probability: Q_d = Q_(d-2) + (a^2/2)^(d/2 - 1) e^(-a^2/2) / Gamma(d/2), from Q_1 = erfc(a/sqrt 2), Q_0 = 0
    Raises   ValueError for d < 1
    """
    if d < 1:
        raise ValueError(f"d is the dimension, at least 1, got {d}")
    half = a**2 / 2
    total = m.erfc(a / m.sqrt(m.real(2))) if d % 2 else m.real(0)
    for k in range(3 if d % 2 else 2, d + 1, 2):
        power = half ** (k // 2 - 1) * (m.sqrt(half) if k % 2 else 1)
        total = total + power * m.exp(-half) / m.gamma(m.frac(k, 2))
    return total


def far_move(m: Numbers, n: Real, sigma: Real, lambda_: Real, distance: Real, peak: Real, width: Real, base: Real) -> Real:
    """Chance that noise moves the minimiser by `distance` or more, where the density has a peak at 0, r = 1/2, theta* = 0.

    Density peak for |t| <= width, base beyond it: the slope at distance D > width + h is peak width + base (D - width) + 2
    lambda D for every symmetric kernel on [-1, 1], and the minimiser moves past it where |b|/n exceeds that.

    Domain   h < width < distance - h
    Returns  Pr[|N(0, 1)| >= n slope / sigma]
    """
    slope = peak * width + base * (distance - width) + 2 * lambda_ * distance
    return m.erfc(n * slope / (sigma * m.sqrt(m.real(2))))
