"""Lemma 6's proof: E<G, theta_bar - theta_1>/n <= 2 max over C of E<G, theta>/n is false, the maximum of means being 0.

No loss at all, C = [-c, c], n = 1, J = G theta + lambda theta^2: theta_bar = 0, theta_1 = clip(-G/(2 lambda)), sigma_1^2 = 128
L^2 ln(1/delta)/epsilon^2. Second, E max |<G, theta>| = O(sigma_1 G_C) is false off the origin: C = [1, 1 + w], w small.
"""

from mpmath import erf, log, mp, mpf, npdf, pi, quad, sqrt

mp.dps = 30
L, epsilon, delta, ridge = mpf(1), mpf(1), mpf("0.5"), mpf("0.5")
sigma = sqrt(128 * L**2 * log(1 / delta)) / epsilon
c = sigma  # so that 2 lambda c = sigma_1


def product(g):
    """-G theta_1."""
    return g * max(-c, min(c, g / (2 * ridge)))


ends = [-12 * sigma, -4 * sigma, -sigma, 0, sigma, 4 * sigma, 12 * sigma]
left = quad(lambda g: product(g) * npdf(g / sigma) / sigma, ends)
print(f"claimed: at most 2 max over C of E<G, theta> = 0; E<G, theta_bar - theta_1> = {mp.nstr(left, 12)}")
assert left > 1 and abs(left - sigma**2 * erf(1 / sqrt(mpf(2)))) < mpf("1e-12")

for w in (mpf("0.1"), mpf("0.001"), mpf("1e-6")):
    width = w / sqrt(2 * pi)  # E max(g, g (1 + w)) = w E max(g, 0)
    modulus = (1 + w) * sqrt(2 / pi)
    print(f"C = [1, 1 + {mp.nstr(w, 1)}]: E max |<g, theta>| is {mp.nstr(modulus / width, 6)} widths")
    assert modulus / width > 2 / w
