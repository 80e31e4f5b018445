"""spo, Theorem 8: no lower bound of order 1/sqrt(n) + sqrt(d ln(1/delta))/(n epsilon) holds for private training.

In units of L B_B (Lipschitz constant times the bound on B). (1) The answer 0 reads no data and has excess at most 1, on every
law; the rate is unbounded as epsilon falls at n = 1. (2) d = 1, epsilon = 1, delta = e^(-n^2): the minimiser of the empirical
SPO+ risk + lambda B^2/2 over the ball moves by D = 2/(lambda n) at most (L = 1) if a record is replaced; with noise of density
exp(-|z|/D), E|z| = D, projected onto the ball, it is 1-DP, and its excess at most lambda/2 + D (1 + 1), on every law.
"""

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 30


def rate(n, d, epsilon, delta):
    return 1 / sqrt(n) + sqrt(d * log(1 / delta)) / (n * epsilon)


print("(1) n = d = 1, delta = 1/e")
for k in (2, 4, 6):
    claimed = rate(mpf(1), 1, mpf(10) ** -k, exp(-1))
    print(f"  epsilon = 1e-{k}: claimed at least a multiple of {mp.nstr(claimed, 8)}, risk of 0 at most 1")
    assert claimed > 10**k
print("(2) d = 1, epsilon = 1, delta = e^(-n^2)")
previous = 0
for k in (4, 6, 8):
    n = mpf(10) ** k
    lam = sqrt(8 / n)
    risk = lam / 2 + 2 / (lam * n) * 2
    claimed = rate(n, 1, 1, exp(-(n**2)))
    print(f"  n = 1e{k}: claimed at least a multiple of {mp.nstr(claimed, 8)}, risk at most {mp.nstr(risk, 8)}")
    assert claimed / risk > 5 * previous
    previous = claimed / risk
