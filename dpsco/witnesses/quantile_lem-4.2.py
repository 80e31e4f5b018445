"""quantile, Lemma 4.2: its step, display (20), fails where the lemma's condition holds; the lemma itself does not.

x = (1, a) or (1, -a) with probability 1/2, a = 2.4. Given x_2 = a the error's density is f + l_1 t near 0, given x_2 = -a it is
f - l_1 t; uniform kernel, kappa_1 = 1/2, kappa_2 = 1/3; E[x x'] = diag(1, a^2), rho_1 = 1, B_x = 2.6.
"""

from mpmath import mp, mpf, quad, sqrt

mp.dps = 30
f, l_1, h, a = mpf("0.1"), mpf(1), mpf("0.02"), mpf("2.4")
B_x, kappa_1, kappa_2, rho_1 = sqrt(1 + a * a), mpf(1) / 2, mpf(1) / 3, mpf(1)
margin = f - h * l_1 * (kappa_1 + sqrt(B_x**3 * kappa_2) / rho_1)
assert margin > 0


def second_entry(s):
    """Of grad L_h(theta* + s e_2): the mean of x_2 (E[F(s x_2 - h V)] - r), V uniform on [-1, 1]."""
    up = quad(lambda v: f * (a * s - h * v) + l_1 * (a * s - h * v) ** 2 / 2, [-1, 1]) / 2
    down = quad(lambda v: f * (-a * s - h * v) - l_1 * (-a * s - h * v) ** 2 / 2, [-1, 1]) / 2
    return (a * up - a * down) / 2


shift = (sqrt(f * f - l_1**2 * h * h / 3) - f) / (l_1 * a)
assert abs(second_entry(shift)) < mpf(10) ** -25
assert 2 * h < f / l_1 and abs(a * shift) + h < f / l_1
product = (second_entry(shift) - second_entry(mpf(0))) * shift / abs(shift)
claimed = h * h * l_1 * kappa_2 / 2
print(f"margin {mp.nstr(margin, 4)}: display (20) claims at most {mp.nstr(claimed, 8)}, the product is {mp.nstr(product, 8)}")
assert product > 2 * claimed
bias = h * h * l_1 * kappa_2 / (rho_1 * (f - h * l_1 * kappa_1))
print(f"|theta_h* - theta*| = {mp.nstr(abs(shift), 8)} <= {mp.nstr(bias, 8)}")
assert abs(shift) <= bias
