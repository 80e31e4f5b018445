"""newsvendor, proof of Theorem 6: with L/n^3 in place of L^2/n^3 the first two displays of the last chain fail.

The sum (1 + T) eta L^2/n + B^2/(2 T eta) + eta L^2/2 + eta d sigma^2/2 + eta kappa_1 K_bar B_x^2/4 has the least value
sqrt(2 B^2 slope/T); T = n^2, sigma^2 = 16 L^2 ln(1/delta)/epsilon^2. Uniform kernel (kappa_1 K_bar = 1/4), n = 1, B = d = 1.
"""

from fractions import Fraction

from mpmath import log, mp, mpf, nstr, sqrt

mp.dps = 30
epsilon, delta, r_bar, k, n = 1, mpf("0.999"), mpf(9) / 10, mpf(1) / 4, 1


def chain(B_x):
    L, private = r_bar * B_x, 8 * log(1 / delta) / epsilon**2
    slope = (1 + n**2) * L**2 / n + L**2 / 2 + L**2 * private + k * B_x**2 / 4
    least = sqrt(2 * slope) / n
    first = sqrt(2) * sqrt(L**2 / n + L**2 * private / n**2 + (L**2 + k * B_x**2) / (2 * n**2) + L / mpf(n) ** 3)
    second = sqrt(2) * L * sqrt(mpf(2) / n + private / n**2 + (1 + k / r_bar**2) / (2 * n**2))
    return least, first, second


least, first, _ = chain(mpf(7))
print(f"B_x = 7: claimed {nstr(least, 12)} <= {nstr(first, 12)}")
assert least > first
_, first, second = chain(mpf(1) / 100)
print(f"B_x = 1/100: claimed {nstr(first, 12)} <= {nstr(second, 12)}")
assert first > second
# the same without noise in exact fractions: squares over 2
for B_x, claimed in ((Fraction(7), "least <= first"), (Fraction(1, 100), "first <= second")):
    L, k = Fraction(9, 10) * B_x, Fraction(1, 4)
    squares = {"least": 2 * L**2 + L**2 / 2 + k * B_x**2 / 4, "first": L**2 + (L**2 + k * B_x**2) / 2 + L}
    squares["second"] = 2 * L**2 + (L**2 + k * B_x**2) / 2
    left, right = claimed.split(" <= ")
    assert squares[left] > squares[right]
