"""Noise by number, literally: Threefry on Python's integers, Box and Muller's map at any precision."""

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.dp_sgd import seeded_noise as spec
from dpsco.spec.numbers import Numbers, Real

WORD = 2**64


def words(counter: tuple[int, int], key: tuple[int, int], rounds: int = spec.ROUNDS) -> tuple[int, int]:
    """Threefry-2x64: the two words of a counter under a key, all of 0, ..., 2^64 - 1."""
    keys = (*key, spec.PARITY ^ key[0] ^ key[1])
    a, b = ((c + k) % WORD for c, k in zip(counter, key, strict=True))
    for i in range(rounds):
        turn = spec.ROTATIONS[i % len(spec.ROTATIONS)]
        a = (a + b) % WORD
        b = ((b << turn | b >> (64 - turn)) % WORD) ^ a
        if i % 4 == 3:
            turn = (i + 1) // 4
            a = (a + keys[turn % 3]) % WORD
            b = (b + keys[(turn + 1) % 3] + turn) % WORD
    return a, b


def word(key: tuple[int, int], k: int, use: int) -> int:
    """Word k of a use: a counter gives two of them."""
    return words((k // 2, use), key)[k % 2]


@literal(spec.normals)
def normals(m: Numbers, seed: int, stream: int, first: int, count: int) -> tuple[list[Real], list[Real]]:
    key, places = spec.key(seed, stream), 2**spec.ANGLE_BITS
    found, sizes = [], []
    for i in spec.places(first, count):
        a, rest = divmod(word(key, i // 2, spec.NORMALS), 4 * places)
        q, rest = divmod(rest, 2 * places)
        b, p = divmod(rest, 2)
        size = m.sqrt(-2 * m.log(m.frac(2 * a + 1, 2 ** (spec.RADIUS_BITS + 1))))
        angle = m.pi / 2 * m.frac(2 * b + 1, 2 * places)
        found.append((-1) ** q * size * m.sin(angle) if i % 2 else (-1) ** p * size * m.cos(angle))
        sizes.append(size)
    return found, sizes


@literal(spec.draws)
def draws(m: Numbers, seed: int, stream: int, first: int, count: int, n: int) -> list[Real]:
    key = spec.key(seed, stream, records=n)
    return [m.real(n * word(key, i, spec.DRAWS) // WORD) for i in spec.places(first, count)]
