"""The gaps of the check loss's two smoothings in doubles, each without the subtraction that defines it."""

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.kernels import GAUSSIAN, LOGISTIC, code, far_density_at, gap_at, gaussian_ratio
from dpsco.fast.losses.quantile.smoothing import quotient
from dpsco.spec.losses.quantile import comparison as spec


@kernel()
def convolution_gap_at(which: int, u: float, h: float) -> float:
    t, dt = quotient(abs(u), 0.0, h)
    if h > 1.0 and t > 36.0:  # the density alone would underflow; the logistic gap log1p(e^-t) is e^-t here
        if which == GAUSSIAN:
            return far_density_at(which, t, dt, 1.0 / h) * gaussian_ratio(t) if t < 60.0 else 0.0
        if which == LOGISTIC:
            return far_density_at(which, t, dt, 1.0 / h)
    return h * gap_at(which, t, dt)


@kernel()
def envelope_gap_at(u: float, beta: float, r: float) -> float:
    side = r if u >= 0.0 else 1.0 - r
    slope = beta * abs(u)
    if slope >= side:
        return side * (side / beta) / 2.0
    return abs(u) * (side - 0.5 * slope)


def convolution_gap(kernel: str, u: float, h: float) -> float:
    return float(convolution_gap_at(code(kernel), float(u), float(h)))


def envelope_gap(u: float, beta: float, r: float) -> float:
    return float(envelope_gap_at(float(u), float(beta), float(r)))


for implementation, contract in ((convolution_gap, spec.convolution_gap), (envelope_gap, spec.envelope_gap)):
    bind(implementation, contract)
