"""A draw from an interval whose exponent is quadratic or linear, in doubles: the inverse distribution function.

Taken in the tail that keeps its digits. With z = (t + p/q) sqrt(q) the interval is [a, b].
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpsco.fast.algorithms.exponential_sampling.mechanism import cut
from dpsco.fast.kernel import kernel
from dpsco.spec.algorithms.exponential_sampling import conditional as spec

ROOT_HALF = 0.7071067811865476
ROOT_HALF_LOW = -4.833646656726457e-17
CELLS, DEGREE, TABLE_END = 16, 11, 8.0
"""Cells of the table of tails to a unit of z, degree of its polynomials, and where it ends."""
NODES, WEIGHTS = (part.astype(np.float64) for part in np.polynomial.legendre.leggauss(10))


@kernel()
def from_tail(p: float) -> float:
    """z >= 0 with P(N(0, 1) > z) = p <= 1/2. Source: Wichura, algorithm AS 241 (PPND16)."""
    q = 0.5 - p
    if q <= 0.425:
        r = 0.180625 - q * q
        top = (
            (
                (((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r + 45921.953931549871457)
                * r
                + 13731.693765509461125
            )
            * r
            + 1971.5909503065514427
        ) * r + 133.14166789178437745
        low = (
            (
                (((5226.495278852545925 * r + 28729.085735721942674) * r + 39307.89580009271061) * r + 21213.794301586595867)
                * r
                + 5394.1960214247511077
            )
            * r
            + 687.1870074920579083
        ) * r + 42.313330701600911252
        return q * (top * r + 3.387132872796366608) / (low * r + 1.0)
    r = math.sqrt(-math.log(p))
    if r <= 5.0:
        r -= 1.6
        top = (
            (
                (
                    ((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r
                    + 1.27045825245236838258
                )
                * r
                + 3.64784832476320460504
            )
            * r
            + 5.7694972214606914055
        ) * r + 4.6303378461565452959
        low = (
            (
                (
                    ((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r
                    + 0.14810397642748007459
                )
                * r
                + 0.68976733498510000455
            )
            * r
            + 1.6763848301838038494
        ) * r + 2.05319162663775882187
        return (top * r + 1.42343711074968357734) / (low * r + 1.0)
    r -= 5.0
    top = (
        (
            (
                ((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r
                + 0.026532189526576123093
            )
            * r
            + 0.29656057182850489123
        )
        * r
        + 1.7848265399172913358
    ) * r + 5.4637849111641143699
    low = (
        (
            (
                ((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r
                + 7.868691311456132591e-4
            )
            * r
            + 0.0148753612908506148525
        )
        * r
        + 0.13692988092273580531
    ) * r + 0.59983220655588793769
    return (top * r + 6.6579046435011037772) / (low * r + 1.0)


def expansions() -> Any:
    """Of P(N(0, 1) > z) around the middle of each cell: derivatives by Hermite's polynomials, the value by erfc.

    Where z/sqrt(2) is rounded, the value is moved back by what was lost, so that it is good to its last bits.
    """
    found = np.empty((int(TABLE_END * CELLS), DEGREE + 1))
    for i, row in enumerate(found):
        z = (i + 0.5) / CELLS
        x, density = z * ROOT_HALF, math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        lost = float(Fraction(z) * Fraction(ROOT_HALF) - Fraction(x)) + z * ROOT_HALF_LOW
        row[0] = 0.5 * math.erfc(x) - math.sqrt(2.0) * density * lost
        before, now, factorial = 0.0, 1.0, 1.0
        for n in range(1, DEGREE + 1):
            factorial *= -n
            row[n] = now * density / factorial
            before, now = now, z * now - (n - 1) * before
    return found


TABLE = expansions()


@kernel()
def half_tail(z: float) -> float:
    """P(N(0, 1) > z) for z >= 0, relative error up to z^2 2^-53. Source: Taylor; Cody 1969 from 8 on, with one exponential."""
    if z < TABLE_END:
        i = int(z * CELLS)
        c, h = TABLE[i], z - (i + 0.5) / CELLS
        g = h * h
        low = c[1] + h * c[2] + g * (c[3] + h * c[4])
        high = c[5] + h * c[6] + g * (c[7] + h * c[8]) + g * g * (c[9] + h * c[10] + g * c[11])
        return c[0] + h * (low + g * g * high)
    x = z * ROOT_HALF
    if z > 37.0:
        return 0.5 * math.erfc(x)
    s = 1.0 / (x * x)
    top = (
        (((0.0163153871373020978 * s + 0.305326634961232344) * s + 0.360344899949804439) * s + 0.125781726111229246) * s
        + 0.0160837851487422766
    ) * s + 6.58749161529837803e-4
    low = ((((s + 2.56852019228982242) * s + 1.87295284992346725) * s + 0.527905102951428412) * s + 0.0605183413124413191) * s
    return 0.5 * math.exp(-x * x) * (0.56418958354775628695 - s * top / (low + 0.00233520497626869185)) / x


@kernel()
def mills(z: float) -> float:
    """P(N > z)/density(z) for z >= 5."""
    if z < 26.0:
        return 1.2533141373155003 * math.erfc(z * ROOT_HALF) * math.exp(0.5 * z * z)
    s = 1.0 / (z * z)
    return (1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s * (1.0 - 7.0 * s * (1.0 - 9.0 * s * (1.0 - 11.0 * s)))))) / z


@kernel()
def far_out(a: float, width: float, u: float, v: float) -> float:
    """z - a for the share u = 1 - v of [a, a + width], a >= 5: Newton's method on the logarithm of the tail."""
    here = mills(a)
    last = math.exp(-width * (a + 0.5 * width)) * (mills(a + width) / here) if width * (a + 0.5 * width) < 745.0 else 0.0
    lost = 1.0 - last
    wanted = -math.log1p(-u * lost) if u * lost < 0.5 else -math.log(v + u * last)
    y = 2.0 * wanted / (a + math.sqrt(a * a + 2.0 * wanted))
    for _ in range(6):
        there = mills(a + y)
        move = (y * (a + 0.5 * y) - math.log(there / here) - wanted) * there
        y -= move
        if abs(move) <= 1e-16 * (a + y):
            break
    return min(max(y, 0.0), width)


@kernel()
def narrow(p: float, q: float, width: float, u: float) -> float:
    """t in [0, width] where the exponent p t + q t^2/2 hardly changes: Newton's method on a quadrature that is exact there."""
    whole = 0.0
    for i in range(10):
        s = 0.5 * width * (1.0 + NODES[i])
        whole += WEIGHTS[i] * math.exp(-s * (p + 0.5 * q * s))
    wanted, t = u * whole * width, u * width
    for _ in range(7):
        below = 0.0
        for i in range(10):
            s = 0.5 * t * (1.0 + NODES[i])
            below += WEIGHTS[i] * math.exp(-s * (p + 0.5 * q * s))
        move = (t * below - wanted) * 0.5 * math.exp(t * (p + 0.5 * q * t))
        t = min(max(t - move, 0.0), width)
        if abs(move) <= 1e-16 * width:
            break
    return t


@kernel()
def scaled(p: float, q: float, low: float, high: float, u: float, root: float, unit: float) -> float:
    """t with the share u below it, for q > 0, root = sqrt(q) and unit = 1/root being known."""
    shift, v = p * unit, 1.0 - u
    a, b = low * root + shift, high * root + shift
    if a > 5.0 or b < -5.0 or b - a < 0.3:
        width, first, last = high - low, p + q * low, p + q * high
        if width * max(abs(first), abs(last)) < 2.0:
            return low + narrow(first, q, width, u)
        if a > 5.0:
            return low + far_out(first * unit, width * root, u, v) * unit
        if b < -5.0:
            return high - far_out(-last * unit, width * root, v, u) * unit
    # shares of both tails: sums of positive numbers
    least, most = half_tail(abs(a)), half_tail(abs(b))
    below_a, above_a = (1.0 - least, least) if a > 0.0 else (least, 1.0 - least)
    below_b, above_b = (1.0 - most, most) if b > 0.0 else (most, 1.0 - most)
    left, right = v * below_a + u * below_b, v * above_a + u * above_b
    z = from_tail(min(left, right))
    z = -z if left < right else z
    return min(max((z - shift) * unit, low), high)


@kernel(spec.conditional)
def conditional(p: float, q: float, low: float, high: float, uniform: float) -> float:
    u = uniform
    if q <= 0.0:
        return low + (high - low) * cut(p * (high - low), u, 1.0 - u)
    root = math.sqrt(q)
    return scaled(p, q, low, high, u, root, 1.0 / root)
