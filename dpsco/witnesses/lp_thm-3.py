"""Theorem 3: with Delta measured in |.|_C and lambda = max(r beta/(epsilon n) - Delta, 0), J may be hardly convex at all.

C = [-10, 10], L = 1, n = 1, r = d = 1, epsilon = 1, Delta = 5, beta = 5: lambda = 0. The loss 5 theta^2/200 is 5-strongly
convex in |theta|_C = |theta|/10, slope at most 1/2 on C. J'' = 1/20, printed: at least r beta/(epsilon n) = 5. D: the loss is
the parabola plus Huber's function with slopes -1/2, 1/2 and curvature 5 - 1/20 between; D': the parabola. An exact optimiser
releases theta_1, for which G = -J'_0(theta_1): on Huber's kink the densities differ by the factor beta/(n J'') = 100.
"""

from mpmath import exp, log, mp, mpf, ncdf, npdf, quad, sqrt

mp.dps = 40
epsilon, delta, M, Delta, beta = mpf(1), mpf("1e-6"), mpf(10), mpf(5), mpf(5)
sigma = sqrt(128 * log(1 / delta)) / epsilon
mu = 2 * max(beta / epsilon - Delta, 0) + Delta / M**2
slope, bend = 1 - Delta / M, beta - Delta / M**2
w = slope / bend
print(f"modulus of J: claimed {mp.nstr(beta / epsilon, 5)}, true {mp.nstr(mu, 5)}")
p, q = (1 - 2 * ncdf(-end / sigma) for end in (mu * w + slope, mu * w))
one, two = (mu + bend) / sigma, mu / sigma
check = quad(lambda x: one * npdf(one * x) - exp(epsilon) * two * npdf(two * x), [-w, w])
excess = p - exp(epsilon) * q
print(f"epsilon = 1, claimed delta 1e-6: the kink needs {mp.nstr(excess, 12)} (quadrature {mp.nstr(check, 12)})")
assert excess > delta and abs(excess - check) < mpf("1e-20") and mu < beta / epsilon
