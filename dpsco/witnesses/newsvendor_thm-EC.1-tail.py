"""newsvendor, proof of Theorem EC.1: exp(-1/(2h)) + exp(-1/h) <= 2 exp(-1/h) is false for every h, and so is (EC.44).

h = 0.04, tau = 0.2 = sqrt(h). |error - q| <= t has probability exp(-1/t^2) for t <= tau, the rest of the mass is at 0.20002,
on both sides of q. The smoothed risk exceeds the risk at the minimiser by E[(E|u + h V| - |u|)/2], V standard normal.
"""

from mpmath import exp, inf, mp, mpf, ncdf, npdf, pi, quad, sqrt

mp.dps = 30
h, tau, a = mpf("0.04"), mpf("0.2"), mpf("0.20002")

left, right = exp(-1 / (2 * h)) + exp(-1 / h), 2 * exp(-1 / h)
print(f"step: {mp.nstr(left, 10)} <= {mp.nstr(right, 10)} is claimed")
assert left > right

share = 1 - exp(-1 / tau**2)
true = share * (h * npdf(a / h) - a * ncdf(-a / h))
again = share * quad(lambda v: (h * v - a) * npdf(v), [a / h, a / h + 3, a / h + 10, inf])
claimed = sqrt(2 / pi) * h * exp(-1 / h)
print(f"(EC.44): claimed at most {mp.nstr(claimed, 10)}, the mass at a alone gives {mp.nstr(true, 10)}, {mp.nstr(again, 10)}")
assert true > claimed and abs(true - again) < true * mpf("1e-15")
assert true < sqrt(2 / pi) * h * exp(-1 / (2 * h))
print("With exp(-1/(2h)) on the right both hold.")
