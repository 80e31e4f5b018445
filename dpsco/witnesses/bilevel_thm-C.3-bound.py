"""bilevel, Theorem C.3, (23): the sum of the descent lemma over t = 1, ..., T does not start from the gap at x_0.

Phi(x) = x^2/2, beta_Phi = 1, eta = 1/2, x_0 = 0, where the gap is 0; noise u = 1 or -1 with probability 1/2, sigma = 1; T = 1.
x_1 = x_0 - eta (grad Phi(x_0) + u) = -u/2. The sum over t = 1 starts from E Phi(x_1) - inf Phi, which (23) puts at most at
Phi(x_0) - inf Phi. Summed from t = 0 the bound of the theorem holds.
"""

from fractions import Fraction

eta, x_0 = Fraction(1, 2), Fraction(0)
ends = [x_0 - eta * (x_0 + u) for u in (1, -1)]
start = sum(x**2 / 2 for x in ends) / 2
print(f"gap at which the sum starts: claimed {x_0**2 / 2}, it is {start}")
assert start == Fraction(1, 8)
