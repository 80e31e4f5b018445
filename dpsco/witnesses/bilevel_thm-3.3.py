"""bilevel, Theorem 3.3: no mu, k or algorithm is (epsilon, delta)-DP with risk O(G D_x sqrt(d_x ln(1/delta))/(epsilon n)).

X = [-1/2, 1/2], g = (y - x - z)^2/2, z in {-n, 0, n}, f(y) = |y| - 1/4 for |y| >= 1/2 and y^2 below: L_fx = beta_fxy = 0,
L_fy = beta_gxy = mu_g = 1, so G = 1. n - 1 records are 0, one is n or -n: y_Z = x + 1, Phi_Z = x + 3/4, or Phi_Z' = 3/4 - x.
With p = P(x <= 0 | Z), q = P(x <= 0 | Z'): risk on Z >= (1 - p)/2, on Z' >= q/2, and p <= e^epsilon q + delta.
"""

from mpmath import exp, log, mp, mpf, quad, sqrt

mp.dps = 30
epsilon, delta = mpf(1), mpf("0.001")
lower = (1 - delta) / (2 * (1 + exp(epsilon)))
for n in (10**2, 10**4, 10**6):
    print(f"n = {n}: claimed O({mp.nstr(sqrt(log(1 / delta)) / (epsilon * n), 5)}), larger risk >= {mp.nstr(lower, 8)}")


def loss(x, z):  # Phi_Z from the definitions
    y = x + z / 1000
    return abs(y) - mpf(1) / 4 if abs(y) >= 0.5 else y**2


n = 1000  # the proof's own mu and k (constant 1)
mu = sqrt(log(1 / delta)) / (n * epsilon)
k = mu * n**2 * epsilon**2 / log(1 / delta)
grid = [mpf(i) / 40 - mpf(1) / 2 for i in range(41)]


def left(z):
    mass = [quad(lambda x: exp(-k * (loss(x, z) - mpf(1) / 4 + mu * x**2 / 2)), part) for part in (grid[:21], grid[20:])]
    return mass[0] / sum(mass)


true = left(n) - exp(epsilon) * left(-n)
print(f"the proof's density at n = {n}: claimed delta {delta}, needed {mp.nstr(true, 15)}")
assert true > delta
