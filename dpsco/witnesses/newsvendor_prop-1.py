"""newsvendor, Proposition 1: the shares do not compose for large epsilon, and three rates are too small.

Composition: S = 100 runs of randomised response at epsilon_0 = epsilon/(2 sqrt(2 S ln(2/delta))), epsilon = 40, delta = 1/2.
"""

from mpmath import binomial, exp, log, mp, mpf, sqrt

mp.dps = 40
S, eps, delta = 100, mpf(40), mpf("0.5")
each = eps / (2 * sqrt(2 * S * log(2 / delta)))
losses = [((S - 2 * k) * each, binomial(S, k) * exp((S - k) * each) / (1 + exp(each)) ** S) for k in range(S + 1)]
need = sum(p * (1 - exp(eps - loss)) for loss, p in losses if loss > eps)
print(f"claimed delta = {delta}; the runs need at least {mp.nstr(need, 10)}")
assert need > delta

print("one product, B = B_x = 1, L = 1/2, epsilon = n, ln(2/delta) = n^2: risk >= L (1 - L/(2 lambda)), lambda >= sigma_0/n")
for n in (10**2, 10**4, 10**6):
    share = n / (2 * sqrt(2 * mpf(n) ** 2))
    lam = mpf("0.5") * sqrt(8 * mpf(n) ** 2 + 4 * share) / share / n
    risk, rate = (1 - 1 / (4 * lam)) / 2, 1 / sqrt(mpf(n)) + sqrt(mpf(n) ** 2 - log(2)) / mpf(n) ** 2
    print(f"  n = {n}: risk/rate >= {mp.nstr(risk / rate, 6)}")
assert risk / rate > 100

print("all products, two demands each, n = S^6, epsilon = d = 1, delta = 2/e: risk >= S/(20 sqrt(n)) for every algorithm")
for S in (10**2, 10**4, 10**6):
    n = mpf(S) ** 6
    risk, rate = S / (20 * sqrt(n)), sqrt(S / n) + S * sqrt(log(S) + 1 - log(2)) / n
    print(f"  S = {S}: risk/rate >= {mp.nstr(risk / rate, 6)}")
assert risk / rate > 40
print("the displayed sum at the printed lambda is at least V/lambda = M/B^2, which does not fall with n")
