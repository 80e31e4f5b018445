"""Lemma 17 needs |gradient of the population loss|_* <= beta M on C, which Assumption 4 does not give (Theorem 15 adds to it
that the gradient vanishes at the optimum). beta = M = lambda = 1, the one loss -20 w on C = [0, 1]: convex, smooth, no
variance."""

from fractions import Fraction

beta = M = lambda_ = Fraction(1)
population = Fraction(-20)
threshold = beta * M + lambda_
kept = population if abs(population) <= threshold else Fraction(0)
error = kept - population
print(f"claimed |x_t| <= 2 beta M + lambda = {2 * beta * M + lambda_}, it is {abs(error)}")
assert abs(error) > 2 * beta * M + lambda_
print(f"claimed |E x_t| <= 2 sigma^2/lambda for every sigma > 0, it is {abs(error)}")
print(f"claimed (E|x_t|^2)^(1/2) <= 2 sigma for every sigma > 0, it is {abs(error)}")
