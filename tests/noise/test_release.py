"""The sampler of released noise: its law, far out too, numbers that one word does not tell, and controls that must fail."""

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from dpsco.noise import release
from dpsco.noise.release import WORD, gaussian_from_os, normals, plus
from dpsco.reference.privacy.discrete_noise import drawn

COUNT = 20_000
MOST = 2.5
"""sqrt(n) times the largest gap of the distribution functions: beyond it with probability 7e-6 for the right law."""


def gap(values: np.ndarray, law: Callable[[float], float]) -> float:
    """Kolmogorov's statistic, sqrt(n) times the largest gap."""
    found = np.array([law(x) for x in np.sort(values)])
    return float(np.abs(found - (np.arange(len(found)) + 0.5) / len(found)).max() * math.sqrt(len(found)))


def normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


@pytest.fixture(scope="module")
def numbers():
    return normals(10 * COUNT, Random(1).getrandbits)


def test_the_law_is_standard_normal(numbers):
    found = numbers.doubles()[:COUNT]
    assert gap(found, normal) < MOST
    for scale in (0.8, 1.25):
        assert gap(found, lambda x, scale=scale: normal(scale * x)) > MOST


def test_whole_parts_have_their_exact_shares(numbers):
    """Chi-squared over 0, 1, 2, 3 and beyond: 4 degrees of freedom, above 33 with probability 1e-6."""
    cut = [math.erf((k + 1) / math.sqrt(2)) - math.erf(k / math.sqrt(2)) for k in range(4)]
    shares = np.array([*cut, 1 - sum(cut)]) * len(numbers)
    counts = np.bincount(np.minimum(numbers.wholes, 4), minlength=5)
    assert ((counts - shares) ** 2 / shares).sum() < 33
    other = np.bincount(np.minimum(np.abs(0.99 * numbers.doubles()).astype(int), 4), minlength=5)
    assert ((other - shares) ** 2 / shares).sum() > 33  # negative control: one per cent narrower


def test_the_tail_is_that_of_a_normal_number(numbers):
    found = np.abs(numbers.doubles())
    for end in (3.0, 3.5):
        mean = math.erfc(end / math.sqrt(2)) * len(found)
        assert abs((found > end).sum() - mean) < 5 * math.sqrt(mean)


def test_the_tail_has_no_end():
    """Heads whenever a coin is thrown for the whole part give any size: here 9, beyond what one double's uniform gives."""
    most = (1 << WORD) - 1
    # odd words: heads of exp(-1/2); 0, 1: tails; 0, most: no uniform number below x, heads; 0: the sign
    seen = iter([1] * 9 + [0, 1] + [1] * 72 + [1 << 60] + [0, most] * 9 + [1, 0])
    found = drawn(lambda: next(seen))
    assert (found.sign, found.whole, found.words) == (-1, 9, [1 << 60])
    assert list(seen) == []


def test_numbers_that_one_word_does_not_tell_are_drawn_further():
    """Short words repeat often: numbers of the fast sampler, where it hands back, are those of the literal one."""
    random = Random(11)
    pool = [random.getrandbits(WORD) for _ in range(2)]
    words = [random.choice((*pool, random.getrandbits(WORD))) for _ in range(4000)]
    left = iter(words)

    def bits(k: int) -> int:
        found = 0
        for place in range(k // WORD):
            found |= next(left, 7 * place + 3) << WORD * place
        return found

    found = normals(40, bits)
    again = iter(words)
    literal = [drawn(lambda: next(again)) for _ in range(40)]
    assert found.longer
    assert [found.number(i) for i in range(40)] == literal
    # they are added as what they are, and keep their places in parts
    assert {5 + i for i in found.part(5, 40).longer} == {i for i in found.longer if i >= 5}
    sums = plus(np.full(40, 0.25), 3.0, found, Random(1).getrandbits)
    assert sums == pytest.approx(0.25 + 3.0 * found.doubles(), rel=0, abs=3.0 * 2.0**-31)


@pytest.mark.parametrize("sigma", [1.0, 0.3, 1e-200, 7e199])
def test_sums_are_the_nearest_multiples(sigma):
    from fractions import Fraction

    from mpmath import mpf

    from dpsco.reference.privacy.discrete_noise import grid_of

    bits = Random(2).getrandbits
    z = normals(60, bits)
    values = [sigma * x for x in np.linspace(-5, 5, 58)] + [1e12 * sigma, mpf(sigma) / 3]
    for given in (values, np.array([float(v) for v in values])):
        sums, cell = plus(given, sigma, z, bits), grid_of(sigma)
        for value, found, i in zip(values[:58], sums[:58].tolist(), range(58), strict=True):
            exact = Fraction(float(value)) + Fraction(sigma) * z.number(i).interval()[0]
            assert abs(Fraction(found) - exact) <= cell / 2 + Fraction(sigma) / 2**60
            assert (Fraction(found) / cell).denominator == 1
        assert sums[58:] == pytest.approx([float(v) + sigma * x for v, x in zip(values[58:], z.doubles()[58:], strict=True)])
    assert plus([1.5, 2.5], 0.0, z.part(0, 2)).tolist() == [1.5, 2.5]


def test_coordinates_are_independent(numbers):
    """Correlation of the numbers and of their squares, sqrt(n) times: about standard normal; a shared radius shows."""
    pairs = numbers.doubles()[: 2 * COUNT].reshape(-1, 2)

    def shown(x, y):
        return abs(float(np.corrcoef(x, y)[0, 1])) * math.sqrt(COUNT)

    assert shown(pairs[:, 0], pairs[:, 1]) < 4.5
    assert shown(pairs[:, 0] ** 2, pairs[:, 1] ** 2) < 4.5
    circle = pairs / np.hypot(pairs[:, 0], pairs[:, 1])[:, None]
    assert shown(circle[:, 0] ** 2, circle[:, 1] ** 2) > 4.5


def test_the_operating_system_is_the_source(monkeypatch):
    assert gap(np.array(gaussian_from_os(COUNT)), normal) < MOST
    assert gaussian_from_os(5) != gaussian_from_os(5)
    assert gaussian_from_os(0) == []
    with pytest.raises(ValueError, match="count=-1"):
        gaussian_from_os(-1)
    assert release.normals.__defaults__ == (release.secrets.randbits,)
    assert plus.__defaults__ == (release.secrets.randbits,)
