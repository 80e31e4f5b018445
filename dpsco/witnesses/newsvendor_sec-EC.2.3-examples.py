"""Section EC.2.3, example 1: |A(z) theta|_1 + f(z' theta) with f(t) = t/2 is not the newsvendor loss."""

from fractions import Fraction


def newsvendor(u, r):
    return r * max(u, Fraction(0)) + (1 - r) * max(-u, Fraction(0))


r = Fraction(1, 4)
for y, prediction in ((Fraction(1), Fraction(0)), (Fraction(3), Fraction(3)), (Fraction(0), Fraction(2))):
    u = y - prediction
    loss = newsvendor(u, r)
    literal = abs(u / 2) + (y + prediction) / 2  # A(z) theta = (y - x'theta_{-1})/2, z'theta = y + x'theta_{-1}
    residual = abs(u / 2) + u / 2  # z'theta read as the residual
    repaired = abs(u / 2) + (r - Fraction(1, 2)) * u
    print(f"y = {y}, prediction = {prediction}: loss {loss}; claimed {literal} (literally), {residual} (residual)")
    assert literal != loss
    assert repaired == loss
assert residual != loss
print("With f(t) = (r - 1/2) t of the residual the form is the loss; f(t) = t/2 is its limit r = 1, outside (0, 1).")
