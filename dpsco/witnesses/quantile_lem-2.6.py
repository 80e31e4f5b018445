"""Lemma 2.6 for losses without a mean: a constant algorithm is 0-stable, and E[L - Lhat] is infinite.

Outcomes with Pr[y > s] = 1/s for s >= 1, loss max(r y, (r - 1) y) of the decision 0, r = 1/2, n = 1: Lhat = y/2 is finite for
every data set, L = E[y]/2 is not. Truncated at s, the mean of y is 1 + ln s."""

from mpmath import exp, mp, mpf, quad

mp.dps = 15
claimed = 0
for k in (2, 20, 200):
    mean = 1 + quad(lambda s: 1 / s, [exp(j) for j in range(k + 1)])
    print(f"claimed E[L - Lhat] <= {claimed}; with y cut at e^{k}, L is at least {mp.nstr(mean / 2, 10)}")
    assert mean > mpf(k)
print("No number bounds L, while every Lhat is finite: E[L - Lhat] = infinity.")
