"""newsvendor, Theorem 2: its condition on epsilon admits a smoothing so wide that the quantile moves by more than the bound.

d = 1, x = 10^4, B = 1, r = 0.7, errors uniform on [-1/2, 1/2] (s = 1), demand = error, Epanechnikov's kernel. The minimiser is
solved at the worst errors and at eight standard deviations of the noise: with probability 1 - 1e-15 it lies farther out still.
"""

from mpmath import log, mp, mpf, quad, sqrt

mp.dps = 30
eps, delta, n, d, B, x, r, K, k2, s = (mpf(v) for v in ["0.001", "0.5", "1e10", "1", "1", "1e4", "0.7", "0.75", "0.2", "1"])
L = r * x
sigma = L * sqrt(8 * log(1 / delta) + 4 * eps) / eps
V = 2 * L**2 / n + d * sigma**2 / n**2
lam = sqrt(V) / B
h = K * x**2 / (lam * n * eps)
threshold = K * s * k2 / (2 * sqrt(r**3)) * sqrt(B / x) / n ** mpf("0.25")
bound = 4 * B * L * sqrt(2 / n + 16 * d * log(1 / delta) / (n * eps) ** 2)


def slope(q):
    """Upper bound of the objective's derivative at theta = q/x."""
    t = (q + mpf(1) / 2) / h
    return x * ((2 + 3 * t - t**3) / 4 - r) + 2 * lam * q / x + 8 * sigma / n


def risk(q):
    inside = max(-mpf(1) / 2, min(q, mpf(1) / 2))
    return quad(lambda e: max(r * (e - q), (r - 1) * (e - q)), sorted({-mpf(1) / 2, inside, mpf(1) / 2}))


low, high = mpf(0), h / 2
for _ in range(100):
    middle = (low + high) / 2
    low, high = (middle, high) if slope(middle) < 0 else (low, middle)
true = risk(low) - risk((2 * r - 1) / 2)
print(f"epsilon = {eps} >= {mp.nstr(threshold, 5)}, delta <= e^(-epsilon/2), |theta*| = {mp.nstr((2 * r - 1) / 2 / x, 5)} <= B")
print(
    f"claimed: excess risk <= {mp.nstr(bound, 8)}; the minimiser lies beyond {mp.nstr(low / x, 6)}: at least {mp.nstr(true, 8)}"
)
assert eps >= threshold and low / x < B and true > bound
