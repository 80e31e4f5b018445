"""bilevel, (Bilevel ERM): y_Z(x) is to minimise over y the mean of g(x, y_Z(x), z_i), which does not depend on y.

g(x, y, z) = (y - 1)^2/2, n = 1, is strongly convex in y. To the letter each number may be called y_Z(x): with it in the place
of y the mean is one value for all y, and every y is a minimiser, that number too. With y itself, as in (Bilevel SO), 1 is.
"""

from fractions import Fraction


def g(y):
    return Fraction(y - 1) ** 2 / 2


EVERY = [Fraction(y, 2) for y in range(-20, 21)]
for named in (5, 0, -3):
    printed = {y: g(named) for y in EVERY}  # y_Z(x) = named in the inner mean
    least = [y for y in EVERY if printed[y] == min(printed.values())]
    print(f"y_Z(x) = {named}: claimed one minimiser; the printed mean is {g(named)} at all {len(least)} of {len(EVERY)} points")
    assert least == EVERY and named in least
meant = [y for y in EVERY if g(y) == min(map(g, EVERY))]
print(f"with y in the place of y_Z(x): {len(meant)} minimiser, {meant[0]}")
assert meant == [1]
