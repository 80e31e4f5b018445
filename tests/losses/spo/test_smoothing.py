"""Smoothing: reference against suprema, fast against reference, the judges, both refutations by other computations."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.fast.losses.spo import smoothing as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.mutants.losses.spo.smoothing import FINE, bend, steepness
from dpsco.mutants.losses.spo.smoothing import loss as on_the_line
from dpsco.reference.losses.spo import loss, regions, smoothing
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.spec.domain import reals
from dpsco.spec.losses.spo import smoothing as spec
from dpsco.spec.losses.spo.regions import any_pair, any_smoothed, some_cost
from dpsco.spec.numbers import names_of
from dpsco.spec.register import find
from dpsco.verdict import Part, Reading, Severity, Verdict, fold

M = mp(40)
NAMES = ("smoothed_loss", "smoothed_gradient")
BUDGET = 8.0
CERTIFIED = ("spo/lem-1", "spo/sec-3.2-1", "spo/sec-3.2-2", "spo/sec-3.2-loss-amended", "spo/sec-3.2-smooth-amended")
seeds = st.integers(0, 2**32).map(Random)


def off(name: str, given_: dict[str, object]) -> float:
    return error(getattr(spec, name), getattr(smoothing, name), given_, getattr(fast, name)(**given_))


@given(seeds)
def test_fast_matches_reference(random: Random):
    found = dict(any_smoothed(random))
    for name in NAMES:
        assert off(name, found) <= BUDGET, (name, found)


@pytest.mark.parametrize("name", NAMES)
def test_hard_and_generated_inputs(name: str):
    worst = max(off(name, dict(i)) for i in inputs(getattr(spec, name), 100, 9))
    assert 0 < worst <= BUDGET


def test_negative_control_a_gradient_without_its_factor_is_seen():
    given_ = {"shape": "box", "table": [[-1.0], [1.0]], "c": [0.5], "c_hat": [0.0], "mu": 1.0}
    assert error(spec.smoothed_gradient, smoothing.smoothed_gradient, given_, fast.smoothed_gradient(**given_) / 2) > 1e10


def test_bad_smoothing_parameters_are_refused():
    for mu in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="mu is positive"):
            fast.smoothed_loss("ball", [[0.0], [1.0]], [1.0], [1.0], mu)
    with pytest.raises(ValueError, match="mu is positive"):
        smoothing.smoothed_loss(M, "ball", [[0.0], [1.0]], [1.0], [1.0], M.real(0))


@settings(max_examples=25)
@given(seeds, st.sampled_from(("0.125", "1", "20")))
def test_reference_is_the_maximum_and_close_to_spo_plus(random: Random, mu: str):
    """On every set, paths and knapsacks too: no decision does better; within mu B_w^2 / 2 below SPO+."""
    found, mu = any_pair(random), M.real(mu)
    shape, table, c, c_hat = (found[name] for name in ("shape", "table", "c", "c_hat"))
    value = smoothing.smoothed_loss(M, shape, table, c, c_hat, mu)[0]
    best = regions.oracle(M, shape, table, c)
    for _ in range(3):
        w = regions.project(M, shape, table, some_cost(random, len(c)))
        assert spec.smoothed_integrand(M, mu, c, c_hat, w, best) <= value + 1e-20
    plus = loss.spo_plus_loss(M, shape, table, c, c_hat)[0]
    reach = regions.norm_bound(M, shape, table)
    assert value - 1e-20 <= plus <= value + mu * spec.dual_range(M, B_w=reach) + 1e-20


@given(seeds)
def test_gradient_by_differences_and_its_slope(random: Random):
    """On convex sets: the derivative along a line, and |grad - grad'| <= (4/mu) |c_hat - c_hat'|."""
    found = dict(any_smoothed(random))
    if found["shape"] == "sphere":
        return
    mu = found["mu"] = M.real(random.choice(("0.5", "3")))
    d, step = len(found["c"]), M.real("1e-15")
    towards, other = some_cost(random, d), some_cost(random, d)
    here = smoothing.smoothed_gradient(M, **found)[0]
    ends = [
        smoothing.smoothed_loss(
            M, **{**found, "c_hat": [a + s * step * b for a, b in zip(found["c_hat"], towards, strict=True)]}
        )[0]
        for s in (-1, 1)
    ]
    assert abs((ends[1] - ends[0]) / (2 * step) - M.dot(here, towards)) < 1e-8
    there = smoothing.smoothed_gradient(M, **{**found, "c_hat": other})[0]
    moved = M.norm([a - b for a, b in zip(here, there, strict=True)])
    assert moved <= 4 / mu * M.norm([a - b for a, b in zip(found["c_hat"], other, strict=True)]) + 1e-20


@pytest.mark.parametrize("id", CERTIFIED)
def test_certified_with_full_power(id: str):
    judgement = judge(id)
    assert judgement.verdict is Verdict.CERTIFIED
    assert len(judgement.mutants[Fate.KILLED]) >= 4
    assert set(judgement.mutants) == {Fate.KILLED}


def test_the_gradient_is_steeper_than_printed():
    judgement = judge("spo/sec-3.2-smooth")
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.CONSTANT)
    assert judgement.amendments == ["spo/sec-3.2-smooth-amended"]
    assert [f.verdict for f in judgement.findings] == [Verdict.REFUTED] * 3
    first = judgement.findings[0]
    assert (first.computed, first.at) == (("4", "4"), {"mu": "1", "x_norm": "1"})
    # by second differences of a supremum over a list, and by the kernel
    assert bend(Fraction(1)) == 4
    box = {"shape": "box", "table": [[-1.0], [1.0]], "c": [0.0], "mu": 1.0}
    ends = [fast.smoothed_gradient(**box, c_hat=[h])[0] for h in (-0.125, 0.125)]
    assert (ends[1] - ends[0]) / 0.25 == 4.0


def test_on_the_sphere_the_gradient_jumps():
    sphere = {"shape": "sphere", "table": [[0.0], [1.0]], "c": [0.0], "mu": 1.0}
    for t in (1e-3, 1e-9):
        ends = [fast.smoothed_gradient(**sphere, c_hat=[h])[0] for h in (-t / 2, t / 2)]
        assert ends[1] - ends[0] == 4.0
    convex = replace(find("spo/sec-3.2-smooth"), over=find("spo/sec-3.2-smooth-amended").over)
    decide = judge_of("spo/sec-3.2-smooth")
    assert decide is not None
    assert not any("sphere" in f.scope for f in decide(convex))


def test_smoothness_is_certified_up_to_half_a_feature():
    """4 |x|^2/mu <= 1/mu exactly for |x| <= 1/2: the sentence that survives."""
    assert all((4 * x**2 <= 1) is (x <= Fraction(1, 2)) for x in (Fraction(0), Fraction(1, 2), Fraction(51, 100), Fraction(3)))


def test_the_two_displays_differ():
    judgement = judge("spo/sec-3.2-loss")
    assert (judgement.verdict, judgement.severity) == (Verdict.REFUTED, Severity.MISPRINT)
    assert judgement.amendments == ["spo/sec-3.2-loss-amended"]
    (misprint,) = [f for f in judgement.findings if f.verdict is Verdict.REFUTED and f.reading is Reading.PRINTED]
    assert "Appendix A" in misprint.scope
    # by hand on the line, c = 1/2, c_hat = 0: the maximum of (1 + w)/2 less w^2/2, or less |w|/2
    assert on_the_line(Fraction(1, 2), Fraction(0), Fraction(1)) == Fraction(5, 8)
    assert max((1 + w) / 2 - abs(w) / 2 for w in FINE) == Fraction(1, 2)


def test_the_added_term_has_modulus_one_quarter():
    """|w|^2/2 as a function of z = 2 (w* - w), by second differences: the finding about Section 3.2's condition."""
    best, step = Fraction(1), Fraction(1, 8)
    half = [(best - z / 2) ** 2 / 2 for z in (-step, Fraction(0), step)]
    assert (half[0] + half[2] - 2 * half[1]) / step**2 == Fraction(1, 4)


@pytest.mark.parametrize("id", CERTIFIED[1:])
def test_every_printed_formula_is_read(id: str):
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    for name, formula in claim.formulas.items():
        names = names_of(formula)
        factor = "2 + 1" if name == "lower" else "/ 2 - 1"
        moved = f"f(m, {', '.join(f'{name}={name}' for name in names)})"
        text = f"{moved} * {factor}" if name == "lower" else f"{moved} {factor}"
        other = eval(f"lambda m, {', '.join(names)}: {text}", {"f": formula})
        assert fold(decided(with_formula(claim, name, other), decide)) is Verdict.REFUTED, name


@pytest.mark.parametrize("id", CERTIFIED)
def test_conditions_and_domains_are_needed(id: str):
    """Without its conditions, or for any real mu, nothing is certified."""
    claim, decide = find(id), judge_of(id)
    assert decide is not None
    if claim.preconditions:
        assert fold(decided(replace(claim, preconditions=()), decide)) is Verdict.REFUTED
    if any(p.name == "mu" for p in claim.parameters):
        wide = replace(claim, parameters=tuple(p.within(reals) if p.name == "mu" else p for p in claim.parameters))
        assert fold(decided(wide, decide)) in (Verdict.OPEN, Verdict.REFUTED)


def test_the_remark_before_lemma_1_is_reported_and_does_not_decide():
    (remark,) = [f for f in judge("spo/lem-1").findings if f.verdict is Verdict.REFUTED]
    assert (remark.reading, remark.about) == (Reading.ANOTHER, Part.PROOF)


def test_a_differentiable_function_can_be_steep_on_an_interval():
    """The bound on slopes of x^(3/2) sin(1/x) against values in 40 digits."""
    for k in (10, 10**6):
        x, y = (1 / (M.pi * (2 * k + M.frac(h, 2))) for h in (1, 3))
        f = [M.sqrt(z) ** 3 * M.sin(1 / z) for z in (x, y)]
        slope = (f[0] - f[1]) / (x - y)
        assert slope**2 > M.real(steepness(k))
    assert steepness(10**18) > 10**17


def quartered(m, mu, c, c_hat, w, w_star):
    """With the strong convexity in z that Section 3.2 asks for."""
    return spec.smoothed_integrand(m, 4 * mu, c, c_hat, w, w_star)


def unmoved(m, mu, c, c_hat, w, w_star):
    """Its slope in c_hat is the same at every decision."""
    return m.dot(w_star, c_hat) - mu * m.dot(w, w) / 2


@pytest.mark.parametrize(
    ("id", "name", "formula", "words"),
    [
        ("spo/sec-3.2-loss", "smoothed_integrand", quartered, "1-strongly convex"),
        ("spo/sec-3.2-loss", "smoothed_integrand", unmoved, "on the unit sphere"),
        ("spo/sec-3.2-smooth", "smoothness", lambda m, mu, x_norm: 4 * x_norm**2 / mu, "convex S"),
        ("spo/sec-3.2-smooth", "smoothness", lambda m, mu, x_norm: 100 * x_norm**2 / mu, "jumps"),
    ],
)
def test_what_is_made_true_is_not_refuted(id, name, formula, words):
    for claim, refuted in ((find(id), True), (with_formula(find(id), name, formula), False)):
        found = [f for f in decided(claim, judge_of(id)) if f.verdict is Verdict.REFUTED and words in f.scope]
        assert bool(found) is refuted
