"""The kernels in doubles: tails without cancellation, and arguments carried with what rounding cut off them.

The compiled functions take the kernel as an int, or one of the user's own as a table (see `argument`), and a standardised
residual as an unevaluated sum t + dt, dt at most an ulp of t: far out a kernel's relative slope is t itself (Gaussian), so
that half an ulp in t is hundreds in K(t).
With a = |t| they return K(t); the tail Q(a), integral of K from a on; and the gap (E|t + V| - |t|)/2, integral of Q from a on.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.elementary import exp_minus, normal_tail
from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses.polynomial_kernel import DENSITY, GAP, TAIL, Which, polynomial_at, table
from dpsco.spec.losses import kernels as spec
from dpsco.spec.losses.kernels import KERNELS, Kernel, known
from dpsco.spec.losses.polynomial_kernel import PolynomialKernel

Array = Any
CODES = {name: number for number, name in enumerate(KERNELS)}
GAUSSIAN, LOGISTIC, UNIFORM, EPANECHNIKOV = range(4)
PEAK = 0.3989422804014327
SQUARED = np.array(
    [
        0.8966519776895315,
        0.11149465606636559,
        0.04126950738202469,
        -0.08957011180199584,
        0.0572343178011118,
        -0.021451929007718404,
        0.004911893649200359,
        -0.0004980695019312394,
        -6.738337823534966e-05,
        2.639518497941906e-05,
        -3.7842106944839027e-07,
        -9.77944027155942e-07,
        6.86940360422116e-08,
        3.868338530869645e-08,
        -3.5467657893537844e-09,
        -1.7645761374808486e-09,
        1.3271601400314463e-10,
        9.006450096999277e-11,
        -2.3620706353872824e-12,
        -4.777019323915465e-12,
        -2.1963535096552831e-13,
        2.408251056544323e-13,
        3.4841101543206354e-14,
        -1.0071200460061979e-14,
        -3.1699033762917537e-15,
        2.0873502206475369e-16,
        2.1942169367750688e-16,
        1.779482420927923e-17,
    ]
)
"""Chebyshev coefficients of (1 + a^2) gap(a) / phi(a) for the Gaussian kernel, in s = (a - 4)/(a + 4), a from 0 to infinity."""


def code(kernel: str) -> int:
    """The int that stands for a kernel's name in compiled code; ValueError for another name."""
    if kernel not in CODES:
        raise known(kernel)
    return CODES[kernel]


def argument(kernel: Kernel) -> Which:
    """What stands for a kernel in compiled code: the int of a name, the table of a kernel of one's own."""
    return table(kernel) if isinstance(kernel, PolynomialKernel) else code(kernel)


@kernel()
def gaussian_density(a: float, da: float) -> float:
    # a^2/2 in two parts, the first exact (24 bits squared), or exp would see its rounding error: up to 700 ulps
    if a > 40.0:
        return 0.0
    high = float(np.float32(a))
    return PEAK * math.exp(-0.5 * high * high) * math.exp(-0.5 * (a - high) * (a + high) - a * da)


@kernel()
def gaussian_ratio(a: float) -> float:
    """gap(a) / phi(a), between 1 and 1 / (1 + a^2) times a factor near 1; no cancellation at any a."""
    s = (a - 4.0) / (a + 4.0)
    b1, b2 = 0.0, 0.0
    for i in range(SQUARED.size - 1, 0, -1):
        b1, b2 = SQUARED[i] + 2.0 * s * b1 - b2, b1
    return (SQUARED[0] + s * b1 - b2) / (1.0 + a * a)


@kernel()
def density_at(which: Which, t: float, dt: float) -> float:
    """K(t + dt)."""
    if not isinstance(which, int):
        return polynomial_at(which, DENSITY, t, dt)
    a = abs(t)
    da = dt if t >= 0.0 else -dt
    if which == GAUSSIAN:
        return gaussian_density(a, da)
    if which == LOGISTIC:
        e = math.exp(-a) * (1.0 - da)
        return e / ((1.0 + e) * (1.0 + e))
    room = (1.0 - a) - da
    if room < 0.0:
        return 0.0
    return 0.5 if which == UNIFORM else 0.75 * min(1.0, room * (1.0 + a))


@kernel()
def bounded_tail(which: int, a: float, da: float) -> float:
    """`tail_at` of the kernels on [-1, 1]."""
    room = (1.0 - a) - da
    if room <= 0.0:
        return 0.0
    return 0.5 * room if which == UNIFORM else 0.25 * room * room * (2.0 + a)


@kernel()
def tail_at(which: Which, t: float, dt: float) -> float:
    """Integral of K from |t + dt| to infinity, at most one half."""
    if not isinstance(which, int):
        return polynomial_at(which, TAIL, t, dt)
    a = abs(t)
    da = dt if t >= 0.0 else -dt
    if which == GAUSSIAN:
        if a < 1.0:
            return 0.5 * math.erfc((a + da) * 0.7071067811865476)
        if a > 40.0:
            return 0.0
        # (phi - gap) / a, gap at most a third of phi: erfc would see the rounding of its argument, a^2 ulps
        return gaussian_density(a, da) * (1.0 - gaussian_ratio(a)) / a
    if which == LOGISTIC:
        e = math.exp(-a) * (1.0 - da)
        return e / (1.0 + e)
    return bounded_tail(which, a, da)


@kernel()
def rough_tail_at(which: Which, t: float) -> float:
    """`tail_at` up to an absolute error of some roundings, which is all that a gradient or a path feels; no library's erfc."""
    if not isinstance(which, int):
        return polynomial_at(which, TAIL, t, 0.0)
    if which == GAUSSIAN:
        return normal_tail(abs(t))[0]
    if which == LOGISTIC:
        e = exp_minus(abs(t))
        return e / (1.0 + e)
    return bounded_tail(which, abs(t), 0.0)


@kernel(fastmath={"contract"}, inline="always")
def rough_over(which: Which, t: Array, tails: Array, densities: Array) -> None:
    """Tail and density of each entry of t, both up to some roundings of their largest value: one loop a kernel, no branches."""
    if not isinstance(which, int):
        for i in range(t.size):
            tails[i], densities[i] = polynomial_at(which, TAIL, t[i], 0.0), polynomial_at(which, DENSITY, t[i], 0.0)
    elif which == GAUSSIAN:
        for i in range(t.size):
            tail, bell = normal_tail(abs(t[i]))
            tails[i], densities[i] = tail, PEAK * bell
    elif which == LOGISTIC:
        for i in range(t.size):
            e = exp_minus(abs(t[i]))
            share = 1.0 / (1.0 + e)
            tails[i], densities[i] = e * share, (e * share) * share
    else:
        flat = which == UNIFORM
        for i in range(t.size):
            room = 1.0 - abs(t[i])
            inside = 0.0 if room < 0.0 else room
            here = 0.0 if room < 0.0 else 1.0
            tails[i] = 0.5 * inside if flat else 0.25 * inside * inside * (3.0 - inside)
            densities[i] = 0.5 * here if flat else 0.75 * inside * (2.0 - inside)


@kernel()
def gap_at(which: Which, t: float, dt: float) -> float:
    """Half of E|t + dt + V| - |t + dt|."""
    if not isinstance(which, int):
        return polynomial_at(which, GAP, t, dt)
    a = abs(t)
    da = dt if t >= 0.0 else -dt
    if which == GAUSSIAN:
        if a < 0.5:  # less than half is subtracted; erfc is cheaper than the series, and closer here
            return gaussian_density(a, da) - 0.5 * a * math.erfc(a * 0.7071067811865476)
        return 0.0 if a > 40.0 else gaussian_density(a, da) * gaussian_ratio(a)
    if which == LOGISTIC:
        return math.log1p(math.exp(-a) * (1.0 - da))
    room = (1.0 - a) - da
    if room <= 0.0:
        return 0.0
    return 0.25 * room * room if which == UNIFORM else 0.0625 * room * room * room * (3.0 + a)


@kernel()
def integrated_at(which: Which, t: float, dt: float) -> float:
    """Integral of K from -infinity to t + dt."""
    tail = tail_at(which, t, dt)
    return tail if t < 0.0 else 1.0 - tail


@kernel()
def far_density_at(which: Which, t: float, dt: float, h: float) -> float:
    """K(t + dt) / h where K alone would underflow: the exponential in two halves, h between them."""
    if not isinstance(which, int):
        return polynomial_at(which, DENSITY, t, dt) / h
    a = abs(t)
    da = dt if t >= 0.0 else -dt
    if which == GAUSSIAN and a < 60.0:
        high = float(np.float32(a))
        half = math.exp(-0.25 * high * high)
        return (half / h) * half * PEAK * math.exp(-0.5 * (a - high) * (a + high) - a * da)
    if which == LOGISTIC and a < 1600.0:
        half = math.exp(-0.5 * a)
        return (half / h) * half * (1.0 - da)
    return 0.0


def density(kernel: Kernel, v: float) -> float:
    return float(density_at(argument(kernel), float(v), 0.0))


def integrated(kernel: Kernel, v: float) -> float:
    return float(integrated_at(argument(kernel), float(v), 0.0))


bind(density, spec.density)
bind(integrated, spec.integrated)
