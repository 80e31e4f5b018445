"""lp, Lemma 9: the least number of records SC(C, alpha) for private means, C = [-1, 1].

(a) As defined, with the supremum over data sets of at most n points: epsilon = 1, delta = 0.01. On the one-point data sets 1
    and -1 the two laws overlap by at least 2 (1 - delta)/(e + 1), and (y - 1)^2 + (y + 1)^2 >= 2: one of the two root mean
    squared errors is at least 0.7297 for every private A and every n. No n will do for a smaller alpha; the condition alpha
    <= G_C/(c (ln 2)^2) allows alpha = 0.001 and below, whatever c is.
(b) With data sets of exactly n points: Laplace noise of scale 2/(n epsilon) has root mean squared error 2 sqrt(2)/(n
    epsilon), so n = 6 t is enough at alpha = 1/t, epsilon = 1/2; claimed is at least c sqrt(ln(1/delta)) t, with delta =
    e^(-n/2).
"""

from mpmath import e, log, mp, mpf, pi, sqrt

mp.dps = 30
epsilon, delta = mpf(1), mpf("0.01")
least = sqrt(2 * (1 - delta) / (e + 1))
width, root = sqrt(2 / pi), sqrt(log(1 / delta))
for alpha in (mpf("0.001"), mpf("1e-9")):
    upper = min(width * root / (alpha**2 * epsilon), root / (alpha * epsilon))
    shown = [mp.nstr(x, 6) for x in (alpha, upper, least)]
    print("(a) error at most {} claimed from an n of order {} on; it is at least {} for every n".format(*shown))
    assert least > alpha
for t in (mpf(10) ** 6, mpf(10) ** 12, mpf(10) ** 24):
    n = 6 * t
    assert 2 * sqrt(2) / (n / 2) <= 1 / t
    claimed = width * sqrt(n / 2) / (log(2) ** 2 * (1 / t) / 2)
    print(f"(b) t = {mp.nstr(t, 3)}: claimed at least c {mp.nstr(claimed, 6)}, enough {mp.nstr(n, 6)}")
assert claimed / n > mpf(10) ** 11
