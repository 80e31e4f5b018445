"""bilevel, Theorem 3.9: risk claimed at least c R min(1, d/(n epsilon)), R = L_fx D_x + L_fy D_y, for some constant c > 0.

(a) d_x = 1, n = 1, epsilon -> infinity: randomised response names the best of m + 1 equally spaced points of X; Phi_Z is
    convex with range R, so some point is within R/m of the least value. Every problem: risk at most R (1/m + m/(e^epsilon +
    m)).
(b) part (2), d_x = 1, epsilon = 1, delta = 2^-n: the exponential mechanism is (1, 0)-DP, its risk at most 2 s/epsilon, s = 2
    R/n + 4 L_fy L_gy/(mu_g n) <= 6 R/n at mu_g = L_gy/D_y, against R sqrt(ln(1/delta))/n = R sqrt(ln 2/n).
(c) the printed instance: X = D_x B, Y = D_y B have diameters 2 D_x, 2 D_y; |grad_y g| = mu_g |y - zeta x| reaches 2 mu_g
    D_y.
"""

from mpmath import exp, floor, log, mp, mpf, sqrt

mp.dps = 30
for epsilon in (mpf(10), mpf(50), mpf(200)):
    m = floor(exp(epsilon / 2))
    reached, claimed = 1 / m + m / (exp(epsilon) + m), 1 / epsilon
    print(f"(a) epsilon = {mp.nstr(epsilon, 4)}: claimed at least c {mp.nstr(claimed, 6)}, reached {mp.nstr(reached, 6)}")
assert reached / claimed < mpf(10) ** -40
for n in (mpf(10) ** 4, mpf(10) ** 8, mpf(10) ** 16):
    claimed, reached = sqrt(n * log(2)) / n, 12 / n
    print(f"(b) n = {mp.nstr(n, 3)}: claimed at least c {mp.nstr(claimed, 6)}, reached {mp.nstr(reached, 6)}")
assert reached / claimed < mpf(10) ** -6
mu_g, D_x, D_y = mpf(2), mpf(5), mpf(3)
slope = mu_g * abs(-D_y - D_y / D_x * D_x)
print(f"(c) slope claimed at most L_gy = mu_g D_y = {mu_g * D_y}, it is {slope}")
assert slope == 2 * mu_g * D_y
