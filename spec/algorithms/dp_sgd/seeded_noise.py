"""Noise by number: the i-th normal number and the i-th draw of a record as functions of a seed, a stream and i.

For experiments whose noise is too large to store and too much for a generator that gives one number after the other: any part
can be computed alone, in vector instructions, and replayed. Anyone who knows the seed knows the noise: nothing is private.
The words come from the block cipher Threefry with two words of 64 bits, of a counter under a key (Salmon, Moraes, Dror and
Shaw 2011, Parallel random numbers: as easy as 1, 2, 3); the normal numbers from Box and Muller's map. Of its rounds there are
thirteen: the fewest with which its authors found no failure in BigCrush; twenty, their default, are for more margin.
"""

from random import Random
from typing import Final

from dpsco.spec.contract import SUM_SCALED, ULPS, Inputs, between, contract

ROTATIONS: Final = (16, 42, 12, 31, 16, 32, 24, 21)
"""Bits by which the second word is rotated, round after round."""
ROUNDS: Final = 13
PARITY: Final = 0x1BD11BDAA9FC1A22
RADIUS_BITS: Final = 40
"""A word's first bits, which choose the radius."""
ANGLE_BITS: Final = 22
"""Those before the last one, which choose the angle in a quarter of the circle; the last and the other one choose signs."""
NORMALS, DRAWS = 0, 1
"""The counter's second word: what its words are used for."""
LARGEST_KEY: Final = 2**64 - 1
MOST_NUMBERS: Final = 2**63
MOST_RECORDS: Final = 2**32 - 1


def key(seed: int, stream: int, count: int = 0, records: int = 1) -> tuple[int, int]:
    """The key (seed, stream); ValueError where it is none, or numbers or records are more than can be told apart."""
    if not (0 <= seed <= LARGEST_KEY and 0 <= stream <= LARGEST_KEY):
        raise ValueError(f"seed={seed}, stream={stream}: each is one of 0, ..., 2^64 - 1")
    if not 0 <= count <= MOST_NUMBERS:
        raise ValueError(f"{count} numbers of one stream: at most 2^63")
    if not 1 <= records <= MOST_RECORDS:
        raise ValueError(f"n={records}: must be one of 1, ..., 2^32 - 1")
    return int(seed), int(stream)


def places(first: int, count: int) -> range:
    """first, ..., first + count - 1; ValueError where they are no numbers of a stream."""
    if first < 0 or count < 0 or first + count > MOST_NUMBERS:
        raise ValueError(f"first={first}, count={count}: neither is negative, and their sum is at most 2^63")
    return range(first, first + count)


def any_range(random: Random) -> Inputs:
    """Up to 40 numbers of any stream, from any place."""
    return {
        "seed": random.choice((0, 1, random.getrandbits(64))),
        "stream": random.choice((0, 1, random.getrandbits(64))),
        "first": random.choice((0, 1, random.getrandbits(20), random.getrandbits(62))),
        "count": random.randrange(41),
    }


def any_draws(random: Random) -> Inputs:
    return {**any_range(random), "n": random.choice((1, 2, 3, 5000, 2**32 - 1, random.randrange(1, 2**32)))}


KEYS = ((0, 0), (LARGEST_KEY, LARGEST_KEY), (0xA4093822299F31D0, 0x082EFA98EC4E6C89))
hard_ranges: tuple[Inputs, ...] = tuple(
    {"seed": seed, "stream": stream, "first": first, "count": count}
    for seed, stream in KEYS
    for first, count in ((0, 1), (1, 1), (3, 2), (0, 17), (2**33 - 1, 3), (2**63 - 5, 5))
)
hard_draws: tuple[Inputs, ...] = tuple({**one, "n": n} for one in hard_ranges for n in (1, 3, 2**31, 2**32 - 1))


@contract(metric=SUM_SCALED, range=between("-7.54", "7.54"), generate=any_range, hard=hard_ranges)
def normals(seed: int, stream: int, first: int, count: int) -> object:
    """Standard normal numbers first, ..., first + count - 1 of a stream, counted from zero.

    With w_{2 i}, w_{2 i + 1} the words of the counter (i, 0) under the key (seed, stream), and a word w_k =
    a 2^24 + q 2^23 + 2 b + p, p and q bits and b below 2^22: R = (-2 ln((a + 1/2)/2^40))^(1/2), t = (pi/2) (b + 1/2)/2^22,
    numbers 2 k and 2 k + 1 are (-1)^p R cos t and (-1)^q R sin t

    Domain   seed and stream of 0, ..., 2^64 - 1, first and count >= 0, first + count <= 2^63
    Returns  count numbers, no unit, none of size above 7.54; their error is measured against the pair's length
    Raises   ValueError outside the domain
    Deviation: the law is that of 2^64 equally likely pairs; beyond 7.53 the normal law has a mass of 5e-14.
    """


@contract(metric=ULPS, range=between("0", lambda m, n: n - 1), generate=any_draws, hard=hard_draws)
def draws(seed: int, stream: int, first: int, count: int, n: int) -> object:
    """Draws first, ..., first + count - 1 of a stream from the records 0, ..., n - 1, each alone and about uniform.

    With (a, b) the words of the counter (i, 1) under the key (seed, stream): draws 2 i and 2 i + 1 are floor(n a/2^64) and
    floor(n b/2^64)

    Domain   as `normals`, 1 <= n <= 2^32 - 1
    Returns  count integers
    Raises   ValueError outside the domain
    Deviation: a record's probability is off 1/n by less than 2^-64.
    """
