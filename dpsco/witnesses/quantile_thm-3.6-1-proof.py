"""quantile, Appendix A.5: risk <= 2 L^2/(n lambda) + d sigma^2/(n^2 lambda) + lambda B^2 + h kappa_2/2 is false.

(The steps before it have kappa_1 there, and so has the optimisation after it.) Every record is x = 7, y = 0, so theta* = 0;
r = 3/4; the kernel is uniform on [-w, w], w = 3/10: kappa_1 = w/2, kappa_2 = w^2/3 = 3/100. In s = 7 theta the minimiser
solves (s/(2 h w) + 1/2 - r) + 2 lambda s/49 + b/(7 n) = 0 while |s| <= h w: s is linear in b, which is N(0, sigma^2), and
stays inside for |b| <= 5 sigma. The excess risk of s > 0 is s/4, so the mean over |b| <= 5 sigma is a lower bound.
"""

from mpmath import erf, log, mp, mpf, nstr, sqrt

mp.dps = 40
n, eps, delta, lam, h, w = mpf(10) ** 8, mpf(1000), mpf(999) / 1000, mpf(10) ** -6, mpf(1000), mpf(3) / 10
r, B_x, B = mpf(3) / 4, mpf(7), mpf(1)
L = r * B_x
sigma = L * sqrt(8 * log(2 / delta) + 4 * eps) / eps
slope = 1 / (2 * h * w) + 2 * lam / B_x**2


def solution(b):
    return (r - mpf(1) / 2 - b / (n * B_x)) / slope


assert solution(5 * sigma) > 0 and solution(-5 * sigma) < h * w
risk = solution(0) / 4 * erf(5 / sqrt(mpf(2)))
rest = 2 * L**2 / (n * lam) + sigma**2 / (n**2 * lam) + lam * B**2
print(f"claimed risk <= {nstr(rest + h * w**2 / 6, 15)}, it is >= {nstr(risk, 15)}")
print(f"with kappa_1: {nstr(rest + h * w / 4, 15)}")
assert rest + h * w**2 / 6 < risk < rest + h * w / 4
