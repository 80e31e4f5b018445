"""newsvendor, proof of Theorem 7, step 2: Pr[Binomial(n, 1/n) >= z + 1] <= exp(-z^2/3) is false from z = 5 on, and u = 3
sqrt(ln(1/gamma)) + 1 is reached with more than probability gamma for tiny gamma. The tails are exact fractions.
"""

from fractions import Fraction
from math import comb

from mpmath import ceil, exp, log, mp, mpf, nstr, sqrt

mp.dps = 50


def tail(n, k):
    exact = sum(Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(k, n + 1))
    return mpf(exact.numerator) / exact.denominator


n, z = 100, 5
true, claimed = tail(n, z + 1), exp(-(mpf(z) ** 2) / 3)
print(f"n = {n}, z = {z}: claimed Pr[draws >= {z + 1}] <= {nstr(claimed, 10)}, it is {nstr(true, 10)}")
assert true > claimed

n, gamma = 1000, mpf("1e-23")
u = 3 * sqrt(log(1 / gamma)) + 1
true = tail(n, int(ceil(u)))
print(f"n = {n}: claimed Pr[draws >= u = {nstr(u, 6)}] <= {nstr(gamma, 6)}, it is {nstr(true, 10)}")
assert true > gamma
