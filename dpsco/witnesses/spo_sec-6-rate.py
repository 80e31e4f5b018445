"""spo, Section 6, last display: for epsilon that falls with n the excess SPO risk does not fall.

d = p = 1, x = 1, S = [-1, 1], c uniform on [1, 3]: E[c] = 2 = B*, 0 <= c <= 4. A matrix B <= 0 costs 2 c more than B* does.
Gaussian descent, T = n^2, delta = 1/e, epsilon = 1/n, gradients in [-L, L]: whatever eta, the average is -eta (G + Z), |G| <= L
(T-1)/2, Z normal. Exponential descent, epsilon = n^-3: T - 1 nearly fair coins, gradient -4 throughout (n >= 2 B_B, mu <= 1/2).
"""

from math import comb

from mpmath import exp, mp, mpf, ncdf, nstr, sqrt

mp.dps = 30
for n in (10, 10**3, 10**6):
    T = n * n
    sigma = sqrt(mpf(8) * T) / (n * (mpf(1) / n))  # L = 1: it cancels
    spread = sigma * sqrt(mpf(T - 1) * (2 * T - 1) / (6 * T))
    risk = 4 * ncdf(-mpf(T - 1) / 2 / spread)
    rate = sqrt(mpf(1) / n) + 1 / mpf(n)
    print(f"Gaussian, n = {n}: rate {nstr(rate, 6)}, risk at least {nstr(risk, 8)}")
assert risk / rate > 1000
for n in (10, 10**3, 10**6):
    q = (exp(mpf(n) ** -3) - 1) / (exp(mpf(n) ** -3) + 1)
    risk, rate = 4 * (mpf(1) / 2 - n * n * q / 2), sqrt(mpf(1) / n) + q / n
    print(f"exponential, n = {n}: rate {nstr(rate, 6)}, risk at least {nstr(risk, 8)}")
assert risk / rate > 1000
# the coins' average is symmetric: with 4 of them, weights 4/5, ..., 1/5, at least half of all 16 outcomes give B <= 0
outcomes = [sum((1 if k >> i & 1 else -1) * (4 - i) for i in range(4)) for k in range(16)]
assert sum(total <= 0 for total in outcomes) * 2 >= 16 == sum(comb(4, k) for k in range(5))
