"""newsvendor, Lemma EC.9 (i): densities with f'(0|x) = 0 for every x, and yet theta_h - theta* is of order h^2.

x = (1, sqrt(3) w), w uniform on [-1, 1], r = 1/2. Given w the error has density 1/4 on [-2, |w|], 1/2 on [|w|, 1] and the rest
of its mass on [1, 2]: constant around 0 but for w = 0. So v = J^{-1} E[f'(0|x) x] = 0 and the lemma says o(h^2). The law is
symmetric in w: only the intercept moves, by delta with E calK((delta - e)/h) = r, here for the uniform kernel on [-1, 1].
"""

from mpmath import findroot, mp, mpf, quad

mp.dps = 30


def given(delta, h, w):
    """E calK - r given w, where |delta| < h: the mean of F(t|w) - r = t/4 + (t - w)^+/4 over |t - delta| < h."""
    return delta / 4 + max(delta + h - w, 0) ** 2 / (16 * h)


def slope(delta, h):
    cuts = [0, delta + h, 1]
    return quad(lambda w: given(delta, h, w), cuts)


for text in ("0.1", "0.01", "0.001"):
    h = mpf(text)
    delta = findroot(lambda d, h=h: slope(d, h), (-(h**2) / 10, -(h**2) / 13))
    print(f"h = {text}: claimed (theta_h - theta*)/h^2 -> 0, computed {mp.nstr(delta / h**2, 12)}")
assert abs(delta / h**2 + mpf(1) / 12) < mpf("1e-3")
print("The limit is -1/12: the densities' slopes must be bounded alike for all x.")
