"""spo, Theorem 5: its statement stands, the printed proof does not: at d = 1 the packed data have no excess.

Part III of Appendix D claims an excess SPO+ risk of order 1/sqrt(n) + h/n, h = (e^epsilon - 1)/(e^epsilon + 1), on data sets
D^(j), j = 1, ..., d, of n copies of (e_j, 1). d = 1: the cost 1 and S = {w >= -1}, w* = -1, z* = -1. For 2 c_hat >= 1 the
maximum over S of (1 - 2 c_hat) w is 2 c_hat - 1, at w = -1, and SPO+ is (2 c_hat - 1) + 2 c_hat w* - z* = 0: the answer 1/2,
which reads no data and is private for every epsilon, has no excess.
"""

from mpmath import mp, mpf, sqrt, tanh

mp.dps = 30
c, w_star, z_star = mpf(1), mpf(-1), mpf(-1)


def spo_plus(c_hat):
    slope = c - 2 * c_hat
    assert slope <= 0  # else the maximum over w >= -1 is infinite
    return -slope + 2 * c_hat * w_star - z_star


assert all(spo_plus(mpf(k) / 8) >= 0 for k in range(4, 100))
for n, epsilon in ((1, mpf(1)), (100, mpf(1)), (10000, mpf(4))):
    rate, excess = 1 / sqrt(mpf(n)) + tanh(epsilon / 2) / n, spo_plus(mpf("0.5"))
    print(f"n = {n}: claimed at least a multiple of {mp.nstr(rate, 12)}; excess of the answer 1/2: {mp.nstr(excess, 3)}")
    assert rate > 0 == excess
