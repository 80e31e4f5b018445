"""spo, Section 3.2 and Appendix A: the two displays of the smoothed SPO+ loss differ, and only one fits its derivative.

S = [-1, 1]^2, c = (1, 0), c_hat = (1/4, 1/4), mu = 1; w*(c) = (-1, 0). Decisions on a grid of 81 x 81.
"""

from fractions import Fraction
from math import isqrt

mu, c, c_hat, best = 1, (Fraction(1), Fraction(0)), (Fraction(1, 4), Fraction(1, 4)), (Fraction(-1), Fraction(0))
grid = [(Fraction(i, 40), Fraction(j, 40)) for i in range(-40, 41) for j in range(-40, 41)]


def linear(w):
    return sum((-2 * a + 2 * b) * h - (-a + b) * x for a, b, h, x in zip(w, best, c_hat, c, strict=True))


def root(q):
    """The square root of a fraction, to 20 digits."""
    return Fraction(isqrt(q.numerator * q.denominator * 10**40), q.denominator * 10**20)


values = []
for name, term in (("main text, |w|^2", lambda q: q), ("Appendix A, |w|", root)):
    value, at = max((linear(w) - mu * term(w[0] ** 2 + w[1] ** 2) / 2, w) for w in grid)
    values.append((value, at))
    print(f"{name}: loss {float(value)} at w = ({at[0]}, {at[1]})")
stationary = tuple((x - 2 * h) / mu for x, h in zip(c, c_hat, strict=True))
print(f"Appendix A's derivative -2 c_hat + c - mu w vanishes at w = ({stationary[0]}, {stationary[1]}), as the main text says.")
assert values[0][0] != values[1][0] and values[0][1] == stationary != values[1][1]
