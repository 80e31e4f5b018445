"""spo, Section 3.2: the smoothed SPO+ loss is not 1/mu-smooth in B, and on the sphere it is not smooth at all.

d = p = 1, x = 1, c = 0, mu = 1. The loss of c_hat = B is the maximum over w in S of (-2 w + 2 w*(0)) c_hat - mu w^2 / 2.
"""

from fractions import Fraction

mu, w_star = Fraction(1), Fraction(1)


def gradient(B, S):
    """2 (w*(0) - w) at the maximiser w, found by looking at every decision of S."""
    best = max(S, key=lambda w: (-2 * w + 2 * w_star) * B - mu * w * w / 2)
    return 2 * (w_star - best)


interval = [Fraction(k, 100) for k in range(-100, 101)]
sphere = [Fraction(-1), Fraction(1)]
for name, S, step in (
    ("[-1, 1]", interval, Fraction(1, 4)),
    ("{-1, 1}", sphere, Fraction(1, 4)),
    ("{-1, 1}", sphere, Fraction(1, 10**6)),
):
    slope = (gradient(step, S) - gradient(-step, S)) / (2 * step)
    print(f"S = {name}: slope of the gradient between B = -{step} and {step}: {float(slope)}, claimed at most 1/mu = {mu}")
    assert slope > 1 / mu
B, near = Fraction(1, 4), gradient(Fraction(1, 4), interval) - gradient(Fraction(0), interval)
print(f"Co-coercivity with modulus mu needs {near * B} >= {mu * near**2} for S = [-1, 1], between B = 0 and {B}")
assert near * B < mu * near**2
