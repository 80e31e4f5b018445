"""newsvendor, list after (EC.45): the thresholds of epsilon are sufficient, not equivalent.

h = K_bar B_x^2/(lambda n epsilon), lambda = sqrt(2 L^2/n + d sigma^2/n^2)/B, Gaussian kernel. Beside it: the first one with
sqrt(2 tau^2) in the place of sqrt(2) tau^2, as the text at hand has it unmended, is too low.
"""

from mpmath import log, mp, mpf, pi, sqrt

mp.dps = 30
peak = 1 / sqrt(2 * pi)


def bandwidth(epsilon, delta, n, d, B, B_x, r_bar):
    L = r_bar * B_x
    sigma = L * sqrt(8 * log(1 / delta) + 4 * epsilon) / epsilon
    lambda_ = sqrt(2 * L**2 / n + d * sigma**2 / n**2) / B
    return peak * B_x**2 / (lambda_ * n * epsilon)


n, d, B, B_x, r_bar, tau, delta = 1, 9, mpf("0.5"), mpf(2), mpf("0.9"), mpf("0.5"), mpf("0.001")
scale = peak * B_x * B / (r_bar * sqrt(n))
least = scale / (sqrt(2) * tau**2)
h = bandwidth(least / 2, delta, n, d, B, B_x, r_bar)
print(f"h = {mp.nstr(h, 10)} <= tau^2 = {tau**2}, and yet epsilon = {mp.nstr(least / 2, 10)} < {mp.nstr(least, 10)}")
assert h <= tau**2

n, d, B, B_x, r_bar, tau, delta = 10000, 2, mpf(30), mpf(4), mpf("0.6"), mpf("0.5"), mpf("0.01")
scale = peak * B_x * B / (r_bar * sqrt(n))
epsilon = scale / sqrt(2 * tau**2)
h = bandwidth(epsilon, delta, n, d, B, B_x, r_bar)
print(f"at epsilon = 1/sqrt(2 tau^2) times the scale: claimed h <= tau^2 = {tau**2}, h = {mp.nstr(h, 10)}")
assert h > tau**2
