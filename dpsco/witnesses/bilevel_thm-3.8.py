"""bilevel, Theorem 3.8: the time of the steps it describes is not bounded by e^{12 zeta} d^3 poly(L, |C|_2, 1/xi).

C = [-1/2, 1/2] x [-w, w] in its cube A = [-1/2, 1/2]^2, f = 0, d = 2, |C|_2 <= 2. Extended, f is L (|x_2| - w) outside C, the
penalty alpha (|x_2|/w - 1): together b (|x_2|/w - 1), b = alpha + L w, of slope b/w. So cells have a side of at most w/(2 b); a
walk of fewer than b/w - 1 steps misses a cell of C (infinite distance); and a walk near its target ends in C with probability
at most e^xi P(C). If the slope is below 1 the cube is small (step 2 of the walk): even tries, of which 2w hit C. The best alpha
for the sampler, over a fine grid, still costs more than e^{-xi}/(10 w).
"""

from mpmath import exp, mp, mpf

mp.dps = 20
xi, zeta = mpf(1), mpf("0.01")


def expected_steps(alpha, L, w):
    """A lower bound of the expected number of evaluations."""
    b = alpha + L * w
    if b < w:
        return 1 / (2 * w)
    inside = 1 / (1 + (1 - exp(-b * (1 / (2 * w) - 1))) / b)
    return max(1, b / w - 1) * exp(-xi) / inside


for L in (mpf("1e-9"), mpf(1)):
    least = []
    for w in (mpf(10) ** -j for j in range(1, 13)):
        grid = [w * mpf(10) ** (mpf(i) / 20 - 1) for i in range(400)]
        least.append(min(expected_steps(alpha, L, w) for alpha in grid))
        claimed = f"O({mp.nstr(8 * exp(12 * zeta), 4)} poly({mp.nstr(L, 2)}, 2, 1))"
        print(f"w = {mp.nstr(w, 3)}: claimed {claimed}, evaluations >= {mp.nstr(least[-1], 8)} for every alpha")
        assert least[-1] >= exp(-xi) / (10 * w)
    assert least[-1] > 10**10 * least[0]
