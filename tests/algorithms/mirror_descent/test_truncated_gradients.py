"""Moments of truncated gradients: verdicts, random laws in l_q against the proved bounds, exact laws for the printed ones."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.mirror_descent.truncated_gradients import FLAT, LINEAR, WIDE, breaks, errors, far_kept, just_lost
from dpsco.mutants.algorithms.mirror_descent.truncated_gradients import nothing_lost as flat
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold


@pytest.mark.parametrize(
    ("id", "verdict", "severity"), [("lp/lem-17", Verdict.OPEN, None), ("lp/lem-19", Verdict.REFUTED, Severity.DOMAIN)]
)
def test_printed_lemmas_lack_a_condition(id: str, verdict: Verdict, severity: Severity | None):
    """A free population gradient is one reading of an assumption that is not at hand; Lemma 19's M for beta M is none."""
    found = judge(id)
    assert (found.verdict, found.severity) == (verdict, severity)
    free = [f for f in found.findings if f.scope.startswith("if Assumption 4 does not bound the population gradient, ")]
    assert free
    assert {(f.verdict, f.reading) for f in free} == {(Verdict.REFUTED, Reading.ANOTHER)}
    plain = [f for f in found.findings if "_sharp <= " in f.scope]
    assert {f.verdict for f in plain} == {Verdict.CERTIFIED}


def test_lemma_17_holds_as_meant():
    meant = [f for f in judge("lp/lem-17").findings if f.reading is Reading.MEANT]
    assert [f.verdict for f in meant] == [Verdict.CERTIFIED] * 6


def test_lemma_19_as_the_theorems_use_it():
    """With lambda >= max(beta, 1) M and a covered gradient: the plain bounds, and the sharp ones for beta <= 1."""
    found = judge("lp/lem-19").findings
    meant = [f for f in found if f.reading is Reading.MEANT]
    assert [f.verdict for f in meant] == [Verdict.CERTIFIED] * 6
    assert found[0].scope == "the size of phi_t"
    assert "Assumption 4 is not at hand" not in (found[0].reason or "")


def test_shown_instances_by_hand():
    """Lemma 17: errors of a law of two atoms, mean -20, the other atom 2, just kept; Lemma 19: mean -10 and 11."""
    (size,) = [f for f in judge("lp/lem-17").findings if f.scope.endswith("gradient, the size of x_t")]
    q = Fraction(1, 10**9)
    law = [(Fraction(2), q), ((-20 - 2 * q) / (1 - q), 1 - q)]
    assert max(x for x, _ in errors(law, Fraction(2))) == Fraction(size.computed[0]) == 22
    (square,) = [f for f in judge("lp/lem-19").findings if f.scope == "the size of phi_t"]
    law = [(Fraction(11), q), ((-10 - 11 * q) / (1 - q), 1 - q)]
    assert max(x**2 for x, _ in errors(law, Fraction(11))) == Fraction(square.computed[0]) == 441
    assert Fraction(square.claimed) == 9


@pytest.mark.parametrize(("id", "killed"), [("lp/lem-17-amended", 12), ("lp/lem-19-amended", 8)])
def test_amendments_are_certified(id: str, killed: int):
    found = judge(id)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & {*found.mutants}


def test_the_other_route_clears_the_amendments():
    """Negative control."""
    one, other = find("lp/lem-17-amended"), find("lp/lem-19-amended")
    for law, at in ((far_kept(), WIDE), (just_lost(), WIDE), (flat(), FLAT)):
        assert not any(breaks(one, name, law, *at) for name in ("error", "bias", "spread"))
        assert not any(breaks(other, name, law, *at) for name in ("square", "square_mean", "square_spread"))
    assert LINEAR[0][0] == -1000


@given(st.integers(0, 10**6), st.sampled_from([2.0, 3.0, 11.0, np.inf]), st.integers(1, 5), st.floats(0.01, 1), st.floats(0, 1))
def test_every_norm_and_batch(seed: int, q: float, d: int, share: float, part: float):
    """Finite laws, means of batches of two: |x|, |E x|, E|x|^2 and E|x|^4 against what the lemma KEPT proves."""
    random = np.random.Generator(np.random.Philox(seed))
    chances = random.dirichlet(np.full(6, 0.3))
    xi = random.standard_t(2.1, (6, d)) * 10 ** random.uniform(-1, 1)
    xi -= chances @ xi
    sigma = np.sqrt(chances @ np.linalg.norm(xi, q, axis=1) ** 2)
    lambda_ = sigma * 10 ** random.uniform(-0.5, 1.5)
    slope = share * lambda_
    mean = random.normal(size=d)
    mean *= part * slope / np.linalg.norm(mean, q)
    g = mean + xi
    x = np.where(np.linalg.norm(g, q, axis=1)[:, None] <= slope + lambda_, g, 0) - mean
    pairs = ((x[:, None, :] + x[None, :, :]) / 2).reshape(-1, d)
    both = np.outer(chances, chances).ravel()
    sizes, slack = np.linalg.norm(pairs, q, axis=1), 1 + 1e-9
    largest = 2 * slope + lambda_
    assert sizes[both > 0].max() <= largest * slack
    assert np.linalg.norm(chances @ x, q) <= (slope + lambda_) * sigma**2 / lambda_**2 * slack + 1e-12
    assert both @ sizes**2 <= sigma**2 * slack
    assert both @ sizes**4 <= (largest * sigma) ** 2 * slack


def test_judge_reads_its_formulas():
    claim, decide = find("lp/lem-17-amended"), judge_of("lp/lem-17-amended")
    assert decide is not None
    assert fold(decided(scaled(claim, "product_bias", 9, 10), decide)) is Verdict.REFUTED
