"""bilevel, Remark 3.10: population risk claimed at least c R sqrt(d ln(1/delta))/(n epsilon), R = L_fx D_x + L_fy D_y.

d_x = 1, delta = 2^-n, epsilon = n^(-1/4). The exponential mechanism on m = n^(1/3) + 1 equally spaced points of X is (epsilon,
0)-DP. Its population risk, for every convex problem with L_gy = mu_g D_y: R/(m - 1) for the points, 2 * 3 R sqrt(m/n) for the
draws (each of m deviations has root mean square at most 3 R/sqrt(n)), 2 s ln(m)/epsilon for the noise, s <= 6 R/n.
"""

from mpmath import floor, log, mp, mpf, sqrt

mp.dps = 40
for n in (mpf(10) ** 24, mpf(10) ** 48, mpf(10) ** 96):
    epsilon = n ** mpf("-0.25")
    m = floor(n ** (mpf(1) / 3)) + 1
    claimed = min(mpf(1), sqrt(n * log(2)) / (n * epsilon))
    reached = 1 / (m - 1) + 6 * sqrt(m / n) + 12 * log(m) / (n * epsilon)
    print(f"n = {mp.nstr(n, 3)}: claimed at least c {mp.nstr(claimed, 6)}, reached {mp.nstr(reached, 6)}")
    print(f"    quotient {mp.nstr(reached / claimed, 6)}, without end as n grows (n^(-1/12))")
assert reached / claimed < mpf(10) ** -6
