"""Effective sample size and split R-hat: known sizes, the literal values, bad input."""

import numpy as np
import pytest

from dpsco.fast.algorithms.exponential_sampling import diagnostics
from dpsco.reference.algorithms.exponential_sampling import diagnostics as literal_diagnostics
from dpsco.reference.numbers.mp import mp


@pytest.mark.parametrize("d", [1, 3])
def test_independent_draws_have_their_own_size(d: int):
    random = np.random.default_rng(d)
    chain = random.normal(size=4000)
    assert 3200 < diagnostics.effective_size(chain) <= 4000
    slow = np.empty(4000)
    slow[0] = 0.0
    for i in range(1, 4000):
        slow[i] = 0.9 * slow[i - 1] + chain[i]
    assert 100 < diagnostics.effective_size(slow) < 400  # 4000 (1 - 0.9)/(1 + 0.9) = 210
    m = mp(40)
    few = [m.real(float(v)) for v in slow[:200]]
    assert diagnostics.effective_size(slow[:200]) == pytest.approx(float(literal_diagnostics.effective_size(m, few)), rel=1e-10)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="at least 4"):
        diagnostics.effective_size([1.0, 2.0])
    with pytest.raises(ValueError, match="one length"):
        diagnostics.split_r_hat([[1.0, 2.0]])
