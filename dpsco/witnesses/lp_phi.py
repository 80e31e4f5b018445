"""Phi(x) = (kappa/2) |x|^2 in the norm l_{kappa_+}, kappa = min(1/(p-1), 2 ln d), kappa_+ = kappa/(kappa-1), is claimed to be
1-strongly convex in l_p, so Phi at a midpoint is at most the mean of Phi at the ends less |x - y|_p^2/8.

Three branches: kappa_+ > 2 (flat along the axes), 1/(p-1) the lesser with p <= 3/2, 2 ln d the lesser.
"""

from mpmath import log, mp, mpf

mp.dps = 30
CASES = (
    ("7/4", [mpf(1), mpf(0)], [mpf(0), mpf("0.1")]),
    ("7/5", [mpf(1)] * 10, [mpf("0.05"), mpf("-0.05")] * 5),
    ("1001/1000", [mpf(1)] * 4, [mpf("0.05"), mpf("-0.05")] * 2),
)


def norm(x, index):
    return sum(abs(a) ** index for a in x) ** (1 / index)


for text, middle, half in CASES:
    top, bottom = text.split("/")
    p, d = mpf(top) / mpf(bottom), len(middle)
    kappa = min(1 / (p - 1), 2 * log(d))
    index = kappa / (kappa - 1)
    x, y = ([a + sign * b for a, b in zip(middle, half, strict=True)] for sign in (1, -1))
    left = kappa / 2 * norm(middle, index) ** 2
    gap = norm([a - b for a, b in zip(x, y, strict=True)], p) ** 2 / 8
    right = kappa / 4 * (norm(x, index) ** 2 + norm(y, index) ** 2) - gap
    print(
        f"p = {text}, d = {d}, kappa_+ = {mp.nstr(index, 6)}: claimed at most {mp.nstr(right, 12)}, Phi is {mp.nstr(left, 12)}"
    )
    assert left > right
