"""quantile, Appendix A.5: risk <= 2 L^2/(n lambda) + d sigma^2/(n^2 lambda) + lambda B^2 + h kappa_2/2 is false.

(The steps before it have kappa_1 there, and so has the optimisation after it.) Every record is x = 7, y = -7, so theta* = -1;
r = 3/4; the kernel is uniform on [-w, w], w = 3/10: kappa_1 = w/2, kappa_2 = w^2/3 = 3/100, K = 5/3 (or 1.7 at the single
point 0, which changes no integral). In s = 7 theta the minimiser solves ((s - y)/(2 h w) + 1/2 - r) + 2 lambda s/49 + b/(7 n)
= 0 while |s - y| <= h w: s falls with b, which is N(0, sigma^2). The excess risk of s > y is (s - y)/4, so it is at least
that of b = 2 sigma with probability Phi(2).
"""

from mpmath import log, mp, mpf, ncdf, nstr, sqrt

mp.dps = 40
n, eps, delta, lam, h, w = mpf(10) ** 8, mpf(1000), mpf(999) / 1000, mpf(10) ** -6, mpf(1000), mpf(3) / 10
r, B_x, B, y = mpf(3) / 4, mpf(7), mpf(1), mpf(-7)
L = r * B_x
sigma = L * sqrt(8 * log(2 / delta) + 4 * eps) / eps
slope = 1 / (2 * h * w) + 2 * lam / B_x**2


def solution(b):
    return (r - mpf(1) / 2 + y / (2 * h * w) - b / (n * B_x)) / slope


assert y < solution(2 * sigma) < y + h * w
risk = ncdf(2) * (solution(2 * sigma) - y) / 4
rest = 2 * L**2 / (n * lam) + sigma**2 / (n**2 * lam) + lam * B**2
print(f"claimed risk <= {nstr(rest + h * w**2 / 6, 15)}, it is >= {nstr(risk, 15)}")
print(f"with kappa_1: {nstr(rest + h * w / 4, 15)}")
assert rest + h * w**2 / 6 < risk < rest + h * w / 4
