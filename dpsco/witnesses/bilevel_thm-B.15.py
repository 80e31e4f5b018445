"""bilevel, Theorem B.15: for Phi_Z not convex no sampler of polynomial time, private or not, has the printed loss.

X = [0, 1]^d in M^d cells; f = y, g = (y - h(x))^2/2, h = -(1 - 4 M^2 |x - c|^2)^3 within 1/(2M) of the centre c of one cell, 0
elsewhere: L_fx = 0, L_fy = L_gy = mu_g = D_y = 1, L_bar <= 4M. q evaluations and the output meet the cell of c (uniform) with
chance at most (q + 1)/M^d. Time d^6 n L_bar^p, n = M, d = p + 2: the share of the cells tends to 0, the loss to 1.
"""

from fractions import Fraction
from random import Random

from mpmath import exp, mp, mpf

mp.dps = 30
steepest = max(6 * u * (1 - u**2) ** 2 * 2 for u in (mpf(i) / 1000 for i in range(1001)))
assert steepest < 4  # |grad h|/M along u = 2 M |x - c|
for p in (1, 3, 7):
    d = p + 2
    for M in (10**12, 10**15, 10**18):
        q = d**6 * M * (4 * M) ** p
        seen, rate = Fraction(q + 1, M**d), mpf(2 * d) / M
        print(
            f"p = {p}, d = {d}, n = M = {M}: claimed O({mp.nstr(rate, 4)} log^a), risk at least {max(0, 1 - float(seen)):.9f}"
        )
assert seen < Fraction(1, 1000) and rate < mpf("1e-15")

random, M, tries, found = Random(1), 1000, 4000, 0  # the count by play: 50 of 1000 cells looked at, then one guess
for _ in range(tries):
    hidden, looked = random.randrange(M), set(random.sample(range(M), 50))
    found += hidden in looked or hidden == random.choice([c for c in range(M) if c not in looked])
print(f"50 evaluations among 1000 cells: found {found / tries:.4f}, at most {51 / 1000}")
assert abs(found / tries - 0.051) < 0.02

n, epsilon = 40, mpf(1)  # every epsilon-DP algorithm in any time: N records, each with a cell of its own
N = 1000 * exp(n * epsilon)
best = exp(n * epsilon) / (exp(n * epsilon) + N - 1)  # P(right cell) of the symmetric optimum
print(
    f"n = {n}: claimed O({mp.nstr(2 / (epsilon * n), 4)} log^a n), risk of every epsilon-DP algorithm >= {mp.nstr(1 - best, 8)}"
)
assert 1 - best > mpf("0.999")
