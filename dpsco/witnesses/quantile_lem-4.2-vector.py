"""Display (18): entry 2 of grad L_h(theta*) <= (h^2 l_1 kappa_2/2) E[x_2] = 0 fails, checked by quadrature.

x = (1, 3) or (1, -3) with probability 1/2; given x_2 = 3 the density is f + l_1 t up to 2f at t = f/l_1 and down to 0 at
3f/l_1, given x_2 = -3 the mirror image; the mass left over lies farther out. Epanechnikov kernel, kappa_2 = 1/5, r = 1/2."""

from mpmath import mp, mpf, quad

mp.dps = 30
f, l_1, h, a = mpf("0.1"), mpf(1), mpf("0.02"), 3


def density(t):
    return max(mpf(0), f + l_1 * t if t <= f / l_1 else 2 * f - l_1 * (t - f / l_1))


def distribution(t):
    """F(t) = 1/2 plus the integral of the density from 0."""
    return mpf(1) / 2 + quad(density, [0, t])


def smoothed(sign):
    """E[calK(-error/h)] = E F(-h V), the mirror image having 1 - F(-t)."""
    law = (lambda t: distribution(t)) if sign > 0 else (lambda t: 1 - distribution(-t))
    return quad(lambda v: law(-h * v) * mpf(3) / 4 * (1 - v**2), [-1, 0, 1])


entry = (a * (smoothed(1) - mpf(1) / 2) - a * (smoothed(-1) - mpf(1) / 2)) / 2
print("claimed: entry 2 of the gradient <= 0, as E[x_2] = 0")
print(f"it is {mp.nstr(entry, 12)} = 3 h^2 l_1 kappa_2/2 = {mp.nstr(a * h**2 * l_1 / 10, 12)}")
assert entry > mpf("1e-4") and abs(entry - a * h**2 * l_1 / 10) < mpf("1e-20")
