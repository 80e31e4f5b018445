"""Privacy of objective perturbation for the newsvendor loss: lemma, theorem, amendments."""

import pytest

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.objective_perturbation.privacy import kink_quadrature
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict, fold


def test_lemma_holds_for_one_record_more_and_no_other_adjacency():
    judgement = judge("newsvendor/lem-EC.1")
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.MISPRINT)  # |theta| for its square
    assert judgement.proof is Proof.BROKEN  # "without loss of generality"
    assert [f.verdict for f in judgement.findings if f.reading is Reading.MEANT] == [Verdict.CERTIFIED]
    beside = {(f.adjacency, f.verdict, f.about, f.reading) for f in judgement.findings}
    assert (Adjacency.REPLACE_ONE, Verdict.REFUTED, Part.PROOF, Reading.PRINTED) in beside
    assert (Adjacency.ADD_REMOVE, Verdict.REFUTED, Part.STATEMENT, Reading.ANOTHER) in beside


def test_replaced_record_refutes_the_lemma_s_noise_by_quadrature_too():
    m = mp(60)
    e, d = m.real(1), m.real("1e-10")
    scale = find("newsvendor/lem-EC.1").formulas["sigma_lemma"](m, epsilon=e, delta=d, L=m.real(1))
    (finding,) = [f for f in judge("newsvendor/lem-EC.1").findings if f.adjacency is Adjacency.REPLACE_ONE]
    assert finding.at["D"] == "(x, y) = (1, 32)"
    assert finding.computed is not None
    true = kink_quadrature(scale, m.frac(1, 2), True, "1", 32)
    assert m.real(finding.computed[0]) * (1 - m.real("1e-8")) <= true <= m.real(finding.computed[1]) * (1 + m.real("1e-8"))


def test_theorem_lacks_the_lipschitz_constant():
    judgement = judge("newsvendor/thm-1")
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.CONSTANT)
    (far,) = [f for f in judgement.findings if f.at.get("L") == "7"]
    m = mp(60)
    e, d = m.real(far.at["epsilon"]), m.real(far.at["delta"])
    true = hockey_stick(14 / find("newsvendor/thm-1").formulas["sigma_theorem"](m, epsilon=e, delta=d), e)
    assert far.computed is not None
    assert m.real(far.computed[0]) * (1 - m.real("1e-15")) <= true <= m.real(far.computed[1]) * (1 + m.real("1e-15"))


@pytest.mark.parametrize("id", ["newsvendor/lem-EC.1-amended", "newsvendor/thm-1-amended", "newsvendor/thm-1-amended-added"])
def test_amendments_are_certified(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert Fate.SURVIVED not in judgement.mutants


@pytest.mark.parametrize(
    ("id", "name"), [("newsvendor/lem-EC.1-amended", "sigma_lemma"), ("newsvendor/thm-1-amended", "sigma_theorem")]
)
def test_judge_rejects_less_noise(id: str, name: str):
    decide = judge_of(id)
    assert decide is not None
    assert fold(decided(scaled(find(id), name, 4, 5), decide)) is Verdict.REFUTED
