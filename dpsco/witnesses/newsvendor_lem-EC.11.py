"""newsvendor, Lemma EC.11: multiplying out the sandwich gives +lambda (4r - 2) V where -lambda (4r - 2) V is printed.

x = 1, error with F(t) = 1 - (1 - r) exp(-t) near 0: f(0) = 1 - r, f'(0) = -(1 - r); uniform kernel on [-1, 1] (K = 1/6);
sigma^2/n -> 0. The asymptotic variance is exact up to the root of one equation.
"""

from mpmath import cosh, exp, findroot, mp, mpf, sinh

mp.dps = 40
r, theta = mpf(9) / 10, mpf(2)
f, slope = 1 - r, -(1 - r)


def variance(ridge, h):
    spread = sinh(h) / h
    delta = findroot(lambda d: 1 - (1 - r) * exp(-d) * spread - r + 2 * ridge * (theta + d), mpf(0))
    density = (1 - r) * exp(-delta) * spread + 2 * ridge
    mean = 1 - (1 - r) * exp(-delta) * spread
    square = 1 - (1 - r) * exp(-delta) * (spread + cosh(h) / h - sinh(h) / h**2)
    return (square - mean**2) / density**2


def expansion(ridge, h, sign):
    bracket = sign * (4 * r - 2) * theta - 4 * (1 - slope * theta / f) * r * (1 - r) / f
    return (r * (1 - r) + ridge * bracket) / f**2 - 2 * h / 6 / f


for ridge in (mpf("1e-6"), mpf("1e-8")):
    h, start = ridge**2, r * (1 - r) / f**2
    rows = [(x - start) / ridge for x in (expansion(ridge, h, -1), variance(ridge, h), expansion(ridge, h, 1))]
    print(f"lambda = {mp.nstr(ridge, 2)}: change over lambda: printed, computed, other sign:", *(mp.nstr(x, 10) for x in rows))
assert abs(rows[1] - rows[2]) < 1 < abs(rows[1] - rows[0])
