"""newsvendor, proofs of Theorems 2, 4, 6: projecting onto the ball can raise the risk, and then the bounds are false.

(1) One output, in fractions: x = e_1, y = B = 1, r = 1/2, theta = (1, 3/4). (2) Objective perturbation at Theorem 2's choices:
x = e_1, y = 1 + error, uniform on [-w, w], w = 1/200 (s = 100), Epanechnikov's kernel, epsilon = 1, delta = 1e-6.
"""

from fractions import Fraction

from mpmath import exp, log, mp, mpf, pi, quad, sqrt

theta, B = (Fraction(1), Fraction(3, 4)), Fraction(1)
factor = min(Fraction(1), B / Fraction(5, 4))  # |theta| = 5/4
print(f"output: risk before {abs(theta[0] - 1) / 2}, projected {abs(factor * theta[0] - 1) / 2}")
assert abs(factor * theta[0] - 1) > abs(theta[0] - 1)

mp.dps = 30
eps, delta, L, w, K = mpf(1), mpf("1e-6"), mpf("0.5"), mpf(1) / 200, mpf("0.75")
for n, d in ((mpf(10) ** 6, mpf(3) * 10**5), (mpf(10) ** 12, mpf(10) ** 14)):
    sigma = L * sqrt(8 * log(1 / delta) + 4 * eps) / eps
    lam = sqrt(2 * L**2 / n + d * sigma**2 / n**2)
    h = K / (lam * n * eps)
    bound = 4 * L * sqrt(2 / n + 16 * d * log(1 / delta) / (n * eps) ** 2)
    assert eps >= K * 100 / 5 / (2 * sqrt(L**3)) / n ** mpf("0.25")
    # theta_1 <= 1 + w + h up to a chance below 1e-100; R^2 = |others|^2 is v chi^2 with d - 1 degrees of freedom
    v, most = (sigma / (2 * lam * n)) ** 2, 1 + w + h
    # E (1 + R^2/most^2)^(-1/2) = integral of 2/sqrt(pi) e^(-u^2) (1 + 2 v u^2/most^2)^(-(d-1)/2)
    wide = 8 / sqrt(1 + 2 * v * d / most**2)
    kept = (
        2
        / sqrt(pi)
        * quad(lambda u, d=d, c=2 * v / most**2: exp(-(u**2) - (d - 1) / 2 * log(1 + c * u**2)), [0, wide / 2, wide, 9])
    )
    risk = (1 - kept) / 2 - w / 4
    print(f"n = {mp.nstr(n, 2)}, d = {mp.nstr(d, 2)}: bound {mp.nstr(bound, 8)}, projected output: at least {mp.nstr(risk, 8)}")
    assert risk > bound
