"""newsvendor, Proposition 3: the variance grows by more than any multiple of sigma^2/n^2, and the printed link loses r (1 - r).

x = 1, r = 3/4, theta* = 2, error uniform around 0 with density 1/2 (f' = 0), h far smaller than lambda: the slope of the
population risk is delta/2, the gradient's variance that of an indicator.
"""

from mpmath import mp, mpf

mp.dps = 30
r, f, theta, sigma = mpf(3) / 4, mpf(1) / 2, mpf(2), mpf(1)
for power in (4, 8, 12, 16):
    n = mpf(10) ** power
    ridge = 1 / mp.sqrt(n)
    delta = -2 * ridge * theta / (f + 2 * ridge)
    level = r + f * delta
    private = (level * (1 - level) + sigma**2 / n) / (f + 2 * ridge) ** 2 / n
    increase = private - r * (1 - r) / f**2 / n
    ratio = increase / (sigma**2 / n**2)
    print(f"n = 1e{power}, lambda = n^(-1/2): increase over the claimed order sigma^2/n^2: computed {mp.nstr(ratio, 8)}")
assert ratio > 1000
spread, ridge = r * (1 - r) / f**2, mpf("0.001")
left, right = -ridge * spread, -ridge * r * (1 - r) * spread
print(f"link, c_1 = 1, h -> 0, sigma -> 0, times n: left {mp.nstr(left, 6)}, claimed to be at least {mp.nstr(right, 6)}")
assert left < right
