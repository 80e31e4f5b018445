"""bilevel, Theorem 3.1: the rates with delta fail for large epsilon, and no rate is a lower bound where it exceeds the range.

(1) X the unit ball, f = -<x, z>, z in {-1, 1}^d/sqrt(d) or 0 (L_fx = 1, D_x = 2, nothing below), n - 1 records 0, one z. For
x fixed and z uniform P(<x, z> >= 1/2) is a binomial tail, at most e^{-d/8} (Hoeffding). So for some z an (epsilon, delta)-DP
algorithm has an excess of (1 - delta - e^epsilon e^{-d/8})/(2n) at least. d = 16 epsilon.
(2) An answer that ignores the data is private, with an excess of at most L_fx D_x + L_fy D_y, whatever d.
(3) Population: z's coordinates have means p_j/sqrt(d), p uniform in [-1, 1]^d. Fingerprints: E sum_i <A, sqrt(d) z_i - p> = 2
E<A, p>, each term at most sqrt(2 epsilon) + 1/sqrt(2 epsilon) + 2 sqrt(d) delta by privacy and Hoeffding, E|p| >= sqrt(d)/2:
some excess is at least 1/2 - n (that)/(2 sqrt(d)). epsilon = n, d = 16 n^2 (2n + 3), delta = 1/(8n).
"""

from math import comb

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 30
for d in (1, 2, 5, 16, 40, 100):  # the tail itself, for x = z'/|z'| along a diagonal: P(sum of signs >= d/2)
    tail = mpf(sum(comb(d, j) for j in range(d + 1) if 2 * (2 * j - d) >= d)) / 2**d
    assert tail <= exp(-mpf(d) / 8)
delta, ratios = mpf("0.1"), []
for n in (1, 1000):
    for epsilon in (10, 10**3, 10**5, 10**7):
        d = 16 * epsilon
        rate = sqrt(d * log(1 / delta)) / (epsilon * n)
        least = (1 - delta - exp(epsilon - mpf(d) / 8)) / (2 * n)
        ratios.append(least / rate)
        print(f"n = {n}, epsilon = {epsilon}, d = {d}: claimed O({mp.nstr(rate, 5)}), excess >= {mp.nstr(least, 8)}")
assert ratios[3] > 100 * ratios[0] * mpf("0.9") and ratios[7] == ratios[3]
for d in (10**3, 10**6, 10**9):
    print(f"n = epsilon = 1, d = {d}: claimed Omega({d}) up to logarithms, excess of a fixed answer <= 1 (L_fx D_x = 1)")
for n in (10**4, 10**8, 10**12):
    d, delta = 16 * n**2 * (2 * n + 3), mpf(1) / (8 * n)
    rate = sqrt(d * log(1 / delta)) / (mpf(n) * n) + 1 / sqrt(n)
    least = mpf(1) / 2 - n * (sqrt(2 * n) + 1 / sqrt(2 * n) + 2 * sqrt(d) * delta) / (2 * sqrt(d))
    print(f"epsilon = n = {n}: population, claimed O({mp.nstr(rate, 5)}), excess >= {mp.nstr(least, 8)}")
assert least > 1000 * rate
