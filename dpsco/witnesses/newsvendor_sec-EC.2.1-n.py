"""newsvendor, EC.2.1 (ii): the gradient policies' bounds do not hold from n = 2 on for every kernel.

The kernel is uniform on [-1, 1] or on [-b, b], each with chance 1/2: nonnegative, even, unimodal, all moments finite.
(1) Theorem 4's bound fails at n = 100: on the one record x = 1, y = B = 1 the average of n^2 iterates lies at most at eta L
(n^2 - 1)/2 in mean, whatever the noise. (2) Its condition n >= (1 + kappa_1 K_bar/r_bar^2)/4 fails at n = 2.
"""

from fractions import Fraction

from mpmath import log, mp, mpf, nstr, quad, sqrt

mp.dps = 30


def moments(b):
    density = lambda v: (mpf(1) / 2 if v <= 1 else 0) / 2 + 1 / (4 * mpf(b))  # noqa: E731
    assert abs(2 * quad(density, [0, 1, b]) - 1) < mpf("1e-20")
    return 2 * quad(lambda v: v * density(v), [0, 1, b]), density(mpf(0))


kappa_1, K_bar = moments(10**6)
n, L, d, private = 100, mpf(1) / 2, 1, log(100)  # epsilon = 1, delta = 1/100, B_x = B = 1
slope = L**2 * (1 + mpf(n) ** 2) / n + L**2 / 2 + d * 8 * L**2 * private / 2 + kappa_1 * K_bar / 2
eta = sqrt(1 / (2 * mpf(n) ** 2) / slope)
bound, risk = L * sqrt(mpf(8) / n + 8 * d * private / mpf(n) ** 2), L * (1 - eta * L * (mpf(n) ** 2 - 1) / 2)
print(f"b = 10^6, n = 100: claimed bound {nstr(bound, 12)}, the risk is at least {nstr(risk, 12)}")
assert risk > bound

kappa_1, K_bar = moments(100)
exact = Fraction(101, 4) * Fraction(101, 400)
assert abs(kappa_1 * K_bar - mpf(exact.numerator) / exact.denominator) < mpf("1e-20")
least = (1 + kappa_1 * K_bar / mpf("0.81")) / 4
print(f"b = 100, r_bar = 9/10: claimed 2 >= least n, which is {nstr(least, 12)}")
assert least > 2
