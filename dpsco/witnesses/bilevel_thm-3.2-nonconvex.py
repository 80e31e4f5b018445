"""bilevel, after Theorem 3.2: without convexity the risk is not O(d_x/(epsilon n) ...) up to logarithms, 1/n in s granted.

f = y, g = (y - h(x))^2/2 on X = [0, 1], so Phi_Z = h; L_fx = 0, L_fy = L_gy = mu_g = D_x = D_y = 1.
(1) h = 1/ln(e/x), one problem for all n: with u = ln(e/x) the draw has the density ~ e^{1 - u - k/u}, u >= 1, and Phi_Z = 1/u.
(2) h = -max(0, 1 - |x - 1/2|/w), w = 1/1000: the draw misses the spike (for logarithms that do not contain 1/w).
"""

from mpmath import exp, expm1, log, mp, mpf, quad, sqrt

mp.dps = 30
for n in (10**4, 10**8, 10**12):
    k = 1 / (2 * (2 * mpf(1) / n + 4 * mpf(1) / n))  # epsilon = 1, the last term of s divided by n too
    top, spread = sqrt(k), sqrt(sqrt(k))  # the density's maximum and width
    points = [mpf(1)] + [top + j * spread for j in range(-12, 13, 2) if top + j * spread > 1] + [3 * top + 60]
    shape = [quad(lambda u, a=a, k=k: u**-a * exp(2 * sqrt(k) - u - k / u), points) for a in (0, 1)]
    risk, rate = shape[1] / shape[0], 2 / mpf(n)
    least = (1 - exp(-3 * sqrt(k) / 2)) / (4 * sqrt(k))
    print(f"n = {n}: claimed O({mp.nstr(rate, 4)} log^a n), risk {mp.nstr(risk, 8)}, at least {mp.nstr(least, 8)}")
    print(f"    ratio {mp.nstr(risk / rate, 6)}, log^3 n = {mp.nstr(log(n) ** 3, 6)}")
    assert risk > least
assert least > 20 * rate * log(n) ** 3

n, w = 10**6, mpf(1) / 1000
k = 1 / (2 * (2 * mpf(1) / n + 4))  # as printed
inside = 2 * w * expm1(k) / k  # integral of e^{k(1 - |x - 1/2|/w)} over the spike
drop = 2 * w * quad(lambda v: v * exp(k * v), [0, 1])
print(f"spike, n = {n}: claimed O({mp.nstr(2 / mpf(n), 4)} log^a n), risk {mp.nstr(1 - drop / (inside + 1 - 2 * w), 8)}")
assert 1 - drop / (inside + 1 - 2 * w) > 0.99
