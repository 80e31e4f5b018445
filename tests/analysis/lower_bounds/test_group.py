"""The newsvendor's resampling step: refuted in the same way, with a positive delta, and repaired in the same way."""

from dataclasses import replace

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.mutants.analysis.lower_bounds.resampling import by_geometric
from dpsco.spec.claim import Adjacency
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold

PRINTED, AMENDED = "newsvendor/thm-7-group", "newsvendor/thm-7-group-amended"
NAMES = ("epsilon_resampled", "delta_resampled")


def test_printed_is_refuted_and_the_geometric_mechanism_agrees():
    printed = judge(PRINTED)
    assert (printed.verdict, printed.proof) == (Verdict.STATED, Proof.BROKEN)
    finding = next(f for f in printed.findings if f.scope.startswith("resampling") and f.verdict is Verdict.REFUTED)
    assert finding.computed is not None
    assert float(finding.computed[0]) > 2 * float(finding.claimed or "inf")
    assert by_geometric(find(PRINTED), *NAMES, dict(finding.at))


def test_large_delta_hides_the_fault():
    """Where u delta e^(u epsilon) is not small the printed delta' has room: the geometric mechanism does not exceed it."""
    at = {"n": "1000", "gamma": "1.6e-28", "epsilon": "100", "delta": "1e-6"}
    assert not by_geometric(find(PRINTED), *NAMES, at)


def test_small_epsilon_is_certified_for_every_gamma():
    (small,) = [f for f in judge(PRINTED, with_mutants=False).findings if "every gamma" in f.scope]
    assert (small.verdict, small.reading) == (Verdict.CERTIFIED, Reading.ANOTHER)


def test_delta_must_be_negligible_for_the_fault_to_show():
    """gamma e^(-u epsilon)/u, that is 1.1e-1115 here: far above it u delta e^(u epsilon) takes over."""
    at = {"n": "1000", "gamma": "1.6e-28", "epsilon": "100"}
    assert by_geometric(find(PRINTED), *NAMES, {**at, "delta": "1e-1116"})
    assert not by_geometric(find(PRINTED), *NAMES, {**at, "delta": "1e-1113"})


def test_amendment_is_certified_with_every_mutant_killed():
    amended = judge(AMENDED)
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == 6
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(amended.mutants)


def test_another_adjacency_is_not_certified():
    """The argument replaces a record: with one record more or less n changes, and the same draws mean something else."""
    decide = judge_of(AMENDED)
    assert decide is not None
    assert fold(decided(replace(find(AMENDED), adjacency=Adjacency.ADD_REMOVE), decide)) is Verdict.OPEN
