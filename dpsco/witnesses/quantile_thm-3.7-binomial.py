"""quantile, Appendix A.6, step 2: Pr[Binomial(n, 1/n) >= z + 1] <= exp(-z^2/3) is false from z = 5 on. Exact fractions."""

from fractions import Fraction
from math import comb

from mpmath import exp, mp, mpf, nstr

mp.dps = 50


def tail(n, k):
    exact = sum(Fraction(comb(n, c) * (n - 1) ** (n - c), n**n) for c in range(k, n + 1))
    return mpf(exact.numerator) / exact.denominator


for n, z in ((100, 5), (100, 10), (1000, 30)):
    true, claimed = tail(n, z + 1), exp(-(mpf(z) ** 2) / 3)
    mended = exp(-(mpf(z) ** 2) / (2 + z))
    print(
        f"n = {n}, z = {z}: claimed at most {nstr(claimed, 10)}, it is {nstr(true, 10)}; exp(-z^2/(2 + z)) = {nstr(mended, 10)}"
    )
    assert claimed < true < mended
