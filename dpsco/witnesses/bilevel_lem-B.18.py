"""bilevel, Lemma B.18: an error claimed on some Z with probability at least 1/2, and 1/3 in part (2); d = 1.

(a) the number of +1 plus two-sided geometric noise is epsilon-DP and exact with probability 1 - 2/(e^epsilon + 1) on every Z:
    at epsilon = 2 any error at all has probability 0.238, below 1/3 and 1/2.
(b) epsilon = 1/t, n = t^2: M/n times the sign of the sum by randomised response is within 1/n of every Zbar with |Zbar| in
    [(M-1)/n, (M+1)/n] with probability above 1/2; the claimed error is c/(n epsilon) = c/t.
(c) part (2), epsilon = 1, delta = 2^-n: geometric noise exceeds 2 with probability 0.073 < 1/3, so the error is at most 4/n;
    claimed is c sqrt(ln(1/delta))/n.
"""

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 30
wrong = 2 / (exp(mpf(2)) + 1)
print(f"(a) probability of an error claimed at least 1/2 and 1/3, it is {mp.nstr(wrong, 10)}")
assert wrong < mpf(1) / 3
for t in (mpf(10) ** 2, mpf(10) ** 4, mpf(10) ** 8):
    flipped = 1 / (1 + exp(1 / t))
    print(f"(b) t = {mp.nstr(t, 3)}: error claimed above c {mp.nstr(1 / t, 6)} with probability at least 1/2,")
    print(f"    above {mp.nstr(1 / t**2, 6)} it has probability {mp.nstr(flipped, 12)}")
    assert flipped < mpf(1) / 2
beyond = 2 * exp(mpf(-3)) / (1 + exp(mpf(-1)))
for n in (mpf(10) ** 4, mpf(10) ** 8, mpf(10) ** 16):
    claimed = sqrt(n * log(2)) / n
    print(f"(c) n = {mp.nstr(n, 3)}: claimed at least c {mp.nstr(claimed, 6)}, at most {mp.nstr(4 / n, 6)} but for", end=" ")
    print(mp.nstr(beyond, 6))
assert beyond < mpf(1) / 3
assert 4 / n / claimed < mpf(10) ** -6
