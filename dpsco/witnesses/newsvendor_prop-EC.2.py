"""Proposition EC.2: u'x > 0 does not follow from theta*'x > 0, and Pr[P > 0] does not tend to 1.

First x = (1, x_2, x_3), both +-1 (mean 0, variance 1) with correlation 1/2, theta* = (1.1, 1, 0): every order is positive.
Then x = 1, theta* = 1, p = 2w, B_theta = 10, epsilon = 1: the private order exceeds q* if the slope at theta* is <= 0: if a
sum of n variables in [0, 1] with mean 1/2 and variance near 1/4 is at most n/2 - 2 n lambda - b. lambda has order 1/sqrt(n)."""

from fractions import Fraction

from mpmath import erfc, log, mp, mpf, pi, sqrt

mp.dps = 30
points = [(a, b) for a in (1, -1) for b in (1, -1)]
first, second = Fraction(11, 10), Fraction(1)
orders = [first + second * a for a, b in points]
u_2, u_3 = second / (1 - Fraction(1, 4)), -second / 2 / (1 - Fraction(1, 4))  # f(0) u, from the inverse of (1, 1/2; 1/2, 1)
assert (u_2 + u_3 / 2, u_2 / 2 + u_3) == (second, 0)
products = [first + u_2 * a + u_3 * b for a, b in points]
print(
    f"least order {min(orders)} > 0; claimed u'x > 0, f(0) u'x at (1, -1, 1) is {min(products)}",
    f"and u'x = {mp.nstr(-sqrt(2 * pi) * 9 / 10, 10)} for p = 2w",
)
assert min(orders) > 0 > min(products) == Fraction(-9, 10)

for n in (10**4, 10**6, 10**8):
    sigma = mpf(1) / 2 * sqrt(8 * log(mpf(10) ** 6) + 4)
    lambda_ = sqrt(mpf(1) / (2 * n) + sigma**2 / mpf(n) ** 2) / 10
    h = mpf(1) / 2 / (lambda_ * n)
    variance = (1 - 2 * h / sqrt(2 * pi)) / 4
    z = (2 * lambda_ * n + 3 * sigma) / sqrt(n * variance)
    berry_esseen = mpf("0.4748") / (8 * variance * sqrt(n * variance))
    above = mpf("0.998") * (erfc(z / sqrt(2)) / 2 - berry_esseen)
    print(f"n = {n:.0e}: claimed Pr[P > 0] -> 1, it is at most {float(1 - above):.4f}")
    assert above > 0.2
