"""spo, Appendix C: projecting the average can raise the loss, so that a bound for the average is none for the output.

d = 1, p = 2, S = [-1, 1], one record c = 1, x = (0, 1), mu = 1: SPO+ is max(0, 2 - 4 B_2), least from B_2 = 1/2 on, B_B = 1/2
holds the minimiser (0, 1/2). T = 2, eta = 5: the gradient at 0 is (0, -4), the average lies at the distance 10 from 0.
"""

from fractions import Fraction

from mpmath import exp, mp, mpf, pi, quad, sin

mp.dps = 30


def loss(B_2):
    return max(0 * B_2, 2 - 4 * B_2)


average = (Fraction(8), Fraction(6))  # direction G = (-4/5, -3/5), on the favoured side
projected = tuple(b / 20 for b in average)
print(f"at one average: loss {loss(average[1])}, projected {loss(projected[1])}")
assert loss(projected[1]) > loss(average[1])

epsilon, R = mpf(10), mpf(10)
f = exp(epsilon) / (exp(epsilon) + 1)
kink = mp.asin(1 / (2 * R))


def mean(radius, points):
    above = quad(lambda a: loss(radius * sin(a)), [0, *points, pi]) / pi
    below = quad(lambda a: loss(-radius * sin(a)), [0, pi]) / pi
    return f * above + (1 - f) * below


before, after = mean(R, [kink, pi - kink]), mean(mpf("0.5"), [])
closed = f * (2 - 4 / pi) + (1 - f) * (2 + 4 / pi)
print(
    f"in expectation at epsilon = 10: {mp.nstr(before, 12)} before, {mp.nstr(after, 12)} after (closed {mp.nstr(closed, 12)})"
)
assert abs(after - closed) < mpf(10) ** -20
assert after > before
