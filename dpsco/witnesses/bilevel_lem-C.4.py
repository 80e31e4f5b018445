"""Lemma C.4: a bias whose mean is bounded may still raise H, on the parabola H = x^2 (beta = 2) with eta = 1/4 = 1/(2 beta).

At x_t = 0 with b_t = 1 or -1 (equal chances) and no noise: B = |E b_t| = 0, Sigma = 0, so the lemma's bound is 0. At x_t = 0
with N_t = 1 or -1 and b_t = N_t/2: |b_t| = 1/2 always, Sigma = 1, and the bound is eta B^2/2 + eta^2 beta Sigma^2/2."""

from fractions import Fraction

eta, beta = Fraction(1, 4), Fraction(2)


def mean_change(pairs):
    """E H(x_{t+1}) - H(x_t) from x_t = 0 over equally likely (b, N)."""
    return sum(beta * (-eta * (b + noise)) ** 2 / 2 for b, noise in pairs) / len(pairs)


def bound(B, Sigma):
    return eta / 2 * B**2 + eta**2 * beta / 2 * Sigma**2


half = Fraction(1, 2)
for says, pairs, B, Sigma in (
    ("bias of mean 0", [(Fraction(1), Fraction(0)), (Fraction(-1), Fraction(0))], Fraction(0), Fraction(0)),
    ("bias that goes with the noise", [(half, Fraction(1)), (-half, Fraction(-1))], half, Fraction(1)),
):
    print(f"{says}: claimed at most {bound(B, Sigma)}, it is {mean_change(pairs)}")
    assert mean_change(pairs) > bound(B, Sigma)
