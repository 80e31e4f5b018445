"""bilevel, Lemma 3.5 (B.9), proof: the first chain of inequalities has its ends exchanged.

Printed: e^{-(f(y)-f(x)-2 zeta)} <= e^{-(f'(y)-f'(x))} <= e^{-(f(y)-f(x)+2 zeta)}. Without errors, f' = f, both ends fail.
The lemma holds, and with e^{-2 zeta} for e^{-6 zeta}: the flow over an edge is a minimum of two weights.
"""

from itertools import pairwise

from mpmath import exp, mp, mpf

mp.dps = 30
zeta, fx, fy = mpf(1) / 4, mpf("0.7"), mpf("-1.3")
low, middle, high = exp(-(fy - fx - 2 * zeta)), exp(-(fy - fx)), exp(-(fy - fx + 2 * zeta))
print(f"claimed {mp.nstr(low, 10)} <= {mp.nstr(middle, 10)} <= {mp.nstr(high, 10)}")
assert low > middle > high
for errors in ((zeta, -zeta), (-zeta, zeta), (zeta, zeta)):
    moved = exp(-(fy + errors[1] - fx - errors[0]))
    assert high <= moved <= low
print(f"true, for every error: {mp.nstr(high, 10)} <= e^-(f'(y)-f'(x)) <= {mp.nstr(low, 10)}")


def conductance(f):  # of the lazy walk on a path: prefixes are enough
    F = [exp(-v) for v in f]
    flows = [min(a, b) / 4 for a, b in pairwise(F)]
    return min(flow / min(sum(F[: k + 1]), sum(F[k + 1 :])) for k, flow in enumerate(flows))


for zeta in (mpf("0.1"), mpf(1), mpf(3)):
    phi, moved = conductance([mpf(0)] * 60), conductance([zeta if x in (29, 30) else -zeta for x in range(60)])
    assert exp(-6 * zeta) * phi <= exp(-2 * zeta) * phi <= moved <= mpf("1.04") * exp(-2 * zeta) * phi
    print(f"zeta = {zeta}: phi'/phi = {mp.nstr(moved / phi, 8)}, e^(-6 zeta) = {mp.nstr(exp(-6 * zeta), 8)}")
