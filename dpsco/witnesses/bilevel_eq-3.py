"""(3): a problem without a stationary point, and wells that no private algorithm finds at large epsilon.

First f = x_1, g = |y|^2/2: Assumptions 2.1 and 2.2 hold with L_fx = 1 and |grad Phi_Z| = 1 everywhere, whatever is released.
Then the wells of the witness of Theorem 4.3: n = 1, delta = 1/2, d = epsilon/2 < n epsilon, at e^(3 d) places of the unit ball
r = e^-3 apart, a mean gradient of r (1/2 - e^(epsilon - 3 d)) at least."""

from mpmath import exp, mp, mpf, sqrt

mp.dps = 60


def claimed(d, epsilon, n):
    q = epsilon * n
    return min(sqrt(sqrt(d) / q), sqrt(d) / q ** (mpf(3) / 4), d / q, mpf(1))


for n in (10**3, 10**6, 10**12):
    value = claimed(mpf(1), mpf(1), mpf(n))
    print(f"f = x, n = {n:.0e}, d = epsilon = 1: claimed {mp.nstr(value, 6)} times logarithms, it is 1")
    assert value * n <= 1
for epsilon in (mpf(10) ** 4, mpf(10) ** 12, mpf(10) ** 40):
    d = epsilon / 2
    least = exp(mpf(-3)) * (mpf("0.5") - exp(epsilon - 3 * d))
    value = claimed(d, epsilon, mpf(1))
    shown = [mp.nstr(number, 6) for number in (epsilon, value, least)]
    print("wells, epsilon = {}: claimed {} times logarithms, it is {} or more".format(*shown))
assert least > 10**8 * value
