"""Figure 1(b), "a kernel with lighter tails leads to a better approximation": the largest gap says otherwise.

c_h(0) - c(0) = (h/2) E|V|; at equal smoothness beta, h = K(0)/beta."""

from mpmath import exp, inf, mp, mpf, quad

mp.dps = 20


def gap(density, *ends):
    """h/2 times E|V| at h = 1, and the same at the bandwidth K(0), which makes the smoothness 1."""
    half = quad(lambda v: v * density(v), [0, *ends])
    return half, density(mpf(0)) * half


laplace = gap(lambda v: exp(-v) / 2, 5, 40, inf)
wide = gap(lambda v: mpf(1) / 8, 4)
steps = gap(lambda v: mpf(1) / 4 + (25 if v <= mpf(1) / 100 else 0), mpf(1) / 100, 1)
uniform, epanechnikov = gap(lambda v: mpf(1) / 2, 1), gap(lambda v: mpf(3) / 4 * (1 - v * v), 1)

print(f"exp(-|v|)/2                       h = 1: {mp.nstr(laplace[0], 8)}   beta = 1: {mp.nstr(laplace[1], 8)}")
print(f"uniform on [-4, 4], no tail       h = 1: {mp.nstr(wide[0], 8)}   claimed at most {mp.nstr(laplace[0], 8)}")
print(
    f"half on [-1, 1], half on +-1/100, no tail     beta = 1: {mp.nstr(steps[1], 8)}   claimed at most {mp.nstr(laplace[1], 8)}"
)
assert wide[0] > laplace[0]
assert steps[1] > laplace[1]
print("Both without a tail beyond 1, so each at most the other is claimed:")
print(f"  uniform       h = 1: {mp.nstr(uniform[0], 8)}   beta = 1: {mp.nstr(uniform[1], 8)}")
print(f"  Epanechnikov  h = 1: {mp.nstr(epanechnikov[0], 8)}   beta = 1: {mp.nstr(epanechnikov[1], 8)}")
assert uniform[0] > epanechnikov[0]
assert epanechnikov[1] > uniform[1]
