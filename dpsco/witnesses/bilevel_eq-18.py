"""bilevel, proof of Theorem B.17, (18): a direction error above a constant claimed with probability at least 1/2, d = 1.

The sign of the sum of the records by randomised response is epsilon-DP, a point of the unit ball, and equals Zbar/|Zbar| with
probability e^epsilon/(1 + e^epsilon) > 1/2 on every Z with Zbar not 0, for every epsilon > 0, every n and every M.
"""

from itertools import product

from mpmath import exp, mp, mpf

mp.dps = 30
n = 3
for epsilon in (mpf("0.01"), mpf(1), mpf(5)):
    right = exp(epsilon) / (1 + exp(epsilon))
    largest = mpf(0)
    for data in product((-1, 1), repeat=n):
        direction = 1 if sum(data) > 0 else -1
        chance = sum(p for answer, p in ((direction, right), (-direction, 1 - right)) if answer != direction)
        largest = max(largest, chance)
    print(f"epsilon = {mp.nstr(epsilon, 3)}: claimed on some Z at least 0.5, largest over all Z {mp.nstr(largest, 10)}")
    assert largest < mpf(1) / 2
