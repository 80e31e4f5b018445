"""The generalised Moreau envelope: reference against its definition, fast against reference, judges and negative controls."""

import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco import witnesses
from dpsco.arguments.losses.conjugates import NAMES, OWN, is_conjugate, radial
from dpsco.arguments.losses.envelope_properties import HELLINGER, SQUARED
from dpsco.fast.losses.moreau import generalised as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.reference.losses.moreau import envelope, generalised
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.moreau import generalised as spec
from dpsco.spec.register import find
from dpsco.verdict import Reading, Rung, Severity, Verdict, fold

M = mp(50)
BUDGET = {"value": 4.0, "derivative": 4.0}
WITNESSES = Path(witnesses.__file__).parent
each = pytest.mark.parametrize("phi", spec.FUNCTIONS)


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(generalised, name), given_, getattr(fast, name)(**given_))


@given(
    phi=st.sampled_from(spec.FUNCTIONS),
    t=st.floats(-3, 3) | st.sampled_from([0.0, 1.0, -1.0, 1e5, -1e5]),
    h=st.floats(-290, 290).map(lambda e: 10.0**e),
    r=st.floats(1e-17, 1 - 1e-16),
    beta=st.floats(-9, 9).map(lambda e: 10.0**e) | st.just(0.0),
)
@example(phi="hellinger", t=-1.0, h=1.0, r=0.25, beta=0.75)
def test_scalars_match_reference(phi: str, t: float, h: float, r: float, beta: float):
    given_ = {"phi": phi, "u": t * h, "h": h, "r": r, "beta": beta or max(r, 1 - r)}
    for name, budget in BUDGET.items():
        assert off(name, given_) <= budget, name


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    contract, random = getattr(spec, name), Random(3)
    tried = [*contract.hard[::7], *(contract.generate(random) for _ in range(60))]
    worst = max(off(name, dict(i)) for i in tried)
    assert 0.4 < worst <= BUDGET[name]


def test_negative_control_a_square_that_overflows_is_out_of_budget():
    given_ = {"phi": "hellinger", "u": 1e200, "h": 1.0, "r": 0.5, "beta": 0.25}
    naive = 0.25 * math.sqrt(1.0 + given_["u"] * given_["u"])
    assert error(spec.value, generalised.value, given_, naive) == math.inf
    assert off("value", given_) <= BUDGET["value"]


@each
def test_unknown_names_are_refused(phi: str):
    with pytest.raises(ValueError, match="phi is one of"):
        fast.value(phi.upper(), 1.0, 1.0, 0.5, 1.0)
    with pytest.raises(ValueError, match="phi is one of"):
        generalised.function(M, phi + "s", M.real(1), M.real(1))


@each
@given(
    u=st.floats(-9, 9),
    h=st.floats(0.05, 9),
    r=st.floats(0.01, 0.99),
    beta=st.floats(0.02, 5),
    x=st.floats(-30, 30),
    v=st.floats(-9, 9),
)
def test_reference_is_the_infimum(phi: str, u: float, h: float, r: float, beta: float, x: float, v: float):
    """At most every objective; and the value is met near one, found by ternary search of a convex function."""
    u, h, r, beta, x, v = (M.real(k) for k in (u, h, r, beta, x, v))
    value = generalised.value(M, phi, u, h, r, beta)
    assert value <= generalised.objective(M, phi, u, x, h, r, beta) + 1e-40
    low, high = min(u, M.real(0)), max(u, M.real(0))
    for _ in range(120):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        better = generalised.objective(M, phi, u, a, h, r, beta) < generalised.objective(M, phi, u, b, h, r, beta)
        low, high = (low, b) if better else (a, high)
    assert abs(generalised.objective(M, phi, u, low, h, r, beta) - value) < 1e-15
    slope = generalised.derivative(M, phi, u, h, r, beta)
    assert generalised.value(M, phi, v, h, r, beta) >= value + slope * (v - u) - 1e-40, "the slope is a subgradient"


@given(u=st.floats(-9, 9), h=st.floats(0.05, 9), r=st.floats(0.01, 0.99))
def test_squared_norm_and_huber_with_beta_one_are_the_moreau_envelope(u: float, h: float, r: float):
    u, h, r = (M.real(k) for k in (u, h, r))
    plain = envelope.value(M, u, h, r)
    for phi in ("squared_norm", "huber"):
        assert abs(generalised.value(M, phi, u, h, r, M.real(1)) - plain) < 1e-40


@pytest.mark.parametrize("id", ["newsvendor/table-EC.3-amended", "newsvendor/lem-EC.5-amended"])
def test_certified_with_full_power(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 8
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


def test_table_is_refuted_for_the_energy_and_hubers_strictness_alone():
    findings = list(judge_of("newsvendor/table-EC.3")(find("newsvendor/table-EC.3")))
    refuted = [f for f in findings if f.verdict is Verdict.REFUTED]
    assert {f.scope.split()[-1 if "energy" in f.scope else 0] for f in refuted} == {"energy", "conjugate", "huber"}
    assert {f.severity for f in refuted} == {Severity.DOMAIN}
    assert {f.verdict for f in findings if f not in refuted} == {Verdict.CERTIFIED}
    assert all(f.reading is Reading.PRINTED for f in findings)
    bend = sum(w * Fraction(2 + k) ** 3 / 3 for k, w in ((-1, 1), (0, -2), (1, 1)))
    smooth = next(f for f in refuted if f.scope == "smoothness of the energy")
    assert Fraction(smooth.computed[0]) <= bend == 4 <= Fraction(smooth.computed[1])
    flat = sum(w * M.real(2 + k) ** M.real("1.5") / M.real("1.5") for k, w in ((-1, 1), (0, -2), (1, 1)))
    convex = next(f for f in refuted if "conjugate" in f.scope)
    assert float(convex.computed[0]) == pytest.approx(float(flat), rel=1e-15)
    assert flat < 1


@pytest.mark.parametrize("name", NAMES)
def test_conjugates_by_a_grid(name: str):
    """Another route: the supremum over a fine grid against the printed conjugate, for p = 3 and beta = 2."""
    printed = getattr(spec, f"{name}_conjugate")
    for y in ("0", "0.3", "1", "1.9"):
        y_norm = M.real(y)
        if name == "energy":
            best = max(y_norm * x - x**3 / 3 for x in (M.frac(k, 512) for k in range(4096)))
            value = printed(M, y_norm=y_norm, q=M.real("1.5"))
        else:
            best = max(y_norm * x - OWN[name](M, x_norm=x, beta=M.real(2)) for x in (M.frac(k, 512) for k in range(4096)))
            value = printed(M, y_norm=y_norm, beta=M.real(2))
        assert value - M.real("1e-4") < best <= value + M.real("1e-40")


def test_a_conjugate_moved_a_little_is_not_certified():
    claim = find("newsvendor/table-EC.3-amended")
    for name in NAMES:
        for formula in (name, f"{name}_conjugate"):
            moved = scaled(claim, formula, 1001, 1000).formulas
            assert is_conjugate(claim.formulas[name], claim.formulas[f"{name}_conjugate"], name)
            assert not is_conjugate(moved[name], moved[f"{name}_conjugate"], name)


def test_no_certificate_for_a_function_that_is_not_convex():
    def wavy(m, x_norm, beta):
        return beta * x_norm**2 / 2 - beta * x_norm**4

    found = radial(wavy, "squared_norm")
    assert found is not None
    assert not found.convex
    assert not is_conjugate(wavy, spec.squared_norm_conjugate, "squared_norm")


def test_gradient_is_refuted_where_no_minimiser_exists():
    findings = list(judge_of("newsvendor/lem-EC.5")(find("newsvendor/lem-EC.5")))
    assert [f.verdict for f in findings] == [Verdict.REFUTED] + [Verdict.CERTIFIED] * 4
    assert (findings[0].severity, findings[0].rung) == (Severity.DOMAIN, Rung.EXACT)
    above = [M.sqrt(1 + w**2) - w for w in (M.real(10) ** k for k in range(12))]
    assert all(a > b > 0 for a, b in pairwise(above)), "the objective falls for ever"
    slopes = [generalised.slope(M, "hellinger", M.real(10) ** k, M.real(1)) for k in range(12)]
    assert max(slopes) < 1


@pytest.mark.parametrize("place", [*SQUARED, *HELLINGER])
def test_the_losses_called_tight_are(place: dict[str, str]):
    """c = L |x| is 2 L times the check loss at r = 1/2; its envelope that of 2 L times the one with phi / (2 L)."""
    phi = "squared_norm" if place["phi_0"] == "0" else "hellinger"
    L, beta, h = (M.real(place[k]) for k in ("L", "beta", "h"))

    def gap(u: object) -> object:
        return 2 * L * generalised.gap(M, phi, M.real(u), h, M.frac(1, 2), beta / (2 * L))

    assert abs(gap(0) - h * M.real(place["phi_0"])) < 1e-40
    assert abs(gap(10**6) + h * M.real(place["phi_conjugate_bar"])) < 1e-40


def test_conditions_that_are_dropped_void_the_certificates():
    claim = find("newsvendor/lem-EC.5-amended")
    assert fold(decided(claim, judge_of(claim.id))) is Verdict.CERTIFIED
    for kept in ((), claim.preconditions[:1], claim.preconditions[1:]):
        assert fold(decided(replace(claim, preconditions=kept), judge_of(claim.id))) is Verdict.REFUTED


@pytest.mark.parametrize("name", ["newsvendor_table-EC.3", "newsvendor_lem-EC.5"])
def test_witness_runs_alone(name: str):
    done = subprocess.run([sys.executable, "-I", WITNESSES / f"{name}.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "dpsco" not in (WITNESSES / f"{name}.py").read_text()
