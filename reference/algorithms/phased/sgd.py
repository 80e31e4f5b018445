"""Phased descent, literally: each phase a plain pass over fresh records from where the last one's noise left it."""

from typing import Any

from dpsco.reference.algorithms.dp_sgd.algorithm import Vector, average, checked
from dpsco.reference.literal import literal
from dpsco.reference.losses.quantile.slopes import record_gradient
from dpsco.spec.algorithms.phased import sgd as spec
from dpsco.spec.algorithms.phased.dp_sgd import phase_step
from dpsco.spec.numbers import Numbers, Real


def phase(m: Numbers, loss: str, X: Any, y: Any, start: Vector, step: Real, h: Real, r: Real) -> list[Real]:
    """Average of the iterates of one pass over the records, its start among them; without noise.

    Domain   as the contract `descend`; step > 0: the phase's own (decision^2/loss)
    Returns  d numbers (decision)
    Source   lp, Algorithm 6, the inner loop
    """
    found = [list(start)]
    for x, target in zip(X, y, strict=True):
        gradient = record_gradient(m, loss, x, target, found[-1], h, r)
        found.append([a - step * g for a, g in zip(found[-1], gradient, strict=True)])
    return average(m, found)


@literal(spec.descend)
def descend(
    m: Numbers, loss: str, X: Any, y: Any, normals: Any, eta: Real, h: Real, r: Real, sigma: Real
) -> tuple[list[list[Real]], Real]:
    d = checked(X, y, normals)
    lengths = spec.lengths(len(X))
    if len(normals) != len(lengths):
        raise ValueError(f"one noise vector for each of {len(lengths)} phases, got {len(normals)}")
    w, used, size = [m.real(0)] * d, 0, m.real(0)
    released = [w]
    largest = m.max(*(m.norm(x) for x in X))
    for i, length in enumerate(lengths, start=1):
        step = phase_step(m, eta=eta, i=m.real(i))
        noise = [sigma * step * z for z in normals[i - 1]]
        fresh = slice(used, used + length)
        w = [a + z for a, z in zip(phase(m, loss, X[fresh], y[fresh], w, step, h, r), noise, strict=True)]
        used, size = used + length, size + step * length * largest + m.norm(noise)
        released.append(w)
    return released, size
