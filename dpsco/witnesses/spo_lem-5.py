"""spo, Lemma 5: the expected maximum is not the maximum at the mean, and not the product with the coordinatewise minimum.

S = unit disc, c = (2, 1) or (1, 2) with probability 1/2: E[c] = (3/2, 3/2), 0 <= c <= 2 E[c]. max over S of v'w is |v|.
"""

from mpmath import mp, mpf, nstr, sqrt

mp.dps = 30
law = [(mpf(2), mpf(1)), (mpf(1), mpf(2))]
mean = [sum(c[j] for c in law) / 2 for j in (0, 1)]
assert all(0 <= c[j] <= 2 * mean[j] for c in law for j in (0, 1))
steered = [[c[j] - 2 * mean[j] for j in (0, 1)] for c in law]
left = sum(sqrt(v[0] ** 2 + v[1] ** 2) for v in steered) / 2
right = sqrt(mean[0] ** 2 + mean[1] ** 2)
least = sum(-v[0] - v[1] for v in steered) / 2  # with min over S of w = (-1, -1), which S does not contain
print(f"E max (c - 2 E[c])'w: claimed {nstr(right, 12)} = max -E[c]'w, it is {nstr(left, 12)}")
print(f"the proof's (c - 2 E[c])' min w is {nstr(least, 12)}")
assert left > right and least > left
