"""The deviations after (26) need Lemma 17's conditions: T = 1, beta = M = lambda = sigma = tau = 1, the one loss -20 w on C =
[0, 1], w_0 = 0, z = 1. beta M <= lambda and a moment of 0 are met, the population gradient is longer than beta M. The
gradient is set to zero, so both sums are known."""

from mpmath import exp, mp, sqrt

mp.dps = 30
tail = exp(-9 / (2 + 3 * sqrt(1)))
product, square = 20 * 1, 20**2
first, second = 2 + 6, 4 + 18
print(f"claimed P(product >= {first}) <= {mp.nstr(tail, 8)}: the product is {product} surely")
assert product >= first
print(f"claimed P(square >= {second}) <= {mp.nstr(tail, 8)}: the square is {square} surely")
assert square >= second
