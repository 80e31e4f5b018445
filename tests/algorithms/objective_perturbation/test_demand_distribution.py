"""The demand's distribution as a convolution: against closed forms of two errors, against samples, and the judge's mutants."""

from dataclasses import replace

import numpy as np
import pytest

from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.objective_perturbation.demand_distribution import distribution, slope
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.mutants.algorithms.objective_perturbation.demand_distribution import differs
from dpsco.reference.numbers.mp import mp
from dpsco.spec.domain import nonnegative
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

ID = "newsvendor/lem-EC.7"


def test_it_is_certified_and_its_mutants_die():
    judgement = judge(ID)
    assert judgement.verdict is Verdict.CERTIFIED
    assert {*judgement.mutants} == {Fate.KILLED}
    assert len(judgement.mutants[Fate.KILLED]) == 4


@pytest.mark.parametrize("name", ["demand_integrand", "slope_integrand"])
def test_printed_integrals_agree_for_an_exponential_error(name):
    assert not differs(find(ID), name)


@pytest.mark.parametrize(("t", "z"), [(-2.5, 0.4), (0.0, 1.0), (1.7, 4.0), (3.1, 0.25)])
def test_normal_errors_give_a_normal_demand(t, z):
    """Error N(0, 1): demand is N(0, 1 + z^2)."""
    m = mp(25)
    t, z = m.real(t), m.real(z)
    for name in ("demand_integrand", "slope_integrand"):
        formula = find(ID).formulas[name]
        edge = 12 / z
        found = m.mp.quad(
            lambda v, f=formula: apply(f, m, {"t": t, "z": z, "v": v, "density": m.phi(v * z)}), [-edge, 0, t / z, edge]
        )
        spread = m.sqrt(1 + z**2)
        true = m.Phi(t / spread) if name == "demand_integrand" else m.phi(t / spread) / spread
        assert abs(found - true) < 1e-9


def test_closed_form_of_the_judge_against_samples():
    """Uniform error: half a million draws, 5 standard errors; a spread that is off by a tenth would be seen."""
    random, count, m = np.random.default_rng(3), 500_000, mp()
    y = 0.7 * random.standard_normal(count) + random.random(count)
    share = np.mean(y <= 0.3)
    error = 5 * 0.5 / count**0.5
    assert abs(share - float(distribution(m, m.real("0.3"), m.real("0.7")))) < error
    assert abs(share - float(distribution(m, m.real("0.3"), m.real("0.63")))) > error
    assert abs(np.mean(np.abs(y - 0.3) <= 0.05) / 0.1 - float(slope(m, m.real("0.3"), m.real("0.7")))) < 0.02


def test_where_theta_may_vanish_nothing_is_certified():
    claim = find(ID)
    wider = replace(claim, parameters=tuple(p.within(nonnegative) if p.name == "z" else p for p in claim.parameters))
    decide = judge_of(ID)
    assert fold(decided(wider, decide)) is Verdict.OPEN
