"""spo, Section 7: delta is not the probability of failing epsilon-DP; and Table 1 cannot tell whether losses rise or fall.

The privacy loss of a Gaussian answer whose noise makes it exactly (10, 0.4)-DP, by bisection on the shift mu and quadrature.
Beside it the two rises of the printed means, over their standard errors were each a mean of 5 runs.
"""

from mpmath import exp, mp, mpf, ncdf, npdf, quad, sqrt

mp.dps = 25
epsilon, delta = mpf(10), mpf("0.4")
low, high = mpf(1), mpf(10)
for _ in range(70):
    mu = (low + high) / 2
    least = ncdf(mu / 2 - epsilon / mu) - exp(epsilon) * ncdf(-mu / 2 - epsilon / mu)
    low, high = (mu, high) if least < delta else (low, mu)
start = epsilon / mu + mu / 2  # where the log-ratio of N(mu, 1) to N(0, 1) is epsilon
cuts = [start + k for k in range(0, 13, 2)]
beyond = quad(lambda u: npdf(u, mu), cuts)
check = quad(lambda u: npdf(u, mu) - exp(epsilon) * npdf(u), cuts)
print(f"mu = {mp.nstr(mu, 8)}, least delta {mp.nstr(check, 8)}: the loss stays within epsilon")
print(f"  with probability {mp.nstr(1 - beyond, 8)}, claimed 1 - delta = {1 - delta}")
assert abs(check - delta) < mpf("1e-12")
assert 1 - beyond < mpf("0.52")

for says, one, two in (
    ("exponential descent, epsilon 5 to 10", ("1.99e-5", "1.12e-10"), ("2.19e-5", "4.5e-10")),
    ("Gaussian descent, delta 0.25 to 0.4", ("0.000116", "6.24e-9"), ("0.000171", "4.95e-9")),
):
    (a, v), (b, w) = ([mpf(x) for x in cell] for cell in (one, two))
    away = (b - a) / sqrt((v + w) / 5)
    print(f"{says}: printed means {one[0]} and {two[0]}, {mp.nstr(away, 2)} standard errors: nothing is refuted")
    assert 0 < away < 2
