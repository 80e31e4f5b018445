"""Single events of many sampled steps bound what all of them need from below."""

import pytest

from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.privacy.subsampling import composed, largest, linear, subset_sums
from dpsco.spec.privacy.subsampling import one_step_remove


def test_statistics_need_no_more_than_the_transcript():
    m = arb(128)
    e, mu, q = m.real(1), m.real("0.9"), m.real("0.2")
    whole = composed("1", "0.9", "0.2", 24)
    for part in (linear(m, e, mu, q, [1] * 24), linear(m, e, mu, q, range(1, 25)), largest(m, e, mu, q, 24, m.real(3))):
        assert part < whole
    assert (
        linear(m, e, mu, q, [1]).overlaps(one_step_remove(m, epsilon=e, mu=mu, q=q))
        or abs(float(linear(m, e, mu, q, [1]) - one_step_remove(m, epsilon=e, mu=mu, q=q))) < 1e-25
    )


def test_subset_sums_by_enumeration():
    m = arb(128)
    counted = [0.0] * 11
    for taken in range(16):
        chosen = [w for bit, w in enumerate((1, 2, 3, 4)) if taken >> bit & 1]
        counted[sum(chosen)] += 0.3 ** len(chosen) * 0.7 ** (4 - len(chosen))
    assert [float(p) for p in subset_sums(m, m.real("0.3"), (1, 2, 3, 4))] == pytest.approx(counted, rel=1e-14)
