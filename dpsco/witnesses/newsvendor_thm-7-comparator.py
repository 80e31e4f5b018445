"""newsvendor, proof of Theorem 7, step 1: the least loss of the hard data over the ball is not that over the box.

d = 4, B = B_x = 1, r = 1/2, all rows equal to (1/2, 1/2, 1/2, 1/2), so y = <x, (1, 1, 1, 1)> = 2. Over the box |theta_j| <= 1
the fit (1, 1, 1, 1) has loss 0. Over the ball <x, theta> <= |x| |theta| <= 1, so the loss is at least r (2 - 1) = 1/2.
"""

from fractions import Fraction
from itertools import product

r, x = Fraction(1, 2), (Fraction(1, 2),) * 4
y = sum(x, Fraction(0))
grid = [Fraction(k, 4) for k in range(-4, 5)]
ball = [t for t in product(grid, repeat=4) if sum((a * a for a in t), Fraction(0)) <= 1]
least = min(r * abs(y - sum((a * b for a, b in zip(t, x, strict=True)), Fraction(0))) for t in ball)
print(f"least loss over the box: {r * abs(y - sum(x, Fraction(0)))}; over the ball, claimed the same, on a grid: {least}")
assert least == Fraction(1, 2)  # reached on the grid at (1/2, 1/2, 1/2, 1/2); by Cauchy and Schwarz nowhere smaller
