"""g^2 lacks kappa and a logarithm. T = n: a batch is one record, and E|Z|_*^2 = d sigma^2 for the smooth norm l_q itself (q =
kappa + 1 <= 2 ln d; p = 1.8, kappa = 1.25, d = 4). sigma at the scale that Theorem 9 ends with, beta = M
= lambda = 1, delta = 1/2, epsilon = 1/sqrt(n), which is at most sqrt(ln(n/delta)/n) as Theorem 9 asks."""

from mpmath import log, mp, mpf, quad

mp.dps = 30
kappa, d, delta, h = mpf(5) / 4, 4, mpf(1) / 2, 2
# the radius of GG(1) has density r^(d-1) e^(-r^2/2) up to a constant: E|Z|^2 = d
mass = quad(lambda r: r ** (d - 1) * mp.exp(-(r**2) / 2), [0, 5, 20])
assert abs(quad(lambda r: r ** (d + 1) * mp.exp(-(r**2) / 2), [0, 5, 20]) / mass - d) < mpf("1e-20")
last = 0
for power in (1, 10, 100, 1000, 10000):
    n = mpf(10) ** power
    epsilon = 1 / mp.sqrt(n)
    assert epsilon <= mp.sqrt(log(n / delta) / n)
    sigma = kappa * h * log(n / delta) / (epsilon * mp.sqrt(n))
    printed = log(n / delta) * d * kappa * h**2 * log(1 / delta) / (n * epsilon**2)
    print(f"n = T = 1e{power}: claimed a bounded multiple of {mp.nstr(printed, 6)}, it is {mp.nstr(d * sigma**2, 6)}")
    assert d * sigma**2 / printed > 2 * last
    last = d * sigma**2 / printed
