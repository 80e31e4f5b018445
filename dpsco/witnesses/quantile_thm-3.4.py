"""quantile, proof of Theorem 3.4: the risk exceeds B L sqrt(2/n + (1 + 8 d ln(1/delta)/eps^2 + k B_x^2/2)/n^2) + 2/n^3, with
k = kappa_1 K_bar.

(1) It is below the least value of the sum that it is printed as the minimum of (logistic kernel, B_x = 1/100).
(2) One record x = B_x, y = B B_x, r = 1/2: theta* = B, and no step goes further than eta L along x in mean, whatever the noise,
so that the average lies at most at eta L (n^2 - 1)/2 and the risk is at least L (B - eta L (n^2 - 1)/2). The kernel is uniform
on [-1, 1] or on [-b, b], each with chance 1/2: even, unimodal, kappa_1 = (1 + b)/4, K_bar = (1 + 1/b)/4.
"""

from mpmath import log, mp, mpf, nstr, sqrt

mp.dps = 30
B_x = mpf(1) / 100
L, noise = B_x / 2, 8 * log(1 / mpf("0.99"))  # d = epsilon = 1, delta = 0.99


def printed(B, n, k):
    return B * L * sqrt(2 / mpf(n) + (1 + noise + k * B_x**2 / 2) / n**2) + 2 / mpf(n) ** 3


def step(B, n, k):
    return B / sqrt(2 * L**2 * n**3 + (noise * L**2 + L**2 + k * B_x**2 / 2) * n**2 + 2 * L**2 * n)


def displayed_sum(B, n, k, eta):
    stable = L**2 * eta * (1 + mpf(n) ** 2) / n
    return stable + B**2 / (2 * mpf(n) ** 2 * eta) + eta * L**2 * (1 + noise) / 2 + eta * k * B_x**2 / 4


k, n, B = 2 * log(2) / 4, 1000, 1
least = min(displayed_sum(B, n, k, step(B, n, k) * (1 + mpf(j) / 100)) for j in range(-50, 51))
print(f"logistic kernel, n = {n}: claimed minimum {nstr(printed(B, n, k), 12)}, least value {nstr(least, 12)}")
assert least > printed(B, n, k)

b, n, B = mpf(10) ** 6, 100, 300
k = (1 + b) / 4 * (1 + 1 / b) / 4
risk = L * (B - step(B, n, k) * L * (mpf(n) ** 2 - 1) / 2)
print(f"kappa_1 K_bar = {nstr(k, 8)}, n = {n}: claimed risk <= {nstr(printed(B, n, k), 12)}, it is >= {nstr(risk, 12)}")
assert risk > printed(B, n, k)
