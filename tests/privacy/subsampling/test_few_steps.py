"""Few sampled steps by two grids: closed forms, integrals, the inversion, and what a wrong rounding or a lost tail would do."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsco.audit.calibration.mechanisms import DP_SGD
from dpsco.audit.calibration.solver import solve
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.subsampling import OutOfReachError, composed, few_steps
from dpsco.reference.privacy.subsampling.few_steps import Curve, Puts, curve, power
from dpsco.reference.privacy.subsampling.grid import Normal, Step
from dpsco.reference.privacy.subsampling.many_steps import Run
from dpsco.spec.privacy.subsampling import Pair, crossing, likelihood_ratio
from dpsco.spec.privacy.subsampling.sampling import BOTH

CONTEXT = mp(22)
TRIALS = [("0.3", "0.8", "0.5"), ("0.05", "1.5", "0.001"), ("1.2", "2", "0.03"), ("0.002", "0.2", "0.01")]
"""epsilon, mu, q."""


def one_step(level: object, mu: str, q: str, pair: Pair) -> object:
    """E(l - level)_+ for REMOVE, E(1 - level l)_+ for ADD, x from N(0, 1): for every level > 0."""
    m, shift, share = CONTEXT, CONTEXT.real(mu), CONTEXT.real(q)
    turn = level if pair is Pair.REMOVE else 1 / level
    if turn <= 1 - share:
        return 1 - level if pair is Pair.REMOVE else m.real(0)
    x = crossing(m, mu=shift, q=share, ratio=turn)
    if pair is Pair.REMOVE:
        return (1 - share - level) * m.Phi(-x) + share * m.Phi(shift - x)
    return m.Phi(x) - level * ((1 - share) * m.Phi(x) + share * m.Phi(x - shift))


def two_steps(epsilon: str, mu: str, q: str, pair: Pair) -> object:
    """One step in closed form, the other by mpmath's quadrature: good to 1e-12 or so."""
    m = CONTEXT

    def integrand(x: object) -> object:
        ratio = likelihood_ratio(m, mu=m.real(mu), q=m.real(q), x=x)
        if pair is Pair.REMOVE:
            return m.phi(x) * ratio * one_step(m.exp(m.real(epsilon)) / ratio, mu, q, pair)
        return m.phi(x) * one_step(m.exp(m.real(epsilon)) * ratio, mu, q, pair)

    # where the other step's loss would have to be its least one, the integrand turns within mu q / e^epsilon or so
    turn = m.exp(m.real(epsilon)) / (1 - m.real(q)) if pair is Pair.REMOVE else m.exp(-m.real(epsilon)) / (1 - m.real(q))
    at = crossing(m, mu=m.real(mu), q=m.real(q), ratio=turn) if turn > 1 - m.real(q) else m.real(0)
    near = [at + sign * m.real(2) ** -k for k in range(9) for sign in (-1, 1)]
    return m.mp.quad(integrand, sorted([*range(-12, 16), at, *near]), maxdegree=5)


def made(epsilon: str, mu: str, q: str, steps: int, size: int = 400) -> Curve:
    return curve(Run(mu, q, steps), arb(192).real(epsilon), size, -60.0)


def ball(x: object) -> object:
    """About what mpmath found, with room for its last digits."""
    m = arb(256)
    return m.real(CONTEXT.mp.nstr(x, 20)) * m.ball(1 - m.real("1e-12"), 1 + m.real("1e-12"))


@pytest.mark.parametrize("bits", [100, 300])
def test_the_normal_distribution_by_polynomials(bits: int):
    random, m = Random(1), arb(bits)
    normal = Normal(m)
    for x in (m.real(random.uniform(-45, 45)) for _ in range(100)):
        m.real(0)
        found = normal.Phi(x)
        assert found.overlaps(arb(bits + 60).Phi(x))
        assert found.rad() < arb(64).real(2) ** -(bits - 8)


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("steps", [1, 2, 7, 12])
def test_powers_are_rounded_outward(steps: int, up: bool):
    random = Random(steps)
    weights = [random.random() for _ in range(9)]
    masses, bits = [int(w / sum(weights) * 2**64) for w in weights], 64
    expected = [Fraction(1)] + [Fraction(0)] * 8
    for _ in range(steps):
        expected = [sum(expected[i] * Fraction(masses[j - i], 2**bits) for i in range(j + 1)) for j in range(9)]
    off = [Fraction(found, 2**bits) - e for found, e in zip(power(masses, steps, bits, up), expected, strict=True)]
    assert all(x >= 0 if up else x <= 0 for x in off)
    assert all(abs(x) <= Fraction(9 * 2 * steps, 2**bits) for x in off)


@pytest.mark.parametrize("pair", BOTH)
@pytest.mark.parametrize(("epsilon", "mu", "q"), [*TRIALS, ("1", "0.1686", "0.01"), ("0.1", "0.1686", "0.01")])
@pytest.mark.parametrize("size", [8, 61, 400])
def test_one_step_lies_between(pair: Pair, epsilon: str, mu: str, q: str, size: int):
    on_grids = made(epsilon, mu, q, 1, size)
    for share in ("0", "0.3", "0.77", "1"):
        eps = CONTEXT.real(epsilon) * CONTEXT.real(share)
        at = ball(eps).mid()
        low, high = on_grids.largest(at, (pair,))
        truth = ball(one_step(CONTEXT.exp(CONTEXT.real(at.str(25, radius=False))), mu, q, pair))
        assert low <= truth.upper()
        assert truth.lower() <= high


@pytest.mark.parametrize("pair", BOTH)
@pytest.mark.parametrize(("epsilon", "mu", "q"), TRIALS[:3])
def test_two_steps_by_an_integral(pair: Pair, epsilon: str, mu: str, q: str):
    truth = ball(two_steps(epsilon, mu, q, pair))
    if truth < arb(64).real("1e-20"):  # beyond the support: nothing is needed
        assert few_steps.delta(epsilon, mu, q, 2, BOTH, 1e-5, 20_000) > 0
        return
    found = few_steps.delta(epsilon, mu, q, 2, (pair,), 5e-8, 60_000)
    assert found.overlaps(truth)
    assert 2 * found.rad() <= arb(64).real("5e-8") * found.lower()
    # negative control: a hundredth of a thousandth more shift is told apart
    other = ball(two_steps(epsilon, str(float(mu) * 1.00001), q, pair))
    assert not found.overlaps(other)


def test_an_optimistic_grid_is_no_upper_bound():
    """Negative control: means of cells, where a spread is needed."""
    epsilon, mu, q = TRIALS[0]
    truth, right = ball(two_steps(epsilon, mu, q, Pair.REMOVE)), made(epsilon, mu, q, 2)
    assert right.largest(right.top, (Pair.REMOVE,))[1] >= truth
    assert replace(right, above=right.below).largest(right.top, (Pair.REMOVE,))[1] < truth
    assert replace(right, below=right.above).largest(right.top, (Pair.REMOVE,))[0] > truth


@pytest.mark.parametrize("lost", [slice(0, 40), slice(200, 300)])
def test_a_lost_part_is_seen(lost: slice):
    """Negative control: the lowest losses, or some above, left out of the upper grid."""
    epsilon, mu, q = TRIALS[0]
    truth, right = ball(two_steps(epsilon, mu, q, Pair.REMOVE)), made(epsilon, mu, q, 2)
    m, bits, step = right.m, 128, Step(arb(300).real(mu), arb(300).real(q), 128)
    grid = step.above(right.above.width, len(right.above.masses) - 1)
    masses = list(grid.masses)
    whole = replace(right, above=Puts.of(m, grid, 2, bits, True))
    assert whole.largest(right.top, (Pair.REMOVE,))[1] >= truth
    masses[lost] = [0] * len(masses[lost])
    torn = replace(right, above=Puts.of(m, replace(grid, masses=tuple(masses)), 2, bits, True))
    assert torn.largest(right.top, (Pair.REMOVE,))[1] < truth


@settings(max_examples=6)
@given(st.sampled_from(BOTH), st.floats(0.5, 2), st.floats(0.05, 0.4), st.integers(8, 40), st.floats(0.05, 1.5))
def test_it_meets_the_inversion(pair: Pair, mu: float, q: float, steps: int, epsilon: float):
    """Where inversion is quick: with fewer steps and rarer ones it takes minutes to find its line."""
    try:
        inverted = composed(epsilon, mu, q, steps, pair, 1e-6, 1e6)
    except OutOfReachError:
        return
    low, high = curve(Run(mu, q, steps), arb(192).real(epsilon), 600, -80.0).largest(arb(192).real(epsilon), (pair,))
    assert low <= inverted.upper()
    assert inverted.lower() <= high


def test_rare_large_jumps_are_enclosed_narrowly():
    """Inverted, the first lay in [0.3254, 2.0115] and the other in [0.27, 1]; the brackets are dp-accounting's."""
    given = {"clip": "1", "sampling": "poisson"}
    first = solve(DP_SGD, {**given, "rate": "0.0007728", "sigma": "0.7259", "steps": 23, "delta": "5.376e-8"}, "epsilon")
    low, high = map(float, first.enclosure or ())
    assert 0.50214 < low < high < 0.503313
    assert high - low < 1e-6 * low
    other = solve(DP_SGD, {**given, "rate": "0.5", "sigma": "0.5", "steps": 3, "epsilon": "2"}, "delta")
    least, most = map(float, other.enclosure or ())
    assert 0.33239 < least < most < 0.33240
    assert most - least < 1e-6 * least


def test_epsilon_turns_where_delta_does():
    found = few_steps.epsilon("1e-6", "1.2", "0.002", 30, BOTH, 1e-6, 30_000)
    m = arb(192)
    assert 2 * found.rad() <= m.real("1e-6") * found
    for off, above in (("-1e-5", True), ("1e-5", False)):
        at = few_steps.delta(found.mid() * (1 + m.real(off)), "1.2", "0.002", 30, BOTH, 1e-6, 60_000)
        assert (at > m.real("1e-6")) is above
    assert few_steps.epsilon("0.5", "1.2", "0.002", 30, BOTH, 1e-6, 30_000) == 0


def test_what_too_few_points_leave_wide_is_refused():
    with pytest.raises(OutOfReachError, match="need a grid of more than 300 points"):
        few_steps.delta("2", "1", "0.1", 40, BOTH, 1e-6, 300)
    wide = few_steps.delta("2", "1", "0.1", 40, BOTH, 1e-6, 300, float("inf"))
    assert wide.overlaps(composed("2", "1", "0.1", 40))
