"""bilevel, Section C.3: the bound 2G/n, the rate (24) and the gradient bound L_fx at a fixed point, each contradicted.

(1) f = y, X = [-1, 1], n = 3, g = (y + x)^2/2 for each record, against one record replaced by 10 y^2/2; G = 1.
(2) f = x^2/2, g = y^2/2, X = [-1, 1], epsilon = 1: the printed weight exp(-|x|/2) has no n; G = 1.
(3) f = y, g = (y - x)^2/2: L_fx = 0 and Phi = x.
"""

from mpmath import exp, mp, mpf, quad

mp.dps = 30


def slope(minimiser, x):
    """Derivative of Phi_Z = y_Z, numerically."""
    step = mpf("1e-12")
    return (minimiser(x + step) - minimiser(x - step)) / (2 * step)


n, x = 3, mpf("0.3")
before = slope(lambda x: -x, x)  # n y + n x = 0
after = slope(lambda x: -(n - 1) * x / mpf(n - 1 + 10), x)  # (n - 1)(y + x) + 10 y = 0
print(f"change of the gradient: claimed at most {mp.nstr(mpf(2) / n, 8)}, it is {mp.nstr(abs(before - after), 8)}")
assert abs(before - after) > mpf(2) / n

mass = quad(lambda x: exp(-x / 2), [0, 1])
mean = quad(lambda x: x * exp(-x / 2), [0, 1]) / mass
for n in (10, 10**3, 10**6):
    print(f"n = {n}: mean gradient {mp.nstr(mean, 12)}, over G d_x/(epsilon n): {mp.nstr(mean * n, 8)}")
assert mean * 10**6 > 10**5

at_fixed_point = slope(lambda x: x, mpf(0))
print(f"gradient at x0 = 0: claimed at most L_fx = 0, it is {mp.nstr(at_fixed_point, 8)}")
assert at_fixed_point > mpf("0.5")
