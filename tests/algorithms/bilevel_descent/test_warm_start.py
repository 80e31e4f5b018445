"""The warm start: the draw's privacy on real neighbours, literal against fast, the composition, the printed rates."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.arguments.algorithms.bilevel_descent.private_wells import kept_when_close
from dpsco.arguments.algorithms.bilevel_descent.two_stages import both_answers
from dpsco.fast.algorithms.bilevel_descent import warm_start as fast
from dpsco.fast.doubles import DOUBLES
from dpsco.fast.losses.bilevel import logistic
from dpsco.fast.losses.bilevel.problem import Problem, objective
from dpsco.judging import judge
from dpsco.mutant import Fate
from dpsco.mutants.algorithms.bilevel_descent import warm_start as mutants
from dpsco.reference.algorithms.bilevel_descent import algorithm as literal
from dpsco.reference.algorithms.bilevel_descent import warm_start as reference
from dpsco.reference.losses.bilevel import logistic as exact
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.bilevel_descent import warm_start as spec
from dpsco.spec.algorithms.exponential_sampling.calibrated import score_scale
from dpsco.spec.register import find
from dpsco.verdict import Part, Reading, Severity, Verdict

BUDGET = 8.0
GROUPS = [0, 1]
CANDIDATES = [[0.0, 0.0], [2.0, -2.0], [-2.0, 2.0], [3.0, 3.0], [-3.0, -3.0]]


def records(random: Random, n: int) -> tuple[list[list[float]], list[float], list[list[float]], list[float]]:
    def row() -> list[float]:
        angle = random.uniform(0, 2 * math.pi)
        return [0.999 * math.cos(angle), 0.999 * math.sin(angle)]

    def signs() -> list[float]:
        return [random.choice((-1.0, 1.0)) for _ in range(n)]

    return [row() for _ in range(n)], signs(), [row() for _ in range(n)], signs()


def problem(given: tuple[list[list[float]], list[float], list[list[float]], list[float]]) -> Problem:
    A, b, C, e = given
    return logistic.problem(A, b, C, e, GROUPS, 1.0, 0.1, 1.0)


def test_a_moved_temperature_is_noticed():
    case = {"values": [0.0, 1.0, 2.5], "epsilon": 1.0, "s": 0.3}
    assert error(spec.start_weights, reference.start_weights, case, fast.start_weights(**case)) <= BUDGET
    assert (
        error(spec.start_weights, reference.start_weights, case, fast.start_weights([0.0, 1.0, 2.5], 1.0 + 1e-13, 0.3)) > BUDGET
    )


@given(seed=st.integers(0, 10**9), n=st.integers(1, 4), epsilon=st.floats(0.1, 5))
@settings(max_examples=15, deadline=None)
def test_the_draw_is_private_on_neighbours(seed: int, n: int, epsilon: float):
    random = Random(seed)
    one = records(random, n)
    two = tuple(part[:-1] + other for part, other in zip(one, records(random, 1), strict=True))
    law = []
    for given_records in (one, two):
        p = problem(given_records)
        values = [objective(p, x, np.zeros(2), 1e-9)[0] for x in CANDIDATES]
        c = p.constants
        D_x = max(math.dist(u, v) for u in CANDIDATES for v in CANDIDATES)
        s = score_scale(DOUBLES, n=n, L_fx=c.L_fx, L_fy=c.L_fy, L_gy=c.L_gy, mu_g=c.mu_g, D_x=D_x, D_y=2 * p.radius)
        law.append(fast.start_weights(values, epsilon, s))
    assert np.max(np.abs(np.log(law[0] / law[1]))) <= epsilon / 2


def test_a_colder_draw_would_be_noticed():
    """Negative control: at a 2000th of the scale two neighbours' probabilities differ by more than epsilon/2."""
    worst = 0.0
    for seed in range(20):
        random = Random(seed)
        values = []
        for b in (1.0, -1.0):
            p = problem(([[0.999, 0.0]], [b], [[0.999, 0.0]], [random.choice((-1.0, 1.0))]))
            values.append([objective(p, x, np.zeros(2), 1e-9)[0] for x in CANDIDATES])
        c = p.constants
        s = score_scale(DOUBLES, n=1, L_fx=c.L_fx, L_fy=c.L_fy, L_gy=c.L_gy, mu_g=c.mu_g, D_x=10.0, D_y=2 * p.radius) / 2000
        first, second = (fast.start_weights(v, 1.0, s) for v in values)
        worst = max(worst, float(np.max(np.abs(np.log(first / second)))))
    assert worst > 0.5


def test_drawn_index_follows_the_weights():
    weights = [0.25, 0.0, 0.5, 0.25]
    uniforms = [0.0, 0.2499, 0.25, 0.74, 0.75, 0.999999]
    assert [fast.drawn(np.array(weights), u) for u in uniforms] == [0, 0, 2, 2, 3, 3]
    assert [reference.drawn(weights, u) for u in uniforms] == [0, 0, 2, 2, 3, 3]
    with pytest.raises(ValueError, match="uniform"):
        fast.drawn(np.array(weights), 1.0)


def test_whole_run_matches_the_literal_one():
    data = records(Random(5), 3)
    p, m = problem(data), mp(40)
    run = fast.second_plan(p, 20.0, 0.1, 1e6)
    assert run.steps >= 2
    normals = np.random.default_rng(2).standard_normal((run.steps, 2))
    sequence = (CANDIDATES, 20.0, 0.1, 1e6, 1e-8, 0.3, normals)
    found = fast.warm_start(p, *sequence, index=run.steps - 1)
    ideal = exact.problem(m, *data, GROUPS, 0.1, 1.0)
    c = p.constants
    D_x = max(math.dist(u, v) for u in CANDIDATES for v in CANDIDATES)
    s = (
        score_scale(DOUBLES, n=3, L_fx=c.L_fx, L_fy=c.L_fy, L_gy=c.L_gy, mu_g=c.mu_g, D_x=D_x, D_y=2 * p.radius)
        + 2 * c.L_fy * 1e-8
    )
    points = [[m.real(t) for t in x] for x in CANDIDATES]
    noise = [[m.real(run.sigma) * m.real(t) for t in row] for row in normals.tolist()]
    small = m.real("1e-25")
    lower = literal.exact_lower(m, ideal, small)
    path = reference.warm_start(m, ideal, points, m.real(20), m.real(s), m.real("0.3"), lower, m.real(run.eta), noise, small)
    off = max(abs(float(a) - b) for a, b in zip(path[run.steps - 1], found.tolist(), strict=True))
    assert off <= run.eta * run.steps * 2 * c.C * run.alpha + 1e-9
    with pytest.raises(ValueError, match="normals"):
        fast.warm_start(p, *sequence[:-1], normals[:-1], index=0)


@pytest.mark.parametrize(("moved", "said"), [({"values": []}, "values"), ({"s": 0.0}, "s="), ({"epsilon": -1.0}, "epsilon")])
def test_bad_input_is_refused(moved: dict[str, object], said: str):
    case = {"values": [0.0, 1.0], "epsilon": 1.0, "s": 1.0, **moved}
    with pytest.raises(ValueError, match=said):
        fast.start_weights(**case)
    with pytest.raises(ValueError, match=said):
        reference.start_weights(mp(), **case)


def test_meta_algorithm_is_certified():
    found = judge("bilevel/alg-2")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 4
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)
    assert not mutants.asked_twice_exceeds(find("bilevel/alg-2"))


@given(epsilon=st.floats(0.05, 5), a=st.floats(0.05, 3), q=st.floats(0, 0.3))
def test_two_answers_by_their_outcomes(epsilon: float, a: float, q: float):
    right = (1 - q) / (1 + math.exp(-a))
    law, other = [q, right, 1 - q - right, 0.0], [0.0, 1 - q - right, right, q]
    pairs = [(i, j) for i in range(4) for j in range(4)]
    total = sum(max(0.0, law[i] * law[j] - math.exp(epsilon) * other[i] * other[j]) for i, j in pairs)
    m = mp(30)
    assert total == pytest.approx(float(both_answers(m, m.real(epsilon), m.real(a), m.real(q))), abs=1e-12)


@pytest.mark.parametrize(("id", "refuted"), [("bilevel/thm-4.3", 1), ("bilevel/eq-3", 2)])
def test_printed_rates_are_beyond_every_private_algorithm(id: str, refuted: int):
    found = judge(id)
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    printed = [
        f for f in found.findings if (f.verdict, f.reading, f.about) == (Verdict.REFUTED, Reading.PRINTED, Part.STATEMENT)
    ]
    assert len(printed) == refuted
    assert any(f.verdict is Verdict.CERTIFIED and f.reading is Reading.MEANT for f in found.findings)
    for shown in printed:
        assert shown.claimed is not None
        assert shown.computed is not None
        assert float(shown.computed[0]) > 1e6 * float(shown.claimed)


def test_the_rate_along_the_path_by_hand():
    """n = 1, delta = 1/2, d = epsilon/2 <= n epsilon: sqrt(8) ln(2)^(1/4) 2^(-1/2) epsilon^(-1/4)."""
    m = mp(60)
    for epsilon in (10**4, 10**40):
        v = {"n": 1, "d_x": epsilon // 2, "epsilon": epsilon, "delta": "0.5", "K": 4, "Psi": 2, "beta_Phi": 2}
        rate = spec.warm_rate(m, **{name: m.real(x) for name, x in v.items()})
        by_hand = m.sqrt(4) * m.log(2) ** m.frac(1, 4) * m.real(epsilon) ** m.frac(-1, 4)
        assert abs(rate / by_hand - 1) < m.real("1e-40")


@pytest.mark.parametrize("d", [1, 2, 3])
def test_many_wells_lie_close_in_the_unit_ball(d: int):
    """A grid of step e^-3 alone has more than e^(3 d) points in the ball; the well's slope beyond half the step is the step."""
    step = math.exp(-3)
    line = np.arange(-20, 21) * step
    squares = sum(axis**2 for axis in np.meshgrid(*[line] * d))
    assert np.count_nonzero(squares <= 1) >= math.exp(3 * d)
    for distance in (step / 2, 0.3, 0.5, 0.7, 2.0):
        assert min(2 * distance, 1) >= step
    m = arb(128)
    run = {name: m.real(value) for name, value in {"epsilon": "20", "delta": "0.5", "n": "1", "d_x": "10"}.items()}
    assert float(kept_when_close(m, run).mid()) == pytest.approx(step * (0.5 - math.exp(-10)), rel=1e-9)
