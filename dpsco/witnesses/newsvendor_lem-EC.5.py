"""Lemma EC.5, part 1: with c(x) = x and the Hellinger function (beta = L = 1) the minimiser does not exist."""

from mpmath import mp, mpf, sqrt

mp.dps = 40
# Condition 1 holds: phi(x) = sqrt(1 + x^2) is strictly convex, 1-smooth, its conjugate -sqrt(1 - y^2) is finite on [-1, 1],
# and the only subgradient of c is 1. At h = 1 the objective at x = u - w is u - w + sqrt(1 + w^2).


def above(w):
    """The objective less u: sqrt(1 + w^2) - w = 1 / (sqrt(1 + w^2) + w), positive and falling in w."""
    return 1 / (sqrt(1 + w**2) + w)


last = mpf("inf")
for k in range(0, 9, 2):
    w = mpf(10) ** k
    gradient = w / sqrt(1 + w**2)
    print(f"w = 1e{k}: objective u + {mp.nstr(above(w), 6)}, 1 - gradient of phi {mp.nstr(1 - gradient, 6)}")
    assert 0 < above(w) < last
    assert gradient < 1
    last = above(w)
print("The infimum is u and is not attained. The envelope is u, its gradient 1; the gradient of phi is below 1 everywhere.")
print("Claimed: the gradient of the envelope, 1, is the gradient of phi at u - x*(u), which is below 1 wherever it is taken.")
