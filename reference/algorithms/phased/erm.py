"""Phased empirical risk minimisation, literally: the exact minimiser of each phase, its noise, the next phase's anchor."""

from typing import Any

from dpsco.reference.algorithms import regularised_quantile as model
from dpsco.reference.algorithms.dp_sgd.algorithm import checked
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.phased import erm as spec
from dpsco.spec.algorithms.phased.coefficient import phase_step
from dpsco.spec.algorithms.phased.sgd import lengths
from dpsco.spec.numbers import Numbers, Real


@literal(spec.descend)
def descend(
    m: Numbers, X: Any, y: Any, normals: Any, eta: Any, r: Any, sigma: Any, tolerance: Any
) -> tuple[list[list[Real]], list[list[Real]], Real]:
    d = checked(X, y, normals)
    if len(normals) != len(lengths(len(X))):
        raise ValueError(f"one noise vector for each of {len(lengths(len(X)))} phases, got {len(normals)}")
    released, minimisers, worst, used = [[m.real(0)] * d], [], m.real(0), 0
    for i, length in enumerate(lengths(len(X)), start=1):
        step = phase_step(m, eta=m.real(eta), i=i)
        fresh = slice(used, used + length)
        v, gap = model.solve(m, X[fresh], y[fresh], released[-1], r, 1 / (length * step), tolerance)
        minimisers.append(v)
        released.append([a + m.real(sigma) * step * m.real(z) for a, z in zip(v, normals[i - 1], strict=True)])
        worst, used = m.max(worst, gap), used + length
    return released, minimisers, worst


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """The larger of two ratios of an answer (released, minimisers, gap): the worst phase's excess over the tolerance, and the
    worst released number's distance from minimiser plus noise over four roundings of it.

    Domain   inputs: what the contract `descend` takes, by name; answer: doubles
    """
    X, y, normals, sigma = inputs["X"], inputs["y"], inputs["normals"], m.real(inputs["sigma"])
    released, minimisers = ([[m.real(float(t)) for t in row] for row in part] for part in answer[:2])
    worst, used, zero = m.real(0), 0, m.real(0)
    if not len(minimisers) + 1 == len(released) == len(normals) + 1 or any(t != zero for t in released[0]):
        return m.inf
    for i, length in enumerate(lengths(len(X)), start=1):
        step = phase_step(m, eta=m.real(inputs["eta"]), i=i)
        rows, outcomes = X[used : used + length], y[used : used + length]
        around, v = released[i - 1], minimisers[i - 1]
        off = model.excess(m, rows, outcomes, around, inputs["r"], 1 / (length * step), inputs["tolerance"], v)
        worst, used = m.max(worst, off / m.real(inputs["tolerance"])), used + length
        for w, a, z in zip(released[i], v, normals[i - 1], strict=True):
            noise = sigma * step * m.real(z)
            if w != a + noise:
                worst = m.max(worst, m.abs(w - a - noise) / ((m.abs(a) + m.abs(noise)) * m.real(2) ** -51))
    return worst
