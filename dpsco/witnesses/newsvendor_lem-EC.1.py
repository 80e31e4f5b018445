"""newsvendor, Lemma EC.1: with lambda |theta|_2, not squared, the perturbed objective need not have a minimiser.

d = n = 1, L = beta = 1, epsilon = 1, delta = 0.01, lambda = beta/(n epsilon) = 1, sigma^2 = L^2 (8 ln(1/delta) + 4 epsilon).
Mean loss and lambda |theta| grow at most like (L + lambda)|theta|, and b theta/n falls like -|b| |theta| on one side: where
|b| > n (L + lambda) there is no minimiser. The proof and the algorithm have the square; with it there always is one.
"""

from mpmath import erfc, log, mp, sqrt

mp.dps = 20
epsilon, delta, L, beta, n = 1, mp.mpf("0.01"), 1, 1, 1
sigma, ridge = L * sqrt(8 * log(1 / delta) + 4 * epsilon) / epsilon, mp.mpf(beta) / (n * epsilon)
none = erfc(n * (L + ridge) / sigma / sqrt(2))
print(f"probability that there is no minimiser: claimed 0, it is {mp.nstr(none, 12)}")
assert none > 0.75
