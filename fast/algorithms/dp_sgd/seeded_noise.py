"""Noise by number in vector instructions: Threefry's words, the logarithm and a quarter of the circle without a branch."""

import math
from typing import Any, Final

import numpy as np

from dpsco.fast.elementary import log_of, quarter_turn
from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.dp_sgd import seeded_noise as spec

Array = Any
PARITY: Final = np.uint64(spec.PARITY)
NORMALS, DRAWS = np.uint64(spec.NORMALS), np.uint64(spec.DRAWS)
LOW: Final = np.uint64(2**32 - 1)
HALF = np.uint64(32)
RADIUS, MIDDLE = np.uint64(2**64 - 2**24), np.uint64(2**23)
"""The bits of a word that choose the radius, and the half that is added to them."""
ANGLE, ODD = np.uint64(2**23 - 2), np.uint64(0x4330000000000001)
"""The bits that choose the angle, and the bits of the double 2^52 + 1: together 2^52 + 2 b + 1."""
RADIUS_UNIT, ANGLE_UNIT, ANGLE_START = 2.0**-64, 2.0**-23, 2.0**29 + 0.5
SIGN, LAST, OTHER = np.uint64(2**63), np.uint64(63), np.uint64(40)
"""A double's sign, and the shifts that bring a word's two bits for signs there."""
WORDS: Final = 512
"""Words made at a time: they stay in the core's first cache."""
R0, R1, R2, R3, R4, R5, R6, R7 = (np.uint64(turn) for turn in spec.ROTATIONS)
L0, L1, L2, L3, L4, L5, L6, L7 = (np.uint64(64 - turn) for turn in spec.ROTATIONS)
I1, I2, I3 = (np.uint64(i) for i in range(1, 4))


@kernel(forceinline=True)
def four(a: Any, b: Any, turns: Any, back: Any) -> tuple[Any, Any]:
    """Four rounds: add, rotate, exclusive or."""
    a = a + b
    b = ((b << turns[0]) | (b >> back[0])) ^ a
    a = a + b
    b = ((b << turns[1]) | (b >> back[1])) ^ a
    a = a + b
    b = ((b << turns[2]) | (b >> back[2])) ^ a
    a = a + b
    b = ((b << turns[3]) | (b >> back[3])) ^ a
    return a, b


@kernel(forceinline=True)
def words(counter: Any, use: Any, key: Any, stream: Any) -> tuple[Any, Any]:
    """Threefry-2x64 of 13 rounds; everything np.uint64."""
    third = PARITY ^ key ^ stream
    a, b = counter + key, use + stream
    a, b = four(a, b, (R0, R1, R2, R3), (L0, L1, L2, L3))
    a, b = a + stream, b + third + I1
    a, b = four(a, b, (R4, R5, R6, R7), (L4, L5, L6, L7))
    a, b = a + third, b + key + I2
    a, b = four(a, b, (R0, R1, R2, R3), (L0, L1, L2, L3))
    a, b = a + key, b + stream + I3
    a = a + b
    return a, ((b << R4) | (b >> L4)) ^ a


@kernel()
def fill_words(use: Any, key: Any, stream: Any, counter: Any, found: Array) -> None:
    """The words of that counter and the next ones; `found` has room for whole pairs."""
    for i in range(found.size // 2):
        found[2 * i], found[2 * i + 1] = words(counter + np.uint64(i), use, key, stream)


@kernel(forceinline=True)
def signed(x: float, bit: Any) -> float:
    """x, with the other sign where the first bit is set; no other may be."""
    return np.uint64(np.float64(x).view(np.uint64) ^ bit).view(np.float64)


@kernel(fastmath={"contract"})
def box_muller(w: Array, found: Array) -> None:
    """Two normal numbers of each word.

    The angle is an eighth of the circle and pi f/2: so 2^(1/2) of its cosine is cos(pi f/2) - sin(pi f/2), and the root of
    two goes into the radius. Bits are set, not added: the vector of ones that stands for an added bit would be made anew
    from a register of the turn before, and every turn would wait for that.
    """
    for i in range(w.size):
        size = math.sqrt(-log_of(float((w[i] & RADIUS) | MIDDLE) * RADIUS_UNIT))
        x, y = quarter_turn(np.uint64((w[i] & ANGLE) | ODD).view(np.float64) * ANGLE_UNIT - ANGLE_START)
        found[2 * i] = signed(size * (x - y), (w[i] << LAST) & SIGN)
        found[2 * i + 1] = signed(size * (x + y), (w[i] << OTHER) & SIGN)


@kernel()
def fill_normals(key: Any, stream: Any, counter: Any, w: Array, found: Array) -> None:
    """Normal numbers from that counter on, four a counter; `found` has room for whole fours, w for `WORDS` words."""
    for start in range(0, found.size, 2 * WORDS):  # words first: a loop of both is too long for its turns to overlap
        some = found[start : start + 2 * WORDS]
        fill_words(NORMALS, key, stream, counter + np.uint64(start // 4), w[: some.size // 2])
        box_muller(w[: some.size // 2], some)


@kernel()
def fill_draws(key: Any, stream: Any, counter: Any, n: Any, w: Array, found: Array) -> None:
    """Draws from that counter on, two a counter; n a np.uint64 below 2^32, `found` integers with room for whole pairs.

    w: room for as many words.
    """
    fill_words(DRAWS, key, stream, counter, w[: found.size])
    for i in range(found.size):  # the product of 96 bits in two halves, so that none of it is lost
        found[i] = np.int64(((w[i] >> HALF) * n + (((w[i] & LOW) * n) >> HALF)) >> HALF)


def normals(seed: int, stream: int, first: int, count: int) -> Array:
    (key, branch), places = map(np.uint64, spec.key(seed, stream)), spec.places(first, count)
    found, w = np.empty(_room(4, places)), np.empty(WORDS, dtype=np.uint64)
    return _cut(4, places, found, lambda counter, found: fill_normals(key, branch, counter, w, found))


def draws(seed: int, stream: int, first: int, count: int, n: int) -> Array:
    (key, branch), places = map(np.uint64, spec.key(seed, stream, records=n)), spec.places(first, count)
    found = np.empty(_room(2, places), dtype=np.int64)
    w = np.empty(found.size, dtype=np.uint64)
    return _cut(2, places, found, lambda counter, found: fill_draws(key, branch, counter, np.uint64(n), w, found))


def _room(each: int, places: range) -> int:
    """Numbers of the counters that the range touches, `each` a counter."""
    return int(each * (-(-places.stop // each) - places.start // each))


def _cut(each: int, places: range, found: Array, fill: Any) -> Array:
    """Those of the range, out of all that its counters give."""
    fill(np.uint64(places.start // each), found)
    return found[places.start % each : places.start % each + len(places)]


bind(normals, spec.normals)
bind(draws, spec.draws)
