"""(24) is no equality: a constant loss does not fall, and beta D_Phi(w_t, w_{t-1}) > 0 where the noise moves w."""

from fractions import Fraction

beta, gamma, w, xi = Fraction(1), Fraction(2), Fraction(1), Fraction(1)
assert gamma >= 2 * beta
after = w - xi / gamma  # Phi = x^2/2, gradient 0
right = beta * (after - w) ** 2 / 2
print(f"claimed: a fall of the loss of {right}, it is 0")
assert right > 0
