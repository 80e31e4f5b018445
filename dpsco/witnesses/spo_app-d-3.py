"""spo, Appendix D, Part III: a distance from the optimum that costs nothing, and a constant answer without excess at d = 1.

S = {w >= -1}, data set D^(j): n copies of the cost e_j, w*(e_j) = -e_j. The risk of c_hat is the loss of one record.
"""

from fractions import Fraction


def spo_plus(c, c_hat, reach):
    """Maximum over [-1, reach]^d of (c - 2 c_hat)'w, coordinate by coordinate, and the rest of the loss."""
    most = sum(max(-(a - 2 * b), reach * (a - 2 * b)) for a, b in zip(c, c_hat, strict=True))
    return most - 2 * sum(a * b for a, b in zip(c, c_hat, strict=True)) + sum(a * a for a in c)


def gap(c, c_hat, c_star):
    """The printed difference of the risks, all records equal."""
    return 2 * sum((1 - a) * (b - s) for a, b, s in zip(c, c_hat, c_star, strict=True))


c, c_star = (1, 0), (1, 0)
for r in (1, 100):
    far = (1 + r, 0)
    true = spo_plus(c, far, 1000) - spo_plus(c, c_star, 1000)
    print(f"c_hat = c_star + {r} e_1: distance {r}, printed gap {gap(c, far, c_star)}, true {true}; claimed to grow with it")
    assert gap(c, far, c_star) == true == 0
true = spo_plus((1,), (0,), 1000) - spo_plus((1,), (1,), 1000)
print(f"d = 1, c_hat = 0: printed gap {gap((1,), (0,), (1,))}, SPO+ differs by at least {true} (decisions up to 1000)")
assert true > gap((1,), (0,), (1,))
half = spo_plus((1,), (Fraction(1, 2),), 1000) - spo_plus((1,), (1,), 1000)
print(f"d = 1, the constant answer 1/2, which is private for every epsilon: excess {half}, claimed at least a multiple of h/n")
assert half == 0
