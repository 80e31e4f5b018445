"""The branch-free functions: each bound is proved by running its polynomial on series and on enclosed errors, and is met."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from flint import arb, arb_series, ctx
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast import elementary as fast
from dpsco.fast.elementary import BELL_BOUND, CENTRE, CIRCLE_BOUND, END, EXP_BOUND, LOG_BOUND, TAIL_BOUND
from dpsco.reference.numbers.mp import mp

U = 2.0**-53
ORDER, PIECES = 16, 65
NEAR = 0.34657359028 + 1e-12
"""|r| after the reduction: half of ln 2, and what the rounding of 708/ln 2 adds to it."""
LOG_END = 0.1715729
BALL = arb(0, 1)
exp_near_zero, tail_ratio, log_ratio, quarter_turn = (
    getattr(f, "py_func", f) for f in (fast.exp_near_zero, fast.tail_ratio, fast.log_ratio, fast.quarter_turn)
)


@pytest.fixture(autouse=True)
def precise():
    before = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = 240, ORDER + 1
    yield
    ctx.prec, ctx.cap = before


def pieces(low, high, count=PIECES):
    """Centre and radius of subintervals that cover [low, high]; the middle one of a symmetric interval is centred at 0."""
    radius = (arb(high) - arb(low)) / (2 * count)
    return [(arb(low) + radius * (2 * i + 1) if low + high or i != count // 2 else arb(0), radius) for i in range(count)]


def up(x):
    return math.nextafter(float(x.abs_upper()), math.inf)


def approximation(difference, centre, radius, power=0):
    """Upper bound of |difference(x)|/|x|^power on the piece, for a difference whose zero at 0 is of that order."""
    here, over = (difference(arb_series([x, 1])) for x in (centre, centre + radius * BALL))
    sizes = [abs(here[k]) for k in range(ORDER)] + [abs(over[ORDER])]
    if power and centre == 0:
        return up(sum((size * radius ** (k - power) for k, size in enumerate(sizes) if k >= power), start=arb(0)))
    total = sum((size * radius**k for k, size in enumerate(sizes)), start=arb(0))
    return up(total / ((centre + radius * BALL) ** power if power else 1))


@dataclass(frozen=True)
class Rounded:
    """A number enclosed in `value`, known with an error of at most `off`: every operation adds 2^-53 of its result."""

    value: arb
    off: float = 0.0

    def made(self, value, off):
        return Rounded(value, (off + U * (up(value) + off)) * (1 + 1e-12))

    def __add__(self, other):
        b = other if isinstance(other, Rounded) else Rounded(arb(other))
        return self.made(self.value + b.value, self.off + b.off)

    def __mul__(self, other):
        b = other if isinstance(other, Rounded) else Rounded(arb(other))
        return self.made(self.value * b.value, self.off * up(b.value) + b.off * up(self.value) + self.off * b.off)

    __radd__, __rmul__ = __add__, __mul__


class Exact:
    """A series that takes doubles as exact numbers."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Exact(self.value + (other.value if isinstance(other, Exact) else arb(other)))

    def __mul__(self, other):
        return Exact(self.value * (other.value if isinstance(other, Exact) else arb(other)))

    __radd__, __rmul__ = __add__, __mul__


def exp_error(polynomial=exp_near_zero):
    """Largest error of `exp_minus`, relative in units of 2^-53 and in units of the last place.

    It is the polynomial's, its roundings', and what r is off.

    -x - k LN2_HIGH is exact: the product is, and where k is not zero x lies between half and twice of it (Sterbenz; x is at
    least ln(2)/2 (1 - 2^-52) there, and LN2_HIGH/2 is 1e-10 below that). So r is off by one rounding of its own and by those
    of k LN2_LOW, below 2e-7 of one; and e^r by as much, relatively.
    """
    relative = last = 0.0
    for centre, radius in pieces(-NEAR, NEAR):
        r = centre + radius * BALL
        off = approximation(lambda x: polynomial(Exact(x)).value - x.exp(), centre, radius)
        now = (off + polynomial(Rounded(r)).off) / float(r.exp().lower()) + U * (up(r) + 1e-6)
        relative = max(relative, now)
        last = max(last, now * up(r.exp()) / (2.0 if r > 0 else 1.0))
    return relative / U, last / U


def test_exp_is_proved():
    relative, last = exp_error()
    assert relative <= EXP_BOUND
    assert last <= 2.0


def test_negative_control_a_digit_less_is_seen():
    def blunt(r):
        return exp_near_zero(r) + r * r * 1e-14

    assert exp_error(blunt)[0] > EXP_BOUND


def test_tail_is_proved():
    exponential, worst = EXP_BOUND * U, 0.0
    assert up(arb(END).erfc()) < 1e-30 < (-(arb(END) ** 2) / 2).exp(), "beyond, the tail and its value are below 2e-18"
    for centre, radius in pieces(0.0, END, 90):
        a = centre + radius * BALL
        bell, square = (-a * a / 2).exp(), up(a * a / 2)
        # s is a quotient of two rounded numbers: three roundings
        s_centre, s = ((x - CENTRE) / (x + CENTRE) for x in (centre, a))
        s_radius = (s - s_centre).abs_upper()

        def difference(x):
            at = (x + 1) * CENTRE / (1 - x)
            return tail_ratio(Exact(x)).value - (at * at / 2).exp() * (at / arb(2).sqrt()).erfc() / 2

        off = approximation(difference, s_centre, s_radius)
        ratio = tail_ratio(Rounded(s))
        moved = 3.01 * U * up(s) * up(tail_ratio(Exact(arb_series([s, 1]))).value[1])
        relative = exponential + U * square * 1.001
        worst = max(worst, up(bell) * (off + ratio.off + moved + up(ratio.value) * (relative + 1.001 * U)))
        assert up(bell) * relative <= BELL_BOUND * U
    assert worst <= TAIL_BOUND * U
    assert up((-(arb(END) ** 2) / 2).exp()) * (END**2 / 2 + 3) <= 1.0


def test_log_is_proved():
    for centre, radius in pieces(-LOG_END, LOG_END):
        s = centre + radius * BALL

        def difference(x):
            return log_ratio(Exact(x)).value - ((1 + x) / (1 - x)).log()

        off = approximation(difference, centre, radius, power=1)  # relative to s; |ln| >= 2 |s|
        relative = log_relative(s)
        if centre <= 0:
            assert off / 2 + relative <= (LOG_BOUND - 1) * U
        w = ((1 + s) / (1 - s)).log()
        mine = (off / 2 + relative) * up(w)
        for k in (-1, -2, -3, -1022):
            total = Rounded(arb(k) * arb(fast.LN2_HIGH)) + (
                Rounded(w, mine) + Rounded(arb(k) * arb(fast.LN2_LOW), 3e-10 * U * -k)
            )
            assert total.off <= LOG_BOUND * U * float(abs(k * arb(2).log() + w).lower())


def log_relative(s):
    """Relative rounding of `log_ratio` at an s of relative error 2 u: s factors out of both terms."""
    z = Rounded(s * s, up(s * s) * 5.1 * U)
    q = log_ratio_bracket(z)
    return 2.01 * U + q.off / 2


def log_ratio_bracket(z):
    """2 + z q(z) as `log_ratio` computes it, s divided out: s 2 is exact, s z and (s z) q and the sum are rounded."""
    q = z * fast.LOG[6] + fast.LOG[5]
    for i in range(4, -1, -1):
        q = q * z + fast.LOG[i]
    return (z * 1.0) * q + 2.0


def test_quarter_turn_is_proved():
    for centre, radius in pieces(-0.5, 0.5):
        f = centre + radius * BALL
        for part, exact in ((0, arb_series.cos), (1, arb_series.sin)):
            off = approximation(lambda x: quarter_turn(Exact(x))[part].value - exact(x * arb.pi() / 2), centre, radius)  # noqa: B023
            assert off + quarter_turn(Rounded(f))[part].off <= CIRCLE_BOUND * U


def ulps(found, exact, size):
    return float(abs(found - exact) / size) / U


M = mp(60)


@given(st.floats(0, 708))
def test_bounds_are_met(a):
    m = M.mp
    assert ulps(fast.exp_minus(a), m.exp(-m.mpf(a)), m.exp(-m.mpf(a))) <= EXP_BOUND
    tail, bell = fast.normal_tail(a)
    assert ulps(tail, m.erfc(m.mpf(a) / m.sqrt(2)) / 2, 1) <= TAIL_BOUND
    assert ulps(bell, m.exp(-(m.mpf(a) ** 2) / 2), 1) <= BELL_BOUND
    x = max(a / 708, 2.0**-1022)
    if x < 1:
        assert ulps(fast.log_of(x), m.log(m.mpf(x)), -m.log(m.mpf(x))) <= LOG_BOUND
    f = a / 708 - 0.5
    cosine, sine = fast.quarter_turn(f)
    angle = m.pi * m.mpf(f) / 2
    assert max(ulps(cosine, m.cos(angle), 1), ulps(sine, m.sin(angle), 1)) <= CIRCLE_BOUND


@pytest.mark.parametrize("a", [708.0, 709.0, 1e9, 1e300, math.inf])
def test_far_out_nothing_is_denormal_or_wrong(a):
    assert 0.0 < fast.exp_minus(a) < 4e-308
    assert 0.0 <= fast.normal_tail(a)[0] < 1e-300


def test_exact_places_and_no_number():
    assert (fast.exp_minus(0.0), fast.exp_minus(5e-324), fast.log_of(1.0)) == (1.0, 1.0, 0.0)
    assert fast.normal_tail(0.0)[1] == 1.0
    assert fast.quarter_turn(0.0) == (1.0, 0.0)
    assert math.isnan(fast.exp_minus(math.nan))
    assert all(map(math.isnan, fast.normal_tail(math.nan)))


def test_the_machine_rounds_as_the_proof_assumes():
    a = np.linspace(0, 40, 4001)
    exact = [M.mp.exp(-M.mp.mpf(x)) for x in a]
    worst = max(ulps(fast.exp_minus(x), e, e) for x, e in zip(a, exact, strict=True))
    assert 0.5 < worst <= EXP_BOUND
