"""bilevel, Section B.3.1: the condition on f = -log F is printed with the sign for +log F: nearly concave f, log-convex F.

F(x) = e^{|x - 22|} on [0, 44]: f is concave, alpha = 1. epsilon = 0.2, spacing epsilon/(2 alpha) = 0.1 as in Lemma B.12: 440
cells. T: Section B.3.4 with B.12's conductance and least mass. From the stationary law on the lower half (so from some start in
it) the walk is above the middle after T steps with probability at most T phi, phi = flow through the middle/mass of the half.
Every cell keeps a point with one probability, so this bounds the output's mass above the middle, where c F has half of its own.
"""

from mpmath import exp, fsum, log, mp, mpf

mp.dps = 40
epsilon, alpha, kappa = mpf("0.2"), mpf(1), mpf(44)
gamma = epsilon / (2 * alpha)
cells = int(kappa / gamma)
printed_phi = epsilon / (8 * alpha * kappa * exp(epsilon))
least_mass = exp(-alpha * kappa) / cells
T = 1 + 4 / printed_phi**2 * log(1 / (epsilon * least_mass))

F = [exp(abs(gamma * (x + mpf(1) / 2) - kappa / 2)) for x in range(cells)]
half = cells // 2
phi = min(F[half - 1], F[half]) / 4 / fsum(F[:half])
crossed = T * phi
stretch = mpf(1) / 2  # the last half of a unit
share = (exp(kappa / 2) - exp(kappa / 2 - stretch)) / (2 * (exp(kappa / 2) - 1))  # of c F, on it
error = (share - crossed) / stretch
print(f"T = {mp.nstr(T, 6)} steps, the middle is crossed with probability at most {mp.nstr(crossed, 4)}")
print(f"claimed |nu - c F| <= {mp.nstr(epsilon, 4)}; on average over the last stretch it is at least {mp.nstr(error, 6)}")
assert error > epsilon
