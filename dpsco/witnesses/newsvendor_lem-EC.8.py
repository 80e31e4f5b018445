"""newsvendor, Lemma EC.8: several minimisers for a continuous error (part 1); kinks, a left slope of 0 for atoms.

c(u) = r u^+ + (1 - r) u^-, x = 1, theta_true = 0: the risk is E c(e - theta), summed exactly.
"""

from fractions import Fraction as Q
from itertools import pairwise


def risk(law, r, theta):
    """Each piece (low, high, mass) is uniform, an atom where low = high."""
    total = Q(0)
    for low, high, mass in law:
        cuts = [low, theta, high] if low < theta < high else [low, high]
        for a, b in pairwise(cuts):
            u, share = (a + b) / 2 - theta, mass * (b - a) / (high - low) if high > low else mass
            total += share * max(r * u, (r - 1) * u)
    return total


def slopes(law, r, theta, step=Q(1, 1000)):
    return [float((risk(law, r, theta + s) - risk(law, r, theta)) / s) for s in (-step, step)]


half = Q(1, 2)
atom, two = [(Q(0), Q(0), Q(1))], [(Q(-1), Q(0), half), (Q(1), Q(2), half)]
reached = [(Q(-1), Q(0), half), (Q(0), Q(0), half)]
left, right = slopes(atom, Q(3, 4), Q(0))
print(f"e = 0 surely, r = 3/4: slopes at 0 are {left} and {right}; claimed: one slope (differentiable everywhere)")
assert left < 0 < right
costs = [float(risk(two, half, Q(t, 2))) for t in (0, 1, 2)]
print(f"e uniform on [-1, 0] or [1, 2], r = 1/2, q = 0: risks at 0, 1/2, 1 are {costs}; claimed: the minimiser is 0")
assert costs[0] == costs[1] == costs[2]
near = [slopes(reached, half, Q(0), Q(1, 10**k))[0] for k in (2, 4, 6)]
print(f"e uniform on [-1, 0] or 0, r = 1/2, q = 0: left differences {near} tend to 0; claimed: a left slope below 0")
assert abs(near[-1]) < 1e-5
