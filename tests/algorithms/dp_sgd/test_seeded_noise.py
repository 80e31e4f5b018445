"""Noise by number: published words, the kernel against the literal stream, its law and independence, a replayed descent."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.fast.algorithms.dp_sgd import algorithm as descent
from dpsco.fast.algorithms.dp_sgd import seeded_noise as fast
from dpsco.reference.algorithms.dp_sgd import algorithm as literal
from dpsco.reference.algorithms.dp_sgd import seeded_noise as reference
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.dp_sgd import seeded_noise as spec

FULL = 2**64 - 1
BUDGET = {"normals": 8.0, "draws": 0.0}
COUNTER, KEY = (0x243F6A8885A308D3, 0x13198A2E03707344), (0xA4093822299F31D0, 0x082EFA98EC4E6C89)
PUBLISHED = [  # of the authors' known answers: rounds, counter, key, words
    (13, (0, 0), (0, 0), (0xF167B032C3B480BD, 0xE91F9FEE4B7A6FB5)),
    (13, (FULL, FULL), (FULL, FULL), (0xCCDEC5C917A874B1, 0x4DF53ABCA26CEB01)),
    (13, COUNTER, KEY, (0xC3AAC71561042993, 0x3FE7AE8801AFF316)),
    (20, (0, 0), (0, 0), (0xC2B6E3A8C2C69865, 0x6F81ED42F350084D)),
    (20, (FULL, FULL), (FULL, FULL), (0xE02CB7C4D95D277A, 0xD06633D0893B8B68)),
    (20, COUNTER, KEY, (0x263C7D30BB0F0AF1, 0x56BE8361D3311526)),
]
COUNT = 200_000


@pytest.mark.parametrize(("rounds", "counter", "key", "words"), PUBLISHED)
def test_words_are_the_published_ones(rounds, counter, key, words):
    assert reference.words(counter, key, rounds) == words
    found = tuple(map(int, fast.words(*map(np.uint64, (*counter, *key)))))
    assert (found == words) == (rounds == spec.ROUNDS)


@pytest.mark.parametrize("name", ["normals", "draws"])
def test_fast_matches_reference_on_hard_inputs_and_a_moved_stream_is_seen(name):
    contract, kernel, slow = getattr(spec, name), getattr(fast, name), getattr(reference, name)
    for asked in contract.hard:
        assert error(contract, slow, asked, kernel(**asked)) <= BUDGET[name]
    asked = contract.hard[3]
    assert error(contract, slow, {**asked, "n": 5000} if "n" in asked else asked, kernel(**{**asked, "stream": 1})) > 1e3


@given(first=st.integers(0, 10**6), cut=st.integers(0, 50), count=st.integers(0, 50))
def test_any_part_is_the_same_alone(first, cut, count):
    whole = fast.normals(3, 4, first, cut + count)
    assert np.array_equal(whole[cut:], fast.normals(3, 4, first + cut, count))
    assert np.array_equal(fast.draws(3, 4, first, cut + count, 7)[cut:], fast.draws(3, 4, first + cut, count, 7))


def distance(z):
    """Kolmogorov's and Smirnov's distance to the normal law, times the root of the count."""
    exact = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in np.sort(z)])
    ranks = np.arange(len(z) + 1) / len(z)
    return math.sqrt(len(z)) * max(float(np.max(ranks[1:] - exact)), float(np.max(exact - ranks[:-1])))


def law_fails(z):
    """Moments five of their standard errors off, or a distance that has a chance of 2e-7."""
    root = math.sqrt(len(z))
    moments = ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96), (6, 15, 10170))
    off = any(abs(float(np.mean(z**k)) - mean) * root > 5 * math.sqrt(variance) for k, mean, variance in moments)
    return off or distance(z) > 2.85


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (1, 0), (0, 1), (FULL, FULL)])
def test_the_law_is_normal(seed, stream):
    z = fast.normals(seed, stream, 0, COUNT)
    assert not law_fails(z)
    assert not law_fails(z[::2])
    assert not law_fails(z[1::2])
    # negative controls: a scale and a place moved by 2 %
    assert law_fails(1.02 * z)
    assert law_fails(z + 0.02)


def test_signs_and_sizes_of_a_pair_are_unrelated():
    """The two signs are bits of their own, and the place in the quarter is uniform."""
    z = fast.normals(7, 3, 0, COUNT).reshape(-1, 2)
    signs, root = np.sign(z), math.sqrt(len(z))
    assert np.abs(signs).min() == 1.0, "no number is zero: angles and radii are middles of their cells"
    for k in range(2):
        assert abs(float(signs[:, k].mean())) * root < 5
    assert abs(float(np.prod(signs, axis=1).mean())) * root < 5
    place = np.arctan2(*np.abs(z).T) / (math.pi / 2)
    assert abs(float(place.mean()) - 0.5) * root * math.sqrt(12) < 5
    for part in (signs[:, 0], signs[:, 1], (z**2).sum(axis=1) / 2 - 1):
        assert not related((place - 0.5) * math.sqrt(12), part)
    # negative control: a sign of the place
    assert related((place - 0.5) * math.sqrt(12), np.where(place < 0.52, -signs[:, 0], 1.0))


def related(x, y):
    """A correlation of the numbers, of their squares or of their signs five standard errors off zero."""
    pairs = ((x, y), (x * x - 1, y * y - 1), (np.sign(x), np.sign(y)), (x, y * y - 1))
    return any(
        abs(float(np.mean(a * b))) * math.sqrt(len(a)) > 5 * math.sqrt(float(np.mean(a * a) * np.mean(b * b))) for a, b in pairs
    )


def test_blocks_and_streams_and_neighbours_are_unrelated():
    z = fast.normals(5, 0, 0, COUNT + 2048)
    here = z[:COUNT]
    for lag in (1, 2, 3, 4, 1024, 2048):
        assert not related(here, z[lag : lag + COUNT])
    for seed, stream in ((5, 1), (6, 0), (5, 2**63), (5 + 2**32, 0)):
        assert not related(here, fast.normals(seed, stream, 0, COUNT))
    assert not related(here, fast.normals(5, 0, 2**40, COUNT))
    # negative control: a hundredth of another stream is seen
    assert related(here, fast.normals(5, 1, 0, COUNT) + 0.03 * here)


def test_draws_are_uniform_and_unrelated_to_the_numbers():
    k = fast.draws(9, 0, 0, COUNT, 100)
    counts = np.bincount(k, minlength=100)
    squares = float(np.sum((counts - COUNT / 100) ** 2) / (COUNT / 100))
    assert abs(squares - 99) < 5 * math.sqrt(2 * 99)
    assert not related((k - 49.5) / math.sqrt(833.25), fast.normals(9, 0, 0, COUNT))
    # negative control: a record that is never drawn
    kept = k[k != 50]
    counts = np.bincount(kept, minlength=100)
    assert float(np.sum((counts - len(kept) / 100) ** 2) / (len(kept) / 100)) - 99 > 5 * math.sqrt(2 * 99)


@pytest.mark.parametrize("d", [1, 3, 51])
def test_a_descent_is_replayed_from_its_numbers(d):
    n, steps, m = 5, 1203, mp(30)
    random = np.random.Generator(np.random.PCG64(d))
    X, y = random.standard_normal((n, d)), random.standard_normal(n)
    scalars = {"eta": 0.01, "h": 0.3, "r": 0.8, "sigma": 0.5}
    average, last = descent.simulate_numbered("gaussian", X, y, steps, **scalars, seed=11, stream=2)
    indices, z = fast.draws(11, 2, 0, steps, n), fast.normals(11, 2, 0, steps * d).reshape(steps, d)
    found = descent.iterates("gaussian", X, y, indices, z, **scalars)
    assert np.allclose(last, found[-1], rtol=0, atol=1e-12)
    assert np.allclose(average, found.mean(axis=0), rtol=0, atol=1e-12)
    assert not np.allclose(last, descent.simulate_numbered("gaussian", X, y, steps, **scalars, seed=11)[1], atol=1e-3)
    # and by the literal path alone, for its first steps
    k, w = reference.draws(m, 11, 2, 0, 4, n), reference.normals(m, 11, 2, 0, 4 * d)[0]
    rows, outcomes = [[m.real(float(a)) for a in row] for row in X], [m.real(float(a)) for a in y]
    noise = [w[t * d : t * d + d] for t in range(4)]
    slow, _ = literal.iterates(m, "gaussian", rows, outcomes, [int(i) for i in k], noise, *map(m.real, scalars.values()))
    assert np.allclose([float(a) for a in slow[4]], found[4], rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ({"seed": -1}, "seed=-1"),
        ({"stream": 2**64}, "stream=18446744073709551616"),
        ({"count": -1}, "count=-1"),
        ({"first": 2**63}, "first=9223372036854775808"),
        ({"n": 0}, "n=0"),
        ({"n": 2**32}, "n=4294967296"),
    ],
)
@pytest.mark.parametrize("run", [fast.draws, lambda **asked: reference.draws(mp(), **asked)], ids=["fast", "reference"])
def test_bad_input_is_refused(run, moved, said):
    with pytest.raises(ValueError, match=said):
        run(**{"seed": 1, "stream": 1, "first": 0, "count": 3, "n": 5, **moved})
