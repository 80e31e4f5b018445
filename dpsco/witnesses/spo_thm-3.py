"""spo, Theorem 3: exponential descent is not (epsilon, delta)-DP, whatever epsilon and delta < 1 are.

S = [-1, 1] or the disc of radius 1, mu = eta = 1, n = p = 1, T = 2, x_{n+1} = 1. At B_1 = 0 the smoothed loss of (c, x) has the
gradient 2 (w*(c) - w) x, w the point of S nearest to c/mu; here c = (5) or (5, 0), w*(c) = -c/|c|. The step is
B_2 = -eta |gradient| G_1, and c_hat = (B_1 + B_2)/2, w*(c_hat) = -c_hat/|c_hat|. Only G_1 is random.
"""

from math import exp, hypot, log, sqrt

epsilon, delta, T = 100.0, 0.999, 2
printed = (sqrt(2 * log(1 / delta) + 2 * epsilon) - sqrt(2 * log(1 / delta))) / sqrt(3 * T)


def gradient(c, x):
    size = hypot(*c)
    best, nearest = [-z / size for z in c], [z / max(1.0, size) for z in c]
    return [2 * (a - b) * x for a, b in zip(best, nearest, strict=True)]


def predictions(x):
    """On the line: every c_hat that T = 2 can give, with its probability."""
    (g,) = gradient([5.0], x)
    odds = {1: exp(printed) / (exp(printed) + 1), -1: 1 / (exp(printed) + 1)}
    return {-abs(g) * side * (1 if g > 0 else -1) / 2: p for side, p in odds.items()}


one, two = predictions(1.0), predictions(2.0)
print(f"line, epsilon = {epsilon}, delta = {delta}: x_1 = 1 gives c_hat in {sorted(one)}, x_1 = 2 in {sorted(two)}.")
print(f"  The event |c_hat| = 2 has probability {sum(one.values())} against 0: delta is 1, claimed {delta}.")
assert not set(one) & set(two)

still, moved = (hypot(*gradient([5.0, 0.0], x)) for x in (0.0, 1.0))
print(f"disc: |gradient| is {still} for x_1 = 0, so that c_hat = 0 and the decision is w*(0), always;")
print(f"  it is {moved} for x_1 = 1: |c_hat| = {moved / 2}, w*(c_hat) = G_1 has a density and is w*(0) with probability 0.")
print(f"  The event w* = w*(0) has probability 1 against 0: delta is 1, claimed {delta}, for the decision alone.")
assert still == 0 < moved
