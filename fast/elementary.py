"""Elementary functions without branches or libraries, for loops over arrays: the compiler turns them into vector instructions.

Each is a reduction to a short interval and one polynomial (coefficients by weighted least squares at Chebyshev's nodes, here
in doubles). Each has a bound on its error that the tests prove by running the polynomial's own source twice on subintervals
that cover the interval. On Taylor series in ball arithmetic: the distance to the function is at most the sum of its
coefficients' sizes at the centre times powers of the radius, the last coefficient enclosed over the whole subinterval.
On pairs of an enclosure and an error: every operation adds 2^-53 of its result. Operations may be fused ("contract"), which
only removes roundings; none is reordered. NaN gives NaN (`log_of` and `quarter_turn` are for finite numbers). Nothing raises.
"""

from typing import Final

import numpy as np

from dpsco.fast.kernel import kernel

LOG2_E: Final = 1.4426950408889634
LN2_HIGH: Final = 0.6931471803691238
"""ln 2 cut off after 32 bits: a product with an integer below 2^21 is exact."""
LN2_LOW: Final = 1.9082149292705877e-10
TO_INTEGER: Final = 6755399441055744.0
"""1.5 x 2^52: a number below 2^51 that is added to it is rounded to an integer, which stands in the sum's last bits."""
LARGEST: Final = 708.0
"""e^-a stays at e^-708 = 3.3e-308 from here on: no result is denormal."""
EXP: Final = (
    0.5000000000000012,
    0.16666666666666685,
    0.04166666666651988,
    0.008333333333316637,
    0.0013888888946084978,
    0.00019841269897324132,
    2.480149072940899e-05,
    2.755723396217799e-06,
    2.763104769991692e-07,
    2.511233838326136e-08,
)
"""(e^r - 1 - r)/r^2 for |r| <= ln(2)/2, powers of r from the constant on."""
CENTRE, END = 4.0, 9.0
RATIO: Final = (
    0.09441064130196945,
    -0.17039772154840288,
    0.12437925534032612,
    -0.07170740733490565,
    0.030864803954867837,
    -0.00849209793454235,
    0.0005075423688069092,
    0.0006387121699000698,
    -0.0001875510504808614,
    -4.651627633465286e-05,
    2.678614401684476e-05,
    1.962861248568805e-06,
    -7.087426986641279e-06,
    -2.846859036109882e-06,
    -2.2720888377121863e-07,
    9.841585553129196e-08,
    2.0070146640515142e-08,
)
"""Normal tail(a) e^(a^2/2) in powers of s = (a - 4)/(a + 4), for a from 0 to 9."""
LOG: Final = (
    0.6666666666666731,
    0.3999999999943539,
    0.28571428738432053,
    0.22222198934126838,
    0.18183547279697146,
    0.15314452732437356,
    0.14792199561125252,
)
"""(2 artanh s - 2 s)/s^3 in powers of s^2, |s| <= (2^(1/2) - 1)/(2^(1/2) + 1)."""
SINE: Final = (
    1.5707963267948966,
    -0.6459640975062443,
    0.07969262624604304,
    -0.004681754132341619,
    0.00016044115074714992,
    -3.5986433706134926e-06,
    5.633936132273839e-08,
)
"""sin(pi f/2)/f in powers of f^2, |f| <= 1/2."""
COSINE: Final = (
    -1.2337005501361697,
    0.253669507901047,
    -0.02086348076331646,
    0.0009192602742358967,
    -2.5202037051831137e-05,
    4.7106173325241e-07,
    -6.322076572399521e-09,
)
"""(cos(pi f/2) - 1)/f^2 in powers of f^2, |f| <= 1/2."""
HALF_OF_BITS: Final = np.int64(0x3FE6A09E667F3BCD)
"""The bits of 2^(-1/2)."""

EXP_BOUND: Final = 2.3
"""Of `exp_minus`, in units of 2^-53 of the value, for 0 <= a <= 708; it is less than two units of the value's last place."""
TAIL_BOUND: Final = 6.5
"""Of `normal_tail`'s first number, in units of 2^-53, absolute, for every a >= 0."""
BELL_BOUND: Final = 2.4
"""Of its second, likewise."""
LOG_BOUND: Final = 8.0
"""Of `log_of`, in units of 2^-53 of the value, for normal doubles up to 1."""
CIRCLE_BOUND: Final = 3.0
"""Of `quarter_turn`'s two numbers, in units of 2^-53, absolute."""


@kernel(fastmath={"contract"}, forceinline=True)
def exp_near_zero(r: float) -> float:
    """e^r for |r| <= ln(2)/2, by pairs of powers (Estrin): for a single number, steps need not wait for each other."""
    s = r * r
    low = (EXP[0] + r * EXP[1]) + s * (EXP[2] + r * EXP[3])
    high = ((EXP[4] + r * EXP[5]) + s * (EXP[6] + r * EXP[7])) + s * s * (EXP[8] + r * EXP[9])
    return (r + s * (low + s * s * high)) + 1.0


@kernel(fastmath={"contract"}, forceinline=True)
def tail_ratio(s: float) -> float:
    """Normal tail(a) e^(a^2/2) at s = (a - 4)/(a + 4)."""
    q = s * RATIO[16] + RATIO[15]
    for i in range(14, -1, -1):
        q = q * s + RATIO[i]
    return q


@kernel(fastmath={"contract"}, forceinline=True)
def log_ratio(s: float) -> float:
    """ln((1 + s)/(1 - s)) for |s| < 0.1716."""
    z = s * s
    q = z * LOG[6] + LOG[5]
    for i in range(4, -1, -1):
        q = q * z + LOG[i]
    return s * 2.0 + s * z * q


@kernel(fastmath={"contract"}, forceinline=True)
def quarter_turn(f: float) -> tuple[float, float]:
    """cos(pi f/2) and sin(pi f/2) for |f| <= 1/2."""
    z = f * f
    p, q = z * SINE[6] + SINE[5], z * COSINE[6] + COSINE[5]
    for i in range(4, -1, -1):
        p = p * z + SINE[i]
        q = q * z + COSINE[i]
    return z * q + 1.0, f * p


@kernel(fastmath={"contract"}, forceinline=True)
def exp_minus(a: float) -> float:
    """e^-a for a >= 0, and e^-708 for a > 708."""
    x = LARGEST if a > LARGEST else a
    shifted = TO_INTEGER - x * LOG2_E
    k = shifted - TO_INTEGER
    r = (-x - k * LN2_HIGH) - k * LN2_LOW
    power = np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)
    return exp_near_zero(r) * power


@kernel(fastmath={"contract"}, forceinline=True)
def normal_tail(a: float) -> tuple[float, float]:
    """The standard normal law's mass beyond a >= 0, and e^(-a^2/2)."""
    bell = exp_minus((0.5 * a) * a)
    x = END if a > END else a
    return bell * tail_ratio((x - CENTRE) / (x + CENTRE)), bell


@kernel(fastmath={"contract"}, forceinline=True)
def log_of(x: float) -> float:
    """ln x for normal positive x."""
    bits = np.float64(x).view(np.int64)
    k = (bits - HALF_OF_BITS) >> 52
    f = np.int64(bits - (k << 52)).view(np.float64) - 1.0
    return k * LN2_HIGH + (log_ratio(f / (2.0 + f)) + k * LN2_LOW)
