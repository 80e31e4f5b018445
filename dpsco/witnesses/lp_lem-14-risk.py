"""Lemma 14's risk O(L |theta*|_2^2 (1/sqrt(n) + sqrt(d ln(1/delta))/(epsilon n))) tends to 0 with theta*; the noise does not.

n = 2, d = 1, L = 1, epsilon = 1, delta = 0.001: one phase of one record, eta_1 = eta/4. Every record has the loss h(w -
theta*), h Huber's function of curvature 5 <= 1/eta and slope 1. The output is w_bar + z, w_bar the average of w_0 = 0 and
one step from it, z the noise of standard deviation 4 L eta_1 sqrt(ln(1/delta))/epsilon. Its mean loss is by quadrature.
"""

from itertools import pairwise

from mpmath import exp, inf, log, mp, mpf, pi, quad, sqrt

mp.dps = 30
L, epsilon, n, d, beta = mpf(1), mpf(1), 2, 1, mpf(5)
nats = log(1000)
eta = min(4 / sqrt(n), epsilon / (2 * sqrt(d * nats))) / L
assert eta <= 1 / beta and epsilon <= 2 * nats
step, sigma = eta / 4, 4 * L * eta / 4 * sqrt(nats) / epsilon


def h(x):
    return beta * x**2 / 2 if abs(x) <= L / beta else L * abs(x) - L**2 / (2 * beta)


def risk(theta):
    apart = step * beta * theta / 2 - theta
    kinks = [(c - apart) / sigma for c in (-L / beta, 0, L / beta)]
    return quad(lambda z: h(apart + sigma * z) * exp(-(z**2) / 2) / sqrt(2 * pi), [-inf, *kinks, inf])


quotients = []
for theta in (mpf("0.1"), mpf("0.01"), mpf("0.001"), mpf("0.0001"), mpf(0)):
    true, rate = risk(theta), L * theta**2 * (1 / sqrt(n) + sqrt(d * nats) / (epsilon * n))
    quotients.append(true / rate if theta else inf)
    print(f"|theta*| = {mp.nstr(theta, 3)}: claimed O({mp.nstr(rate, 8)}), risk {mp.nstr(true, 15)}, ", end="")
    print(f"quotient {mp.nstr(quotients[-1], 6)}")
assert all(b > 50 * a for a, b in pairwise(quotients))
