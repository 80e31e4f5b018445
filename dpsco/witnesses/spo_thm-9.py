"""spo, Theorem 9: at the prediction E[c|x] the expected SPO+ loss is not the expected SPO loss.

Two laws with 0 <= c <= 2 E[c] and W*(E[c]) a singleton, probabilities 1/2: S = triangle of (1, 0), (0, 1), (1, 1) with c =
(2, 0) or (0, 11/5); and in one dimension S = [0, 1] with c = 0 or 2, where the oracle takes w*(0) = 1.
"""

from fractions import Fraction


def risks(S, law):
    """(SPO+, SPO) at E[c]; the oracle takes the first of the best vertices."""
    d = len(S[0])
    mean = [sum(c[j] for c in law) / Fraction(len(law)) for j in range(d)]
    assert all(0 <= c[j] <= 2 * mean[j] for c in law for j in range(d))

    def dot(u, v):
        return sum(a * b for a, b in zip(u, v, strict=True))

    decision = [w for w in S if dot(mean, w) == min(dot(mean, v) for v in S)]
    assert len(decision) == 1
    plus = spo = Fraction(0)
    for c in law:
        w_star = min(S, key=lambda w: dot(c, w))
        plus += max(dot(c, w) - 2 * dot(mean, w) for w in S) + 2 * dot(mean, w_star) - dot(c, w_star)
        spo += dot(c, decision[0]) - dot(c, w_star)
    return plus / len(law), spo / len(law)


triangle = risks([(1, 0), (0, 1), (1, 1)], [(Fraction(2), Fraction(0)), (Fraction(0), Fraction(11, 5))])
print(f"triangle: E[SPO+] claimed equal to E[SPO] = {triangle[1]}, it is {triangle[0]}")
line = risks([(1,), (0,)], [(Fraction(0),), (Fraction(2),)])
print(f"[0, 1], w*(0) = 1: E[SPO+] claimed equal to E[SPO] = {line[1]}, it is {line[0]}")
assert triangle[0] > triangle[1] and line[0] > line[1]
