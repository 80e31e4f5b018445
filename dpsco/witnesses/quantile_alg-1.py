"""DP-SGD is stated for every delta >= 0, but its noise has no variance at delta = 0, nor at delta = 3/2."""

from mpmath import inf, log, mp, mpf

mp.dps = 30


def variance(epsilon: mpf, delta: mpf, lipschitz: mpf) -> mpf:
    """sigma^2 = 8 L^2 ln(1/delta)/epsilon^2, as printed."""
    return 8 * lipschitz**2 * log(1 / delta) / epsilon**2


print("claimed: a variance, so sigma^2 >= 0, for every epsilon <= 1 and delta >= 0 (r = 1/2, B_x = 2: L = 1)")
found = variance(mpf(1), mpf(3) / 2, mpf(1))
print(f"delta = 3/2, epsilon = 1: sigma^2 = {mp.nstr(found, 12)} < 0")
assert found < 0
try:
    at_zero = variance(mpf(1), mpf(0), mpf(1))
except ZeroDivisionError:
    at_zero = inf
print(f"delta = 0: sigma^2 = {at_zero}")
assert at_zero == inf
print("The input must say 0 < delta <= 1.")
