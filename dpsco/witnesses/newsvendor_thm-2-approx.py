"""newsvendor, (EC.18): F(a + v h) - F(a - v h) <= s v h lacks a factor 2, as the interval has length 2 v h; and h^2 s kappa_2.

Errors uniform on [-1, 1]: s = 1/2. The uniform kernel on [-1, 1], h = 1/4, r = 1/2: the cost is half of h^2 s kappa_2.
"""

from fractions import Fraction

from mpmath import mpf, quad

s, v, h = Fraction(1, 2), Fraction(1, 2), Fraction(1, 4)
increment = min(Fraction(1), (1 + v * h) / 2) - max(Fraction(0), (1 - v * h) / 2)
print(f"claimed: F(v h) - F(-v h) <= {s * v * h}; it is {increment}")
assert increment == 2 * s * v * h > s * v * h


def cost(u):
    ends = sorted({mpf(-1), mpf(1), max(mpf(-1), min(mpf(1), -4 * u))})
    return quad(lambda t: (abs(u + t / 4) - abs(u)) / 4, ends)


true = quad(lambda u: cost(u) / 2, [-1, mpf("-0.25"), 0, mpf("0.25"), 1])
print(f"cost of smoothing: claimed <= {float(h**2 * s / 3):.8f}, true {float(true):.8f}, half of it")
assert abs(true - float(h**2 * s / 6)) < 1e-9
