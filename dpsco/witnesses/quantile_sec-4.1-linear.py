"""Section 4.1: in the endogenous experiment no theta leaves the error with conditional r-quantile 0 for every x.

y = 10 + 5 x_1 - 2 x_2 + N(0, 9) + x_1 - x_2 + |x_1 x_2|, r = 1/2."""

from mpmath import mp, mpf, ncdf

mp.dps = 20


def quantile(x_1, x_2):
    """The conditional median of y."""
    return 10 + 5 * x_1 - 2 * x_2 + x_1 - x_2 + abs(x_1 * x_2)


print(
    f"q(1,1) + q(-1,-1) = {quantile(1, 1) + quantile(-1, -1)}, 2 q(0,0) = {2 * quantile(0, 0)}: not equal, so q is not affine"
)
assert quantile(1, 1) + quantile(-1, -1) != 2 * quantile(0, 0)

corners = [(s, t) for s in (1, -1) for t in (1, -1)]
slope = sum(ncdf((10 + 5 * s - 2 * t - quantile(s, t)) / mpf(3)) - mpf(1) / 2 for s, t in corners) / 4
print(f"at the data's (10, 5, -2), x = (1, +-1, +-1): the risk's derivative in the intercept is {mp.nstr(slope, 12)}, not 0")
assert abs(slope) > mpf("0.1")
