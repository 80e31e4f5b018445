"""The supplier's loss: verdicts, profits by quadrature, the counterexample by linear algebra, the limit by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.supply_facts import chance_of_gain, cost_at
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.supply_terms import chosen_by
from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.objective_perturbation.supply_chain import supply_chain
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.algorithms.objective_perturbation import supply_chain as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import supply_chain as spec
from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import bandwidth, lambda_chosen
from dpsco.spec.domain import Integers
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict

M = mp(30)


def test_printed_statement_is_refuted_link_by_link():
    found = judge("newsvendor/prop-EC.2")
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.CONCLUSION)
    verdicts = [f.verdict for f in found.findings if f.reading is Reading.PRINTED]
    assert verdicts.count(Verdict.REFUTED) == 4
    assert verdicts.count(Verdict.CERTIFIED) == 3, "the expansion, v'x, lambda against h^2"
    assert Verdict.OPEN not in verdicts


def test_amendment_is_certified_with_every_mutant_killed():
    found = judge("newsvendor/prop-EC.2-amended")
    assert found.verdict is Verdict.CERTIFIED
    assert set(found.mutants) == {Fate.KILLED}
    assert len(found.mutants[Fate.KILLED]) == 11


def test_share_needs_a_profit():
    """Negative control: the amendment without its condition is refuted."""
    claim = find("newsvendor/prop-EC.2-amended")
    held = tuple(p for p in claim.preconditions if p.test != spec.newsvendor_gains)
    assert Verdict.REFUTED in {f.verdict for f in decided(replace(claim, preconditions=held), supply_chain)}


@given(st.floats(-0.5, 0.5))
def test_share_is_the_quotient_of_profits_up_to_the_square_of_the_loss(t: float):
    q, m = M.real(3) - M.real(t), arb()
    own, other = mutants.profits(q)
    values = {"price": 2, "wholesale": 1, "cost": "0.5", "order": 3, "z": 0}
    v = {**{name: M.real(x) for name, x in values.items()}, "order_private": q, "least_cost": 2 * M.phi(M.real(0))}
    loss = spec.revenue_loss_supplier(M, wholesale=v["wholesale"], cost=v["cost"], order=v["order"], order_private=q)
    claimed = apply(spec.share_newsvendor, M, v)
    assert abs(own / (own + other) - claimed) <= 2 * loss**2 + M.real("1e-20")
    # the excess cost in closed form
    assert m.lt(m.abs(cost_at(m, m.real(t)) - m.real(str(3 - own))), m.real("1e-15")) is True


def test_counterexample_by_linear_algebra():
    x = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0]])
    weights, theta = np.array([3, 3, 1, 1]) / 8, np.array([1.1, 1.0, 0.0])
    second = x.T @ (weights[:, None] * x)
    assert second.tolist() == [[1, 0, 0], [0, 1, 0.5], [0, 0.5, 1]], "mean 0, variance 1, correlation 1/2"
    u = np.linalg.solve(second, theta)
    assert (x @ theta).min() == pytest.approx(0.1)
    assert (x @ u)[3] == pytest.approx(-0.9)
    assert weights @ (x @ u) == pytest.approx(weights @ (x @ theta)), "on average it is E[q*]"
    v = np.linalg.solve(second, weights @ x)
    assert (x @ v).tolist() == pytest.approx([1.0] * 4), "v'x is f'(0)/f(0) at every x"


@given(st.floats(-0.99, 0.99), st.floats(0.01, 5), st.floats(0.01, 0.99))
def test_two_standardised_features_are_uncorrelated(share: float, intercept: float, chance: float):
    """What survives: x = (1, x_2) with mean 0 and variance 1 has E[x x'] = I, so u'x is q*(x)/f(0)."""
    high, low = ((1 - chance) / chance) ** 0.5, -((chance / (1 - chance)) ** 0.5)
    x = np.array([[1.0, high], [1.0, low]])
    second = x.T @ (np.array([chance, 1 - chance])[:, None] * x)
    theta = np.array([intercept, share * intercept / max(high, -low)])
    assert second.ravel().tolist() == pytest.approx([1, 0, 0, 1], abs=1e-9)
    assert (x @ np.linalg.solve(second, theta)).tolist() == pytest.approx((x @ theta).tolist())


def test_expansion_of_the_population_minimiser():
    """-2 lambda u - h^2 kappa_2 v/2 for x = 1 against the solved first-order condition, normal kernel, p = 4, w = 3."""
    z = M.mp.findroot(lambda t: M.Phi(t) - M.real("0.25"), -0.67)
    for ridge, h in (("1e-4", "1e-2"), ("1e-6", "1e-3")):
        a, b = M.real(ridge), M.real(h)

        def slope(t, a=a, b=b):
            return M.Phi((t - 2 + z) / M.sqrt(1 + b**2)) - M.real("0.25") + 2 * a * t

        theta = M.mp.findroot(slope, 2)
        lost = spec.revenue_loss_expansion(
            M,
            wholesale=M.real(3),
            cost=M.real(1),
            lambda_=a,
            h=b,
            kappa_2=M.real(1),
            u_x=2 / M.phi(z),
            v_x=spec.slope_over_density(M, z=z),
        )
        assert abs(2 * (2 - theta) - lost) < 200 * (a + b**2) ** 2


def test_limit_probability_by_simulation():
    """sqrt(n) lambda = 0.3 at x = (1, +-1/2), theta* = (1, 1): empirical minimisers by their linearised gradient."""
    random, reps, limit = np.random.default_rng(11), 40_000, 0.3
    x, density = np.array([[1.0, 0.5], [1.0, -0.5]]), float(M.phi(M.real(0)))
    u = np.array([1.0, 4.0]) / density
    signs = random.normal(size=(reps, 2)) * 0.5  # (1/sqrt(n)) sum of (1{error <= 0} - 1/2) x_i has covariance diag(1, 1/4)/4
    moved = -2 * limit * u - signs * np.array([1.0, 0.5]) / density / np.array([1.0, 0.25])
    for point, leverage in ((x[0], 2.0), (x[1], 2.0)):
        at = {"price": 2, "wholesale": 1, "z": 0, "ridge_limit": limit, "u_x": point @ u, "leverage": leverage}
        claimed = float(apply(spec.limit_probability, M, {name: M.real(float(value)) for name, value in at.items()}))
        assert (moved @ point < 0).mean() == pytest.approx(claimed, abs=5 * 0.5 / np.sqrt(reps))


def test_probability_of_a_loss_by_exact_binomials():
    """The printed statement's instance: theta* a tenth of the radius; the enclosed chance, its limit, and exact counts."""
    gain, limit = chance_of_gain(arb(), chosen_by(find("newsvendor/prop-EC.2")))
    v = {"epsilon": "1", "delta": "1e-6", "n": mutants.COUNT, "d": 1, "B": 10, "B_x": 1, "r_bar": "0.5", "K_bar": "0.5"}
    values = {name: M.real(value) for name, value in v.items()}
    ridge = apply(lambda_chosen, M, values)
    exact = mutants.chance_below(2 * ridge * M.sqrt(values["n"]))
    assert abs(exact - M.real(ends(limit)[0])) < 0.03, "the noise b widens it a little"
    assert arb().gt(1 - gain, limit) is True
    assert apply(bandwidth, M, values) < 1


def found_for(claim, start: str) -> Verdict:
    (one,) = {f.verdict for f in decided(claim, supply_chain) if f.reading is Reading.PRINTED and f.scope.startswith(start)}
    return one


@pytest.mark.parametrize(
    ("name", "formula", "touched"),
    [
        (
            "revenue_loss_supplier",
            lambda m, wholesale: 7 * wholesale,
            {"share": "refuted", "coeff": "refuted", "limit": "open"},
        ),
        ("revenue_chain", lambda m: m.real(0), {"share": "refuted"}),
        ("revenue_newsvendor", lambda m, order: order * m.real(7), {"share": "refuted"}),
        ("revenue_loss_uncertainty", lambda m: m.real(5), {"share": "refuted"}),
    ],
)
def test_judge_reads_profits_and_loss_from_the_claim(name, formula, touched):
    claim = with_formula(find("newsvendor/prop-EC.2-amended"), name, formula)
    assert {start: found_for(claim, start).value for start in touched} == touched


def test_refutations_end_where_the_claim_is_made_true():
    printed = find("newsvendor/prop-EC.2")
    assert found_for(printed, "Pr[P > 0]") is Verdict.REFUTED
    few = tuple(p.within(Integers(1, 1000)) if p.name == "n" else p for p in printed.parameters)
    assert found_for(replace(printed, parameters=few), "Pr[P > 0]") is Verdict.OPEN
    certain = with_formula(printed, "revenue_loss_supplier", lambda m, wholesale: 7 * wholesale)
    assert found_for(certain, "Pr[P > 0]") is Verdict.OPEN, "this P is positive at every order"
    wide = with_formula(printed, "order_rate", lambda m, n, sigma: 1 + sigma)
    assert found_for(wide, "P - expansion") is Verdict.CERTIFIED
    small = with_formula(printed, "bandwidth", lambda m, n, epsilon: 1 / (n * epsilon))
    readings = [f for f in decided(small, supply_chain) if f.scope in ("the same for every epsilon",)]
    assert [f.verdict for f in readings] == [Verdict.REFUTED], "1/(n epsilon)^2 against lambda, epsilon small"
    same = with_formula(small, "bandwidth", lambda m, n: 1 / n)
    assert "the same for every epsilon" not in {f.scope for f in decided(same, supply_chain)}


def test_certificates_need_their_conditions():
    claim = find("newsvendor/prop-EC.2-amended")
    rests = {
        spec.is_critical_quantile: ("share", "v'x", "limit", "E[u'x]"),
        spec.prices_are_ordered: ("share", "P - expansion", "v'x", "limit", "E[u'x]"),
        spec.orders_are_positive: ("E[u'x]",),
        spec.newsvendor_gains: ("share",),
    }
    assert {p.test for p in claim.preconditions} == set(rests)
    for test, starts in rests.items():
        less = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
        assert all(found_for(claim, start) is Verdict.CERTIFIED for start in starts)
        verdicts = [
            f.verdict for f in decided(less, supply_chain) if f.reading is Reading.PRINTED and f.scope.startswith(starts)
        ]
        assert Verdict.CERTIFIED not in verdicts, test
    moved = tuple(replace(p, meaning="another vector's") if p.name == "u_x" else p for p in claim.parameters)
    assert found_for(replace(claim, parameters=moved), "E[u'x]") is Verdict.OPEN
