"""quantile, Theorem 3.7: no risk is above c max(n^{-1/2}, sqrt(d)/(n epsilon ln d)), whatever c; unit max(r, 1 - r) B B_x.

(a) n = 8, d = 2, epsilon -> 0: the answer 0 reads no data and has excess risk at most 1.
(b) delta = 1/4, d = 2, epsilon = 4/n: one pass of projected subgradient descent over a random quarter of the records is
    (0, 1/4)-DP, since a replaced record is among them with probability 1/4; its excess risk is at most 1/sqrt(n/4).
(c) answers in R^d, theta* in the ball: the minimiser of the empirical risk + lambda |theta|^2/2 plus Gaussian noise is private
    with excess risk at most 2 sqrt((1 + s)/n), s = sqrt(2 ln(1.25/delta))/epsilon, in every dimension; here d = n^2/4.
"""

from mpmath import log, mp, mpf, sqrt

mp.dps = 30


def bound(n, d, epsilon):
    return max(1 / sqrt(n), sqrt(d) / (n * epsilon * log(d)))


for N in (mpf(10) ** 6, mpf(10) ** 12, mpf(10) ** 24):
    cases = {
        "(a) answer 0": (bound(8, 2, 1 / N), mpf(1)),
        "(b) one pass over a quarter": (bound(N, 2, 4 / N), 1 / sqrt(N / 4)),
        "(c) fit plus noise": (bound(N, N**2 / 4, mpf("0.5")), 2 * sqrt((1 + 2 * sqrt(2 * log(mpf("1.25") * N**9))) / N)),
    }
    for says, (claimed, risk) in cases.items():
        print(f"N = {mp.nstr(N, 3)} {says}: claimed at least c {mp.nstr(claimed, 6)}, reached {mp.nstr(risk, 6)}")
    last = [risk / claimed for claimed, risk in cases.values()]
print("risk over claim at the last N:", [mp.nstr(x, 3) for x in last])
assert max(last) < mpf("1e-7")
