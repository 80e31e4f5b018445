"""spo, Section 7: losses do not fall in epsilon and delta as said, and delta is not the probability of failing epsilon-DP.

Means of Table 1 as printed, half a unit of the last digit to either side; the privacy loss of a Gaussian answer whose noise
makes it exactly (10, 0.4)-DP, by bisection on the shift mu and quadrature.
"""

from fractions import Fraction

from mpmath import exp, mp, mpf, ncdf, npdf, quad

mp.dps = 25
half = Fraction(1, 200) / 10**5  # of 1.99e-5 and 2.19e-5
five, ten = Fraction("1.99e-5"), Fraction("2.19e-5")
print(f"exponential descent: claimed a fall from epsilon = 5 to 10, printed {float(five)} and {float(ten)}")
assert five + half < ten - half
quarter, two_fifths, unit = Fraction("0.000116"), Fraction("0.000171"), Fraction(1, 2 * 10**6)
print(f"Gaussian descent: claimed a fall from delta = 0.25 to 0.4, printed {float(quarter)} and {float(two_fifths)}")
assert quarter + unit < two_fifths - unit

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
