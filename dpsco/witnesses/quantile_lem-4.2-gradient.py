"""Display (19): |grad L_h(theta*)| <= h^2 l_1 kappa_2/2 fails, for d = 2 by a factor sqrt(B_x^2 - 1).

x = (1, 10) or (1, -10) with probability 1/2. Given x_2 = 10 the error's density is f + l_1 t near 0, given x_2 = -10 it is
f - l_1 t; beyond |t| = f/l_1 it does not matter here. Uniform kernel, kappa_2 = 1/3, h <= f/l_1, r-quantile 0 in both cases."""

from fractions import Fraction

f, l_1, h, r, a = Fraction(1, 10), Fraction(1), Fraction(1, 50), Fraction(1, 2), Fraction(10)


def slope_given(sign):
    """E[calK(-error/h) | x] - r: the mean over |t| <= h of F(t) - r = f t + sign l_1 t^2/2, integrated by hand."""
    return sign * l_1 * h**2 / 6


def room(sign):
    """The density can be completed: from 0 at one side, up to 2 f at the other, and down again leaves mass to place."""
    rising, falling = f * f / l_1 / 2, 3 * f * f / l_1 / 2 + 2 * f * f / l_1
    return min(r, 1 - r) - max(rising, falling) >= 0


assert room(1) and room(-1) and h <= f / l_1
gradient = [(slope_given(1) + slope_given(-1)) / 2, (a * slope_given(1) - a * slope_given(-1)) / 2]
claimed = h**2 * l_1 / 3 / 2
print(f"claimed |grad| <= {float(claimed):.6g}; the gradient is ({float(gradient[0]):g}, {float(gradient[1]):.6g})")
assert gradient[0] == 0 and gradient[1] == a * claimed
