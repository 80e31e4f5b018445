"""Theorem 4.5: the rate max(sqrt((d + ln(1/gamma))/n), sqrt(d ln(1/delta)/(n epsilon)))/(rho_1 f) fails at gamma = 1/50, in f.

x = 1, theta* = 0, r = 1/2, l_1 = 1: error density f - |t| for |t| <= f, none up to |t| = 1/lambda, the rest evenly beyond; f =
n^(-1/4)/20. epsilon = 1, delta = 1/n, B_theta = 1, the uniform kernel, the paper's lambda and h. With N_+, N_-, N_0 records
beyond and near, theta# = (N_+ - N_- - N_0)/(4 n lambda), and E|theta_OP| >= theta#/2, as b <= 0 pushes outward."""

from itertools import pairwise

from mpmath import erfc, log, mp, mpf, sqrt

mp.dps = 30
ratios = []
for n in (10**6, 10**10, 10**14, 10**18):
    f, variance = mpf(n) ** (-mpf(1) / 4) / 20, (8 * log(mpf(2) * n) + 4) / 4
    lambda_ = sqrt(1 / (2 * mpf(n)) + variance / mpf(n) ** 2 + 1 / (8 * mpf(n)))
    # N_+ - N_- - N_0 is a sum of n signs with mean -f^2: Berry and Esseen's theorem, constant 0.4748
    z = (mpf(4) / 10 * sqrt(mpf(n)) + n * f**2) / sqrt(n * (1 - f**4))
    probability = erfc(z / sqrt(2)) / 2 - mpf("0.4748") * (1 + f**2) ** 3 / sqrt(n * (1 - f**4) ** 3)
    true = mpf(4) / 10 * sqrt(mpf(n)) / (8 * n * lambda_)
    claimed = max(sqrt((1 + log(mpf(50))) / n), sqrt(log(mpf(n)) / n)) / f
    ratios.append(true / claimed)
    print(f"n = {n:.0e}: rate {float(claimed):.3g}; distance >= {float(true):.3g} with probability {float(probability):.2f}")
    assert probability > 1 / mpf(50)
assert all(later > 5 * earlier for earlier, later in pairwise(ratios)), "no constant will do"
