"""newsvendor, Proposition 2, display (EC.57): Pr[noise moves the minimiser by t sigma/n or more] <= 2 exp(-lambda_min^2 t^2/8).

d = 1, x = 1, r = 1/2, theta* = 0. The error has density 2 for |t| <= 1/20 and 1/20 beyond, so J = lambda_min = 2; the smoothing
(h < 1/20) does not change the slope of the risk at 1, which is 2/20 + 0.95/20 + 2 lambda.
"""

from mpmath import erfc, exp, mp, mpf, quad, sqrt

mp.dps = 30
n, sigma, t, ridge = mpf(1000), mpf(100), mpf(10), mpf("0.001")
slope = quad(lambda s: 2 if s < mpf("0.05") else mpf("0.05"), [0, mpf("0.05"), 1]) + 2 * ridge * t * sigma / n
true = erfc(n * slope / sigma / sqrt(2))
claimed = 2 * exp(-(2**2) * t**2 / 8)
print(f"slope of the risk at t sigma/n = {mp.nstr(t * sigma / n, 3)}: {mp.nstr(slope, 6)}; |b|/n exceeds it with probability")
print(f"computed {mp.nstr(true, 12)}, claimed at most {mp.nstr(claimed, 6)}")
assert true > claimed
print("The order sigma/n stands: for fixed t and sigma/n -> 0 the curvature J lasts as far as t sigma/n.")
