"""bilevel, Lemma B.11 with (14): mixing time in |log(P^t/pi)| at most 1 + integral from 4 pi* to 4/epsilon of 4/(x phi^2).

Two states that change with probability p = 1/100: lazy, reversible, pi = (1/2, 1/2), phi = p for every set. epsilon = 2: both
limits are 2, so the bound is 1 step. But P^t(0, 1) = (1 - (1 - 2 p)^t)/2. Beyond epsilon = 2 the bound is negative.
Up to 4/(1 - e^{-epsilon}) in the place of 4/epsilon it holds, and as printed for epsilon <= 1. In the relative distance |P^t/pi
- 1|, 1 at t = 0, it fails too: for epsilon > 2 no step is needed, and the bound is negative.
"""

from mpmath import exp, log, mp, mpf

mp.dps = 30
p = mpf(1) / 100


def distance(t):  # over both starts and both states
    share = (1 - 2 * p) ** t
    return max(abs(log(1 + share)), abs(log(1 - share)) if share < 1 else mp.inf)


def bound(epsilon, top):
    return 1 + 4 / p**2 * log(top(epsilon) / 2)


for epsilon in (mpf(2), mpf("2.5"), mpf(3)):
    t = next(t for t in range(10**6) if distance(t) <= epsilon)
    claimed = bound(epsilon, lambda e: 4 / e)
    amended = bound(epsilon, lambda e: 4 / (1 - exp(-e)))
    print(f"epsilon = {epsilon}: claimed at most {mp.nstr(claimed, 6)} steps, true {t}, amended {mp.nstr(amended, 8)}")
    assert claimed < t <= amended
    relative = next(t for t in range(10**6) if (1 - 2 * p) ** t <= epsilon)
    print(f"  relative distance: claimed at most {mp.nstr(claimed, 6)} steps, true {relative}")
    assert claimed < relative or epsilon == 2
