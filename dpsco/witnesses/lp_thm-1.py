"""Theorem 1: the proof adds (epsilon, delta) for theta_1 to (epsilon/2, delta/2) for the second answer and claims (epsilon,
delta). The sum is 3/2 of that: randomised response with epsilon and one with epsilon/2, both true, lose 3 epsilon/2.

Nor is theta_1 (epsilon/2, delta/2)-DP with the printed variance 128 L^2 ln(1/delta)/epsilon^2 and lambda = r beta/(epsilon n).
n = r = epsilon = 1, L = beta = lambda = 1/2, delta = 2e-10, an exact optimiser. D: slope -1/2 up to 118, then rising to 1/2 at
120; D': slope 1/2. Both are convex, L-Lipschitz and beta-smooth; theta + slope(theta) = -G: one interval of theta decides.
"""

from mpmath import exp, log, mp, mpf, ncdf, npdf, quad, sqrt

mp.dps = 40
epsilon = mpf(1)
true = [exp(e) / (1 + exp(e)) for e in (epsilon, epsilon / 2)]
both, neither = true[0] * true[1], (1 - true[0]) * (1 - true[1])
spent = log(both / neither) / epsilon
print(f"sum of the two budgets: claimed 1 epsilon, true {mp.nstr(spent, 10)} epsilon", end=" ")
print(f"(at epsilon the pair needs delta = {mp.nstr(both - exp(epsilon) * neither, 8)}, claimed 0)")
assert abs(spent - mpf(3) / 2) < mpf("1e-30")

half, delta = epsilon / 2, mpf("2e-10")
sigma = sqrt(128 * log(1 / delta)) / 2 / epsilon  # L = 1/2


def bent(x):
    return x + (x - 118) / 2 - mpf(1) / 2


def flat(x):
    return x + mpf(1) / 2


p, q = ((ncdf(-f(mpf(118)) / sigma) - ncdf(-f(mpf(119)) / sigma)) for f in (bent, flat))
check = quad(lambda x: (npdf(bent(x) / sigma) * 3 / 2 - exp(half) * npdf(flat(x) / sigma)) / sigma, [118, mpf(237) / 2, 119])
needed = p - exp(half) * q
print(f"theta_1 at epsilon/2: claimed delta {mp.nstr(delta / 2, 3)}, [118, 119] needs {mp.nstr(needed, 10)}", end=" ")
print(f"(quadrature {mp.nstr(check, 10)})")
assert needed > delta / 2 and abs(needed - check) < mpf("1e-25")
