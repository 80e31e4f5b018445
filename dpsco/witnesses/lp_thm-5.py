"""lp, Theorem 5: excess population loss claimed at least c max(G_C^2 ln(1/delta)/((ln 2d)^4 epsilon^2 n^2), 1/n).

(a) C the unit ball, C_min = 1: 1-Lipschitz and 1-strongly convex losses have the slope s at s on every diameter, so they are
    |theta|^2/2 + c(x) (witness of Theorem 11): theta = 0 has excess 0 for every law, claimed is at least c/n.
(b) C the unit ball, d = t^4, n = t, epsilon = 1, delta = n^-2/2: any fixed answer has an excess of at most 2 L for every
    L-Lipschitz loss (the proof's has L = 2).
(c) the condition on n turned round, as the proof's lemma needs it: C = [-1, 1], epsilon = n^(-1/4), delta = e^(-n/2). The
    minimiser plus Laplace noise of scale 2/(n epsilon) is epsilon-DP and has an excess of at most 4/n + 2/(n epsilon) for
    every loss that is 1-Lipschitz and 1-strongly convex.
"""

from mpmath import log, mp, mpf, pi

mp.dps = 30
n = mpf(7)
print(f"(a) n = 7: claimed at least c {mp.nstr(1 / n, 6)}, the excess of theta = 0 is 0")
assert 1 / n > 0
for t in (mpf(10) ** 6, mpf(10) ** 9, mpf(10) ** 12):
    d, n, delta = t**4, t, 1 / (2 * t**2)
    claimed = max((d - 1) * log(1 / delta) / (log(2 * d) ** 4 * n**2), 1 / n)
    print(f"(b) t = {mp.nstr(t, 3)}: claimed at least c {mp.nstr(claimed, 6)}, reached 2, or 4 with the proof's loss")
assert claimed > mpf(10) ** 17
for n in (mpf(10) ** 12, mpf(10) ** 24, mpf(10) ** 36):
    epsilon = n ** mpf("-0.25")
    claimed = max(2 / pi * (n / 2) / (log(2) ** 4 * epsilon**2 * n**2), 1 / n)
    reached = 4 / n + 2 / (n * epsilon)
    print(f"(c) n = {mp.nstr(n, 3)}: claimed at least c {mp.nstr(claimed, 6)}, reached {mp.nstr(reached, 6)}")
assert reached / claimed < mpf(10) ** -8
