"""lp, Lemma 18, display (26): E[X_n | X_1, ..., X_{n-1}] stands under a sum over i, and is the same term n times.

X_1 = ... = X_10 = 0 and X_11 = 1, for certain: terms in [0, 1], conditional variances 0. The printed sum is 11 E[X_11 | past] =
11, S_11 = 1: the difference is 10 with probability 1, and K_11 = 0. The bound at epsilon = 10, k = 0 is exp(-15). With X_i in
the place of X_n the difference is 0.
"""

from math import exp

X = [0] * 10 + [1]
n, S, K = len(X), sum(X), 0
difference = sum(X[-1] for i in range(n)) - S
bound = exp(-(difference**2) / (2 * K + 2 * difference / 3))
print(f"Pr[difference >= 10, K <= 0]: claimed at most {bound:.3g}, it is 1 (the difference is {difference})")
assert difference == 10
assert bound < 1
print(f"with the index i: the difference is {sum(X) - S}")
