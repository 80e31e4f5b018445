"""bilevel, Lemma B.7: E Phi(x) - Phi* <= G^2/(mu n) + d_x/k misses the regulariser's bias, and more.

(1) X = [0, 1], f = -x whatever z, G = 1: Phi = Phi_Z = -x, the density is ~ exp(-k(-x + mu x^2/2)), a Gaussian of mean 1/mu
cut off.
(2) X = [-1/2, 1/2], g = (y - x - z)^2/2, f(y) = |y| - 1/4 for |y| >= 1/2 and y^2 below, G = 1; z = +-2 sqrt(n) of mean 1 or
-1: Phi = x + 3/4 or 3/4 - x. n records do not tell them apart, so no mu, k, nor algorithm has an excess below (1 - TV)/4 on
both.
"""

from math import comb

from mpmath import exp, mp, mpf, quad, sqrt

mp.dps = 30
for n, mu, k in ((1, 100, 100), (1000, 100, 100), (1, 10, 10**4)):
    mu, k = mpf(mu), mpf(k)
    points = sorted({mpf(0), 1 / mu, 2 / mu, mpf(1) / 2, mpf(1)})

    def weight(x, mu=mu, k=k):
        return exp(-k * (mu * (x - 1 / mu) ** 2 / 2))

    risk = 1 - quad(lambda x: x * weight(x), points) / quad(weight, points)
    print(f"n = {n}, mu = {mu}, k = {k}: claimed <= {mp.nstr(1 / (mu * n) + 1 / k, 8)}, E Phi - Phi* = {mp.nstr(risk, 12)}")
    assert risk > 1 / (mu * n) + 1 / k
mu, k = mpf("0.05"), mpf(1000)
for n in (100, 400, 900):
    up = (1 + 1 / (2 * sqrt(n))) / 2
    first = [comb(n, j) * up**j * (1 - up) ** (n - j) for j in range(n + 1)]
    variation = sum(abs(a - b) for a, b in zip(first, reversed(first), strict=True)) / 2
    claimed, least = 1 / (mu * n) + 1 / k, (1 - variation) / 4
    print(f"n = {n}, mu = {mu}, k = {k}: claimed <= {mp.nstr(claimed, 8)} (+ mu/8 of bias), excess >= {mp.nstr(least, 8)}")
assert least > claimed + mu / 8
