"""quantile, Appendix A.6, step 2: u = 3 sqrt(ln(1/gamma)) + 1 draws are exceeded with more than
probability gamma, and then the resampled algorithm is not (u epsilon, gamma)-DP, delta = 0.

A answers yes with probability p_c if its data hold c copies of the replaced record; p grows by at most e^epsilon from c to
c + 1, and 1 - p falls by at most that: A is (epsilon, 0)-DP. One source holds no copy, so none is drawn; of the other a
Binomial(n, 1/n) number is drawn.
"""

from math import comb

from mpmath import ceil, exp, floor, log, mp, mpf, sqrt

mp.dps = 60
n, gamma, epsilon = 1000, mpf("1.6e-28"), mpf(100)
u = 3 * sqrt(log(1 / gamma)) + 1
law = [mpf(comb(n, c)) * (n - 1) ** (n - c) / mpf(n) ** n for c in range(n + 1)]

tail = sum(law[int(ceil(u)) :])
print(f"Pr[at least u = {mp.nstr(u, 6)} of {n} draws]: claimed at most {mp.nstr(gamma, 6)}, it is {mp.nstr(tail, 10)}")
assert tail > gamma

k = int(floor(u)) + 1
p = [exp(-k * epsilon) / 2]
for _ in range(n):
    p.append(min(exp(epsilon) * p[-1], 1 - (1 - p[-1]) * exp(-epsilon)))
yes = sum(a * b for a, b in zip(law, p, strict=False))
needed = yes - exp(u * epsilon) * p[0]
print(f"(u epsilon, delta')-DP at epsilon = 100, delta = 0: claimed delta' = {mp.nstr(gamma, 6)}, needed {mp.nstr(needed, 10)}")
assert needed > gamma
