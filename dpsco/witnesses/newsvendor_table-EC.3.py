"""Table EC.3: the Huber function is not strictly convex, and the energy |x|^p / p is 1-smooth only for p = 2."""

from fractions import Fraction


def huber(x, beta=Fraction(1)):
    return beta * x * x / 2 if abs(x) <= 1 else beta * abs(x) - beta / 2


low, middle, high = (huber(Fraction(x)) for x in (2, 3, 4))
print(f"Huber, beta = 1: phi(2) = {low}, phi(3) = {middle}, phi(4) = {high}.")
print(f"Claimed strictly convex: phi(3) < (phi(2) + phi(4))/2 = {(low + high) / 2}. It is equal.")
assert (low + high) / 2 == middle


def slope(x, p):
    """The derivative of |x|^p / p at x > 0, p an integer."""
    return x ** (p - 1)


for p in (3, 4, 11):
    steepness = (slope(Fraction(2), p) - slope(Fraction(1), p)) / 1
    print(f"Energy, p = {p}: its slope changes by {steepness} from x = 1 to x = 2; claimed smoothness 1 allows 1.")
    assert steepness > 1
flat = slope(Fraction(1, 2), 3) / Fraction(1, 2)
print(f"Its conjugate for q = 3 (p = 3/2): the slope y^2 changes by {flat} per unit on [0, 1/2]; claimed at least 1.")
assert flat < 1
