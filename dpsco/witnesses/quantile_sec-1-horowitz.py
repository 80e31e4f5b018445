"""Section 1: Horowitz's smooth loss u (r - 1 + calK(u/h)) is not convex at r = 1/2 either; h = 1.

And the other way round: with the Cauchy kernel it is convex at every level."""

from fractions import Fraction

from mpmath import atan, diff, mp, mpf, ncdf, pi

mp.dps = 30


def gaussian(u):
    return u * (ncdf(u) - mpf(1) / 2)


def epanechnikov(u):
    v = min(max(u, Fraction(-1)), Fraction(1))
    return u * (Fraction(1, 2) + (3 * v - v**3) / 4 - Fraction(1, 2))


second = diff(gaussian, 2, 2)
print(f"Gaussian kernel, r = 1/2: second derivative at u = 2 is {mp.nstr(second, 10)}; claimed at least 0")
assert second < -mpf("0.1")

low, middle, high = (epanechnikov(Fraction(k, 4)) for k in (3, 4, 5))
print(f"Epanechnikov kernel, r = 1/2: g(3/4) + g(5/4) - 2 g(1) = {low + high - 2 * middle}; claimed at least 0")
assert low + high < 2 * middle

print("Cauchy kernel, r = 1/4: second derivative 2/(pi (1 + u^2)^2), claimed below 0 somewhere")
for u in (mpf(0), mpf(1), mpf(-3), mpf(20)):
    bend = diff(lambda x: x * (mpf(1) / 4 - mpf(1) / 2 + atan(x) / pi), u, 2)
    print(f"  u = {mp.nstr(u, 3):5s} {mp.nstr(bend, 10)}")
    assert bend > 0
