"""Theorem 4.2: started near a minimum, the chosen T is 1 and x_1 keeps the noise of a whole step, while the rate tends to 0.

f = h(x), h = x^2/2 up to |x| = 1 and |x| - 1/2 beyond, for every record; g = y^2/2. L_fx = beta_Phi = 1, beta_fxy = C = 1
(slack), K = 4, d_x = 1. From
x_0 = sqrt(2 gap): x_1 = x_0/2 - u/2, and h'(x_1) is that, cut at 1 in size."""

from functools import partial

from mpmath import ceil, exp, log, mp, mpf, pi, quad, sqrt

mp.dps = 30


def size(v, x_0, sigma):
    """The gradient's size at x_1 for the noise sigma v, times the density of v."""
    return min(abs(x_0 - sigma * v) / 2, 1) * exp(-(v**2) / 2) / sqrt(2 * pi)


n, epsilon, delta, K = 1000, mpf(1), mpf("1e-5"), 4
for gap in (mpf("1e-4"), mpf("1e-10"), mpf("1e-20"), mpf("1e-40")):
    T = ceil(n * epsilon / sqrt(log(1 / delta)) * sqrt(gap) / K)
    sigma = 32 * K * sqrt(T * log(1 / delta)) / (n * epsilon)
    rate = sqrt(K * sqrt(gap) * sqrt(log(1 / delta)) / (epsilon * n))
    x_0 = sqrt(2 * gap)
    ends = sorted({mpf(-12), mpf(12), x_0 / sigma, (x_0 - 2) / sigma, (x_0 + 2) / sigma})
    mean = quad(partial(size, x_0=x_0, sigma=sigma), [v for v in ends if abs(v) <= 12])
    shown = [mp.nstr(value, 8) for value in (gap, T, rate, mean, mean / rate)]
    print("gap {}: T = {}, claimed at most a constant times {}, it is {}: ratio {}".format(*shown))
    assert T == 1
    last = mean / rate
assert last > 10**9
