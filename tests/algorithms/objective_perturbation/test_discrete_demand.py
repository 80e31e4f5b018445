"""Discrete demand: the tail step over many error laws, the thresholds, the law of rare features by another route, mutants."""

from dataclasses import replace
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.objective_perturbation.risk.discrete_errors import gap_reached, mean_reached, rare_risk
from dpsco.arguments.formula import apply
from dpsco.instances.discrete_demand import RARE, RARE_AT, admits, numbers
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.objective_perturbation.discrete_demand import gap, mean_over_law
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Relation
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Severity, Verdict, fold

ID = "newsvendor/thm-EC.1"
AMENDED = [f"{ID}{part}-amended" for part in ("", "-tail", "-condition")]


@cache
def judged(id):
    return judge(id)


def finding(id, text, scope=""):
    (found,) = [f for f in judged(id).findings if any(text in str(a) for a in f.asserts) and scope in f.scope]
    return found


@pytest.mark.parametrize(
    ("part", "verdict", "severity"),
    [
        ("", Verdict.REFUTED, Severity.DOMAIN),
        ("-tail", Verdict.STATED, None),
        ("-condition", Verdict.STATED, None),
    ],
)
def test_printed_statements_fall_and_their_proofs_break(part, verdict, severity):
    found = judged(ID + part)
    assert (found.verdict, found.severity, found.proof) == (verdict, severity, Proof.BROKEN)


@pytest.mark.parametrize("id", AMENDED)
def test_amendments_stand_and_their_mutants_die(id):
    assert judged(id).verdict is Verdict.CERTIFIED
    assert {*judged(id).mutants} <= {Fate.KILLED, Fate.TRUE}
    assert len(judged(id).mutants[Fate.KILLED]) >= 4


def test_what_stands_of_the_printed_ones():
    assert finding(ID, "statistical_bound + smoothing").verdict is Verdict.CERTIFIED
    assert finding(ID + "-tail", "<= mass_terms", "every error law").verdict is Verdict.CERTIFIED
    certain = [f for f in judged(ID + "-condition").findings if f.verdict is Verdict.CERTIFIED]
    assert len(certain) == 4


@given(st.floats(0.03, 3), st.lists(st.floats(0.01, 4), min_size=1, max_size=6), st.floats(1, 3))
def test_tail_step_with_the_sum_holds_for_atoms(h, distances, reach):
    """Atoms with as much mass as the condition allows, nearest first: the mean stays below the split's value."""
    m = mpmath.mp.clone() if hasattr(mpmath.mp, "clone") else mpmath.MPContext()
    m.dps = 30
    tau, used, mean = m.sqrt(h) * reach, m.mpf(0), m.mpf(0)
    for t in sorted(distances):
        allowed = m.exp(-1 / m.mpf(t) ** 2) if t <= tau else m.mpf(1)
        share = max(allowed - used, 0)
        mean, used = mean + share * m.exp(-(m.mpf(t) ** 2) / (2 * m.mpf(h) ** 2)), max(used, allowed)
    far = max([tau * m.mpf("1.0000001"), *map(m.mpf, distances)])
    mean += (1 - used) * m.exp(-(far**2) / (2 * m.mpf(h) ** 2))
    assert mean <= m.exp(-1 / (2 * m.mpf(h))) + m.exp(-1 / m.mpf(h))


@pytest.mark.parametrize("h", ["0.04", "0.3", "1.4"])
def test_reached_values_are_below_quadrature_over_the_density(h):
    m, a = mp(30), arb()
    tau, width = m.sqrt(m.real(h)), m.real(h)
    mean = mean_over_law(lambda t: m.exp(-(t**2) / (2 * width**2)), tau)
    found = mean_reached(a, a.real(h), a.sqrt(a.real(h)), a.sqrt(a.real(h)) * a.real("1.0001"))
    assert 0 < (mean - m.real(str(found.mid().str(25, radius=False)))) / mean < 0.05
    far = gap(tau * m.real("1.0001"), width)
    with_gap = gap_reached(a, a.real(h), a.sqrt(a.real(h)), a.sqrt(a.real(h)) * a.real("1.0001"))
    assert far <= m.real(str(with_gap.upper().str(25, radius=False)))


def test_split_dropped_of_its_second_term_is_exceeded():
    """Negative control: exp(-1/(2 h)) alone is not a bound, by quadrature over the density."""
    m = mp(30)
    h = m.real("1.4")
    assert mean_over_law(lambda t: m.exp(-(t**2) / (2 * h**2)), m.sqrt(h)) > m.exp(-1 / (2 * h))


def test_rare_features_by_the_population_minimiser():
    """The minimiser of the smoothed regularised risk by a root search: its own excess exceeds ten bounds, and the enclosed
    lower bound of the expected risk lies below it by no more than the ball's radius explains."""
    claim, m = find(ID), mp(40)
    assert admits(claim, RARE_AT)
    v = numbers(m, RARE_AT)
    lambda_, h, bound = (apply(claim.formulas[name], m, v) for name in ("lambda_chosen", "bandwidth", "bound"))
    r, a, p, z = m.real(RARE.r), m.real(RARE.a), m.real(RARE.p), [m.real(x) for x in RARE.z]

    def smoothed(s, t):
        """E c_h(y - X) with errors -a and a: c_h(u) = E|u + h V|/2 + (r - 1/2) u."""
        total = lambda_ * (s**2 + t**2)
        for w, size in ((1 - p, z[0]), (p, z[1])):
            for mass, error in ((r, -a), (1 - r, a)):
                u = error - s - size * t
                folded = 2 * h * m.phi(u / h) + u * (1 - 2 * m.Phi(-u / h))
                total += w * mass * (folded / 2 + (r - m.frac(1, 2)) * u)
        return total

    def gradient(s, t):
        context, near = m.mp, (m.real("1e-12"), m.real("1e-14"))
        along = (smoothed(s + near[0], t) - smoothed(s - near[0], t)) / (2 * near[0])
        across = (smoothed(s, t + near[1]) - smoothed(s, t - near[1])) / (2 * near[1])
        return [context.mpf(along) * 10**10, context.mpf(across) * 10**7]

    with m.mp.workdps(60):
        s, t = m.mp.findroot(gradient, tuple(m.real(x) for x in RARE.near), tol=1e-15)
        X = s + z[1] * t
        excess = p * (1 - r) * (X - a)
    assert excess > 10 * bound
    lower = rare_risk(claim, arb(), RARE, numbers(arb(), RARE_AT), projected=False)
    assert 0.7 < float(lower.mid()) / float(excess) <= 1


def test_rare_features_prove_nothing_without_the_rare_records_or_beyond_the_conditions():
    """Negative controls: half the error's distance leaves the point, and the amended condition rejects the instance."""
    claim, m = find(ID), arb()
    elsewhere = replace(RARE, near=("0.0000007", "0.000012"))
    assert not rare_risk(claim, m, elsewhere, numbers(m, RARE_AT), projected=False) > 0
    assert not admits(find(ID + "-amended"), RARE_AT)


def test_projected_minimiser_by_simulation():
    """The instance of many dimensions: the problem of equal records, solved for draws of the noise, then projected."""
    (found,) = [f for f in judged(ID).findings if f.reading is Reading.MEANT]
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.RATE)
    generator = np.random.Generator(np.random.Philox(key=5))
    n, d, a, runs = 1e12, 1e14, 0.0101, 2000
    sigma = 0.5 * np.sqrt(8 * np.log(1e6) + 4)
    lambda_ = np.sqrt(0.5 / n + d * sigma**2 / n**2)
    h = 1 / np.sqrt(2 * np.pi) / (lambda_ * n)
    # half of the records at 1 - a, half at 1 + a: between them the slope is 2 lambda theta + b_1/n, up to exp(-(a/h)^2/2)
    first = np.clip(-sigma * generator.standard_normal(runs) / (2 * lambda_ * n), 1 - a - 9 * h, 1 + a + 9 * h)
    others = sigma / (2 * lambda_ * n) * np.sqrt(d + np.sqrt(2 * d) * generator.standard_normal(runs))
    projected = first * np.minimum(1, 1 / np.sqrt(first**2 + others**2))
    risk = np.mean(np.abs(1 + a - projected) + np.abs(1 - a - projected)) / 4 - a / 2
    assert risk > float(found.computed[0]) > 100 * float(found.claimed)
    # negative control: before projection the same outputs keep the bound
    assert np.mean(np.abs(1 + a - first) + np.abs(1 - a - first)) / 4 - a / 2 < float(found.claimed)
    assert not [f for f in judged(ID + "-amended").findings if f.reading is Reading.MEANT], "it speaks of the minimiser only"


def test_certificates_rest_on_their_conditions():
    claim = find(ID + "-amended")
    decide = judge_of(claim.id)
    for predicate in claim.preconditions:
        if "three thresholds" in predicate.says:
            continue
        bare = replace(claim, preconditions=tuple(p for p in claim.preconditions if p is not predicate))
        assert fold(decided(bare, decide)) is Verdict.OPEN, predicate.says


def test_judges_read_formulas_and_assertions():
    claim = find(ID + "-amended")
    decide = judge_of(claim.id)
    for name, top in (("sigma", 100), ("lambda_chosen", 100), ("bandwidth", 3)):
        assert fold(decided(scaled(claim, name, top, 1), decide)) is not Verdict.CERTIFIED
    other = replace(claim, asserts=(Relation("risk", "<", "bound"),))
    assert fold(decided(other, decide)) is Verdict.OPEN


def test_a_negative_bound_is_not_taken_for_its_square():
    """Negative control of comparisons through squares."""
    for id, name in ((f"{ID}-amended", "bound"), (f"{ID}-condition-amended", "threshold_factor")):
        decide = judge_of(id)
        assert fold(decided(scaled(find(id), name, -1, 1), decide)) is not Verdict.CERTIFIED
