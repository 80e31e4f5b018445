"""Theorem 12 at n = 1, delta = 0.79, epsilon = 200: A's budget epsilon/(4 ln(1/delta)) = 212 exceeds B's, and no B exists.

Records 1..N, decisions a_i, w_i (or, convex: mixtures of them). Losses: l(w_i, i) = 0, l(a_i, i) = 1, else 5 for an a, 9 for a
w. A answers a_x but with probability eta, all others as likely as any: epsilon_of_A-DP, excess at most 1 + 4 eta for every
distribution (largest probability p: 5 - 4 (1 - eta) p^2 - min(5 - 4 p, 9 (1 - p))). An (epsilon, delta)-DP B answers a_x or w_x
with probability at most delta + e^epsilon/N on average over x, and pays 5 else.
"""

from mpmath import exp, floor, log, mp, mpf

mp.dps = 150
epsilon, delta = mpf(200), mpf("0.79")
own = epsilon / (4 * log(1 / delta))
N = floor(exp((own + epsilon) / 2))
eta = (N - 1) / (exp(own) + N - 1)
most = max(5 - 4 * (1 - eta) * p**2 - min(5 - 4 * p, 9 * (1 - p)) for p in (mpf(k) / 1000 for k in range(1001)))
bound = 1 + 4 * eta
least = 5 * (1 - delta - exp(epsilon) / N)
print(f"epsilon_of_A = {mp.nstr(own, 8)}, N = {mp.nstr(N, 6)}")
print(f"excess of A: at most gamma = {mp.nstr(bound, 10)} (over a grid of p: {mp.nstr(most, 10)})")
print(f"claimed: some (200, 0.79)-DP B below gamma; every such B has at least {mp.nstr(least, 10)}")
assert own > epsilon and most < bound + mpf("1e-100") < least
