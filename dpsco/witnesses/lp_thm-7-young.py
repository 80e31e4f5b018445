"""Display (13): |v|^2/(2a) <= D_Phi/(2a) needs |v|^2 <= D_Phi; 1-strong convexity gives |v|^2 <= 2 D_Phi, with equality for
Phi = |.|_2^2/2. Display (10): the gap is not positive where both minimisers are 0."""

from fractions import Fraction

a, g, w, w_next = Fraction(1), Fraction(1), Fraction(3), Fraction(1)
v = w - w_next
divergence = w**2 / 2 - w_next**2 / 2 - w_next * v  # D_Phi(w, w_next) on the line
assert divergence == v**2 / 2
middle, right = a * g**2 + v**2 / (2 * a), a * g**2 + divergence / (2 * a)
print(f"a = 1, |g| = 1, |v| = 2: claimed a |g|^2 + |v|^2/(2a) <= {right}, it is {middle}")
assert middle > right
print(f"with |v|^2/(4a): {g * v} <= {a * g**2 + v**2 / (4 * a)} <= {right}")
assert g * v <= a * g**2 + v**2 / (4 * a) <= right


def loss(x: Fraction) -> Fraction:
    return x**2


minimiser = regularised = Fraction(0)  # of x^2 and of x^2 + alpha x^2/2
gap = loss(regularised) - loss(minimiser)
print(f"losses x^2: claimed (difference of losses)/alpha > 0, it is {gap}")
assert not gap > 0
