"""Reduction of l_p to the Euclidean case: diameters of cubes and balls, powers of the dimension, what stays open."""

from dataclasses import replace
from random import Random

import pytest

from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.mirror_descent.euclidean_reduction import diagonal, leaves
from dpsco.reference.numbers.mp import mp
from dpsco.spec.domain import Interval
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

CLAIM = find("lp/thm-15")
OPEN = {"E[population loss of w] - population loss of theta* <=O rate", "w is (epsilon, delta)-DP"}


@pytest.fixture(scope="module")
def found():
    return judge("lp/thm-15")


def test_arithmetic_is_certified_and_the_cited_theorem_open(found):
    assert found.verdict is Verdict.OPEN
    assert {str(f.asserts[0]) for f in found.findings if f.verdict is Verdict.OPEN} == OPEN
    assert all("not printed" in f.reason for f in found.findings if f.verdict is Verdict.OPEN)
    assert len([f for f in found.findings if f.verdict is Verdict.CERTIFIED]) == 4
    assert len({f.scope for f in found.findings if f.verdict is Verdict.OPEN}) == 2


def test_mutants_die(found):
    assert set(found.mutants) == {Fate.KILLED, Fate.TRUE}
    assert len(found.mutants[Fate.KILLED]) == 4
    assert not diagonal(CLAIM)
    assert not leaves(CLAIM, d=1, epsilon=-3)


@pytest.mark.parametrize("p", ["2", "2.5", "7", "inf"])
def test_diameters_of_random_points(p: str):
    m, random = mp(30), Random(3)
    index = m.inf if p == "inf" else m.real(p)
    for d in (1, 2, 9):
        bound = CLAIM.formulas["euclidean_diameter_bound"](m, d=m.real(d), p=index, M=m.real(1))
        for _ in range(30):
            x = [m.real(random.gauss(0, 1)) for _ in range(d)]
            assert m.norm(x) <= bound * m.norm(x, index) * (1 + m.real("1e-20"))
        assert abs(m.norm([m.real(1)] * d) - bound * m.norm([m.real(1)] * d, index)) < m.real("1e-20")


def test_cited_rate_at_the_bound_is_the_printed_one():
    m = mp(30)
    for p in ("2", "3", "17.5"):
        v = {"d": m.real(7), "n": m.real(100), "epsilon": m.real("0.3")}
        diameter = CLAIM.formulas["euclidean_diameter_bound"](m, d=v["d"], p=m.real(p), M=m.real(1))
        cited = CLAIM.formulas["euclidean_rate"](m, euclidean_diameter=diameter, **v)
        assert abs(cited - CLAIM.formulas["rate"](m, p=m.real(p), **v)) < m.real("1e-20")


def test_conditions_are_handed_over():
    """|x_j| <= |x|_2 <= |x|_q for q <= 2 and |x|_p <= |x|_2 for p >= 2, random vectors; the reverse fails."""
    m, random = mp(30), Random(5)
    for _ in range(20):
        x = [m.real(random.gauss(0, 1)) for _ in range(5)]
        q, two, p = m.norm(x, m.frac(4, 3)), m.norm(x), m.norm(x, m.real(4))
        assert max(abs(a) for a in x) <= two <= q
        assert p <= two
        assert not q <= two


def test_judge_reads_what_it_certifies():
    decide = judge_of("lp/thm-15")
    assert decide is not None
    assert fold(decided(scaled(CLAIM, "euclidean_diameter_bound", 1, 2), decide)) is Verdict.REFUTED
    other = with_formula(CLAIM, "rate", lambda m, d, n, epsilon: d / m.sqrt(n * epsilon))
    assert fold(decided(other, decide)) is Verdict.REFUTED
    wide = replace(CLAIM, parameters=tuple(p.within(Interval("1", "inf")) if p.name == "p" else p for p in CLAIM.parameters))
    kinds = [f.verdict for f in decided(wide, decide) if f.scope.startswith("condition")]
    assert kinds == [Verdict.OPEN] * 2
    bare = replace(CLAIM, preconditions=())
    assert not [f for f in decided(bare, decide) if f.scope.startswith("condition") and f.verdict is Verdict.CERTIFIED]
