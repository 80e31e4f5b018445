"""quantile, Theorem 3.6, part 1: the risk is not O(max(1/sqrt(n eps), sqrt(d ln(1/delta))/(n eps))).

x = B_x, y = c B_x = B_x theta* with chance p, else far below, p such that the population risk falls with slope a = lambda c up
to c. Whatever the kernel, bandwidth and noise, a record's slope at c is at most its slope below c: E theta_OP <= a/(2 lambda) =
c/2 and the excess risk is at least a (c - c/2) = lambda c^2/2. B_x = B = c = 1, r = L = 3/4, uniform kernel on [-1, 1]: kappa_1
= K_bar = 1/2. Three ways to leave the rate: epsilon = n; d = n^(3/2) with delta -> 1; d = n^2 with epsilon = sqrt(n).
"""

from mpmath import expm1, log, mp, mpf, nstr, sqrt

mp.dps = 40
L = mpf(3) / 4


def printed_lambda(n, eps, d, delta):
    variance = L**2 * (8 * log(2 / delta) + 4 * eps) / eps**2
    return sqrt(2 * L**2 / n + d * variance / n**2 + mpf(1) / 8 / (n * eps))


def ratio(n, eps, d, delta):
    risk = printed_lambda(n, eps, d, delta) / 2
    assert 2 * risk <= L
    return risk / max(1 / sqrt(n * eps), sqrt(d * log(1 / delta)) / (n * eps))


paths = {
    "epsilon = n, d = 1, delta = 1/100": lambda n: (n, mpf(1), mpf(1) / 100),
    "epsilon = 1, d = n^(3/2), delta = e^(-1/n)": lambda n: (mpf(1), n**1.5, 1 + expm1(-1 / n)),
    "epsilon = sqrt(n), d = n^2, delta = 1/100": lambda n: (sqrt(n), n**2, mpf(1) / 100),
}
for says, path in paths.items():
    found = [ratio(mpf(n), *path(mpf(n))) for n in (10**4, 10**8, 10**12)]
    print(f"{says}: claimed risk/rate bounded, it is >= {', '.join(nstr(x, 8) for x in found)} at n = 10^4, 10^8, 10^12")
    assert found[2] > 8 * found[1] > 64 * found[0] / 2
