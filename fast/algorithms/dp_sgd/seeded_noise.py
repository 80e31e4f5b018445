"""Noise by number in vector instructions: Threefry's words, the logarithm and the circle without a branch."""

import math
from typing import Any, Final

import numpy as np

from dpsco.fast.elementary import circle, log_of
from dpsco.fast.kernel import bind, kernel
from dpsco.spec.algorithms.dp_sgd import seeded_noise as spec

Array = Any
PARITY: Final = np.uint64(spec.PARITY)
NORMALS, DRAWS = np.uint64(spec.NORMALS), np.uint64(spec.DRAWS)
LOW: Final = np.uint64(2**32 - 1)
ONE, HALF = np.uint64(1), np.uint64(32)
ANGLE_BITS, ANGLE = np.uint64(spec.ANGLE_BITS), np.uint64(2**spec.ANGLE_BITS - 1)
ANGLE_UNIT, RADIUS_UNIT = 2.0**-spec.ANGLE_BITS, 2.0 ** (spec.ANGLE_BITS - 64)
AT_ONCE: Final = 512
"""Words made at a time: they stay in the core's first cache."""
R0, R1, R2, R3, R4, R5, R6, R7 = (np.uint64(turn) for turn in spec.ROTATIONS)
L0, L1, L2, L3, L4, L5, L6, L7 = (np.uint64(64 - turn) for turn in spec.ROTATIONS)
I1, I2, I3, I4, I5 = (np.uint64(i) for i in range(1, 6))


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
    """Threefry-2x64 of 20 rounds; everything np.uint64."""
    third = PARITY ^ key ^ stream
    a, b = counter + key, use + stream
    a, b = four(a, b, (R0, R1, R2, R3), (L0, L1, L2, L3))
    a, b = a + stream, b + third + I1
    a, b = four(a, b, (R4, R5, R6, R7), (L4, L5, L6, L7))
    a, b = a + third, b + key + I2
    a, b = four(a, b, (R0, R1, R2, R3), (L0, L1, L2, L3))
    a, b = a + key, b + stream + I3
    a, b = four(a, b, (R4, R5, R6, R7), (L4, L5, L6, L7))
    a, b = a + stream, b + third + I4
    a, b = four(a, b, (R0, R1, R2, R3), (L0, L1, L2, L3))
    return a + third, b + key + I5


@kernel()
def fill_words(use: Any, key: Any, stream: Any, counter: Any, found: Array) -> None:
    """The words of that counter and the next ones; `found` has room for whole pairs."""
    for i in range(found.size // 2):
        found[2 * i], found[2 * i + 1] = words(counter + np.uint64(i), use, key, stream)


@kernel(fastmath={"contract"})
def box_muller(w: Array, found: Array) -> None:
    """Two normal numbers of each word."""
    for i in range(w.size):
        size = math.sqrt(-2.0 * log_of(float((w[i] >> ANGLE_BITS) + ONE) * RADIUS_UNIT))
        x, y = circle(float(w[i] & ANGLE) * ANGLE_UNIT)
        found[2 * i] = size * x
        found[2 * i + 1] = size * y


@kernel()
def fill_normals(key: Any, stream: Any, counter: Any, found: Array) -> None:
    """Normal numbers from that counter on, four a counter; `found` has room for whole fours."""
    w = np.empty(AT_ONCE, dtype=np.uint64)
    for start in range(0, found.size, 2 * AT_ONCE):  # words first: a loop of both is too long for its turns to overlap
        some = found[start : start + 2 * AT_ONCE]
        fill_words(NORMALS, key, stream, counter + np.uint64(start // 4), w[: some.size // 2])
        box_muller(w[: some.size // 2], some)


@kernel()
def fill_draws(key: Any, stream: Any, counter: Any, n: Any, found: Array) -> None:
    """Draws from that counter on, two a counter; n a np.uint64 below 2^32, `found` integers with room for whole pairs."""
    w = np.empty(found.size, dtype=np.uint64)
    fill_words(DRAWS, key, stream, counter, w)
    for i in range(w.size):  # the product of 96 bits in two halves, so that none of it is lost
        found[i] = np.int64(((w[i] >> HALF) * n + (((w[i] & LOW) * n) >> HALF)) >> HALF)


def normals(seed: int, stream: int, first: int, count: int) -> Array:
    (key, branch), places = map(np.uint64, spec.key(seed, stream)), spec.places(first, count)
    found = np.empty(_room(4, places))
    return _cut(4, places, found, lambda counter, found: fill_normals(key, branch, counter, found))


def draws(seed: int, stream: int, first: int, count: int, n: int) -> Array:
    (key, branch), places = map(np.uint64, spec.key(seed, stream, records=n)), spec.places(first, count)
    found = np.empty(_room(2, places), dtype=np.int64)
    return _cut(2, places, found, lambda counter, found: fill_draws(key, branch, counter, np.uint64(n), found))


def _room(each: int, places: range) -> int:
    """Numbers of the counters that the range touches, `each` a counter."""
    return int(each * (-(-places.stop // each) - places.start // each))


def _cut(each: int, places: range, found: Array, fill: Any) -> Array:
    """Those of the range, out of all that its counters give."""
    fill(np.uint64(places.start // each), found)
    return found[places.start % each : places.start % each + len(places)]


bind(normals, spec.normals)
bind(draws, spec.draws)
