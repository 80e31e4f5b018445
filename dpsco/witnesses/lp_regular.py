"""l_p^d: is l_q^d, q = p/(p-1), kappa-regular with kappa = min(1/(p-1), 2 ln d)? Sums of centred sign vectors say no.

A kappa-regular norm has E|X_1 + ... + X_k|^2 <= kappa E(|X_1|^2 + ... + |X_k|^2), X_i centred given the ones before: smoothness
of |.|_+^2, step by step, and |.|^2 <= |.|_+^2 <= (kappa/s) |.|^2.

Two vectors +-(1, 1), +-(1, -1) in the plane at p = 5/4, q = 5; and in four dimensions at p = 1.001 a third, +-v, where v agrees
with the sum so far on one of the coordinates of size 2 and opposes it on the other. All signs are listed.
"""

from itertools import product

from mpmath import log, mp, mpf

mp.dps = 30


def steps(signs, d):
    """The sum and its steps for these signs."""
    total, taken = [0] * d, []
    for i, sign in enumerate(signs):
        largest = [j for j in range(d) if abs(total[j]) == i]
        step = [1] * d
        for place, j in enumerate(largest):
            same = 1 if total[j] >= 0 else -1
            step[j] = same if i == 0 or place < len(largest) // 2 else -same
        taken.append([sign * a for a in step])
        total = [a + sign * b for a, b in zip(total, step, strict=True)]
    return total, taken


for p, d, k in ((mpf(5) / 4, 2, 2), (mpf("1.001"), 4, 3)):
    q = p / (p - 1)
    runs = [steps(signs, d) for signs in product((-1, 1), repeat=k)]
    whole = sum(sum(mpf(abs(a)) ** q for a in total) ** (2 / q) for total, _ in runs)
    parts = sum(sum(mpf(abs(a)) ** q for a in step) ** (2 / q) for _, taken in runs for step in taken)
    printed, asked = min(1 / (p - 1), 2 * log(d)), whole / parts
    print(f"p = {mp.nstr(p, 5)}, d = {d}: kappa claimed {mp.nstr(printed, 10)}, asked for {mp.nstr(asked, 10)}")
    assert asked > printed
