"""quantile, Appendix A.6, step 4: sample complexity, least error and the passage from epsilon' to epsilon, B_x = 1, d = 2.

(a) alpha = 2: the answer (1, 1) has error at most sum_j |xbar_j| <= sqrt(2) on all data, so S = 1 for every epsilon'.
(b) the same answer against the claimed error with n = 8 records, epsilon' -> 0.
(c) delta' = 1/4, epsilon' = 4/n: the signs of the means of a random quarter of the records, (0, 1/4)-DP; by Hoeffding the
    error is at most sqrt(2)/sqrt(e n/4).
(d) error in epsilon over error in epsilon': 3 sqrt(ln(1/gamma)) + 1, without bound as gamma -> 0.
"""

from mpmath import e, log, mp, mpf, sqrt

mp.dps = 30
d = 2
for N in (mpf(10) ** 6, mpf(10) ** 12, mpf(10) ** 24):
    size = sqrt(d) / (2 * (1 / N) * log(d))
    error = sqrt(d) / (8 * (1 / N) * log(d))
    rate, subset = sqrt(d) / (N * (4 / N) * log(d)), sqrt(2) / sqrt(e * N / 4)
    print(f"N = {mp.nstr(N, 3)} (a) S claimed at least c {mp.nstr(size, 6)}, it is 1")
    print(f"    (b) error claimed at least c {mp.nstr(error, 6)}, reached {mp.nstr(sqrt(d), 6)}")
    print(f"    (c) error claimed at least c {mp.nstr(rate, 6)}, reached {mp.nstr(subset, 6)}")
    print(f"    (d) gamma = e^-N: quotient claimed bounded, it is {mp.nstr(3 * sqrt(N) + 1, 6)}")
assert size > 10**20 and error / sqrt(d) > 10**20 and rate / subset > 10**10
