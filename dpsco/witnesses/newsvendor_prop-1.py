"""newsvendor, Proposition 1: rates are too small; shares as in Theorem 3 (our reading) do not compose for large epsilon.

Composition: S = 100 runs of randomised response at epsilon_0 = epsilon/(2 sqrt(2 S ln(2/delta))), epsilon = 40, delta = 1/2.
"""

from mpmath import binomial, exp, log, mp, mpf, sqrt

mp.dps = 40
S, eps, delta = 100, mpf(40), mpf("0.5")
each = eps / (2 * sqrt(2 * S * log(2 / delta)))
losses = [((S - 2 * k) * each, binomial(S, k) * exp((S - k) * each) / (1 + exp(each)) ** S) for k in range(S + 1)]
need = sum(p * (1 - exp(eps - loss)) for loss, p in losses if loss > eps)
need = 1 - (1 - delta / (2 * S)) ** S * (1 - need)  # and each run may fail with delta_0
print(f"claimed delta = {delta}; the runs need at least {mp.nstr(need, 10)}")
assert need > delta

print("one product, L = 1/2, S = 2, epsilon = d = 1, n = N^2, delta = e^(-n), the largest share that Lemma EC.3 admits")
for N in (mpf(10), mpf(10) ** 3, mpf(10) ** 5):
    share = 1 / sqrt(4 * N**2)
    lam = mpf("0.5") * sqrt(8 * (N**2 + log(2)) + 4 * share) / share / N**2  # at least sigma_0/n
    risk, rate = (1 - 1 / (4 * lam)) / 2, 1 / N + sqrt(2 * (N**2 + log(2))) / N**2
    print(f"  N = {mp.nstr(N, 4)}: risk >= L (1 - L/(2 lambda)) = {mp.nstr(risk, 5)}, over the rate {mp.nstr(risk / rate, 6)}")
assert risk / rate > 100

print("all products, a constant free of S, two demands each, n = S^6, epsilon = d = 1, delta = 2/e: risk >= S/(20 sqrt(n))")
for S in (10**2, 10**4, 10**6):
    n = mpf(S) ** 6
    risk, rate = S / (20 * sqrt(n)), sqrt(S / n) + S * sqrt(log(S) + 1 - log(2)) / n
    print(f"  S = {S}: risk/rate >= {mp.nstr(risk / rate, 6)}")
assert risk / rate > 40
print("the displayed sum at the printed lambda is at least V/lambda = M/B^2, which does not fall with n")
