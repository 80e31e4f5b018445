"""spo, Theorem 7: Gaussian descent with the stated eta and T = n^2 keeps a constant risk while the printed bound falls.

S = [s, 2 s], d = p = 1, one record x = 1, c = 2 B_B, mu = c/s, L = 2 s = 1. w*(c) = s, the SPO+ loss is s max(0, c - 2 B), 0 at
B* = B_B. The smoothed gradient is -2 (w - s), w the point of [s, 2 s] next to (c - 2 B)/mu: zero for B >= 0, toward 0 below. So
E B^2 of the average is at most eta^2 sigma^2 T and the risk at least L (B_B - eta sigma sqrt(T)), for every n.
"""

import random

from mpmath import log, mp, mpf, sqrt

mp.dps = 30
S, B_B, L, B_W, D, EPSILON, DELTA = mpf(1) / 2, mpf(1), mpf(1), mpf(1), 1, mpf(1), mpf(1) / 2
C, MU = 2.0 * float(B_B), 2 * float(B_B) / float(S)


def stated(n):
    """eta, sigma and the printed bound at T = n^2."""
    variance = 8 * L**2 * log(1 / DELTA) / EPSILON**2
    slope = L**2 / 2 + D * variance / 2 + B_W**2 / 4 + L**2 * (1 + n**2) / n
    return sqrt(B_B**2 / (2 * n**2) / slope), sqrt(variance), 2 * sqrt(B_B**2 / (2 * n**2) * slope)


def run(n, eta, sigma, draw):
    B = total = 0.0
    for _ in range(n * n):
        total += B
        w = min(2 * float(S), max(float(S), (C - 2 * B) / MU))
        B -= eta * (-2 * (w - float(S)) + sigma * draw.gauss(0, 1))
    return float(S) * max(0.0, C - 2 * total / (n * n))


for n in (100, 10**4, 10**6):
    eta, sigma, bound = stated(mpf(n))
    proved = L * (B_B - eta * sigma * n)
    shown = f", one run {run(n, float(eta), float(sigma), random.Random(1)):.4f}" if n == 100 else ""
    print(f"n = {n}: claimed risk at most {mp.nstr(bound, 8)}, it is at least {mp.nstr(proved, 8)}{shown}")
    assert proved > bound
