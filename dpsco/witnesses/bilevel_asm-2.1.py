"""bilevel, remark after Assumption 2.1: diam(Y) <= L_gy/mu_g fails by a factor 2 for convex Y, and by 4 for compact Y.

One record, g(x, y) = mu y^2/2 for every x: the lower minimiser is 0. Y only has to be compact, to hold 0, and to have g
L_gy-Lipschitz on it: the segment [-1, 1], or {-1, 0, 1}. Difference quotients in fractions.
"""

from fractions import Fraction
from itertools import combinations

mu = Fraction(3)


def lipschitz(points):
    return max(abs(mu * a**2 / 2 - mu * b**2 / 2) / abs(a - b) for a, b in combinations(points, 2))


N = 50
segment = [Fraction(k, N) for k in range(-N, N + 1)]
assert lipschitz(segment) <= mu  # |g'| = mu |y| <= mu on [-1, 1], and not less
claimed, true = mu / mu, max(segment) - min(segment)
print(f"Y = [-1, 1]: L_gy = {mu} (grid: {float(lipschitz(segment)):.4f}), claimed at most {claimed}, diameter {true}")
assert true == 2 * claimed

three = [Fraction(y) for y in (-1, 0, 1)]
claimed, true = lipschitz(three) / mu, max(three) - min(three)
print(
    f"Y = {{-1, 0, 1}}: L_gy = {lipschitz(three)}, claimed diameter at most {claimed}, diameter {true}: {true / claimed} times"
)
assert true == 4 * claimed
