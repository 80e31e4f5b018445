"""lp, Theorem 11: excess empirical loss claimed at least c G_C^2 ln(1/delta)/((ln 2d)^4 epsilon^2 n^2), loss 1-Lipschitz on C.

(a) C the unit ball, C_min = 1: from one end of a diameter to the other 1-strong convexity makes the slope grow by 2 at least,
    1-Lipschitz by 2 at most, from -1 to 1, so it is s at s: every such loss is |theta|^2/2 + c(x), and theta = 0 is best for
    all data.
(b) C the unit ball, d = t^4, n = t, epsilon = 1, delta = n^-2/2: n is far below sqrt(d ln(1/delta)). Any fixed answer has an
    excess of at most 2 L for every L-Lipschitz loss; G_C^2 >= d - 1.
(c) the proof's loss |theta - x|^2/2 has the slope |theta - x| = 2 at theta = -x, |x| = 1.
"""

from mpmath import gamma, log, mp, mpf, sqrt

mp.dps = 30
d, n, epsilon, delta = 9, 7, mpf("0.5"), mpf("0.01")
claimed = (sqrt(2) * gamma(mpf(d + 1) / 2) / gamma(mpf(d) / 2)) ** 2 * log(1 / delta) / (log(2 * d) ** 4 * (epsilon * n) ** 2)
print(f"(a) d = 9, n = 7, epsilon = 1/2, delta = 1/100: claimed at least c {mp.nstr(claimed, 6)}, the excess of 0 is 0")
assert claimed > 0
slopes = [(-1 + mpf(i) / 4) + extra for i in range(9) for extra in (mpf(0), mpf(i) / 100)]
print(f"    slopes s stay within 1, and with any growth more they reach {mp.nstr(max(slopes), 6)}")
assert max(slopes[0::2]) == 1 < max(slopes[1::2])
for t in (mpf(10) ** 6, mpf(10) ** 9, mpf(10) ** 12):
    d, n, delta = t**4, t, 1 / (2 * t**2)
    claimed = (d - 1) * log(1 / delta) / (log(2 * d) ** 4 * n**2)
    print(f"(b) t = {mp.nstr(t, 3)}: claimed at least c {mp.nstr(claimed, 6)}, reached 2")
assert claimed > mpf(10) ** 17
h = mpf("1e-6")
slope = abs((-1 + h - 1) ** 2 / 2 - mpf(-1 - 1) ** 2 / 2) / h
print(f"(c) slope claimed at most 1, a secant has {mp.nstr(slope, 10)}")
assert slope > mpf("1.99")
