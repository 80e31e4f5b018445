"""spo, Theorem 4: the excess risk of exponential descent is not below 2 sqrt(h B_B^2/(4 n^2) (L^2 (1 + n^2)/n + h ...)).

One record (c, x) = (2, 1) for certain, S = [-1, 1], d = p = 1: B_w = 1, L = 4, loss max(0, 4 - 4 B), B* = 1 = B_B. The smoothed
derivative lies in [-4, 0], so E B_t rises by at most 4 eta h a step, h = (e^epsilon - 1)/(e^epsilon + 1), and the risk of the
average is at least 4 (1 - 2 eta h (n^2 - 1)). No iterate is beyond B_B here: the projection changes nothing.
"""

from random import Random

from mpmath import exp, mp, mpf, sqrt

mp.dps = 30
n, epsilon = 100, mpf("0.001")
h = (exp(epsilon) - 1) / (exp(epsilon) + 1)
a = mpf(16) * (1 + n**2) / n + h * (mpf(16) / 4 + mpf(1) / 4)
claimed = 2 * sqrt(h / (4 * n**2) * a)
eta = sqrt(h / (4 * n**2)) / sqrt(a)
assert 4 * eta * (n**2 - 1) < 1
lower = 4 * (1 - 2 * eta * h * (n**2 - 1))

random, mu, f = Random(4), float(eta) / 2, float(exp(epsilon) / (exp(epsilon) + 1))
risks = []
for _ in range(10):  # the algorithm itself
    B, total = 0.0, 0.0
    for _ in range(n * n - 1):
        gradient = -2 * max(-1.0, min(1.0, (2 - 2 * B) / mu)) - 2
        B -= float(eta) * gradient * (1 if random.random() < f else -1)
        total += B
    risks.append(max(0.0, 4 - 4 * total / n**2))
print(f"claimed: risk <= {mp.nstr(claimed, 10)}; it is at least {mp.nstr(lower, 10)} (10 runs: {sum(risks) / 10:.6f})")
assert lower > claimed
assert min(risks) > claimed
