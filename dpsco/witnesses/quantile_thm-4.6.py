"""quantile, Theorem 4.6, part 2: the excess cost is not (c_u + c_o) O(max(1/sqrt(n), sqrt(d ln(1/delta))/(n eps))).

c_u = 3, c_o = 1 (level 3/4); one feature x = 1, demand theta* +- g with chance 1/4 above and 3/4 below, theta* = 0, B = 1: the
cost is flat between, and E[1/|u|] = 1/g. Kernel uniform on [-1, 1]: kappa_1 = K_bar = 1/2, no tail. delta = 1/10 and epsilon =
n^(-1/2) meet the printed condition with omega = 1 for every n. The least order would come from all demands below; for noise b
<= 0, of chance 1/2, it is then at least q with (q + g)/(2 h) + 1/2 - 3/4 + 2 lambda q = 0, and beyond g an order costs q - g
more. The bandwidth h does not fall with n, so q does not.
"""

from mpmath import log, mp, mpf, nstr, sqrt

mp.dps = 40
c_u, c_o, delta, g = mpf(3), mpf(1), mpf(1) / 10, mpf(1) / 400
r = L = c_u / (c_u + c_o)


def ratio(n):
    eps = 1 / sqrt(n)
    assert n * (eps**4 + log(1 / delta) * eps**2) >= 1
    variance = L**2 * (8 * log(2 / delta) + 4 * eps) / eps**2
    lam = sqrt(2 * L**2 / n + variance / n**2)
    h = 1 / (2 * lam * n * eps)
    q = (r - mpf(1) / 2 - g / (2 * h)) / (1 / (2 * h) + 2 * lam)
    assert g < q < h - g
    excess = c_o * (q - g) / 2
    rate = (c_u + c_o) * max(1 / sqrt(n), sqrt(log(1 / delta)) / (n * eps))
    print(f"n = {nstr(n, 3)}: excess cost >= {nstr(excess, 9)}, claimed order {nstr(rate, 9)}, ratio {nstr(excess / rate, 8)}")
    return excess / rate


found = [ratio(mpf(10) ** k) for k in (4, 8, 12)]
assert found[2] > 50 * found[1] > 2500 * found[0]
