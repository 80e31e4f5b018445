"""Proposition EC.2: u'x > 0 does not follow from theta*'x > 0, and Pr[P > 0] does not tend to 1.

First x = (1, 1/2) or (1, -1/2), theta* = (1, 1): orders 3/2 and 1/2, yet f(0) u'x = theta*'E[x x']^{-1} x is 3 and -1.
Then x = 1, theta* = 1, p = 2w, B_theta = 10, epsilon = 1: the private order exceeds q* if the slope at theta* is <= 0: if a
sum of n variables in [0, 1] with mean 1/2 and variance near 1/4 is at most n/2 - 2 n lambda - b. lambda has order 1/sqrt(n)."""

from fractions import Fraction

from mpmath import erfc, log, mp, mpf, pi, sqrt

mp.dps = 30
orders = [1 * 1 + s * Fraction(1, 2) for s in (1, -1)]
products = [1 * 1 + Fraction(1) / Fraction(1, 4) * s * Fraction(1, 2) for s in (1, -1)]  # E[x x'] = diag(1, 1/4)
print(f"orders {orders[0]}, {orders[1]} > 0; claimed u'x > 0, f(0) u'x = {products[0]}, {products[1]}")
assert min(orders) > 0 > min(products)

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
