"""spo, proof of Theorem 4: step (c) is off by the factor 4, line (e) by 2 on the line, and the last display by h^2.

E[g_t(v)] = (h/2) v by Definition 12, h = (e^epsilon - 1)/(e^epsilon + 1): (1/(2 T h)) (h/2) sum = sum/(4 T), not sum/T.
T = epsilon = eta = L = |B*| = B_w = mu = 1 for the displays, in two evaluations of h.
"""

from mpmath import exp, mp, mpf, tanh

mp.dps = 30
T = eta = L = star = B_w = mu = epsilon = mpf(1)
h = (exp(epsilon) - 1) / (exp(epsilon) + 1)
assert abs(h - tanh(epsilon / 2)) < mpf(10) ** -25

inner = mpf(1)
left, right = inner / T, 1 / (2 * T * h) * (h / 2 * inner)
print(f"step (c): {mp.nstr(left, 12)} = {mp.nstr(right, 12)} is claimed")
assert left == 4 * right

D = B_w**2 / 2
line = (star**2 / (2 * T * eta) + eta * L**2 / 2) / (2 * h) + mu * D
last = h * (star**2 / (4 * T * eta) + eta * L**2 / 4 + eta / 2 * D)
print(f"line (e) {mp.nstr(line, 12)} <= last display {mp.nstr(last, 12)} is claimed")
assert line > last

# line (e) as a bound: T = 1, so that B = B_1 = 0; one record (2, 1), S = [-1, 1], L = 4, |B*| = 1, mu = 10^-6, epsilon large
line = (star**2 / (2 * mpf("0.25")) + mpf("0.25") * 16 / 2) / 2 + mpf(10) ** -6 / 2
print(f"excess risk at B = 0: 4 <= {mp.nstr(line, 12)} is claimed")
assert line < 4
