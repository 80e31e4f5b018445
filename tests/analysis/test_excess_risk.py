"""From stability to excess risk: the exchange lemma by enumeration of random algorithms, verdicts, mutants."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.excess_risk import KINDS, excess_risk, remembered
from dpsco.judging import decided, judge
from dpsco.mutant import Fate
from dpsco.mutants.analysis import excess_risk as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.excess_risk import risks_are_finite
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

F = Fraction
tables = st.integers(1, 3).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.integers(-9, 9), min_size=2 * 2**n, max_size=2 * 2**n), st.integers(1, 9))
)


@given(tables)
def test_gap_is_at_most_the_stability_of_any_algorithm(drawn: tuple[int, list[int], int]):
    """Binary records; the expected loss of the algorithm on each data set at each record is any number whatever."""
    n, numbers, tenth = drawn
    data_sets = list(product((0, 1), repeat=n))
    loss = dict(zip(product(data_sets, (0, 1)), numbers, strict=True))
    p = F(tenth, 10)

    def chance(z: int) -> Fraction:
        return p if z else 1 - p

    neighbours = [(a, b) for a in data_sets for b in data_sets if sum(x != y for x, y in zip(a, b, strict=True)) == 1]
    tau = max([0, *(loss[a, z] - loss[b, z] for a, b in neighbours for z in (0, 1))])
    gap = F(0)
    for data in data_sets:
        weight = F(1)
        for z in data:
            weight *= chance(z)
        gap += weight * (sum(chance(z) * loss[data, z] for z in (0, 1)) - F(sum(loss[data, z] for z in data), n))
    assert abs(gap) <= tau


@pytest.mark.parametrize(("n", "kinds"), [(1, 12), (2, 4), (3, 3)])
def test_remembering_algorithm_by_enumeration(n: int, kinds: int):
    assert mutants.memory_gap(n, kinds) == F(kinds - 1, kinds) ** n
    assert mutants.memory_change(n, kinds) == 1
    m = arb()
    assert m.eq(remembered(m, str(n), "1"), m.real(F(KINDS - 1, KINDS) ** n)) is not False


def test_lemma_fails_for_losses_without_a_mean_only():
    """They are excluded by a condition read in; without it the statement is refuted as it stands."""
    found = judge("quantile/lem-2.6", with_mutants=False)
    refuted = [f for f in found.findings if f.verdict is Verdict.REFUTED]
    assert [(f.reading, f.severity, f.computed) for f in refuted] == [(Reading.ANOTHER, Severity.DOMAIN, ("inf", "inf"))]
    claim = find("quantile/lem-2.6")
    unlimited = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != risks_are_finite))
    assert fold(decided(unlimited, excess_risk)) is Verdict.REFUTED


def test_the_heavy_tail_by_quadrature_of_its_distribution():
    """E min(z, s) = 1 + ln s, through the density 1/z^2 here and through Pr[z > s] in the mutants."""
    m = mp(30)
    for k in (1, 5, 40):
        s = m.exp(m.real(k))
        points = [m.exp(m.real(j)) for j in range(k + 1)]
        by_density = m.mp.quad(lambda z: 1 / z, points) + s * (1 / s)
        assert abs(by_density - (1 + k)) < m.real("1e-20")
    assert mutants.heavy_tail_exceeds(find("quantile/lem-2.6"))


@pytest.mark.parametrize(("id", "killed"), [("lem-2.6", 5), ("eq-1", 4)])
def test_certified_with_every_mutant_killed(id: str, killed: int):
    found = judge(f"quantile/{id}")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


def test_decomposition_by_enumeration():
    """Both sides for an empirical minimiser; a theta* fitted to the data breaks them."""
    claim = find("quantile/eq-1")
    assert not mutants.breaks(claim, mutants.best)
    assert mutants.breaks(claim, mutants.fitted)
    risks = mutants.four_risks(mutants.best)
    assert risks["empirical_risk"] < risks["optimal_risk"] == risks["empirical_risk_at_optimum"] < risks["population_risk"]
