"""spo, Corollary 1: the excess SPO+ risk of Bhat = 0 is smaller than its excess SPO risk.

S = triangle of (1, 0), (0, 1), (1, 1), c uniform on [0, 2] x [0, 3], x = 1: E[c] = (1, 3/2), symmetric, with a density, 0 <= c
<= 2 E[c], W*(E[c]) = {(1, 0)}. z*(c) = min(c_1, c_2), max over S of c'w = c_1 + c_2, and 2 E[c] - c has the law of c.
"""

from fractions import Fraction

one, mean = Fraction(1), (Fraction(1), Fraction(3, 2))
# E min = integral over t in [0, 2] of (1 - t/2)(1 - t/3) = 1 - 5t/6 + t^2/6
least = 2 - Fraction(5, 6) * 2 + Fraction(1, 6) * Fraction(8, 3)
second = Fraction(1, 3)  # P(c_2 < c_1) = (area 2 of 6): w*(c) = (0, 1)
mean_decision = (1 - second, second)
width = mean[0] + mean[1] - least
spo_0 = plus_0 = width  # at Bhat = 0 both losses are max c'w - min c'w
spo_mean = mean[0] - least
plus_mean = -least + 2 * (mean[0] * mean_decision[0] + mean[1] * mean_decision[1]) - least
print(f"Bhat = 0: SPO = SPO+ = {spo_0}; at E[c]: SPO = {spo_mean}, SPO+ = {plus_mean}")
print(f"excess SPO+ risk claimed at least the excess SPO risk {spo_0 - spo_mean}, it is {plus_0 - plus_mean}")
assert plus_0 - plus_mean < spo_0 - spo_mean

# a prediction without a tie: -E[c]/100 has W* = {(1, 1)}, SPO as before; SPO+ moves by at most 2 |c_hat| diameter <= 2 c_1 norm
bound = plus_0 - plus_mean + 2 * (mean[0] + mean[1]) / 100 * 2
print(f"Bhat x = -E[c]/100: excess SPO+ risk at most {bound}, excess SPO risk {spo_0 - spo_mean}")
assert bound < spo_0 - spo_mean
