"""Theorem 4.3: with n = 1, delta = 1/2, d = epsilon/2 the rate falls like epsilon^(-1/4), no private algorithm does.

That is inside d <= n epsilon. f(x, y, w) = rho(|x - w|), rho(s) = s^2 up to 1/2 and s - 1/4 beyond; g = |y|^2/2. The records w
are a largest set in the unit ball at least r = e^-3 apart: balls of radius r cover it, so there are (1/r)^d = e^(3 d) at least.
|grad Phi_w| >= r wherever |x - w| >= r/2, and P_w(|A - w| < r/2) <= e^epsilon P_0(the same) + delta, over disjoint balls: for
some w the mean gradient is at least r (1 - e^(epsilon - 3 d) - delta). L_fx = 1, beta_fxy = 1 (slack), C = 1, beta_Phi = 2, K =
4, Psi = 2."""

from mpmath import exp, log, mp, mpf, sqrt

mp.dps = 130
K, Psi, beta, delta = 4, 2, 2, mpf("0.5")
r = exp(mpf(-3))
on_a_line = 2 * int(1 / r) + 1  # d = 1, counted: the multiples of r in [-1, 1]
print(f"d = 1: {on_a_line} points at least r apart, more than e^3 = {mp.nstr(exp(3), 5)}")
assert on_a_line >= exp(3)
for epsilon in (mpf(10) ** 4, mpf(10) ** 12, mpf(10) ** 40, mpf(10) ** 100):
    d = epsilon / 2
    assert d <= epsilon
    least = r * (1 - exp(epsilon - 3 * d) - delta)
    rate = sqrt(K * sqrt(Psi * beta)) * sqrt(d * sqrt(log(1 / delta)) / epsilon**1.5)
    print(f"epsilon = {mp.nstr(epsilon, 3)}: claimed {mp.nstr(rate, 8)} times logarithms, it is at least {mp.nstr(least, 8)}")
assert least > 10**20 * rate
