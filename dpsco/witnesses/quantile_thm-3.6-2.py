"""quantile, Theorem 3.6, part 2: (9) at a fixed h fails for wide kernels, the rate fails along epsilon = n^(-1/2).

B_x = B = 1, r = L = 3/4, d = 1, y = theta* +- g with chance 1/4 above and 3/4 below: the risk is flat between, theta* is a
minimiser and M = E[1/|u|] = 1/g. Kernel uniform on [-w, w]: no tail, so Condition 2 holds; kappa_1 = w/2, K_bar = 1/(2 w).
(9): c_h - c = h (w - t)^2/(4 w) at t = |u|/h <= w, which at w = 6, |u| = 2 h is (2/3) h, while h^2 M = h/2.
Rate: with delta = 1/10 and epsilon = n^(-1/2) the printed condition holds for every n with omega = 1. theta* = 0, w = 1. If all
records lay below, the minimiser would be the least; for b <= 0, of chance 1/2, it then solves (s + g)/(2 h w) + 1/2 - r + 2
lambda s <= 0 with equality at b = 0, and beyond g the risk is (s - g)/4.
"""

from mpmath import log, mp, mpf, nstr, sqrt

mp.dps = 40
h, w = mpf(1), mpf(6)
u = 2 * h
cost = h * (w - u / h) ** 2 / (4 * w)
print(f"(9), uniform kernel on [-6, 6], h = 1, |u| = 2: claimed <= {nstr(h**2 / u, 12)}, it is {nstr(cost, 12)}")
assert cost > h**2 / u

r, delta, g = mpf(3) / 4, mpf(1) / 10, mpf(1) / 400
L = r


def reached(n):
    eps = 1 / sqrt(n)
    assert n * (eps**4 + log(1 / delta) * eps**2) >= 1
    variance = L**2 * (8 * log(2 / delta) + 4 * eps) / eps**2
    lam = sqrt(2 * L**2 / n + variance / n**2)
    h = 1 / (2 * lam * n * eps)
    s = (r - mpf(1) / 2 - g / (2 * h)) / (1 / (2 * h) + 2 * lam)
    assert g < s < h - g
    return (s - g) / 8, max(1 / sqrt(n), sqrt(log(1 / delta)) / (n * eps)), h


for k in (4, 8, 12):
    risk, rate, h = reached(mpf(10) ** k)
    print(f"n = 10^{k}: risk >= {nstr(risk, 8)}, rate {nstr(rate, 8)}, h = {nstr(h, 8)}, ratio {nstr(risk / rate, 8)}")
assert risk / rate > 1000 and h > mpf(1) / 20
