"""Steps of the privacy proof: sigma, the tail of the product, the determinants."""

from dataclasses import replace
from random import Random

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.mutants.algorithms.objective_perturbation.privacy_steps import product_quadrature
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold

STEPS = "newsvendor/lem-EC.1"


def test_choice_of_sigma_holds_in_the_mended_reading():
    judgement = judge(f"{STEPS}-sigma")
    assert (judgement.verdict, judgement.proof) == (Verdict.STATED, Proof.HOLDS)
    assert [f.verdict for f in judgement.findings if f.reading is Reading.ANOTHER] == [Verdict.REFUTED]
    assert Fate.SURVIVED not in judgement.mutants


@pytest.mark.parametrize("step", ["tail", "det"])
def test_links_fail_and_conclusions_survive(step: str):
    printed, amended = judge(f"{STEPS}-{step}"), judge(f"{STEPS}-{step}-amended")
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.BROKEN)
    assert printed.findings[-1].verdict is Verdict.CERTIFIED
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) >= 3
    assert Fate.SURVIVED not in amended.mutants


def test_product_s_tail_by_quadrature_and_by_draws():
    (finding,) = [f for f in judge(f"{STEPS}-tail").findings if f.verdict is Verdict.REFUTED]
    m = mp(30)
    true = product_quadrature(finding.at["t"], finding.at["sigma"])
    assert finding.computed is not None
    assert true == pytest.approx(m.real(finding.computed[0]), rel=1e-9)
    random, draws, level = Random(3), 100_000, 10.0
    noise = [random.gauss(0, 10) for _ in range(draws)]
    share = sum(-b * (min(max((1 - b) / 2, 0.0), 1.0) - 0.5) >= level for b in noise) / draws
    assert share == pytest.approx(float(product_quadrature("10", "10")), abs=0.004)
    # negative control: the claimed tail is far outside the error of the draws
    assert abs(share - float(m.Phi(m.real(-2)))) > 0.004


@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=3), st.integers(0, 9), st.lists(st.integers(-4, 4), min_size=3, max_size=3)
)
def test_determinant_lemma_on_rational_matrices(eigenvalues: list[int], shift: int, direction: list[int]):
    """det(H + E)/det(H) lies in [1, 1 + rho'/(2 n lambda)], 2 n lambda = 1, for E = shift v v'/|v|^2 in any direction."""
    length = sum(c * c for c in direction)
    if not length:
        return
    v = sympy.Matrix(direction)
    H = sympy.diag(*(e + 1 for e in eigenvalues))
    ratio = (H + sympy.Rational(shift, length) * v * v.T).det() / H.det()
    assert 1 <= ratio <= 1 + shift


def test_refuted_determinant_link_by_matrices():
    H, E = sympy.diag(4, 2), sympy.diag(0, 1)
    (finding, *_) = [f for f in judge(f"{STEPS}-det").findings if f.verdict is Verdict.REFUTED]
    assert finding.computed == (str((H + E).det() / H.det()),) * 2
    assert sympy.Rational(str(finding.claimed)) < (H + E).det() / H.det()


def test_certificates_need_their_conditions():
    """Negative control: without the ridge or without the noise nothing is certified."""
    for step in ("tail-amended", "det-amended"):
        claim = find(f"{STEPS}-{step}")
        decide = judge_of(claim.id)
        assert decide is not None
        assert fold(decided(replace(claim, preconditions=()), decide)) is not Verdict.CERTIFIED
