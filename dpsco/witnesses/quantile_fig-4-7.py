"""quantile, Section 5: the level of the intercept 11.41, the norm of the features, the optimum for Figures 6 and 7.

y = 10 + 5 x_1 - 2 x_2 + error, x_1 ~ N(0, 4), x_2 ~ N(0, 9) in the disc of radius 10; in Figures 6 and 7 the error has the mean
x_1 - x_2 + |x_1 x_2|. Pairs x, -x are equally likely: at the slopes (5, -2) each pair lowers the risk along (1, -1).
"""

from random import Random

from mpmath import erfinv, mp, mpf, ncdf, sqrt

mp.dps = 20
level = ncdf((mpf("11.41") - 10) / 3)
best = 10 + 3 * sqrt(2) * erfinv(2 * mpf("0.7") - 1)
print(f"intercept: claimed 11.41 for r = 0.7; it is optimal for r = {mp.nstr(level, 8)}, for 0.7 it is {mp.nstr(best, 8)}")
assert abs(level - mpf("0.7")) > mpf("0.01")

norm = sqrt(1 + 6**2 + 8**2)
print(f"norm of (1, 6, 8), |(6, 8)| = 10: claimed at most B_x = 10, it is {mp.nstr(norm, 8)}")
assert norm > 10

random, slope, pairs = Random(1), mpf(0), 0
while pairs < 2000:
    x, z = random.gauss(0, 2), random.gauss(0, 3)
    if x * x + z * z <= 100:
        odd, even = x - z, abs(x * z)
        pair = sum(s * odd * ncdf((mpf("1.41") - s * odd - even) / 3) for s in (1, -1))
        assert pair <= 0
        slope, pairs = slope + pair / 2 / 2000, pairs + 1
print(f"derivative along (0, 1, -1) at (11.41, 5, -2): 0 at an optimum, here {mp.nstr(slope, 4)}, every pair at most 0")
