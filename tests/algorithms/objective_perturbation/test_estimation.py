"""Estimation error: verdicts, the explicit models by simulation and by the reference solver, the proved constants by search."""

from dataclasses import replace

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.estimation.laws import BEYOND, SAMPLE
from dpsco.arguments.algorithms.objective_perturbation.estimation.limits import CHOSEN, FREE, vanishes
from dpsco.arguments.algorithms.objective_perturbation.estimation.parts import gradient_at, remainder_at
from dpsco.arguments.formula import apply
from dpsco.judges.algorithms.objective_perturbation.estimation import estimation
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation import estimation as mutants
from dpsco.reference.algorithms.objective_perturbation.algorithm import solve
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import estimation as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict

M = mp(30)


@pytest.mark.parametrize("id", ["lem-4.3", "lem-4.4", "thm-4.5"])
def test_printed_statements_are_refuted_and_no_assertion_is_open(id: str):
    found = judge(f"quantile/{id}")
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    assert Verdict.OPEN not in {f.verdict for f in found.findings}


@pytest.mark.parametrize(("id", "killed"), [("lem-4.3", 6), ("lem-4.4", 4), ("thm-4.5", 7)])
def test_amendments_are_certified_with_every_mutant_killed(id: str, killed: int):
    found = judge(f"quantile/{id}-amended")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert set(found.mutants) == {Fate.KILLED}


@pytest.mark.parametrize(("id", "names"), [("lem-4.4", ["sampling"]), ("thm-4.5", ["rate_with_confidence", "rate"])])
def test_what_fails_is_uniformity_in_the_distribution(id: str, names: list[str]):
    found = [f for f in judge(f"quantile/{id}").findings if "n >= n_0" in f.scope]
    assert [(f.verdict, f.reading) for f in found] == [(Verdict.CERTIFIED, Reading.MEANT)] * len(names)
    survives = {f.survives for f in judge(f"quantile/{id}").findings if f.verdict is Verdict.REFUTED and f.severity == "domain"}
    assert all("uniformity in P and in gamma" in str(says) for says in survives)


@pytest.mark.parametrize("name", ["lem-4.4", "thm-4.5"])
def test_the_amendments_conditions_hold_from_some_n_on(name: str):
    """By numbers: one distribution, lambda = n^-0.4 and h = n^-0.1, or chosen with epsilon = n^-0.5 and delta = 1/n."""
    claim, held = find(f"quantile/{name}-amended"), []
    for n in (M.real(10) ** 3, M.real(10) ** 60):
        at = {"n": n, "lambda_": n ** M.frac(-2, 5), "h": n ** M.frac(-1, 10), "epsilon": n ** M.frac(-1, 2), "delta": 1 / n}
        v = mutants.chosen(claim, {**at, "d": M.real(1), "optimum_norm": M.real(1), "gamma": M.real("0.01")})
        held.append(all(p(M, v) is True for p in (spec.SHIFT_IS_SMALL, spec.ERROR_IS_SMALL)))
    assert held == [False, True]


def test_limits_are_told_from_what_stays():
    """Negative controls: a constant, a growing term, and epsilon alone."""
    n, epsilon, s, lambda_, h = sympy.symbols("n epsilon s lambda_ h", positive=True)
    assert vanishes(1 / n + s / (n * epsilon) ** 2 + 1 / (n**2 * epsilon), CHOSEN)
    assert vanishes(1 / (1 / n + 1 / (n * epsilon)) / (n * epsilon) ** 2, CHOSEN)
    assert not vanishes(1 / n + epsilon / epsilon, CHOSEN)
    assert not vanishes(1 / epsilon, CHOSEN)
    assert not vanishes(1 / (n * epsilon**2), CHOSEN)
    assert vanishes(lambda_ + h**2 + 1 / sympy.sqrt(n), FREE)
    assert not vanishes(lambda_ / h, FREE)


@pytest.mark.parametrize("id", ["lem-4.4", "thm-4.5"])
def test_a_certificate_needs_its_conditions(id: str):
    """Negative control: no certificate without the amendment's own conditions."""
    claim = find(f"quantile/{id}-amended")
    for lacking in (spec.ERROR_IS_SMALL, spec.SHIFT_IS_SMALL):
        held = tuple(p for p in claim.preconditions if p is not lacking)
        verdicts = {f.verdict for f in decided(replace(claim, preconditions=held), estimation) if f.reading is Reading.PRINTED}
        assert verdicts & {Verdict.OPEN, Verdict.REFUTED}


def test_a_constant_is_no_mutant():
    """Scaled bounds stay what they are: constants are hidden."""
    claim = scaled(find("quantile/lem-4.4-amended"), "sampling_rate", 1, 10)
    assert {f.verdict for f in decided(claim, estimation)} == {Verdict.CERTIFIED}


def value(name: str, **texts: str) -> object:
    """A number of the amended lemma's private part, d = 1, uniform kernel, B_x = B = 1, L = 1/2."""
    claim = find("quantile/lem-4.3-amended")
    v = mutants.chosen(claim, {key: M.real(text) for key, text in texts.items()})
    return apply(claim.formulas[name], M, v)


@given(st.floats(-6, 6), st.floats(-12, 0), st.integers(0, 9), st.integers(0, 6))
def test_private_part_is_at_most_four_times_its_amended_rate(log_epsilon, log_s, log_n, log_d):
    """d sigma^2 is at most 8 times the amended rate's share, (B lambda)^2 at least half the kernel's term: 16 in squares."""
    delta = str(M.exp(-(M.real(10) ** M.real(log_s))))
    at = {"epsilon": str(10.0**log_epsilon), "delta": delta, "n": str(10**log_n), "d": str(10**log_d)}
    assert value("privacy_error", **at) <= 4 * value("privacy_rate", **at)


def test_noise_moves_the_minimiser_of_far_data_by_half_the_bound():
    """The reference solver, uniform kernel: theta_OP - theta# = -b/(2 n lambda) where the loss is linear."""
    n, ridge = 5, 0.25
    X, y = [[1.0]] * n, [1e3] * n
    shift = [float(solve(M, "uniform", X, y, [b], 0.1, 0.5, ridge, 1e-12)[0][0]) for b in (0.0, 1.5)]
    assert shift[0] == pytest.approx(1 / (4 * ridge)), "theta# = r/(2 lambda), as the far model says"
    assert shift[1] - shift[0] == pytest.approx(-1.5 / (2 * n * ridge))


def test_thin_density_leaves_the_minimiser_to_counts():
    """theta# = (right - left - near)/(4 n lambda) by the solver, and its probability by simulation of exact counts."""
    n, ridge, f, random = 40, 0.05, 0.05, np.random.default_rng(5)
    y = [0.01, -0.02, *([30.0] * 22), *([-30.0] * 16)]
    theta = float(solve(M, "uniform", [[1.0]] * n, y, [0.0], 0.01, 0.5, ridge, 1e-12)[0][0])
    assert theta == pytest.approx((22 - 16 - 2) / (4 * n * ridge))
    n = 10**8
    f = n**-0.25 / 20
    counts = random.multinomial(n, [f**2, (1 - f**2) / 2, (1 - f**2) / 2], size=4000)
    far = counts[:, 2] - counts[:, 1] - counts[:, 0] >= 0.4 * np.sqrt(n)
    assert far.mean() - 4 * np.sqrt(0.25 / 4000) > 1 / 50
    near_all = random.multinomial(n, [0.5, 0.25, 0.25], size=4000)  # negative control: half of the mass at the quantile
    assert (near_all[:, 2] - near_all[:, 1] - near_all[:, 0] >= 0.4 * np.sqrt(n)).mean() == 0


def test_tail_and_shrinkage_by_simulation():
    """A flat density, f = 1/2, no window: empirical quantiles reach the lemmas' distances more often than gamma allows."""
    n, f, ridge, random = 10_000, 0.5, 0.02, np.random.default_rng(7)
    for gamma, theta, eta in ((np.exp(-8), 0.0, np.sqrt(8 / n) / (16 * f)), (0.5, 1.0, ridge / (f + 2 * ridge))):
        p = 0.5 - f * eta
        counts = random.binomial(n, p, size=4000)
        beyond = (counts > n * (0.5 - 2 * ridge * (theta - eta))).mean()
        assert beyond > gamma


def test_sampling_bound_holds_in_a_model_with_room():
    """The certified constant at a model that meets the conditions: no sample of 2000 leaves the ball."""
    m, n, ridge, gamma = mp(20), 4 * 10**5, 1e-3, 0.01
    at = {"rho_1": 1, "f": "0.5", "L": "0.5", "d": 1, "gamma": gamma, "n": n, "B": 1, "lambda_": ridge}
    rate = spec.sampling_rate(m, **{name: m.real(x) for name, x in at.items()})
    conditions = {"l_1": m.real("0.25"), "B_x": m.real(1)}
    assert spec.error_is_small(m, **conditions, **{name: m.real(x) for name, x in at.items()}) is True
    random = np.random.default_rng(3)
    # the density is 1/2 on [-1, 1]: the median of n errors, moved by the ridge
    theta = 2 * random.beta(n / 2, n / 2, size=2000) - 1
    shift = 2 * ridge / (0.5 + 2 * ridge)
    assert np.max(np.abs(theta)) + shift <= float(32 * rate)


def test_display_27_by_quadrature():
    """The remainder of the peaked density: the smoothed slope integrated numerically."""
    claimed, true, _ = remainder_at()
    f, w = M.real("0.5"), M.real("0.01")

    def above(t):
        return f * t - abs(t) * t / 2

    def slope(s):
        return M.mp.quad(lambda u: above(s - u), [-w, min(s, w), w]) / (2 * w)

    found = M.mp.quad(slope, [0, w, M.real("0.1")])
    assert abs(found - M.real(ends(true)[0])) < M.real("1e-12")
    assert arb().lt(true, claimed) is True


def test_display_28_by_hand():
    """B_x = 10.025, x_2 = +-9.975: the conditional biases +-c point along x_2, so the gradient is 9.975 c."""
    claimed, true, at = gradient_at()
    assert at["d"] == "2"
    assert abs(M.real(ends(true)[0]) / M.real(ends(claimed)[0]) - M.real("9.975")) < M.real("1e-12")


def test_every_model_is_tried_where_it_is_allowed():
    printed, amended = find("quantile/thm-4.5"), find("quantile/thm-4.5-amended")
    assert [fact.allowed(printed) for fact in (*SAMPLE, BEYOND)] == [True] * 5
    assert [fact.allowed(amended) for fact in (*SAMPLE, BEYOND)] == [False, False, True, True, False]


def test_displays_are_compared_with_what_they_bound():
    """(27) with the coefficients of the integral, (28) with the factor that survives: true, so not refuted."""
    printed = find("quantile/lem-4.4")

    def verdicts(claim):
        return {f.scope.split(":")[0]: f.verdict for f in decided(claim, estimation) if f.scope.startswith("display")}

    assert verdicts(printed) == {"display (27)": Verdict.REFUTED, "display (28)": Verdict.REFUTED}
    halved = with_formula(
        printed,
        "remainder_lower",
        lambda m, f, l_1, kappa_1, h, r_0: (f - h * l_1 * kappa_1) * r_0**2 / 2 - l_1 * r_0**3 / 3,
    )
    assert verdicts(halved) == {"display (27)": Verdict.OPEN, "display (28)": Verdict.REFUTED}
    steep = with_formula(
        printed, "gradient_upper", lambda m, h, l_1, kappa_2, B_x: m.sqrt(B_x**2 - 1) * h**2 * l_1 * kappa_2 / 2
    )
    assert verdicts(steep) == {"display (27)": Verdict.REFUTED, "display (28)": Verdict.OPEN}


def test_refuted_rates_that_are_made_true_are_not_refuted():
    claim = find("quantile/lem-4.3")
    amended = with_formula(claim, "privacy_rate", spec.privacy_rate_of_noise)
    scope = "E|theta_OP - theta#| = O(privacy_rate), lambda as printed here"
    for one, verdict in ((claim, Verdict.REFUTED), (amended, Verdict.CERTIFIED)):
        assert verdict in {f.verdict for f in decided(one, estimation) if f.scope.startswith(scope)}
    assert Verdict.REFUTED not in {f.verdict for f in decided(amended, estimation) if f.scope.startswith(scope)}


@pytest.mark.parametrize(
    ("id", "name"), [("lem-4.3", "privacy_rate"), ("lem-4.4", "sampling_rate"), ("thm-4.5", "rate_with_confidence")]
)
@pytest.mark.parametrize("end", ["", "-amended"])
def test_formulas_without_an_order_are_not_decided(id: str, name: str, end: str):
    claim = with_formula(find(f"quantile/{id}{end}"), name, lambda m: m.real(0))
    reasons = [f.reason for f in decided(claim, estimation) if f.verdict is Verdict.OPEN]
    assert any(str(reason).startswith("not decided") for reason in reasons)


@pytest.mark.parametrize("id", ["lem-4.3", "lem-4.4", "thm-4.5"])
def test_a_certificate_is_void_without_any_condition_it_names(id: str):
    claim = find(f"quantile/{id}-amended")
    for finding in decided(claim, estimation):
        for test in finding.given:
            less = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))
            left = [f.verdict for f in decided(less, estimation) if f.scope == finding.scope]
            assert Verdict.CERTIFIED not in left, (finding.scope, test)
