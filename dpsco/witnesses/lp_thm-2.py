"""lp, Theorem 2: its rate stands, the printed proof does not: the chain between (6) and (7) bounds a positive mean by 0.

theta_hat is the projection onto C of theta_2 + H. The chain has E<H, theta_hat - theta_2> <= 2 max over C of E<H, theta>, and
for centred H that maximum is 0. C = [-1, 1], theta_2 = 0, H ~ N(0, 1): theta_hat = clip(H), and the mean is erf(1/sqrt(2)).
What survives: the mean is at most E max over C of <H, theta> = sigma_2 G_C, with which the theorem's rate follows.
"""

from mpmath import erf, mp, mpf, npdf, pi, quad, sqrt

mp.dps = 30
claimed = mpf(0)  # 2 max over theta in C of E<H, theta>
reached = quad(lambda h: h * max(-1, min(1, h)) * npdf(h), [-15, -4, -1, 0, 1, 4, 15])
width = sqrt(2 / pi)  # E max over [-1, 1] of <H, theta> = E|H|
print(f"claimed: E<H, theta_hat - theta_2> <= {mp.nstr(claimed, 3)}; it is {mp.nstr(reached, 15)}")
print(f"what survives: at most sigma_2 G_C = {mp.nstr(width, 15)}")
assert abs(reached - erf(1 / sqrt(mpf(2)))) < mpf("1e-15")
assert claimed < reached < width
