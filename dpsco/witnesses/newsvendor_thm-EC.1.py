"""newsvendor, Theorem EC.1: under its conditions the risk can be ten times the bound.

r = 0.9, tau = 0.2, d = 2. x = (1, 360), with probability 9e-11 (1, 3999000); error -a with probability 0.9, else a, a = 0.2001,
and as little mass near 0 as one likes: the minimiser is 0. theta solves the smoothed, regularised population problem; the
perturbed minimiser is away from it by at most the mean square below, and then the rare records lose.
"""

from mpmath import findroot, log, mp, mpf, ncdf, npdf, pi, sqrt

mp.dps = 30
n, B, B_x, delta, epsilon = mpf(53755026920390767307658716), mpf("1e-5"), mpf(4000000), mpf("1e-6"), mpf("4.275072e-11")
r, a, tau, p, z = mpf("0.9"), mpf("0.2001"), mpf("0.2"), mpf("9e-11"), (mpf(360), mpf(3999000))
peak, L = 1 / sqrt(2 * pi), r * B_x
scale = peak * B_x * B / (r * sqrt(n))
for factor in (1 / (sqrt(2) * tau**2), 1 / sqrt(pi), log(sqrt(n) / (2 * sqrt(2) * B_x * B * r)) / sqrt(2)):
    assert epsilon >= scale * factor
noise = 2 * L**2 * (8 * log(1 / delta) + 4 * epsilon) / (n * epsilon) ** 2  # d sigma^2 / n^2
lambda_ = sqrt(2 * L**2 / n + noise) / B
h = peak * B_x**2 / (lambda_ * n * epsilon)
bound = 4 * sqrt(2) * B_x * B * r * sqrt(1 / n + 16 * log(1 / delta) / (n * epsilon) ** 2)
smoothing = h * npdf(a / h) - a * ncdf(-a / h)
print(f"smoothing error: claimed at most {mp.nstr(bound / 2, 10)}, computed {mp.nstr(smoothing, 10)}")


def gradient(s, t):
    X = [s + size * t for size in z]
    slopes = [w * ((1 - r) * ncdf((x - a) / h) - r * ncdf(-(x + a) / h)) for w, x in zip((1 - p, p), X, strict=True)]
    return [(sum(slopes) + 2 * lambda_ * s) * 1e10, (slopes[0] * z[0] + slopes[1] * z[1] + 2 * lambda_ * t) * 1e7]


s, t = findroot(gradient, (mpf("7e-7"), mpf("1.1e-5")))
away = (r**2 * (1 + (1 - p) * z[0] ** 2 + p * z[1] ** 2) / n + noise) / (4 * lambda_**2)
radius = B / 8
for shrunk, release in ((1, "minimiser"), (min(1, B / (sqrt(s**2 + t**2) + radius)), "projected")):
    X = (s + z[1] * t - radius * sqrt(1 + z[1] ** 2)) * shrunk
    risk = (1 - away / radius**2) * p * (1 - r) * (X - a)
    print(f"{release}: claimed at most {mp.nstr(bound, 10)}, expected excess risk at least {mp.nstr(risk, 10)}")
    assert risk > 9 * bound
