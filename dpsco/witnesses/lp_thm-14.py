"""Theorem 14: Algorithm 7 is not (epsilon, delta)-DP for all 0 < epsilon, delta < 1, whatever the constant C in sigma_1^2 is.

sigma_1^2 = C kappa h^2 ln(1/delta)/(|B| epsilon)^2, h = beta M + lambda. One batch, w_0 = 0, C = {t a : |t| <= M/2}, losses
<x, w>: one record has x = h u or -h u, <u, a> = |u|_* = |a| = 1, the others 0. w_hat = t a, where the sign of t is that of
-<noisy mean, a>. The mean is +-h/|B| = +-(R/2) sigma_1, so the sign is wrong only if |<Z, a>| >= R/2, with at most half of
P(chi_d >= R/2) as |<Z, a>| <= |Z|_+ and Z is symmetric. d = 4, p = 1.8: kappa = min(1/(p-1), ln d) = 1.25. As delta -> 1, R^2
grows like 1/(1 - delta).

The risk is not O(M^(4/3) ...) either. C = {s e_1 : |s| <= M/2}, w_0 = 0, losses -S s, S = kappa M/(4 sqrt(T)), gamma = sqrt(T):
a step adds at most S/(kappa gamma), cutting moves no points apart and the noise is symmetric, so E w_hat <= M/4 and the risk
is at least S M/4. M = T = t, n = t^5, epsilon such that T, lambda are the chosen ones, beta = sigma = 1, delta' = delta = 1/2.
"""

from mpmath import exp, inf, log, mp, mpf, quad

mp.dps = 30
kappa, epsilon = mpf(5) / 4, mpf("0.5")
for C, digits in ((1, 3), (10, 4), (100, 5), (1000, 6), (10**6, 10)):
    allowed = mpf(10) ** -digits  # 1 - delta
    R = 2 * epsilon / (C * kappa * -log(1 - allowed)) ** 0.5
    wrong = exp(-(R**2) / 8) * (1 + R**2 / 8) / 2
    checked = quad(lambda r: r**3 * exp(-(r**2) / 2) / 2, [R / 2, R / 2 + 5, R / 2 + 15, inf]) / 2
    assert abs(wrong - checked) < mpf("1e-20")
    missed = (1 + exp(epsilon)) * wrong  # 1 - the least delta is at most this
    print(f"C = {C}: claimed 1 - delta >= {mp.nstr(allowed, 3)}, the sign of w_hat has at most {mp.nstr(missed, 6)}")
    assert missed < allowed
for t in (mpf(10) ** 4, mpf(10) ** 8, mpf(10) ** 12):
    M, T, n, root = t, t, t**5, (2 * log(2)) ** 0.5
    eps = T**1.5 * M**2.5 * root / (kappa * n)
    lam = ((n * eps) ** 0.5 * M / (kappa * root**0.5)) ** (mpf(2) / 3)
    assert lam >= M
    assert abs(n * eps / (M * lam * root) / T - 1) < mpf("1e-20")
    rate = M ** (mpf(4) / 3) * (kappa**2 * root / (n * eps)) ** (mpf(1) / 3) * log(2) ** 0.5
    print(f"t = {mp.nstr(t)}: claimed O({mp.nstr(rate, 6)}), the risk is at least {mp.nstr(kappa * M**2 / (16 * T**0.5), 6)}")
