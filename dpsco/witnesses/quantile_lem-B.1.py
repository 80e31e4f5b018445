"""Lemma B.1 without convexity: Lhat exceeds Lhat(theta*) on the whole sphere, and its minimiser lies far outside."""

from fractions import Fraction

r_0, star = 1, 0


def lhat(t):
    return t**2 * (t - 3) ** 2 - t**2


def derivative(t):
    return 2 * t * (2 * t**2 - 9 * t + 8)


on_sphere = [lhat(star + delta) - lhat(star) for delta in (r_0, -r_0)]
print(f"d = 1, L = t^2, theta* = 0, r_0 = 1: Lhat - Lhat(theta*) on the sphere is {on_sphere}")
assert min(on_sphere) > 0
low, high = Fraction(32807, 10000), Fraction(32808, 10000)
assert derivative(low) < 0 < derivative(high)
inside = -(max(abs(star - r_0), abs(star + r_0)) ** 2)  # lhat >= -t^2 there
print(f"claimed |theta_hat - theta*| <= 1; Lhat({float(low)}) = {float(lhat(low)):.6g} < {inside} <= Lhat within the sphere")
assert lhat(low) < inside
print(f"the minimiser lies in [{float(low)}, {float(high)}]")
