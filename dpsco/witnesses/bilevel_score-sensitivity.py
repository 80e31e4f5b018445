"""bilevel, remark after Theorem 3.2: the score Phi_Z(x) itself does not have the sensitivity s of (4).

f(x, y, z) = z, g = (y - z)^2/2, z in {0, c}: f is 0-Lipschitz in x and in y, so s = 0 whatever D_x, D_y and L_gy are, and Phi_Z
is the mean of the records. With L_fx = L_fy = 1 instead (allowed: they are upper bounds) s is a number, and c is free.
"""

from fractions import Fraction

n, c = 10, Fraction(1000)
L_gy = mu = D_x = D_y = 1


def s(L_fx, L_fy):
    return Fraction(2, n) * (L_fx * D_x + L_fy * D_y) + Fraction(4 * L_fy * L_gy, mu)


def phi(data):
    return sum(data) / len(data)


true = abs(phi([c] + [Fraction(0)] * (n - 1)) - phi([Fraction(0)] * n))
for L in (0, 1):
    print(f"L_fx = L_fy = {L}: claimed at most s = {s(L, L)}, the score changes by {true}")
    assert true > s(L, L)
one, other = phi([c] + [Fraction(0)] * (n - 1)), phi([Fraction(0)] * n)  # at every x, x0 alike
centred = abs((one - one) - (other - other))
print(f"centred score: |(Phi_Z(x) - Phi_Z(x0)) - (Phi_Z'(x) - Phi_Z'(x0))| = {centred}, at most s = {s(1, 1)}")
assert centred <= s(1, 1)
