"""Theorem 10 fails by a power where gamma_t = sqrt(T) < 2 beta, which its conditions do not exclude. Records all equal, loss
(beta/2) (s - M/4)^2 on C = {s e_1 : 0 <= s <= M} in l_1.8^2 (kappa = 1.25), w_0 = 0, Phi = kappa s^2/2; sigma = 1 is allowed.
beta = t, M = sqrt(3/(5 t)), n = t^4, epsilon = 3 sqrt(2 ln 2)/t^3, delta = delta' = 1/2: the chosen lambda is 2 beta M, T is 1.

The one step, gamma = 1, has the gradient -beta M/4, which is kept, and a symmetric noise z of 1/n of all records: with chance
1/2 at least it pushes on, and s_1 >= beta M/(4 kappa) >= M, cut to M. The risk is at least (1/2) (beta/2) (3 M/4)^2.
"""

from mpmath import log, mp, mpf, sqrt

mp.dps = 40
kappa, d, nats = mpf(5) / 4, 2, log(2)
root = (kappa**2 * d * nats) ** mpf("0.25")
last = 0
for power in (2, 4, 6, 8, 10):
    t = mpf(10) ** power
    beta, M, n, epsilon = t, sqrt(3 / (5 * t)), t**4, 3 * sqrt(2 * nats) / t**3
    lam = sqrt(n * epsilon) / root
    assert abs(lam - 2 * beta * M) < mpf("1e-30") * lam
    assert lam >= max(beta, 1) * M
    assert epsilon <= 2 * sqrt(log(2 * n) / n)
    T = (M * n * epsilon / ((beta * M + lam) * sqrt(d * nats))) ** 2
    assert abs(T - 1) < mpf("1e-30")
    assert beta >= 4 * kappa
    risk = beta / 4 * (3 * M / 4) ** 2
    rate = M * root * sqrt(nats) / sqrt(n * epsilon)
    print(f"t = 1e{power}: claimed a bounded multiple of {mp.nstr(rate, 6)}, the risk is at least {mp.nstr(risk, 6)}")
    assert risk / rate > 50 * last
    last = risk / rate
