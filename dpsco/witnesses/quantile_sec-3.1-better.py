"""Section 3.1: convolution smoothing is not always closer to the quantile loss than the Moreau envelope at equal smoothness.

Largest gaps at smoothness beta = 1: the convolution's with bandwidth h = K(0), at u = 0, and the envelope's, for u >= r."""

from fractions import Fraction

from mpmath import exp, mp, mpf, npdf, quad

mp.dps = 20
KERNELS = {
    "uniform": (lambda v: mpf(1) / 2, 1),
    "Epanechnikov": (lambda v: mpf(3) / 4 * (1 - v * v), 1),
    "Gaussian": (npdf, 12),
    "logistic": (lambda v: exp(-v) / (1 + exp(-v)) ** 2, 90),
}


def envelope_gap(u, r):
    """c(u) less the objective at x = u - r and, from below, less the dual value r u - r^2/2: they agree."""
    x = u - r
    assert r * x + (u - x) ** 2 / 2 == r * u - r * r / 2
    return r * u - (r * x + (u - x) ** 2 / 2)


def half_moment(density, end):
    return quad(lambda v: v * density(v), [0, end / 3, end])


r = Fraction(1, 2)
envelope = envelope_gap(Fraction(2), r)
print(f"r = 1/2, beta = 1: largest gap of the envelope {envelope} = {float(envelope)}")
for name, (density, end) in KERNELS.items():
    gap = density(mpf(0)) * half_moment(density, end)
    print(f"  {name:13s} convolution at equal smoothness {mp.nstr(gap, 12)}, claimed at most {float(envelope)}")
    assert name == "uniform" or gap > mpf(1) / 8

w, s = Fraction(1, 2), Fraction(1, 100)
gap = ((1 - w) + w * s) / 2 * ((1 - w) + w / s) / 2 / 2
print(f"(1/2) U[-1, 1] + (1/2) U[-1/100, 1/100]: {float(gap)}, above 1/2 > max(r, 1 - r)^2/2 at every level")
assert gap > Fraction(1, 2)
