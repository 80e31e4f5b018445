"""newsvendor, proof of Theorem 2: the condition on epsilon does not make the first term dominate the second.

Epanechnikov's kernel (K_bar = 3/4, kappa_2 = 1/5), s = 1, B = 300, B_x = 1, r_bar = 0.7, d = 1, n = 10^15, at the threshold.
"""

from mpmath import log, mp, mpf, sqrt

mp.dps = 30
n, d, B, x, r, K, k2, s, delta = (mpf(v) for v in ["1e15", "1", "300", "1", "0.7", "0.75", "0.2", "1", "0.5"])
printed = K * s * k2 / (2 * sqrt(r**3)) * sqrt(B / x) / n ** mpf("0.25")
repaired = K * sqrt(s * k2 * B * x) / (2 * sqrt(r**3)) / n ** mpf("0.25")
for name, eps in (("printed", printed * mpf("1.000001")), ("repaired", repaired)):
    V = (r * x) ** 2 * (2 / n + d * (8 * log(1 / delta) + 4 * eps) / (n * eps) ** 2)
    first, second = 2 * B * sqrt(V), s * k2 * (K * x**2 * B / (n * eps)) ** 2 / V
    print(f"{name} threshold, epsilon = {mp.nstr(eps, 8)}: {mp.nstr(first, 8)} >= {mp.nstr(second, 8)}? {first >= second}")
    assert (first >= second) == (name == "repaired")
