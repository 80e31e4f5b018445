"""Theorem 9: at sigma = O(kappa (beta M + lambda) sqrt(ln(1/delta))/(epsilon sqrt(n))) the proof says epsilon-hat <= epsilon.

Its own last display before that is epsilon-hat = O(kappa (beta M + lambda) sqrt(ln(1/delta) ln(e^epsilon-hat n/delta))/(sigma_1
sqrt(n))). At this sigma it is O(epsilon sqrt(ln(e^epsilon-hat n/delta))): over epsilon it passes every constant as n grows, for
every choice of delta, here 1/2 and 1/n. The theorem's own sigma, larger by ln(n/delta)/sqrt(ln(1/delta)), keeps it bounded.
"""

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 60
kappa, beta, M, lam = mpf(2), mpf("0.3"), mpf(7), mpf(4)
B = beta * M + lam


def hat(sigma, n, delta, epsilon):
    """The printed display, with the smaller epsilon for epsilon-hat in the exponent."""
    return kappa * B * sqrt(log(1 / delta) * log(exp(epsilon) * n / delta)) / (sigma * sqrt(n))


for power, least in ((4, 3), (40, 9), (400, 30)):
    n = mpf(10) ** power
    epsilon = 1 / sqrt(n)
    assert epsilon <= min(1, sqrt(log(n) / n))
    for name, delta in (("1/2", mpf(1) / 2), ("1/n", 1 / n)):
        sigma = kappa * B * sqrt(log(1 / delta)) / (epsilon * sqrt(n))
        final = kappa * B * log(n / delta) / (epsilon * sqrt(n))
        ratio, kept = hat(sigma, n, delta, epsilon) / epsilon, hat(final, n, delta, epsilon) / epsilon
        print(f"n = 1e{power}, delta = {name}: epsilon-hat/epsilon claimed bounded, is {mp.nstr(ratio, 10)}", end=" ")
        print(f"(sqrt(ln(n/delta)) = {mp.nstr(sqrt(log(n / delta)), 10)}; at the final sigma {mp.nstr(kept, 6)})")
        assert ratio > least and kept < 2
