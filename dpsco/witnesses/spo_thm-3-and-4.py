"""spo, Theorems 3 and 4 together: the run that Theorem 3 makes private does not have Theorem 4's risk.

One record (2, 1) for certain, S = [-1, 1], d = p = 1, so that L = 4, B_w = 1, B* = 1 = B_B and the loss is max(0, 4 - 4 B). T =
n^2 steps with epsilon_0: E B_t rises by at most 4 eta h_0 a step, so the risk is at least 4 (1 - 2 eta h_0 (n^2 - 1)), for
Theorem 4's eta at epsilon as at epsilon_0. Two evaluations of h_0.
"""

from mpmath import exp, log, mp, mpf, sqrt, tanh

mp.dps = 40


def advantage(e):
    return (exp(e) - 1) / (exp(e) + 1)


def coefficient(e, n):
    return mpf(16) * (1 + n**2) / n + advantage(e) * (mpf(16) / 4 + mpf(1) / 4)


def regret(e, n):
    return 2 * sqrt(advantage(e) / (4 * n**2) * coefficient(e, n))


for n, epsilon, delta in ((100, mpf(1), mpf("1e-6")), (10**6, mpf(10), mpf("0.1")), (10**12, mpf(1), mpf("1e-40"))):
    root = sqrt(2 * log(1 / delta))
    one = (sqrt(root**2 + 2 * epsilon) - root) / (sqrt(mpf(3)) * n)
    assert abs(advantage(one) - tanh(one / 2)) < mpf(10) ** -20
    print(f"n = {n}, epsilon = {epsilon}: claimed {mp.nstr(regret(epsilon, n), 8)}, at epsilon_0 {mp.nstr(regret(one, n), 8)}")
    for e in (epsilon, one):
        eta = sqrt(advantage(e) / (4 * n**2)) / sqrt(coefficient(e, n))
        lower = 4 * (1 - 2 * eta * tanh(one / 2) * (n**2 - 1))
        print(f"  eta = {mp.nstr(eta, 6)}: the risk is at least {mp.nstr(lower, 10)}")
        assert lower > regret(epsilon, n)
        assert lower > regret(one, n)
