"""newsvendor, proof of Theorem 8: two steps that are false, under a conclusion that is true.

(1) Pr[q_hat - q* >= e] = Pr[Binomial(n, p) <= n r], p = F(q* + e), is printed with an equality sign. q_hat is the ceil(n r)-th
smallest of n demands; it is at least t where fewer than ceil(n r) demands lie below t: the event is Binomial <= ceil(n r) - 1.
n = 10, r = 1/2. (2) "F strictly increasing, so the slope is positive": F(q) - r = (q - q*)^3 increases strictly, its chords
from q* have slope (q - q*)^2, and no s > 0 is below all of them.
"""

from fractions import Fraction
from math import ceil, comb


def below(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))


n, r, p = 10, Fraction(1, 2), Fraction(3, 5)
printed, true = below(int(n * r), n, p), below(ceil(n * r) - 1, n, p)
print(f"Pr[q_hat - q* >= e]: claimed {float(printed):.4f}, it is {float(true):.4f}")
assert true < printed
for t in (Fraction(1, 10**k) for k in (1, 3, 6)):
    print(f"slope at distance {float(t)}: claimed at least some s > 0, it is {float(t**3 / t)}")
