"""Theorem 7: with the printed Phi, kappa_+ = kappa/(kappa - 1), the excess risk leaves every multiple of the printed rate.

p = 3/2, kappa = 1/(p - 1) = 2 = kappa_+: Phi = |w|_2^2. Every record has the loss phi(<u, w>), u = d^(-1/3) (1, ..., 1),
|u|_3 = 1, phi' = beta (s - v) cut to [-L, L], v = L/beta: L-Lipschitz and beta-smooth in l_{3/2}. For s = <u, w> a step is s
-> beta (s - K phi'(s)/(2 beta))/(alpha + beta), K = |u|_2^2 = d^(1/3): too long by K. n = T^2, K = T^2, epsilon = 2
ln(1/delta) and ln(1/delta) = kappa^(1/4) d sqrt(n)/4: both conditions of the theorem hold. The run is without noise; here it
is of relative size 1/n.
"""

from itertools import pairwise

from mpmath import log, mp, mpf, sqrt

mp.dps = 30
L = beta = mpf(1)
kappa = mpf(2)
quotients = []
for T in (17, 101, 1001, 10001):
    n, K = T**2, mpf(T) ** 2
    d = K**3
    nats = kappa ** mpf("0.25") * d * T / 4  # ln(1/delta)
    epsilon = 2 * nats
    alpha = 4 * beta * log(mpf(n) / T) / log(2) / (T + 1)
    assert alpha <= beta
    s, total, weights, v = mpf(0), mpf(0), mpf(0), L / beta
    for t in range(1, T + 1):
        slope = max(-L, min(L, beta * (s - v)))
        s = beta / (alpha + beta) * (s - K * slope / (2 * beta))
        weight = (1 + alpha / (2 * beta)) ** t
        total, weights = total + weight * s, weights + weight
    gap = abs(total / weights - v)
    excess = L * gap - L**2 / (2 * beta) if gap > L / beta else beta * gap**2 / 2
    chosen = (n * epsilon * sqrt(kappa) / sqrt(d * nats)) ** mpf("0.4")
    rate = kappa ** mpf("0.8") * (sqrt(d * nats) / (n * epsilon)) ** mpf("0.4")
    quotients.append(excess / rate / log(n))
    print(f"T = {T}, T/T* = {mp.nstr(T / chosen, 4)}: claimed rate {mp.nstr(rate, 6)}, excess {mp.nstr(excess, 6)}", end=", ")
    print(f"quotient over ln n {mp.nstr(quotients[-1], 6)}")
assert all(b > 5 * a for a, b in pairwise(quotients))
