"""spo, Figure 3: neither private run is (10, 0.4)-DP. T = n^2, n = 500.

Gaussian descent, S the unit sphere of R^3, c = x: at B = 0, where a small eta leaves it, a record e_j has the gradient -4 e_j
e_j^T, so that e_1 and e_2 are 4 sqrt(2)/n apart T - 1 times; noise of variance 8 L^2 T ln(1/delta)/(n epsilon)^2, L = 4. Also:
free costs C e_1 and -C e_1 at x = e_1 are 8/n apart for large C; the decision shows the average of the iterates, weights T - t.
Exponential descent: all features 0, or x_1 = e_1 instead; the decision.
"""

from random import Random

from mpmath import exp, log, mp, mpf, npdf, quad, sqrt

mp.dps = 30
epsilon, delta, n, L, T = mpf(10), mpf("0.4"), 500, 4, 500**2
sigma = sqrt(8 * L**2 * T * log(1 / delta)) / (n * epsilon)
average = mpf(3 * T * (T - 1)) / (2 * (2 * T - 1))
cases = ("c = x", T - 1, 4 * sqrt(2)), ("free costs", T - 1, 8), ("free costs, the decision alone", average, 8)
for release, count, apart in cases:
    mu = sqrt(count) * apart / n / sigma
    start = epsilon / mu + mu / 2
    true = quad(lambda u, mu=mu: npdf(u, mu) - exp(epsilon) * npdf(u), [start + k for k in range(0, 13, 2)])
    print(f"Gaussian descent, {release}: claimed delta {delta}, shift/noise {mp.nstr(mu, 6)}, least delta {mp.nstr(true, 10)}")
    assert true > delta


def model(x, random, steps=15, eta=0.01):
    """First column of the last B, c_1 = e_1, features x e_1 for record 1 and 0 for the other three: n = 4."""
    b, c, odds = [0.0] * 3, [1.0, 0.0, 0.0], 1 / (1 + exp(-10))
    for _ in range(steps):
        v = [ci - 2 * bi * x for ci, bi in zip(c, b, strict=True)]
        g = [-2 * (ci + vi / sum(a * a for a in v) ** 0.5) * x / 4 for ci, vi in zip(c, v, strict=True)] + [0.0] * 6
        z, norm = [random.gauss(0, 1) for _ in range(9)], sum(a * a for a in g) ** 0.5
        flip = (sum(a * k for a, k in zip(z, g, strict=True)) < 0) == (random.random() < odds)
        b = [bi - (-1 if flip else 1) * eta * norm * zi / sum(a * a for a in z) ** 0.5 for bi, zi in zip(b, z[:3], strict=True)]
    return tuple(b)


still, moved = ({model(x, Random(k)) for k in range(200)} for x in (0, 1))
print(f"exponential descent, 200 runs: {len(still)} model if all features are 0, {len(moved)} if not: delta 1, claimed 0.4")
assert still == {(0.0, 0.0, 0.0)} and len(moved) == 200 and not still & moved
