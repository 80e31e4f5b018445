"""spo, Lemma 6: with eta = 4 mu/h, h = (e^epsilon - 1)/(e^epsilon + 1), a step of exponential descent parts two runs.

n = 2, loss |B|^2/2 (convex and 1-smooth, mu = 1), B - B' a unit vector u of R^3: the common record's gradients differ by u.
One rotation M serves both sides (Definition 12): the runs part by |u - a M u|, a = eta/2. The cosine of u and M u is uniform on
[0, 1] with probability e^epsilon/(e^epsilon + 1), on [-1, 0] otherwise. Two evaluations: quadrature, and a closed form.
"""

from mpmath import exp, mp, mpf, quad, sqrt

mp.dps = 30

for epsilon in (mpf("0.1"), mpf(1), mpf(10)):
    h = (exp(epsilon) - 1) / (exp(epsilon) + 1)
    f = exp(epsilon) / (exp(epsilon) + 1)
    a = 2 / h

    def distance(t, a=a):
        return sqrt(1 + a**2 - 2 * a * t)

    mean = quad(lambda t, f=f, distance=distance: f * distance(t) + (1 - f) * distance(-t), [0, 1])
    middle = sqrt(1 + a**2) ** 3
    closed = (f * (middle - (a - 1) ** 3) + (1 - f) * ((1 + a) ** 3 - middle)) / (3 * a)
    square = 1 - a * h + a**2  # E|u - a M u|^2, E[M] = (h/2) I in R^3
    printed = (1 - a * h / 2) ** 2
    print(f"epsilon = {epsilon}: claimed E|u - a M u| <= 1, true {mp.nstr(mean, 12)} (closed form {mp.nstr(closed, 12)})")
    print(
        f"  mean square: printed {mp.nstr(printed, 12)}, true {mp.nstr(square, 12)}; never below a - 1 = {mp.nstr(a - 1, 12)}"
    )
    assert abs(mean - closed) < mpf(10) ** -20
    assert mean > 1
    assert a - 1 > 1
    assert square > printed
