"""spo, proof of Theorem 4: runs of exponential descent with eta <= 4 mu (e^epsilon + 1)/(e^epsilon - 1) are not as stable.

S = [-1, 1], d = p = 1, x = 1/2, mu = 1: the smoothed SPO+ loss of (c, x) has the derivative (-2 w + 2 w*)/2, w the number of
[-1, 1] next to c - B, w* = -sign(c), 0 at c = 0; it is 1-smooth, L = 2. n = 2000, all records have c = 0 but one, 10^9 against
-10^9. T = 3, e^epsilon = 21/20, eta = 150 < 4 mu/h = 164. All four sign sequences in fractions, signs equal in both runs.
"""

from fractions import Fraction
from itertools import product

n, eta, odds, far = 2000, 150, Fraction(21, 20), 10**9
f = odds / (odds + 1)
assert eta <= 4 * (odds + 1) / (odds - 1)


def gradient(c, B):
    w = max(Fraction(-1), min(Fraction(1), c - B))
    return (-2 * w + 2 * ((c < 0) - (c > 0))) / 2


def run(c, signs):
    B = [Fraction(0)]
    for sign in signs:
        g = ((n - 1) * gradient(0, B[-1]) + gradient(c, B[-1])) / n
        B.append(B[-1] - sign * eta * g)
    return B


last = loss = Fraction(0)
for signs in product((1, -1), repeat=2):
    chance = f ** signs.count(1) * (1 - f) ** signs.count(-1)
    one, other = run(far, signs), run(-far, signs)
    last += chance * abs(one[2] - other[2])
    loss += chance * 2 * abs(sum(one) - sum(other)) / 3  # plain loss of (10^9, 1/2): slope 2
drift, stability = Fraction(2 * 2 * eta * 3, n), Fraction(4 * eta * 4, n) + Fraction(1, 2)
print(f"E|B_3 - B_3'|: claimed at most {float(drift)}, is {float(last)}")
print(f"E|loss(B) - loss(B')|: claimed at most {float(stability)}, is {float(loss)}")
assert last > drift
assert loss > stability
