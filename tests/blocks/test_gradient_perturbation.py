"""Private full-gradient descent: the literal path at its own noise, noise proved and no more, the same for all blocks."""

import math

import numpy as np
import pytest

from dpsco.blocks import from_arrays
from dpsco.blocks.newton import summed
from dpsco.blocks.source import within_ball
from dpsco.noise import gradient_perturbation
from dpsco.noise.asked import Asked
from dpsco.noise.objective import gradient_rounding
from dpsco.quantile_regression import fit
from dpsco.reference.algorithms.gradient_perturbation import algorithm as reference
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.gaussian import profile

RANDOM = np.random.default_rng(9)
X = RANDOM.standard_normal((50, 2))
Y = X.sum(axis=1) + RANDOM.standard_normal(50)
PUBLIC = {"quantile": 0.3, "epsilon": 1.0, "delta": 1e-6, "feature_bound": 1.5, "method": "gradient-perturbation"}


def delta(sigma, steps, n, change):
    m = mp(40)
    return float(profile(m, m.real(1), m.sqrt(m.real(steps)) * m.real(change) / m.real(sigma) / n))


@pytest.mark.parametrize(("more", "change"), [({}, 2.0), ({"adjacency": "add-one", "n": 40}, 1.0)])
@pytest.mark.parametrize("steps", [1, 9])
def test_the_noise_is_enough_and_not_more(more, change, steps):
    spent = fit(X, Y, **PUBLIC, **more, steps=steps, seed=1).spent
    moved = change * 0.7 * 1.5
    assert delta(spent.sigma, steps, spent.n, moved) <= 1e-6
    assert delta(spent.sigma_lower, steps, spent.n, moved) > 0.999999e-6
    assert delta(0.999 * spent.sigma, steps, spent.n, moved) > 1e-6
    assert spent.proved
    assert fit(X, Y, **PUBLIC, **more, steps=steps).private


@pytest.mark.parametrize("length", [50, 7, 1])
def test_it_is_the_printed_path_at_its_own_noise(length):
    found = fit(from_arrays(X, Y, length=length), **PUBLIC, steps=6, seed=2)
    spent, inside = found.spent, within_ball(from_arrays(X, Y), 1.5).held
    normals = gradient_perturbation.randomness(2, 6, 2)
    given = (spent.step_length, spent.bandwidth, 0.3, spent.sigma)
    literal, _ = reference.descend(mp(40), "logistic", inside[0].tolist(), Y.tolist(), normals.tolist(), *given, math.inf)
    assert found.coefficients == pytest.approx([float(t) for t in literal], rel=0, abs=1e-13)
    other, _ = reference.descend(mp(40), "logistic", X.tolist(), Y.tolist(), normals.tolist(), *given, math.inf)
    assert found.coefficients != pytest.approx([float(t) for t in other], rel=0, abs=1e-6)


def test_a_release_asks_the_operating_system_for_all_its_numbers(monkeypatch):
    asked = []
    drawn = gradient_perturbation.normals
    monkeypatch.setattr(gradient_perturbation, "normals", lambda count: asked.append(count) or drawn(count))
    assert fit(X, Y, **PUBLIC, steps=4).private
    assert asked == [8]
    assert not fit(X, Y, **PUBLIC, steps=4, seed=1).private
    assert asked == [8]


@pytest.mark.parametrize("h", [1e-9, 1.0])
def test_an_iterate_is_refused_where_rounding_is_more_than_was_paid_for(h):
    """The second gradient is formed at a point that given noise leads to, at the end of what is allowed and beyond it."""
    asked = Asked(quantile=0.3, epsilon=1.0, delta=1e-6, feature_bound=1.5, steps=2, bandwidth=h, step_length=1.0)
    spent, blocks = gradient_perturbation.calibrate(50, 1, asked), within_ball(from_arrays(X[:, :1], Y), 1.5)

    def rounded(size):
        return gradient_rounding(1.5, h, 50, np.zeros(1), 0.0, np.array([size]))

    low, high = 1.0, 1e30
    while high > low * 1.001:  # the largest point whose rounding is paid for, 8 times that at the expected size 1
        middle = math.sqrt(low * high)
        low, high = (middle, high) if rounded(middle) <= 8 * rounded(1.0) else (low, middle)
    first, _, _ = summed(blocks, "logistic", np.zeros(1), h, 0.3, 0.0, np.zeros(1), 0)

    def led_to(point):
        steered = (-point - first[0]) / spent.sigma
        return gradient_perturbation.run(blocks, asked, spent, np.array([[steered], [0.0]]))

    assert np.isfinite(led_to(0.99 * low)).all()
    with pytest.raises(ValueError, match=r"coefficient_scale=1.0: must be larger, as an iterate has norm"):
        led_to(1.01 * high)
    # what is paid for covers both sums at the last point that is let through
    m = mp(40)
    moved = m.real(2) * m.real(0.7) * m.real(1.5) / 50 + 2 * m.real(rounded(0.99 * low))
    assert profile(m, m.real(1), m.sqrt(m.real(2)) * moved / m.real(spent.sigma)) <= m.real(1e-6)


def test_more_noise_moves_it_farther():
    exact = fit(X, Y, **{**PUBLIC, "epsilon": 1e6, "delta": 0.5}, step_length=0.5, bandwidth=0.2, steps=50, seed=3).coefficients
    near, far = (
        np.linalg.norm(
            fit(X, Y, **{**PUBLIC, "epsilon": e}, step_length=0.5, bandwidth=0.2, steps=50, seed=3).coefficients - exact
        )
        for e in (100.0, 1.0)
    )
    assert 10 * near < far


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"calibration": "paper"}, "calibration='paper': must be 'certified' for method='gradient-perturbation'"),
        ({"steps": 0}, "steps=0: must be a whole number"),
        ({"steps": 10**8}, "steps=100000000: must be at most 50000000 for d=2"),
        ({"regularisation": 1.0}, "must be left out for method='gradient-perturbation'"),
        ({"step_length": 0.0}, "step_length=0.0"),
        ({"seed": -1}, "seed=-1: must be a whole number"),
        ({"step_length": 1e9, "bandwidth": 1.0, "steps": 3, "seed": 1}, "coefficient_scale=1.0: must be larger"),
    ],
)
def test_what_cannot_be_asked_for_is_said(changed, says):
    with pytest.raises(ValueError, match=says):
        fit(X, Y, **{**PUBLIC, **changed})
