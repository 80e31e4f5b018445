"""spo, Section 4: a eta + b/eta <= 2 sqrt(a b) holds at eta = sqrt(b/a) only; at every other step length the sign is >."""

from fractions import Fraction

a, b = Fraction(1), Fraction(1)
for eta in (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(10)):
    left, right = a * eta + b / eta, Fraction(2)
    gap = (a * eta - b) ** 2 / (a * eta)  # (sqrt(a eta) - sqrt(b/eta))^2 at b = a: another route to left - right
    print(f"eta = {eta}: a eta + b/eta = {left}, 2 sqrt(a b) = {right}")
    assert left - right == gap
    assert (left > right) == (eta != 1)
