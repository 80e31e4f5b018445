"""bilevel, Theorems 4.2 and C.3, privacy: T as chosen reads the data, and for large epsilon the noise is too small.

n = 1, d_x = 1, g = y^2/2 (L_gy = 0 on Y = {0}), x_0 = 0; L_fx = beta_fxx = beta_fxy = beta_gyy = mu_g = 1, the other
constants 0: K = 4, C = beta_Phi = 1.
(1) f(x, y, z) = sqrt(1 + (x - z)^2) - 1 has slope and curvature at most 1 for every z. The event is |x| <= eta (1 + 6 sigma).
(2) f(x, y, z) = z sin(x), z = 1 or -1, T = 1: the gradients at 0 differ by 2 = K/(2n).
"""

from mpmath import ceil, erfc, exp, log, mp, mpf, ncdf, npdf, pi, quad, sqrt

mp.dps = 40
n, K, beta = 1, 4, 1
epsilon, delta = mpf(1), mpf("1e-5")


def run(z):
    """Number of steps and noise for the data set (z)."""
    gap = sqrt(1 + z**2) - 1
    T = ceil(n * epsilon / sqrt(log(1 / delta)) * sqrt(beta * gap) / K)
    return T, 32 * K * sqrt(T * log(1 / delta)) / (n * epsilon)


(T1, sigma1), (T2, sigma2) = run(mpf("1e-9")), run(mpf("1e12"))
reach = 1 + 6 * sigma1
inside = 1 - erfc(6 / sqrt(2))
other = 2 * reach / (sigma2 * sqrt(2 * pi))
print(f"T = {int(T1)} and {int(T2)}; event: at least {mp.nstr(inside, 12)} against at most {mp.nstr(other, 6)}")
print(f"claimed delta 1e-5, needed at least {mp.nstr(inside - exp(epsilon) * other, 10)}")
assert inside > exp(epsilon) * other + delta

epsilon, delta = mpf(30), mpf("0.999")
mu = K / mpf(2 * n) / (32 * K * sqrt(log(1 / delta)) / (n * epsilon))
t = epsilon / mu + mu / 2
needed = ncdf(mu - t) - exp(epsilon) * ncdf(-t)
check = quad(lambda x: npdf(x - mu) - exp(epsilon) * npdf(x), [t + 3 * k for k in range(12)])
print(f"T = 1, epsilon = 30: claimed delta 0.999, needed {mp.nstr(needed, 12)} ({mp.nstr(check, 12)})")
assert needed > delta
