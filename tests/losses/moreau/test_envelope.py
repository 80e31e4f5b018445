"""The check loss's Moreau envelope: reference against its definition, fast against reference, judges and negative controls."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco import witnesses
from dpsco.arguments.losses.envelope_comparison import gaussian_below_hellinger, gaussian_gap, hellinger_gap
from dpsco.fast.losses.moreau import envelope as fast
from dpsco.instances import kernel_integrals as by_hand
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.losses.moreau.envelope import dual, objective, squeezed
from dpsco.reference.losses.moreau import envelope
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.moreau import envelope as spec
from dpsco.spec.register import find
from dpsco.verdict import Rung, Severity, Verdict, fold

M = mp(50)
BUDGET = {"value": 2.0, "derivative": 1.0, "proximal_point": 2.0}
WITNESSES = Path(witnesses.__file__).parent
CERTIFIED = ("newsvendor/moreau", "newsvendor/lem-EC.4-amended", "newsvendor/sec-EC.2-moreau-amended")
ratios = st.floats(-3, 3) | st.sampled_from([0.0, 1.0, -1.0, 1e5, -1e5])
scales = st.floats(-290, 290).map(lambda e: 10.0**e)
levels = st.floats(1e-17, 1 - 1e-16)
exact_levels = st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**6))


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(envelope, name), given_, getattr(fast, name)(**given_))


@given(t=ratios, h=scales, r=levels, joint=st.booleans())
@example(t=1.0, h=1e-300, r=1e-17, joint=True)
@example(t=-1.0, h=1e300, r=1 - 1e-16, joint=True)
def test_scalars_match_reference(t: float, h: float, r: float, joint: bool):
    u = (r * h if t > 0 else (r - 1) * h) if joint else t * h
    for name, budget in BUDGET.items():
        assert off(name, {"u": u, "h": h, "r": r}) <= budget, name


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    contract, random = getattr(spec, name), Random(3)
    tried = [*contract.hard, *(contract.generate(random) for _ in range(60))]
    worst = max(off(name, dict(i)) for i in tried)
    assert 0.4 < worst <= BUDGET[name]


def test_negative_control_a_square_that_underflows_is_out_of_budget():
    given_ = {"u": 1e-170, "h": 1e-160, "r": 0.5}
    naive = given_["u"] ** 2 / (2 * given_["h"])
    assert error(spec.value, envelope.value, given_, naive) > 1e6
    assert off("value", given_) <= BUDGET["value"]


@given(
    u=st.fractions(-20, 20),
    h=st.fractions(Fraction(1, 100), 100),
    r=exact_levels,
    x=st.fractions(-30, 30),
    share=st.fractions(0, 1),
)
def test_reference_is_the_infimum(u: Fraction, h: Fraction, r: Fraction, x: Fraction, share: Fraction):
    """No objective below it, no dual value above it, and both attain it, in fractions."""
    value = squeezed(u, r, h)
    assert dual(u, r - 1 + share, r, h) <= value <= objective(u, x, r, h)
    reference = envelope.value(M, *(M.real(k) for k in (u, h, r)))
    assert abs(reference - M.real(value)) <= 1e-45 * max(1, abs(float(value)))
    point, _ = envelope.proximal_point(M, *(M.real(k) for k in (u, h, r)))
    slope = envelope.derivative(M, *(M.real(k) for k in (u, h, r)))
    g = min(max(u / h, r - 1), r)
    assert abs(slope - M.real(g)) < 1e-40
    assert abs(point - M.real(u - h * g)) < 1e-40


@given(u=st.floats(-1e6, 1e6), h=st.floats(1e-6, 1e6), r=st.floats(0.001, 0.999))
def test_error_lies_in_the_lemmas_interval(u: float, h: float, r: float):
    args = [M.real(k) for k in (u, h, r)]
    lower = spec.gap_lower(M, r=args[2], h=args[1])
    assert lower - M.real("1e-40") <= envelope.gap(M, *args) <= 0


@pytest.mark.parametrize("id", CERTIFIED)
def test_certified_with_full_power(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


def test_second_derivative_is_refuted_at_both_joints_and_nothing_else():
    findings = list(judge_of("newsvendor/lem-EC.4")(find("newsvendor/lem-EC.4")))
    refuted = [f for f in findings if f.verdict is Verdict.REFUTED]
    assert [(f.at["u"], f.severity, f.rung) for f in refuted] == [(u, Severity.DOMAIN, Rung.EXACT) for u in ("-1.4", "0.6")]
    assert {f.verdict for f in findings if f not in refuted} == {Verdict.CERTIFIED}
    for f in refuted:
        u, h, r = (Fraction(f.at[k]) for k in "uhr")
        for step in (Fraction(1, 100), Fraction(1, 10**8)):
            sides = {(squeezed(u + 2 * s, r, h) - 2 * squeezed(u + s, r, h) + squeezed(u, r, h)) / s**2 for s in (step, -step)}
            assert sides == {0, 1 / h} == {Fraction(k) for k in f.computed}


def test_comparison_is_refuted_in_all_three_readings():
    findings = list(judge_of("newsvendor/sec-EC.2-moreau")(find("newsvendor/sec-EC.2-moreau")))
    assert [f.verdict for f in findings] == [Verdict.REFUTED] * 3 + [Verdict.CERTIFIED] * 4
    pointwise = findings[2]
    assert pointwise.at["u"] == "0"
    assert float(pointwise.computed[0]) == pytest.approx(float(by_hand.gap("gaussian", "0", "1")), rel=1e-15)
    for finding, scale in zip(findings[:2], ("1", "0.75"), strict=True):
        assert float(finding.computed[0]) == pytest.approx(float(by_hand.gap("epanechnikov", "0", scale)), rel=1e-10)
        assert float(finding.claimed) == 0.125 == -float(squeezed(Fraction(9)) - Fraction(9, 2))


@pytest.mark.parametrize("u", ["0", "0.5", "1.7", "-4"])
def test_gaussian_and_hellinger_gaps_from_their_definitions(u: str):
    h, r, beta = M.real(2), M.real("0.3"), M.real("0.9")
    assert abs(gaussian_gap(M, M.real(u), h) - by_hand.gap("gaussian", u, "2")) < 1e-15
    loss = spec.check_loss(M, M.real(u), r)
    objectives = [
        spec.check_loss(M, x, r) + h * beta * M.sqrt(1 + ((M.real(u) - x) / h) ** 2) - loss
        for x in (M.frac(k, 64) for k in range(-640, 641))
    ]
    found = hellinger_gap(M, M.real(u), r, h, beta)
    assert found <= min(objectives) < found + 1e-4


def test_the_region_that_decides_has_a_negative_control():
    assert gaussian_below_hellinger().holds is True
    claim = find("newsvendor/sec-EC.2-moreau-amended")
    near = with_formula(
        claim, "gap_convolution_gaussian", lambda m, u, h: claim.formulas["gap_convolution_gaussian"](m, u=u, h=h) * 13 / 10
    )
    assert fold(decided(near, judge_of(claim.id))) is Verdict.REFUTED  # 1.3 x 0.3989 > 1/2


def test_a_formula_moved_a_little_is_never_certified():
    for id in CERTIFIED:
        claim = find(id)
        for name in claim.formulas:
            if name in ("kink_left", "kink_right", "smoothness_moreau", "smoothness_convolution"):
                continue

            def moved(m, *args, formula=claim.formulas[name], **values):
                return formula(m, *args, **values) * m.frac(1001, 1000)

            with_it = replace(claim, formulas={**claim.formulas, name: wraps(claim.formulas[name])(moved)})
            found = fold(decided(with_it, judge_of(id)))
            loosened = name in ("lipschitz", "smoothness", "gap_lower", "gap_hellinger_upper", "far", "gap_moreau_largest")
            assert found is not Verdict.CERTIFIED or loosened, (id, name)


@pytest.mark.parametrize("name", ["newsvendor_lem-EC.4", "newsvendor_sec-EC.2-moreau"])
def test_witness_runs_alone(name: str):
    done = subprocess.run([sys.executable, "-I", WITNESSES / f"{name}.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "dpsco" not in (WITNESSES / f"{name}.py").read_text()


def test_enclosures_hold_the_reference():
    m = arb()
    for u, h, r in (("0.3", "1", "0.3"), ("-0.7", "1", "0.3"), ("5", "0.001", "0.999999999"), ("0", "7", "0.5")):
        ball = spec.envelope(m, m.real(u), m.real(r), m.real(h))
        assert m.le(m.abs(ball - m.real(str(envelope.value(M, M.real(u), M.real(h), M.real(r))))), m.real("1e-40")) is True
