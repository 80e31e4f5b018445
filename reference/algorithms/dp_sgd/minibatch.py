"""Noisy descent on batches, literally: the mean subgradient of a batch, its noise, the step, the nearest point of the ball."""

from typing import Any

from dpsco.reference.algorithms.dp_sgd import seeded_noise
from dpsco.reference.algorithms.dp_sgd.algorithm import Noisy, Vector, average, checked, travelled
from dpsco.reference.algorithms.gradient_perturbation.algorithm import projected
from dpsco.reference.literal import literal
from dpsco.reference.losses.quantile.slopes import record_gradient
from dpsco.spec.algorithms.dp_sgd import minibatch as spec
from dpsco.spec.numbers import Numbers, Real


def path_in_ball(m: Numbers, d: int, steps: int, eta: Real, B: Real, noisy: Noisy) -> list[list[Real]]:
    """theta_1, ..., theta_{T+1} of a descent from zero along noisy gradients, each step back into the ball of radius B.

    Domain   d >= 1, T = steps >= 0, B > 0 or infinite; `noisy` gives d numbers (loss/decision)
    Returns  (T + 1) x d numbers (decision)
    """
    theta = [m.real(0)] * d
    found = [theta]
    for t in range(steps):
        theta = projected(m, [a - eta * g for a, g in zip(theta, noisy(t, theta), strict=True)], B)
        found.append(theta)
    return found


def batch_gradient(m: Numbers, loss: str, records: Any, theta: Vector, h: Real, r: Real) -> list[Real]:
    """Mean (sub)gradient of the records (x, y) at theta, d numbers in loss/decision."""
    return average(m, [record_gradient(m, loss, x, y, theta, h, r) for x, y in records])


@literal(spec.iterates)
def iterates(
    m: Numbers,
    loss: str,
    X: Any,
    y: Any,
    batches: Any,
    normals: Any,
    eta: Real,
    h: Real,
    r: Real,
    sigma: Real,
    B: Real,
) -> tuple[list[list[Real]], Real]:
    d = checked(X, y, normals, [i for batch in batches for i in batch])
    if len(batches) != len(normals):
        raise ValueError(f"one batch for each noise vector, got {len(batches)} batches and {len(normals)} vectors")
    if batches and not len(batches[0]) == max(map(len, batches)) == min(map(len, batches)) > 0:
        raise ValueError("batches hold equally many records each, at least one")

    def noisy(t: int, theta: list[Real]) -> list[Real]:
        mean = batch_gradient(m, loss, [(X[i], y[i]) for i in batches[t]], theta, h, r)
        return [g + sigma * z for g, z in zip(mean, normals[t], strict=True)]

    return path_in_ball(m, d, len(batches), eta, B, noisy), travelled(m, X, normals, eta, sigma)


@literal(spec.descend)
def descend(
    m: Numbers,
    loss: str,
    X: Any,
    y: Any,
    batches: Any,
    normals: Any,
    eta: Real,
    h: Real,
    r: Real,
    sigma: Real,
    B: Real,
    skip: int,
) -> tuple[list[Real], Real]:
    found, size = iterates(m, loss, X, y, batches, normals, eta, h, r, sigma, B)
    if not 0 <= skip < len(found):
        raise ValueError(f"skip={skip}: must be one of 0, ..., {len(found) - 1}")
    return average(m, found[skip:]), size


@literal(spec.simulate_numbered)
def simulate_numbered(
    m: Numbers,
    loss: str,
    X: Any,
    y: Any,
    steps: int,
    size: int,
    eta: Real,
    h: Real,
    r: Real,
    sigma: Real,
    B: Real,
    skip: int,
    seed: int,
    stream: int,
) -> tuple[list[Real], Real]:
    if steps < 0 or size < 1:
        raise ValueError(f"steps={steps}, size={size}: steps at least 0, size at least 1")
    d = len(X[0])
    chosen = [int(k) for k in seeded_noise.draws(m, seed, stream, 0, steps * size, len(X))]
    numbers, _ = seeded_noise.normals(m, seed, stream, 0, steps * d)
    batches = [chosen[t * size : (t + 1) * size] for t in range(steps)]
    normals = [numbers[t * d : (t + 1) * d] for t in range(steps)]
    return descend(m, loss, X, y, batches, normals, eta, h, r, sigma, B, skip)
