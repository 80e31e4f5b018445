"""Theorem 4's proof where |C|_2 < 1: lambda = max(r beta/(epsilon n) - Delta, 0) is not 0, and two steps that need it fail.

C = [-1/10, 1/10], L = 1, n = 100, Delta = 1/64, r = 1, beta = 900, epsilon = 10: Delta >= L |C|_2/sqrt(n) = 1/100 and
L/(sqrt(n) |C|_2) = 1 >= r beta/(epsilon n) = 9/10. Every record has mu theta^2/2 - a theta, mu = Delta/|C|_2^2, a = mu/20.
"""

from fractions import Fraction

from mpmath import log, mp, mpf, npdf, quad, sqrt

mp.dps = 30
c, L, n, Delta, beta, epsilon = Fraction(1, 10), 1, 100, Fraction(1, 64), 900, 10
ridge = max(beta / Fraction(epsilon * n) - Delta, Fraction(0))
print(f"claimed lambda = 0; the printed choice is {ridge}")
assert Delta >= L * c / 10 and 1 / (10 * c) >= beta / Fraction(epsilon * n) and ridge > 0
mu = Delta / c**2
a = mu * c / 2
assert mu * c + a <= L and beta >= mu
best, found = a / mu, a / (mu + 2 * ridge)
print(f"G = 0: claimed |theta_1 - theta'|_C <= 2 |G|/(n Delta) = 0; it is {(best - found) / c}")
assert (best - found) / c > Fraction(1, 4)

delta = mpf("0.999999")
sigma = sqrt(128 * log(1 / delta)) / epsilon
slope, rest = mpf(a.numerator) / a.denominator, mpf((mu + 2 * ridge).numerator) / (mu + 2 * ridge).denominator
curve, half, size = mpf(mu.numerator) / mu.denominator, mpf(best.numerator) / best.denominator, mpf(1) / 10


def excess(g):
    theta = max(-size, min(size, (slope - g / n) / rest))
    return curve / 2 * (theta - half) ** 2


true = quad(lambda g: excess(g) * npdf(g / sigma) / sigma, [k * sigma for k in (-9, -3, 0, 3, 9)])
printed = 2 * sigma**2 * size**2 / (n**2 * mpf(1) / 64)
print(f"delta = {delta}: claimed excess empirical loss <= {mp.nstr(printed, 6)}; it is {mp.nstr(true, 6)}")
assert true > 1000 * printed
