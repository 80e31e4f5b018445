"""spo, Section 4 after Lemma 2: exponential descent with epsilon in every step is not epsilon-DP in its final decision.

S = [-1, 1], d = p = n = 1, mu = eta = 1, x_{n+1} = 1, (c, 1) against (-c, 1), c = 100, T = 4: three steps, every gradient is
-4 sign(c), so that all steps have one length and nothing but the three directions differs. e^epsilon = 2, in exact fractions.
Then the disc, T = 2: x_1 = 0 has no gradient, and the decision is w*(0) with certainty; x_1 = 1 has a decision with a density.
"""

from fractions import Fraction
from itertools import product

e = Fraction(2)
favoured, other = e / (e + 1), 1 / (e + 1)


def gradient(c, b):
    best, nearest = (-1 if c > 0 else 1), max(-1, min(1, c - 2 * b))
    return 2 * (best - nearest)


def predictions(c, T=4):
    """Every c_hat, with its probability."""
    found = dict[Fraction, Fraction]()
    for sides in product((1, -1), repeat=T - 1):
        b, total, p = Fraction(0), Fraction(0), Fraction(1)
        for side in sides:
            g = gradient(c, b)
            b -= side * g  # eta |g| G, G = side * sign(g)
            total, p = total + b, p * (favoured if side == 1 else other)
        found[total / T] = found.get(total / T, Fraction(0)) + p
    return found


for sign in (1, -1):
    here, there = (sum(p for c_hat, p in predictions(c).items() if -sign * c_hat > 0) for c in (-sign * 100, sign * 100))
    print(f"w* = {sign:+d}: probability {here} against {there}, quotient {here / there}, claimed at most {e}")
    assert here / there == Fraction(16, 5) > e
print("At c_hat = 0 the decision is w*(0), one point: one of +1 and -1 is not it, and its event is the one above.")
print(f"disc: gradient 0 for x_1 = 0 (times {abs(gradient(100, 0))} x_1 else): 'w* = w*(0)' has probability 1 against 0")
