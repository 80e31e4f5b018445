"""Lemma 19 has M where Lemma 17 has beta M. beta = 10, M = lambda = 1, losses 5 (w - 1)^2 + xi w on C = [0, 1], w_0 = 0: the
population gradient is -10 at 0 and vanishes at 1. xi = 21 with chance q, else -21 q/(1 - q): the gradient 11 is just kept."""

from fractions import Fraction

beta, M, lambda_ = Fraction(10), Fraction(1), Fraction(1)
q = Fraction(1, 10**9)
gradients = {-10 + Fraction(21): q, -10 - 21 * q / (1 - q): 1 - q}
mean = sum(g * chance for g, chance in gradients.items())
assert mean == -10
errors = {(g if abs(g) <= beta * M + lambda_ else 0) - mean: chance for g, chance in gradients.items()}
largest = max(x**2 for x in errors)
print(f"claimed |x_t|^2 <= (2 M + lambda)^2 = {(2 * M + lambda_) ** 2}, it is {largest} with chance {q}")
assert largest == (2 * beta * M + lambda_) ** 2 > (2 * M + lambda_) ** 2
variance = sum((g - mean) ** 2 * chance for g, chance in gradients.items())
fourth = sum(x**4 * chance for x, chance in errors.items())
claimed = 36 * lambda_**2 * variance
print(f"claimed E|x_t|^4 <= 36 lambda^2 sigma^2 = {float(claimed)}, it is {float(fourth)}")
assert fourth > claimed
