"""bilevel, Lemma B.6: Phi_Z - Phi_Z' is not 2(L_fx + L_fy beta_gxy/mu_g + L_gy beta_fxy/mu_g)/n-Lipschitz. Exact fractions.

First: g = (y - x - n z)^2/2, f = |y| - 1/4 for |y| >= 1/2 and y^2 below, x in [-1/2, 1/2]: L_fx = beta_fxy = 0, L_fy =
beta_gxy = mu_g = 1. n - 1 records are 0, one is 1 or -1: y_Z = x + 1 or x - 1.
Second, nothing but bilinear: g = y^2/2 - z x y, f = z y, z in {-1, 1}: y_Z = x mean(z).
"""

from fractions import Fraction


def mean(data):
    return sum(data) / Fraction(len(data))


def first(x, data):
    y = x + len(data) * mean(data)
    return abs(y) - Fraction(1, 4) if abs(y) >= Fraction(1, 2) else y**2


def second(x, data):
    y = x * mean(data)
    return mean([z * y for z in data])


def quotient(phi, one, other):
    a, b = Fraction(-1, 2), Fraction(1, 2)
    return abs(phi(b, one) - phi(b, other) - phi(a, one) + phi(a, other)) / (b - a)


for n in (2, 10, 1000):
    claimed = Fraction(2, n)  # L_fx = beta_fxy = 0 in both
    one = quotient(first, [1] + [0] * (n - 1), [-1] + [0] * (n - 1))
    two = quotient(second, [1] * n, [-1] + [1] * (n - 1))
    print(f"n = {n}: claimed slope at most {claimed}; Huber {one}, bilinear {two}")
    assert one > claimed and (two > claimed or n == 2)
