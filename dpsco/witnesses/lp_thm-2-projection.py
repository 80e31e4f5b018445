"""The projection step of Theorem 2: E<H, theta_hat - theta_2> <= 2 max over C of E<H, theta> is false, the maximum being 0.

C = [-1, 1], theta_2 = 0, H ~ N(0, 1): theta_hat = clip(H). And E max over C of |<H, theta>| is no O(sigma_2 G_C) where C is
short and off the origin. What survives: E<H, theta_hat - theta_2> <= E max over C of <H, theta> = sigma_2 G_C.
"""

from mpmath import erf, mp, mpf, npdf, pi, quad, sqrt

mp.dps = 30
left = quad(lambda h: h * max(-1, min(1, h)) * npdf(h), [-15, -4, -1, 0, 1, 4, 15])
print(f"claimed: at most 2 max over C of E<H, theta> = 0; E<H, theta_hat - theta_2> = {mp.nstr(left, 12)}")
assert abs(left - erf(1 / sqrt(mpf(2)))) < mpf("1e-15")
width = sqrt(2 / pi)  # of [-1, 1]
print(f"E max over C of <H, theta> = {mp.nstr(width, 12)}")
assert 0 < left < width

for w in (mpf("0.1"), mpf("0.001"), mpf("1e-6")):
    short, modulus = w / sqrt(2 * pi), (1 + w) * sqrt(2 / pi)
    print(f"C = [1, 1 + {mp.nstr(w, 1)}]: E max |<H, theta>| is {mp.nstr(modulus / short, 6)} times sigma_2 G_C")
    assert modulus / short > 2 / w
