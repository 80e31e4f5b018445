"""spo, Appendix E: the last line of the chain is below the line before it.

The line before the last carries mu D, the last one eta D/2, with mu and eta not tied together. Beside it: |z|^2 has mean
p d sigma^2 if the noise is in all p d entries of B, and not d sigma^2, which z in N(0, sigma^2 I_d) has, as it is printed.
"""

import random
from fractions import Fraction


def before(T, eta, norm, L, square, mu, D):
    return norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta / 2 * square + mu * D


def last(T, eta, norm, L, square, D):
    return norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta / 2 * square + eta / 2 * D


one, D = Fraction(1), Fraction(9, 2)  # D = B_w^2/2, B_w = 3
for mu in (Fraction(1, 2), one, 30 * one):
    left, right = before(1, one, 0, one, one, mu, D), last(1, one, 0, one, one, D)
    print(f"eta = 1, mu = {mu}: the line before the last is {left}, claimed at most {right}")
    assert (left <= right) == (mu <= Fraction(1, 2))
draw, p, d = random.Random(3), 5, 2
mean = sum(sum(draw.gauss(0, 1) ** 2 for _ in range(p * d)) for _ in range(20000)) / 20000
print(f"p = {p}, d = {d}, sigma = 1: E|z|^2 = {p * d} for noise in all entries (mean of 20000 draws {mean:.2f}), else {d}")
assert abs(mean - p * d) < 0.3
