"""The smoothed check loss: reference against its definition, fast against reference, the judges and their negative controls."""

import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsco import witnesses
from dpsco.arguments.regions import box, certify
from dpsco.fast.losses.quantile import smoothing as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile import smoothing as spec
from dpsco.spec.register import find
from dpsco.verdict import Rung, Verdict, fold

M = mp(40)
BUDGET = {"value": 6.0, "derivative": 5.0, "curvature": 5.0, "risk": 7.0, "gradient": 6.0, "hessian": 10.0}
WITNESSES = Path(witnesses.__file__).parent
each = pytest.mark.parametrize("kernel", KERNELS)
ratios = st.floats(-45, 45) | st.sampled_from([0.0, 1.0, -1.0, 800.0, -800.0, 1e5, -1e5])
bandwidths = st.floats(-290, 290).map(lambda e: 10.0**e)
levels = st.floats(1e-17, 1 - 1e-16)


def off(name: str, given_: dict[str, object]) -> float:
    """The fast function's error on one input, in its contract's metric."""
    contract = getattr(spec, name)
    arrays = {k: np.array(v) if isinstance(v, list) else v for k, v in given_.items()}
    return error(contract, getattr(smoothing, name), given_, getattr(fast, name)(**arrays))


@given(kernel=st.sampled_from(KERNELS), t=ratios, h=bandwidths, r=levels)
@example(kernel="gaussian", t=-37.0, h=1.0, r=1e-17)
@example(kernel="uniform", t=1.0, h=0.1, r=0.5)
@example(kernel="epanechnikov", t=-0.9999999999999999, h=0.3, r=1 - 1e-16)
def test_scalars_match_reference(kernel: str, t: float, h: float, r: float):
    u = t * h
    for name in ("value", "derivative"):
        assert off(name, {"kernel": kernel, "u": u, "h": h, "r": r}) <= BUDGET[name], name
    assert off("curvature", {"kernel": kernel, "u": u, "h": h}) <= BUDGET["curvature"]


@pytest.mark.parametrize("name", list(BUDGET))
def test_hard_and_generated_inputs(name: str):
    contract, random = getattr(spec, name), Random(3)
    tried = [*contract.hard, *(contract.generate(random) for _ in range(60))]
    worst = max(off(name, dict(i)) for i in tried)
    assert 0.5 < worst <= BUDGET[name]


def test_negative_control_the_printed_form_in_doubles_is_out_of_budget():
    h, r, u = 1.0, 1e-12, 30.0
    naive = h / 2 * (math.sqrt(2 / math.pi) * math.exp(-u * u / 2) + u * math.erf(u / math.sqrt(2))) + (r - 0.5) * u
    given_ = {"kernel": "gaussian", "u": u, "h": h, "r": r}
    assert error(spec.value, smoothing.value, given_, naive) > 1000 * BUDGET["value"]
    assert off("value", given_) <= BUDGET["value"]


def test_negative_control_a_plain_residual_is_out_of_budget():
    X, y, theta = [[1e16, 1.0, -1e16]], [0.5], [1.0, 1.0, 1.0]
    given_ = {"kernel": "gaussian", "X": X, "y": y, "theta": theta, "h": 1.0, "r": 0.5}
    plain = y[0] - sum(a * b for a, b in zip(X[0], theta, strict=True))
    assert plain != -0.5
    wrong = [-fast.derivative("gaussian", plain, 1.0, 0.5) * x for x in X[0]]
    assert error(spec.gradient, smoothing.gradient, given_, wrong) > 1e6
    assert off("gradient", given_) <= BUDGET["gradient"]


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=8), st.data())
def test_residual_is_the_exact_one_rounded(x: list[float], data: st.DataObject):
    theta = data.draw(st.lists(st.floats(-1e9, 1e9), min_size=len(x), max_size=len(x)))
    y = data.draw(st.floats(-1e9, 1e9))
    exact = Fraction(y) - sum((Fraction(a) * Fraction(b) for a, b in zip(x, theta, strict=True)), Fraction(0))
    size = abs(Fraction(y)) + sum((abs(Fraction(a) * Fraction(b)) for a, b in zip(x, theta, strict=True)), Fraction(0))
    u, du = fast.residual(np.array(x), y, np.array(theta))
    assert abs(Fraction(u) + Fraction(du) - exact) <= size * Fraction(1, 2**90) + Fraction(1, 2**1000)


@given(u=st.floats(-1e300, 1e300), h=st.floats(1e-300, 1e300))
@example(u=1e-310, h=1e-300)
@example(u=1e300, h=1e-300)
def test_quotient_carries_what_was_cut_off(u: float, h: float):
    t, dt = fast.quotient(u, 0.0, h)
    exact = Fraction(u) / Fraction(h)
    if abs(exact) > Fraction(2) ** 1023:
        assert dt == 0 or math.isfinite(dt)
    else:
        assert abs(Fraction(t) + Fraction(dt) - exact) <= abs(exact) * Fraction(1, 2**100) + Fraction(1, 2**1074)


@each
def test_reference_is_the_convolution(kernel: str):
    edge = {"gaussian": 14, "logistic": 110}.get(kernel, 1)
    for u, h, r in (("0.3", "0.5", "0.2"), ("-2", "0.7", "0.9"), ("0", "3", "0.5"), ("0.7", "0.7", "0.1")):
        u, h, r = M.real(u), M.real(h), M.real(r)

        def term(v, u=u, h=h, r=r):
            w = u - h * v
            return (r * w if w > 0 else (r - 1) * w) * kernels.density(M, kernel, v)

        kink = max(-edge, min(edge, u / h))
        by_hand = M.mp.quad(term, sorted({M.real(-edge), M.real(0), kink, M.real(edge)}))
        assert abs(by_hand - smoothing.value(M, kernel, u, h, r)) < 1e-20
        step = M.real("1e-12")
        low, high = (smoothing.value(M, kernel, u + s * step, h, r) for s in (-1, 1))
        assert abs((high - low) / (2 * step) - smoothing.slope(M, kernel, u, h, r)) < 1e-10


@each
def test_rows_agree_with_one_row_at_a_time_and_hessian_with_the_gradient(kernel: str):
    rng = np.random.default_rng(5)
    X, y, theta, h, r = rng.normal(size=(40, 3)), rng.normal(size=40), rng.normal(size=3), 0.8, 0.3
    rows = [fast.risk(kernel, X[i : i + 1], y[i : i + 1], theta, h, r) for i in range(40)]
    assert fast.risk(kernel, X, y, theta, h, r) == pytest.approx(np.mean(rows), rel=1e-14)
    step = 1e-6
    numeric = [
        (fast.gradient(kernel, X, y, theta + step * e, h, r) - fast.gradient(kernel, X, y, theta - step * e, h, r)) / (2 * step)
        for e in np.eye(3)
    ]
    assert np.allclose(fast.hessian(kernel, X, y, theta, h), numeric, atol=1e-6)


@pytest.mark.parametrize(
    ("X", "y", "theta", "named"),
    [
        (np.zeros((0, 2)), np.zeros(0), np.zeros(2), "X has shape"),
        (np.zeros(3), np.zeros(3), np.zeros(1), "X has shape"),
        (np.zeros((3, 2)), np.zeros(2), np.zeros(2), "y and theta"),
        (np.zeros((3, 2)), np.zeros(3), np.zeros(3), "y and theta"),
    ],
)
def test_shapes_are_checked(X, y, theta, named):
    with pytest.raises(ValueError, match=named):
        fast.risk("gaussian", X, y, theta, 1.0, 0.5)


@each
def test_gap_between_zero_and_its_bound_over_a_region(kernel: str):
    """Branch and bound, which the judge does not use; the lower end stays clear of the tight point 0."""
    m = arb()

    def holds(m, t, share):
        gap = smoothing.gap(m, kernel, t, m.real(1))
        return m.all(m.lt(-m.frac(1, 100), gap), m.lt(gap, share * kernels.kappa_1(m, kernel) / 2))

    assert certify(m, holds, box(("0.125", "3"), (1, 1))).holds is True
    assert certify(m, holds, box(("0", "3"), ("0.9", "0.9"))).holds is False


CERTIFIED = ("eq-2-amended", "lem-3.1-1-amended", "lem-3.1-2", "lem-3.1-3", "sec-3.1-epi")


@pytest.mark.parametrize("id", [*(f"quantile/{label}" for label in CERTIFIED), "newsvendor/lem-5"])
def test_certified_with_full_power(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 3
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(judgement.mutants)


@pytest.mark.parametrize("id", ["quantile/eq-2", "quantile/lem-3.1-1"])
def test_twice_differentiable_fails_for_the_uniform_kernel_alone(id: str):
    findings = list(judge_of(id)(find(id)))
    refuted = [f for f in findings if f.verdict is Verdict.REFUTED]
    assert {f.at["kernel"] for f in refuted} == {"uniform"}
    assert {f.at["u"] for f in refuted} == {"-1", "1"}
    assert all(f.severity == "domain" and f.rung is Rung.EXACT for f in refuted)
    assert {f.verdict for f in findings if f not in refuted} == {Verdict.CERTIFIED}
    assert judge(id, with_mutants=False).amendments == [f"{id}-amended"]


@pytest.mark.parametrize(("kernel", "kink"), [("uniform", True), ("epanechnikov", False)])
def test_second_quotients_at_the_edge_confirm_it(kernel: str, kink: bool):
    """Another route: enclosed second difference quotients of c_h on both sides of u = h."""
    m = arb(400)

    def side(step: str):
        u, s = m.real(1), m.real(step)
        values = [smoothing.value(m, kernel, u + k * s, m.real(1), m.frac(3, 10)) for k in (0, 1, 2)]
        return (values[2] - 2 * values[1] + values[0]) / s**2

    above, below = side("1e-9"), side("-1e-9")
    assert m.gt(m.abs(above - below), m.frac(1, 4)) is kink


@pytest.mark.parametrize("name", ["quantile_eq-2", "quantile_lem-3.1-1"])
def test_witness_runs_alone(name: str):
    script = WITNESSES / f"{name}.py"
    done = subprocess.run([sys.executable, "-I", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "dpsco" not in script.read_text()
    assert len(script.read_text().splitlines()) <= 40


@pytest.mark.parametrize(
    ("id", "formula", "wrong"),
    [
        ("quantile/lem-3.1-2", "lipschitz", lambda m, r, B_x: m.min(r, 1 - r) * B_x),
        ("quantile/eq-2-amended", "slope", lambda m, kernel, u, h, r: kernels.integrated(m, kernel, u / h) + r - 2),
    ],
)
def test_a_wrong_formula_in_the_specification_itself_is_noticed(monkeypatch, id: str, formula: str, wrong):
    """The judge's own side must not be the claim's formula under another name."""
    claim, decide = find(id), judge_of(id)
    names = [name for name, function in claim.formulas.items() if function is getattr(spec, formula)]
    assert names
    assert decide is not None
    monkeypatch.setattr(f"dpsco.spec.losses.quantile.smoothing.{formula}", wrong)
    moved = replace(claim, formulas={**claim.formulas, **dict.fromkeys(names, wrong)})
    assert fold(decided(moved, decide)) is Verdict.REFUTED
