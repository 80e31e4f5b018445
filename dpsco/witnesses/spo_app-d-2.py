"""spo, Appendix D, Part II: an epsilon-DP algorithm that is exact on the packed data sets, for n <= n* and for n > n*.

D^(j) holds n copies of (e_j, all-ones). The answer e_k with probability proportional to exp(epsilon N_k/2), N_k the number of
records with cost e_k, is epsilon-DP; on D^(j) its distance from e_j is 0 unless it names another. Claimed: for some j the
distance is at least 1 (n <= n*) or n*/n (n > n*) with probability at least 1/2. The proof needs d exp(-epsilon n)/2 > 1.
"""

from mpmath import exp, mp, mpf

mp.dps = 30


def wrong(n, d, epsilon):
    weights = [exp(epsilon * n / 2)] + [mpf(1)] * (d - 1)  # n records with the cost named first
    return sum(weights[1:], mpf(0)) / sum(weights)


for n, d, epsilon in ((40, 1000, mpf(1)), (40, 1, mpf(1)), (1000, 100, mpf("0.01"))):
    threshold = 100 * (exp(epsilon) - 1) / (exp(epsilon) + 1)
    which = "n <= n*" if n <= threshold else "n > n*"
    mass = d * exp(-epsilon * n) / 2
    print(f"n = {n}, d = {d}, epsilon = {mp.nstr(epsilon, 3)}, n* = {mp.nstr(threshold, 6)} ({which}):")
    print(f"  chance of any distance at most {mp.nstr(wrong(n, d, epsilon), 8)}, claimed at least 0.5")
    print(f"  mass of the d balls {mp.nstr(mass, 8)}, claimed above 1")
    assert wrong(n, d, epsilon) < mpf(1) / 2
    assert mass < 1
