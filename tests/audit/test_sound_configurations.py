"""Five hundred sound configurations without a false alarm, and the same with a usual mistake, which is caught.

What is sound is known from other routes than the audit's: closed forms in plain mpmath, sums over whole numbers, divergences of
Renyi. A part of them runs every time, all of them in the long suite.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import mpmath
import numpy as np
import pytest

from dpsco import audit
from dpsco.audit import Result, Verdict, sampler

mp = mpmath.mp.clone()
mp.dps = 40
COUNT, EACH = 500, 10
"""Configurations; one in so many runs every time."""
RUNS, CONFIDENCE = 4000, 0.99999
"""Of a black box: a false alarm in a hundred thousand."""


@dataclass(frozen=True)
class Configuration:
    """A question whose answer is sound, and the same with a mistake."""

    name: str
    sound: Callable[[], Result]
    faulty: Callable[[], Result]


def text(x: Any, up: bool = True) -> str:
    """Twelve digits, on the private side of what is rounded."""
    return mp.nstr(mp.mpf(x) * (1 + mp.mpf(10) ** -11 * (1 if up else -1)), 14)


def gaussian_delta(epsilon: Any, mu: Any) -> Any:
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def gaussian(draw: Random) -> Configuration:
    """The exact delta; mistaken: noise for one answer where there are several, or half of the noise, or 3 % less."""
    mu, steps = mp.mpf(10) ** mp.mpf(draw.uniform(-1.2, 0.6)), draw.choice([1, 1, 3, 20, 500])
    epsilon = mp.mpf(mu) ** 2 / 2 + mu * mp.mpf(draw.uniform(0.2, 4))
    delta = gaussian_delta(epsilon, mu)
    sensitivity = mp.mpf(draw.uniform(0.1, 10))
    sigma = mp.sqrt(steps) * sensitivity / mu
    numbers = {"epsilon": text(epsilon), "delta": text(delta), "sensitivity": text(sensitivity, False), "steps": steps}
    less = sigma / (mp.sqrt(steps) if steps > 1 else draw.choice([2, mp.mpf("1.03")]))
    return Configuration(
        "gaussian", lambda: audit.gaussian(**numbers, sigma=text(sigma)), lambda: audit.gaussian(**numbers, sigma=text(less))
    )


def classical_gaussian(draw: Random) -> Configuration:
    """sigma = sqrt(2 ln(1.25/delta))/epsilon: proved up to epsilon = 1; mistaken: half of it."""
    epsilon, delta = mp.mpf(draw.uniform(0.05, 0.99)), mp.mpf(10) ** mp.mpf(draw.uniform(-9, -3))
    sigma = mp.sqrt(2 * mp.log(mp.mpf("1.25") / delta)) / epsilon
    numbers = {"epsilon": text(epsilon), "delta": text(delta), "sensitivity": 1}
    return Configuration(
        "classical gaussian",
        lambda: audit.gaussian(**numbers, sigma=text(sigma)),
        lambda: audit.gaussian(**numbers, sigma=text(sigma / 2)),
    )


def laplace(draw: Random) -> Configuration:
    """scale = steps sensitivity / epsilon; mistaken: composition forgotten, or half of the sensitivity."""
    epsilon, steps = mp.mpf(10) ** mp.mpf(draw.uniform(-2, 1)), draw.choice([1, 1, 2, 7])
    sensitivity = mp.mpf(draw.uniform(0.1, 9))
    scale = steps * sensitivity / epsilon
    numbers = {"epsilon": text(epsilon), "sensitivity": text(sensitivity, False), "steps": steps}
    less = scale / (steps if steps > 1 else 2)
    return Configuration(
        "laplace", lambda: audit.laplace(**numbers, scale=text(scale)), lambda: audit.laplace(**numbers, scale=text(less))
    )


def discrete_laplace(draw: Random) -> Configuration:
    """epsilon = shift / scale; mistaken: the scale of a count where sums move by more."""
    epsilon, shift = mp.mpf(10) ** mp.mpf(draw.uniform(-2, 1)), draw.randint(1, 40)
    scale = shift / epsilon
    less = scale / shift if shift > 1 else scale * mp.mpf("0.97")
    numbers = {"epsilon": text(epsilon), "shift": shift}
    return Configuration(
        "discrete laplace",
        lambda: audit.discrete_laplace(**numbers, scale=text(scale)),
        lambda: audit.discrete_laplace(**numbers, scale=text(less)),
    )


def discrete_gaussian(draw: Random) -> Configuration:
    """delta by its sum over whole numbers; mistaken: a delta of two thirds of it."""
    sigma, shift = mp.mpf(round(draw.uniform(0.6, 20), 3)), draw.choice([1, 1, 1, 2, 3])
    epsilon = mp.mpf(draw.uniform(0.05, 3)) * shift / sigma
    reach = int(14 * sigma) + 20
    weights = {k: mp.exp(-(mp.mpf(k) ** 2) / (2 * sigma**2)) for k in range(-reach - shift, reach + shift + 1)}
    total = mp.fsum(weights.values())
    factor = mp.exp(epsilon)
    delta = mp.fsum(max(mp.mpf(0), weights[k] - factor * weights[k - shift]) for k in range(-reach, reach + 1)) / total
    numbers = {"epsilon": text(epsilon), "sigma": mp.nstr(sigma, 8), "shift": shift}
    return Configuration(
        "discrete gaussian",
        lambda: audit.discrete_gaussian(**numbers, delta=text(delta)),
        lambda: audit.discrete_gaussian(**numbers, delta=text(delta * 2 / 3)),
    )


def exponential(draw: Random) -> Configuration:
    """factor = epsilon / (2 sensitivity); mistaken: without the 2."""
    epsilon, sensitivity = mp.mpf(10) ** mp.mpf(draw.uniform(-2, 1)), mp.mpf(draw.uniform(0.1, 9))
    numbers = {"epsilon": text(epsilon), "sensitivity": text(sensitivity, False)}
    factor = epsilon / (2 * sensitivity)
    return Configuration(
        "exponential",
        lambda: audit.exponential(**numbers, factor=text(factor, False)),
        lambda: audit.exponential(**numbers, factor=text(2 * factor, False)),
    )


def composition(draw: Random) -> Configuration:
    """The optimal composition's binomial sum; mistaken: an epsilon 3 % smaller."""
    epsilon0, steps = mp.mpf(10) ** mp.mpf(draw.uniform(-2, 0)), draw.randint(2, 40)
    share = 1 / (1 + mp.exp(-epsilon0))
    chances = [
        (mp.binomial(steps, k) * share**k * (1 - share) ** (steps - k), (2 * k - steps) * epsilon0) for k in range(steps + 1)
    ]
    epsilon = epsilon0 * mp.mpf(draw.uniform(0.3, 0.9)) * steps
    delta = mp.fsum(max(mp.mpf(0), p * (1 - mp.exp(epsilon - loss))) for p, loss in chances)
    numbers = {"delta": text(delta), "epsilon0": text(epsilon0, False), "steps": steps}
    return Configuration(
        "composition",
        lambda: audit.composition(**numbers, epsilon=text(epsilon)),
        lambda: audit.composition(**numbers, epsilon=text(epsilon * mp.mpf("0.97"))),
    )


def renyi_epsilon(q: float, noise: float, steps: int, delta: float) -> float:
    """Mironov, Talwar and Zhang 2019 at whole orders, converted by Canonne, Kamath and Steinke 2020: an upper bound."""
    best = math.inf
    for order in range(2, 80):
        terms = [
            math.lgamma(order + 1) - math.lgamma(k + 1) - math.lgamma(order - k + 1)
            + k * math.log(q) + (order - k) * math.log1p(-q) + (k * k - k) / (2 * noise**2)
            for k in range(order + 1)
        ]  # fmt: skip
        most = max(terms)
        rho = steps * (most + math.log(math.fsum(math.exp(x - most) for x in terms))) / (order - 1)
        best = min(best, rho + math.log1p(-1 / order) - math.log(delta * order) / (order - 1))
    return max(best, 0.0) * (1 + 1e-9)


def dp_sgd(draw: Random) -> Configuration:
    """A Renyi accountant's epsilon; mistaken: ten times the steps are run, or half of the noise is added."""
    q, noise = 10 ** draw.uniform(-2.3, -0.5), draw.uniform(0.7, 3)
    steps, delta = int(10 ** draw.uniform(2, 4)), 10 ** draw.uniform(-8, -4)
    epsilon = renyi_epsilon(q, noise, steps, delta)
    numbers = {"epsilon": repr(epsilon), "delta": repr(delta), "rate": repr(q)}
    wrong = draw.choice([{"noise_multiplier": noise / 2, "steps": steps}, {"noise_multiplier": noise, "steps": 10 * steps}])
    return Configuration(
        "dp-sgd",
        lambda: audit.dp_sgd(**numbers, noise_multiplier=repr(noise), steps=steps),
        lambda: audit.dp_sgd(**numbers, **wrong),
    )


def black_box(draw: Random) -> Configuration:
    """Outputs alone: noise of the right scale is not refuted, of half the scale it is."""
    epsilon, kind = draw.uniform(0.5, 3), draw.choice(["laplace", "response"])
    seed = draw.randrange(2**31)

    def answering(actual: float) -> Callable[..., Any]:
        def one(data: float, rng: np.random.Generator, size: int) -> Any:
            if kind == "laplace":
                return data + rng.laplace(0, 1 / actual, size)
            keep = rng.random(size) < 1 / (1 + math.exp(-actual))
            return np.where(keep, data, 1 - data)

        return one

    def asked(actual: float) -> Result:
        return sampler(answering(actual), 0.0, 1.0, epsilon=epsilon, runs=RUNS, confidence=CONFIDENCE, seed=seed)

    return Configuration("black box", lambda: asked(epsilon), lambda: asked(2.5 * epsilon))


KINDS = (
    gaussian,
    gaussian,
    classical_gaussian,
    laplace,
    discrete_laplace,
    discrete_gaussian,
    exponential,
    composition,
    dp_sgd,
    black_box,
)


def configurations() -> Iterator[Configuration]:
    for i in range(COUNT):
        yield KINDS[i % len(KINDS)](Random(f"sound {i}"))


def judged(first: int) -> tuple[list[str], list[str]]:
    """False alarms, and mistakes that were missed, of every `EACH`th block of kinds."""
    alarms, missed = [], []
    for i, one in enumerate(configurations()):
        if (i // len(KINDS)) % EACH != first:
            continue
        found, wrong = one.sound(), one.faulty()
        wanted = Verdict.NOT_REFUTED if one.name == "black box" else Verdict.SOUND
        if found.verdict is not wanted:
            alarms.append(f"{i}: {found!r}")
        if wrong.verdict is not Verdict.BROKEN:
            missed.append(f"{i}: {wrong!r}")
    return alarms, missed


def test_fifty_sound_configurations_raise_no_alarm_and_their_mistakes_do():
    alarms, missed = judged(0)
    assert not alarms
    assert not missed


@pytest.mark.long
@pytest.mark.parametrize("block", range(1, EACH))
def test_the_others_of_five_hundred_raise_no_alarm_and_their_mistakes_do(block: int):
    alarms, missed = judged(block)
    assert not alarms
    assert not missed
