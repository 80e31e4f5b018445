"""spo, Appendix G, second term of Theorem 9's proof: E[w*(c)|x] <= w*(E[c|x]) fails, and the inequality it is used for.

S = triangle of (1, 0), (0, 1), (1, 1), c = (2, 0) or (0, 11/5) with probability 1/2: E[c] = (1, 11/10), 0 <= c <= 2 E[c].
"""

from fractions import Fraction

S = [(1, 0), (0, 1), (1, 1)]
law = [(Fraction(2), Fraction(0)), (Fraction(0), Fraction(11, 5))]
mean = tuple(sum(c[j] for c in law) / 2 for j in (0, 1))


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1]


def best(c):
    values = [dot(c, w) for w in S]
    assert values.count(min(values)) == 1  # no ties
    return S[values.index(min(values))]


mean_decision = tuple(Fraction(sum(best(c)[j] for c in law), 2) for j in (0, 1))
print(f"claimed: E[w*(c)] <= w*(E[c]) = {best(mean)}; E[w*(c)] = ({mean_decision[0]}, {mean_decision[1]})")
assert mean_decision[1] > best(mean)[1]
left, right = 2 * dot(mean, mean_decision), 2 * dot(mean, best(mean))
print(f"claimed: 2 E[c]'E[w*(c)] <= 2 E[c]'w*(E[c]) = {right}; it is {left}")
assert left > right
