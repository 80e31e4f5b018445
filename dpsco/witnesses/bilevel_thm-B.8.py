"""bilevel, Theorem B.8: neither the empirical rate (with privacy) nor the population rate (printed without 1/epsilon) holds.

X = [-1/2, 1/2], g = (y - x - z)^2/2; f(y) = |y| - 1/4 for |y| >= 1/2 and y^2 below; G = L_fy beta_gxy/mu_g = 1.
(1) Empirical: n - 1 records 0, one n or -n: y_Z = x + 1, Phi_Z = x + 3/4, or Phi_Z' = 3/4 - x. With p = P(x <= 0 | Z) and q =
P(x <= 0 | Z') the risks are at least (1 - p)/2 and q/2, and p <= e^epsilon q + delta: whatever mu and k.
(2) Population, every algorithm: z = +-2 sqrt(n) of mean 1 or -1, Phi = x + 3/4 or 3/4 - x; the total variation of n records is
that of two binomials, the larger excess at least (1 - TV)/4.
"""

from math import comb

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 30
epsilon, delta = mpf(1), mpf("0.001")
lower = (1 - delta) / (2 * (1 + exp(epsilon)))
search = min(max((1 - exp(epsilon) * q - delta) / 2, q / 2) for q in (mpf(i) / 4000 for i in range(4001)))
assert lower <= search <= lower + mpf("0.001")
for n in (10**2, 10**4, 10**6):
    rate = sqrt(log(1 / delta)) / (epsilon * n)
    print(
        f"n = {n}: empirical, claimed O({mp.nstr(rate, 5)}), larger risk >= {mp.nstr(lower, 8)} (search {mp.nstr(search, 5)})"
    )
for n in (25, 100, 400, 900):
    up = (1 + 1 / (2 * sqrt(n))) / 2
    first = [comb(n, j) * up**j * (1 - up) ** (n - j) for j in range(n + 1)]
    variation = sum(abs(a - b) for a, b in zip(first, reversed(first), strict=True)) / 2
    pinsker = 1 / (2 * sqrt(1 - mpf(1) / (4 * n)))
    least, rate = (1 - variation) / 4, sqrt(log(1 / delta)) / n + 1 / sqrt(mpf(n))
    print(f"n = {n}: population, claimed O({mp.nstr(rate, 5)}), excess >= {mp.nstr(least, 8)}")
    assert variation <= pinsker and least > mpf("0.12")
