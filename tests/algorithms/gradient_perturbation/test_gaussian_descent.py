"""Gaussian descent: kernel and literal algorithm, the printed variance for each release, the risk, and the repairs."""

from functools import cache
from random import Random

import numpy as np
import pytest

from dpsco.arguments.algorithms.descent import decision_descent as known
from dpsco.arguments.algorithms.descent.decision_risk import constants, covers
from dpsco.fast.algorithms.gradient_perturbation import gaussian_descent as fast
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, with_formula
from dpsco.reference.algorithms.exponential_descent.algorithm import gradient
from dpsco.reference.algorithms.gradient_perturbation import gaussian_descent as reference
from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import error
from dpsco.spec.algorithms.gradient_perturbation import gaussian_descent as spec
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Severity, Verdict, fold

BUDGET = 4.0
CASE = {
    "shape": "ball",
    "costs": [[1.0, -2.0], [0.5, 0.3]],
    "features": [[0.7], [-1.1]],
    "normals": [[0.3, -0.8], [1.2, 0.4], [-0.5, 0.9]],
    "eta": 0.05,
    "mu": 1.0,
    "radius": 1.0,
    "sigma": 0.5,
}


@cache
def judged(id):
    return judge(id)


@pytest.mark.parametrize("problem", spec.descend.hard)
def test_fast_matches_reference_on_hard_problems(problem):
    assert error(spec.descend, reference.descend, problem, fast.descend(**problem)) <= BUDGET


@pytest.mark.parametrize("moved", [{"eta": 0.05 * (1 + 1e-13)}, {"sigma": 0.5001}, {"mu": 1.001}, {"shape": "box"}])
def test_a_moved_argument_is_noticed(moved):
    assert error(spec.descend, reference.descend, CASE, fast.descend(**CASE)) <= BUDGET
    assert error(spec.descend, reference.descend, CASE, fast.descend(**{**CASE, **moved})) > BUDGET


def test_simulation_is_the_kernel_on_its_own_draws():
    """The same stream drawn in advance gives the same path."""
    normals = np.random.Generator(np.random.Philox(key=3)).standard_normal((50, 2))
    generator = np.random.Generator(np.random.Philox(key=3))
    given = {name: value for name, value in CASE.items() if name != "normals"}
    found = fast.descend(**given, normals=normals)
    average, last = fast.simulate(**given, steps=50, generator=generator)
    assert np.array_equal(found[-1], last)
    assert np.allclose(found.mean(axis=0), average, rtol=1e-12)
    with pytest.raises(ValueError, match="steps=-1"):
        fast.simulate(**given, steps=-1, generator=generator)


@pytest.mark.parametrize("kernel", [fast.descend, lambda **given: reference.descend(mp(), **given)])
def test_an_unknown_set_is_refused(kernel):
    with pytest.raises(ValueError, match="shape='simplex': must be one of ball, box"):
        kernel(**{**CASE, "shape": "simplex"})


@pytest.mark.parametrize(("id", "killed"), [("spo/alg-2", 4), ("spo/thm-7-amended", 5), ("spo/app-e-smoothing-amended", 5)])
def test_certified_and_mutants_die(id, killed):
    found = judged(id)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert set(found.mutants) <= {Fate.KILLED, Fate.TRUE}


def test_printed_risk_is_refuted_for_two_reasons():
    found = judged("spo/thm-7")
    assert (found.verdict, found.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    false = [f for f in found.findings if f.verdict is Verdict.REFUTED]
    refuted = [f for f in false if f.about is Part.STATEMENT]
    assert [f.reading for f in false if f not in refuted] == [Reading.PRINTED]
    assert found.proof is Proof.BROKEN
    assert {f.lemmas[0].name for f in refuted} == {known.IDLE.name, known.SHRUNK.name}
    assert [str(f.asserts[0]) for f in found.findings if f.verdict is Verdict.CERTIFIED] == ["regret_calibrated <=O rate"]


def test_printed_chain_breaks_at_its_last_line_and_not_at_the_noise_as_printed():
    found = judged("spo/app-e-smoothing")
    assert (found.verdict, found.proof) == (Verdict.STATED, Proof.BROKEN)
    noise, in_all, last = found.findings
    assert (noise.verdict, noise.reading) == (Verdict.CERTIFIED, Reading.PRINTED)
    assert (in_all.verdict, in_all.reading, in_all.at["p"]) == (Verdict.REFUTED, Reading.ANOTHER, "2")
    assert (last.verdict, last.reading, last.at["mu"], last.at["eta"]) == (Verdict.REFUTED, Reading.PRINTED, "1", "1")


def test_a_bound_that_is_neither_proved_nor_reached_is_open():
    """Negative control: 0.7 of the bound is above what the records reach, and below what is proved."""
    claim = find("spo/thm-7-amended")
    bound = claim.formulas["regret_calibrated"]
    moved = with_formula(
        claim,
        "regret_calibrated",
        lambda m, n, p, d, epsilon, delta, L, B_B, B_x, B_w: (
            m.frac(7, 10) * bound(m, n=n, p=p, d=d, epsilon=epsilon, delta=delta, L=L, B_B=B_B, B_x=B_x, B_w=B_w)
        ),
    )
    assert fold(decided(moved, judge_of(claim.id))) is Verdict.OPEN


def test_constants_of_the_rate():
    """The two constants at random numbers: regret^2 is at most their combination, and the rate covers it."""
    claim, m, random = find("spo/thm-7-amended"), mp(30), Random(2)
    assert covers(claim)
    a, b = constants(claim, "regret_calibrated")
    for _ in range(50):
        v = {k: 10 ** random.uniform(-2, 2) for k in ("L", "B_B", "B_w", "B_x", "epsilon")}
        v |= {"n": random.randint(1, 999), "p": random.randint(1, 99), "d": random.randint(1, 9), "delta": random.random()}
        exact = {k: m.real(x) for k, x in v.items()}
        one, two = (float(part.subs({s: v[s.name] for s in part.free_symbols})) for part in (a, b))
        private = v["p"] * v["d"] * np.log(1 / v["delta"]) / (v["n"] * v["epsilon"]) ** 2
        assert float(claim.formulas["regret_calibrated"](m, **exact)) ** 2 <= (one / v["n"] + two * private) * (1 + 1e-9)


@pytest.mark.parametrize("shape", ["ball", "box"])
def test_steps_are_nonexpansive_up_to_the_lemma_s_length(shape):
    """Random pairs through the literal gradient; a fifth longer steps drive some pair apart."""
    m, random = mp(20), Random(6)
    farthest = {"1": m.real(0), "1.2": m.real(0)}
    for _ in range(60):
        x, mu = [m.real(random.choice((0.5, 2.0)))], m.real(10 ** random.uniform(-1, 1))
        costs = [[m.real(random.gauss(0, 0.2)) for _ in range(2)]]
        pair = [[m.real(random.gauss(0, 0.02)) for _ in range(2)] for _ in range(2)]
        g = [gradient(m, shape, costs, [x], mu, m.real(1), B) for B in pair]
        apart = [a - b for a, b in zip(*pair, strict=True)]
        for longer in farthest:
            eta = m.real(longer) * mu / (2 * x[0] ** 2)
            moved = [a - eta * (u - v) for a, u, v in zip(apart, *g, strict=True)]
            farthest[longer] = max(farthest[longer], m.norm(moved) / m.norm(apart))
    assert farthest["1"] <= 1 + m.real("1e-15")
    assert farthest["1.2"] > 1.1


def runs(low, high, c, x, mu, eta, sigma, steps, replicates, key=11):
    """Averages of many noisy descents on one record, S = [low, high], w*(c) = low; all iterates of one coordinate."""
    generator = np.random.Generator(np.random.Philox(key=key))
    B, total = np.zeros(replicates), np.zeros(replicates)
    for _ in range(steps):
        w = np.clip((c - 2 * B * x) / mu, low, high)
        B = B - eta * (2 * (low - w) * x + sigma * generator.standard_normal(replicates))
        total += B
    return total / (steps + 1)


def value(function, claim, n, **more):
    m = mp(30)
    v = {"n": n, "d": 1, "p": 1, "epsilon": 1, "delta": "0.5", "L": 1, "B_B": 1, "B_w": 1, "B_x": "0.5", **more}
    values = {k: m.real(x) for k, x in v.items()}
    eta = known.step(claim, m, values)
    return float(eta), float(known.with_noise(m, values)["sigma"]), float(function(m, values, eta))


def test_smoothing_that_never_starts_by_simulation():
    """n = 30: the mean risk after projection is above what the lemma says, which is above the printed bound."""
    claim, n = find("spo/thm-7"), 30
    eta, sigma, proved = value(known.idle, claim, n)
    average = np.clip(runs(0.5, 1.0, 2.0, 1.0, 4.0, eta, sigma, n * n - 1, 4000), -1, 1)
    risk = 0.5 * np.maximum(0, 2.0 - 2 * average)
    at = {"n": n, "d": 1, "epsilon": 1, "delta": "0.5", "L": 1, "B_B": 1, "B_w": 1}
    bound = float(claim.formulas["regret_calibrated"](mp(30), **{name: mp(30).real(x) for name, x in at.items()}))
    assert risk.mean() > proved > bound
    # negative control: with the smoothing tied to the step the same record is learned
    tied = np.clip(runs(0.5, 1.0, 2.0, 1.0, eta / 2, eta, sigma, n * n - 1, 4000), -1, 1)
    assert (0.5 * np.maximum(0, 2.0 - 2 * tied)).mean() < proved / 2


def test_projection_shrinks_by_simulation():
    """n = 30, p = 10^6: one coordinate simulated, the length of the others drawn; S = [0, 1], x = 1/2, c = 1."""
    claim, n, p = find("spo/thm-7"), 30, 10**6
    eta, sigma, proved = value(known.shrunk, claim, n, p=p)
    first = runs(0.0, 1.0, 1.0, 0.5, eta / 2, eta, sigma, n * n - 1, 4000)
    T = n * n
    spread = eta**2 * sigma**2 * (T - 1) * (2 * T - 1) / (6 * T)
    others = np.sqrt(spread * np.random.Generator(np.random.Philox(key=4)).chisquare(p - 1, 4000))
    projected = first * np.minimum(1, 1 / np.hypot(first, others))
    risk = np.maximum(0, 1.0 - projected)
    assert risk.mean() - 4 * risk.std() / 4000**0.5 > proved
    assert proved > 0.5
    assert np.maximum(0, 1.0 - first).mean() < proved  # unprojected, the same run is better


@pytest.mark.parametrize("n", [5, 30])
def test_amended_bound_by_simulation(n):
    """The mean risk of the average on the slow record is below the bound, and above a tenth of it."""
    claim, m = find("spo/thm-7-amended"), mp(30)
    eta, sigma, _ = value(known.idle, claim, n)
    mu = float(claim.formulas["smoothing"](m, eta=m.real(eta), B_x=m.frac(1, 2)))
    risks = []
    for x in (0.1, 0.25, 0.5):
        average = runs(0.0, 1.0, 2 * x, x, mu, eta, sigma, n * n - 1, 2000)
        risks.append(np.maximum(0, 2 * x * (1 - average)).mean())
    at = {"n": n, "p": 1, "d": 1, "epsilon": 1, "delta": "0.5", "L": 1, "B_B": 1, "B_x": "0.5", "B_w": 1}
    bound = float(claim.formulas["regret_calibrated"](m, **{name: m.real(x) for name, x in at.items()}))
    assert bound / 10 < max(risks) < bound


@pytest.fixture(scope="module")
def printed():
    return judge("spo/thm-6")


def test_refuted_for_every_release(printed):
    assert (printed.verdict, printed.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    releases = {f.release for f in printed.findings if f.verdict is Verdict.REFUTED and f.reading is Reading.PRINTED}
    assert releases == {"all noisy gradients", "the average of the T iterates", "the decision w*(c_hat) alone"}


def test_amendment_is_certified(printed):
    amended = judge("spo/thm-6-amended")
    assert amended.verdict is Verdict.CERTIFIED
    assert Fate.SURVIVED not in amended.mutants
    assert len(amended.mutants[Fate.KILLED]) >= 3


@pytest.mark.parametrize("cost", [2.0, -2.0])
@pytest.mark.parametrize("x", [0.5, 1.0])
def test_records_of_the_lemma_have_constant_gradients(cost: float, x: float):
    """Smoothed SPO+ on S = [-1, 1] by brute force over decisions: its slope in B is -4 sign(c) x while |c| >= mu + 2|Bx|."""
    mu = 0.5
    w = np.linspace(-1, 1, 200001)

    def loss(b: float) -> float:
        c_hat, best = b * x, -np.sign(cost)
        return float(np.max((-2 * w + 2 * best) * c_hat - (-w + best) * cost - mu / 2 * w**2))

    for b in (0.0, 0.3, -0.6):
        assert abs(cost) >= mu + 2 * abs(b * x)
        assert (loss(b + 1e-3) - loss(b - 1e-3)) / 2e-3 == pytest.approx(-4 * np.sign(cost) * x, rel=1e-9)
    # negative control: near the kink the slope is another
    assert (loss(0.9 * cost / x + 1e-3) - loss(0.9 * cost / x - 1e-3)) / 2e-3 != pytest.approx(-4 * np.sign(cost) * x, rel=0.1)


@pytest.mark.parametrize(
    ("name", "formula", "words"),
    [
        ("regret_calibrated", lambda m, L, B_B: 10 * L * B_B, "excess risk"),
        ("rate", lambda m: m.real(1), "risk is O(rate)"),
    ],
)
def test_what_is_made_true_is_not_refuted(name, formula, words):
    """The risk over the ball is at most a multiple of L B_B."""
    for claim, refuted in ((find("spo/thm-7"), True), (with_formula(find("spo/thm-7"), name, formula), False)):
        found = [f for f in decided(claim, judge_of(claim.id)) if words in f.scope and f.reading is Reading.PRINTED]
        assert all((f.verdict is Verdict.REFUTED) is refuted for f in found)
        assert found
