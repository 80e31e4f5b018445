"""spo, Appendix D, Part I: the average of the packed matrices is not optimal, and the transformed loss is not SPO+.

S = {w >= -1}, n = 3, d = 2, costs e_1, e_1, e_2, w*(e_j) = -e_j; predictions c_hat = Bhat 1 are common to the records.
"""

from fractions import Fraction

COSTS = [(1, 0), (1, 0), (0, 1)]


def printed(c, c_hat):
    """1'(2 c_hat - c) + 2 w*'c_hat - z*(c)."""
    return (
        sum(2 * b - a for a, b in zip(c, c_hat, strict=True))
        - 2 * sum(a * b for a, b in zip(c, c_hat, strict=True))
        + sum(a * a for a in c)
    )


def spo_plus(c, c_hat, reach):
    """The maximum over the box [-1, reach]^2, a part of S: at its corners, as the loss is linear in w."""
    corners = [(u, v) for u in (-1, reach) for v in (-1, reach)]
    most = max(sum((a - 2 * b) * w for a, b, w in zip(c, c_hat, corner, strict=True)) for corner in corners)
    return most - 2 * sum(a * b for a, b in zip(c, c_hat, strict=True)) + sum(a * a for a in c)


def mean(loss, c_hat):
    return sum(loss(c, c_hat) for c in COSTS) / Fraction(3)


average, zero, half = (Fraction(2, 3), Fraction(1, 3)), (0, 0), (Fraction(1, 2), Fraction(1, 2))
print(f"printed risk of the average {mean(printed, average)}, claimed least; of the zero matrix {mean(printed, zero)}")
assert mean(printed, zero) < mean(printed, average)
for reach in (10, 1000, 100000):
    exact = mean(lambda c, c_hat, r=reach: spo_plus(c, c_hat, r), average)
    other = mean(lambda c, c_hat, r=reach: spo_plus(c, c_hat, r), half)
    print(f"SPO+ risk, decisions up to {reach}: average {exact} (printed loss: {mean(printed, average)}), (1/2, 1/2) {other}")
    assert other < exact
    assert exact > mean(printed, average)
