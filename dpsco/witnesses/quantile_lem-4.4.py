"""Lemma 4.4, every gamma: |theta# - theta_h*| <~ (L sqrt((d + ln(1/gamma))/n) + B_theta lambda)/(rho_1 f) fails.

x = 1, y = error with density 1/(2 (1 + |t|)^2): r = f = L = 1/2, l_1 = rho_1 = 1, theta_h* = theta* = 0; the uniform kernel;
lambda = n^(-1/2), h = 1/n. With probability q^n every outcome exceeds 1/(2 lambda) + h; then the smoothed risk has slope -1/2 +
2 lambda t for t up to 1/(2 lambda), so theta# = 1/(4 lambda). gamma = q^n/2 lies in (0, 1) and has to cover this event."""

from itertools import pairwise

from mpmath import log, mp, mpf, sqrt

mp.dps = 40
ratios = []
for n in (10**4, 10**6, 10**8, 10**10):
    lambda_, h = 1 / sqrt(mpf(n)), mpf(1) / n
    far = 1 / (2 * lambda_) + h
    q = 1 / (2 * (1 + far))  # Pr[error >= far]
    log_inverse_gamma = n * log(1 / q) + log(2)
    true = 1 / (4 * lambda_)
    claimed = (mpf(1) / 2 * sqrt((1 + log_inverse_gamma) / n) + lambda_) / (mpf(1) / 2)  # B_theta = 1
    ratios.append(true / claimed)
    print(f"n = {n:.0e}: rate {float(claimed):.4g}, distance with probability above gamma {float(true):.4g}")
assert all(later > 5 * earlier for earlier, later in pairwise(ratios)), "no constant will do"
