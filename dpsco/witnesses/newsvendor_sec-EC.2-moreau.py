"""Section EC.2.2.2, challenge 1: convolution smoothing is not closer to the check loss than the Moreau envelope is."""

from fractions import Fraction

from mpmath import mp, mpf, npdf, quad, sqrt

mp.dps = 30
r, h = mpf(1) / 2, mpf(1)


def check(u):
    return max(r * u, (r - 1) * u)


def convolution_gap(u):
    """E c(u + h V) - c(u) for standard normal V, by quadrature split at the kink."""
    return quad(lambda v: check(u + h * v) * npdf(v), [-12, -u / h, 0, 12]) - check(u)


at_kink = convolution_gap(mpf(0))
print(f"At u = 0, h = 1, r = 1/2: Gaussian convolution off by {mp.nstr(at_kink, 10)} = 1/sqrt(2 pi), the envelope by 0.")
assert abs(at_kink - 1 / sqrt(2 * mp.pi)) < mpf("1e-15")

moreau = Fraction(1, 8)  # h max(r^2, (1 - r)^2) / 2, its largest error
print("Largest error over all u, r = 1/2, h = 1, in units of h:")
print(f"  Moreau envelope, smoothness 1/h     {moreau}")
for name, kappa_1, K_bar in (("uniform", Fraction(1, 2), Fraction(1, 2)), ("Epanechnikov", Fraction(3, 8), Fraction(3, 4))):
    same_h, same_smoothness = kappa_1 / 2, K_bar * kappa_1 / 2
    print(f"  {name:13s} same h {same_h}, same smoothness {same_smoothness}; claimed below {moreau}")
    assert same_h > moreau
    assert same_smoothness >= moreau
