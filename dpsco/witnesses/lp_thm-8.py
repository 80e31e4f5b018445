"""Theorem 8 (13): with eta = min(4/sqrt(n), epsilon/(2 sqrt(d) ln(1/delta)))/L, ln outside the root, the risk leaves O(.).

d = 1, so that every l_p norm is the same and every range of p is met; L = 1, epsilon = 1, ln(1/delta) = n/4, theta* = 1: then
eta = 2/n. Every record has the loss s h(w - 1), h Huber's function of width 1/2 and slope 1, s = min(1, 1/(eta n)) = 1/2, with
curvature 1 <= 1/eta. The noise has mean 0 and a step is at most eta_i s long: w_k has a mean of at most the drift summed below,
and by Jensen a mean loss of at least s (1 - drift - 1/4).
"""

from itertools import pairwise

from mpmath import mp, mpf, sqrt

mp.dps = 30
quotients = []
for n in (10**4, 10**6, 10**8, 10**10, 10**12):
    nats = mpf(n) / 4
    eta = min(4 / sqrt(mpf(n)), 1 / (2 * nats))
    s = min(mpf(1), 1 / (eta * n))
    assert eta <= 1 / (2 * s) and nats >= mpf(1) / 2
    drift = sum((n >> i) * eta * s / mpf(4) ** i / 2 for i in range(1, n.bit_length()))
    risk = s * (1 - drift - mpf(1) / 4)
    rate = 1 / sqrt(mpf(n)) + sqrt(nats) / n
    quotients.append(risk / rate)
    print(f"n = {n}: claimed O({mp.nstr(rate, 8)}), risk at least {mp.nstr(risk, 8)}, quotient {mp.nstr(quotients[-1], 8)}")
assert all(b > 9 * a for a, b in pairwise(quotients))
