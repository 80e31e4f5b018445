"""Lemma 4.3: E|theta_OP - theta#| <~ (L B_theta/(B_x sqrt(kappa_1 K_bar))) sqrt(d ln(1/delta)/(n epsilon)) fails as delta -> 1.

d = 1, n = 1000, epsilon = 1, B_theta = B_x = 1, L = 1/2, the uniform kernel. All outcomes far up: the loss is linear where
the minimisers lie, so theta_OP - theta# = -b/(2 n lambda) and the mean distance is sqrt(2/pi) sigma/(2 n lambda). b does
not vanish with ln(1/delta): its variance holds 8 ln(2/delta) + 4 epsilon. So it is for epsilon -> infinity."""

from itertools import pairwise

from mpmath import exp, log, mp, mpf, pi, sqrt

mp.dps = 40
n, epsilon, L, kappa_1, K_bar = 1000, mpf(1), mpf(1) / 2, mpf(1) / 2, mpf(1) / 2
ratios = []
for s in (mpf(1), mpf("1e-4"), mpf("1e-8"), mpf("1e-12")):  # s = ln(1/delta)
    delta = exp(-s)
    variance = L**2 * (8 * log(2 / delta) + 4 * epsilon) / epsilon**2
    lambda_ = sqrt(2 * L**2 / n + variance / n**2 + kappa_1 * K_bar / (2 * n * epsilon))
    true = sqrt(2 / pi) * sqrt(variance) / (2 * n * lambda_)
    claimed = L / sqrt(kappa_1 * K_bar) * sqrt(log(1 / delta) / (n * epsilon))
    ratios.append(true / claimed)
    print(f"ln(1/delta) = {float(s):g}: rate {float(claimed):.4g}, mean distance {float(true):.4g}")
assert all(later > 50 * earlier for earlier, later in pairwise(ratios)), "no constant will do"
