"""Lemma EC.4, part 1: the Moreau envelope of the check loss has no second derivative at u = r h."""

from fractions import Fraction

r, h = Fraction(3, 10), Fraction(2)


def envelope(u):
    """inf over x of c(x) + (u - x)^2 / (2 h): squeezed between the objective at one x and the dual value at one slope g."""
    g = min(max(u / h, r - 1), r)
    x = u - h * g
    above = max(r * x, (r - 1) * x) + (u - x) ** 2 / (2 * h)
    below = g * u - h * g**2 / 2  # c(x) >= g x for every slope g in [r - 1, r]
    assert above == below
    return above


def second_quotient(u, step):
    """(e(u + 2 step) - 2 e(u + step) + e(u)) / step^2: one-sided, from the side that the sign of step says."""
    return (envelope(u + 2 * step) - 2 * envelope(u + step) + envelope(u)) / step**2


for u in (r * h, (r - 1) * h):
    for k in (2, 4, 8):
        step = Fraction(1, 10**k)
        inner, outer = (second_quotient(u, s) for s in ((-step, step) if u > 0 else (step, -step)))
        print(f"u = {float(u)}, step {float(step):g}: quotient towards 0 {inner}, away from 0 {outer}")
        assert inner == 1 / h
        assert outer == 0
print("Claimed: twice differentiable everywhere. At u = r h and u = (r - 1) h the two limits are 1/h and 0.")
