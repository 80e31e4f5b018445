"""The newsvendor cost: reference against its definition, fast against reference, the judge and its negative controls."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco.fast.losses import newsvendor as fast
from dpsco.instances import kernel_integrals as by_hand
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.losses import newsvendor
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.domain import nonnegative
from dpsco.spec.losses import newsvendor as spec
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import names_of
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

M = mp(40)
ID = "quantile/sec-4.2"
BUDGET = {"critical_ratio": 2.0, "value": 6.0, "derivative": 6.0}
costs = st.floats(-9, 9).map(lambda e: 10.0**e)


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(newsvendor, name), given_, getattr(fast, name)(**given_))


@given(kernel=st.sampled_from(KERNELS), t=st.floats(-45, 45), h=costs, c_u=costs, c_o=costs)
@example(kernel="gaussian", t=-37.0, h=1.0, c_u=1e9, c_o=1e-9)
@example(kernel="uniform", t=1.0, h=0.1, c_u=3.0, c_o=1.0)
def test_scalars_match_reference(kernel: str, t: float, h: float, c_u: float, c_o: float):
    for name in ("value", "derivative"):
        assert off(name, {"kernel": kernel, "u": t * h, "h": h, "c_u": c_u, "c_o": c_o}) <= BUDGET[name], name
    assert off("critical_ratio", {"c_u": c_u, "c_o": c_o}) <= BUDGET["critical_ratio"]


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 60, 3))
    assert 0.4 < worst <= BUDGET[name]


def test_negative_control_the_sum_of_costs_overflows():
    given_ = {"c_u": 1.5e308, "c_o": 1.5e308}
    naive = given_["c_u"] / (given_["c_u"] + given_["c_o"])
    assert error(spec.critical_ratio, newsvendor.critical_ratio, given_, naive) > 1e6
    assert fast.critical_ratio(**given_) == 0.5


@pytest.mark.parametrize("kernel", KERNELS)
def test_reference_is_the_mean_cost_under_the_kernel(kernel: str):
    """By quadrature of E C(u - h V), C by its two sides."""
    for u, h, c_u, c_o in (("0.3", "0.5", "3", "1"), ("-2", "0.7", "0.25", "8"), ("0", "3", "1", "1")):
        u, h, c_u, c_o = (M.real(x) for x in (u, h, c_u, c_o))

        def term(v, u=u, h=h, c_u=c_u, c_o=c_o):
            short = u - h * v
            return c_u * short if short > 0 else -c_o * short

        mean = by_hand.mean(term, kernel, "-inf", "inf", u / h)
        assert abs(mean - newsvendor.value(M, kernel, u, h, c_u, c_o)) < 1e-9
        step = M.real("1e-12")
        low, high = (newsvendor.value(M, kernel, u + s * step, h, c_u, c_o) for s in (-1, 1))
        assert abs((high - low) / (2 * step) - newsvendor.derivative(M, kernel, u, h, c_u, c_o)[0]) < 1e-9


@given(st.integers(1, 50), st.integers(1, 50), st.integers(-40, 40))
def test_cost_is_the_scaled_loss_in_fractions(c_u: int, c_o: int, u: int):
    r, paid = Fraction(c_u, c_u + c_o), (c_u * u if u > 0 else -c_o * u)
    assert paid == (c_u + c_o) * (r * u if u > 0 else (r - 1) * u)
    assert paid == newsvendor.cost(M, c_u=M.real(c_u), c_o=M.real(c_o), u=M.real(u))


def test_the_best_order_meets_the_critical_ratio_of_demand():
    """The excess over a sample: the minimiser of the mean cost is a quantile of the level, and excesses scale."""
    demand, c_u, c_o = [1, 2, 4, 7, 11, 16, 22], 3.0, 1.0
    level = fast.critical_ratio(c_u, c_o)

    def mean(q: int, short: float, over: float) -> float:
        return sum(short * max(y - q, 0) + over * max(q - y, 0) for y in demand) / len(demand)

    cost, loss = [mean(q, c_u, c_o) for q in range(25)], [mean(q, level, 1 - level) for q in range(25)]
    best = min(range(25), key=cost.__getitem__)
    assert sum(y <= best for y in demand) >= level * len(demand) > sum(y < best for y in demand)
    assert [c - min(cost) for c in cost] == pytest.approx([(c_u + c_o) * (x - min(loss)) for x in loss])


def test_certified_with_full_power():
    judgement = judge(ID)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 9
    assert set(judgement.mutants) == {Fate.KILLED}


def test_zero_costs_are_not_covered():
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    free = replace(claim, parameters=tuple(replace(p, domain=nonnegative) if p.name == "c_o" else p for p in claim.parameters))
    assert fold(decided(free, decide)) is Verdict.OPEN


@pytest.mark.parametrize("name", ["cost", "level", "scaled_quantile_loss"])
def test_every_printed_formula_is_read(name: str):
    claim, decide = find(ID), judge_of(ID)
    assert decide is not None
    moved = claim.formulas[name]

    def halved(m, c_u, c_o, u=0):
        given_ = {"c_u": c_u, "c_o": c_o, "u": u}
        return moved(m, **{k: given_[k] for k in names_of(moved)}) / 2

    assert fold(decided(with_formula(claim, name, halved), decide)) is Verdict.REFUTED
