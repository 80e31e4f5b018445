"""bilevel, Theorem B.16: no (epsilon, delta)-DP sampler has empirical loss O(G D_x sqrt(d_x ln(1/delta))/n).

(1) epsilon = 1, delta = 1/1000. X = [-1/2, 1/2], g = (y - x - z)^2/2, z in {-n, 0, n}, f(y) = |y| - 1/4 for |y| >= 1/2 and y^2
below: L_fx = beta_fxy = 0, L_fy = beta_gxy = mu_g = 1, so G = 1. n - 1 records are 0, one is n or -n: y_Z = x + 1, Phi_Z = x +
3/4, or Phi_Z' = 3/4 - x. p = P(x <= 0 | Z), q = P(x <= 0 | Z'): risks at least (1 - p)/2 and q/2, p <= e^epsilon q + delta.
(2) The lost 1/epsilon: f = z x, z = 1 in all n records or -1 in all, epsilon = 1/n, delta = 1/(1000 n), n records replaced.
"""

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 30


def loss(x, z, n):  # Phi_Z from the definitions, z the record that is not 0
    y = x + mpf(z) / n
    return abs(y) - mpf(1) / 4 if abs(y) >= 0.5 else y**2


def lower(epsilon, delta):  # least of max((1 - p)/2, q/2) under p <= e^epsilon q + delta: at (1 - p) = q
    return (1 - delta) / (2 * (1 + exp(epsilon)))


search = min(max((1 - exp(1) * q - mpf("0.001")) / 2, q / 2) for q in (mpf(i) / 4000 for i in range(4001)))
assert lower(1, mpf("0.001")) <= search <= lower(1, mpf("0.001")) + mpf("0.001")
for n in (10**2, 10**4, 10**6):
    for x in (mpf(-1) / 2, mpf(-1) / 5, mpf(0), mpf(1) / 2):
        assert loss(x, n, n) == x + mpf(3) / 4 and loss(x, -n, n) == mpf(3) / 4 - x
    rate = sqrt(log(1000)) / n
    print(f"n = {n}, epsilon = 1: claimed O({mp.nstr(rate, 5)}), larger risk >= {mp.nstr(lower(1, mpf('0.001')), 8)}")
    epsilon, delta = mpf(1) / n, mpf(1) / (1000 * n)
    group = delta * (exp(n * epsilon) - 1) / (exp(epsilon) - 1)
    least, rate = lower(n * epsilon, group), sqrt(log(1 / delta)) / n
    print(f"n = {n}, epsilon = 1/n: claimed O({mp.nstr(rate, 5)}), larger risk >= {mp.nstr(least, 8)}")
    assert least > mpf("0.13") > rate
