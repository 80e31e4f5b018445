"""quantile, proof of Theorem 3.7, the step into display (15): a private map of S(X) is no private classifier of X.

d = 1, n = 3, B = B_x = 1: X = (1, 1, -1) and X' = (-1, 1, -1) are neighbours; y_i = x_i sign(mean). All three records of S
differ. B counts the positive products x_i y_i, k of three, and answers 1 with probability p_k; neighbouring data sets of any
kind change k by at most one, and each p_k, 1 - p_k is at most F = e^epsilon' = 8 times its neighbours: B is (ln 8, 0)-DP.
"""

from fractions import Fraction
from itertools import pairwise


def S(X):
    sign = 1 if sum(X) >= 0 else -1
    return [(x * sign, x) for x in X]


F = Fraction(8)
q = 1 / (F + F**2)
p = [q, q * F, 1 - q * F, 1 - q]
assert all(max(a / b, b / a, (1 - a) / (1 - b), (1 - b) / (1 - a)) <= F for a, b in pairwise(p))
X, Z = (1, 1, -1), (-1, 1, -1)
print(f"records of S that differ: claimed 1, there are {sum(a != b for a, b in zip(S(X), S(Z), strict=True))}")
here, there = (p[sum(x * y > 0 for y, x in S(data))] for data in (X, Z))
print(f"Pr[1] on X over Pr[1] on X': claimed at most {F}, it is {here / there}")
assert here / there > F
# any classifier C of X with this budget errs by at least (1/3)/(1 + F) at X or X', whose means are 1/3 and -1/3
print(f"least error over B of S: claimed at least {Fraction(1, 3) / (1 + F)} as over C of X, one B has at most {q}")
assert q < Fraction(1, 3) / (1 + F)
