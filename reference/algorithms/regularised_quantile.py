"""The ridge-regularised quantile model at any precision: the method of multipliers on Moreau envelopes, until no gap is left.

Multipliers a_i in [r - 1, r] stand for the slopes of the check loss at its kinks. A round minimises the envelopes of parameter
w moved by w a_i, a problem with a continuous gradient that Newton's method solves, and takes the envelopes' slopes as the next
multipliers. The check loss's envelope of parameter w is the uniform kernel's smoothing with h = w/2, moved by w (r - 1/2), so
that Newton's method of objective perturbation serves. The duality gap says when to stop, whatever led there.
"""

from typing import Any

from dpsco.reference.algorithms.objective_perturbation import algorithm as newton
from dpsco.reference.literal import literal
from dpsco.reference.losses.moreau.envelope import check_loss
from dpsco.spec.algorithms import regularised_quantile as spec
from dpsco.spec.numbers import Numbers, Real

ROUNDS = 200
MARGIN = 10**24
"""By what the exact minimiser's gap is below the tolerance asked for."""


def objective(m: Numbers, X: Any, y: Any, centre: Any, r: Real, lambda_: Real, theta: Any) -> Real:
    """J(theta); see `dpsco.spec.algorithms.regularised_quantile.solve`."""
    losses = [check_loss(m, t - m.dot(x, theta), r) for x, t in zip(X, y, strict=True)]
    away = [a - b for a, b in zip(theta, centre, strict=True)]
    return sum(losses, start=m.real(0)) / len(y) + lambda_ * m.dot(away, away)


def checked(X: Any, y: Any, centre: Any) -> None:
    """ValueError where shapes do not fit."""
    d = len(centre)
    if not len(X) or not d or any(len(x) != d for x in X) or len(y) != len(X):
        raise ValueError(f"X has shape (n, d), y n and centre d entries, n and d at least 1; got {len(X)}, {len(y)}, {d}")


def multipliers(m: Numbers, X: Any, y: Any, centre: Any, r: Real, lambda_: Real, target: Real) -> tuple[list[Real], Real]:
    """The minimiser and its duality gap, below `target` or as small as the working precision allows."""
    checked(X, y, centre)
    n, zero = len(y), m.real(0)
    theta, a = list(centre), [zero] * n
    start = [t - m.dot(x, centre) for x, t in zip(X, y, strict=True)]
    width = m.max(4 * m.max(*(m.abs(u) for u in start)), m.real(2) ** -64)
    best, least = theta, m.inf
    for _ in range(ROUNDS):
        # in the step away from theta: the ridge's linear part goes into b, and Newton's method starts where it should
        u = [t - m.dot(x, theta) for x, t in zip(X, y, strict=True)]
        moved = [v + width * (s - r + m.frac(1, 2)) for v, s in zip(u, a, strict=True)]
        b = [2 * lambda_ * n * (t - c) for t, c in zip(theta, centre, strict=True)]
        small = m.sqrt(target * lambda_) / 16
        step, _ = newton.solve(m, "uniform", X, moved, b, width / 2, r, lambda_, small)
        theta = [t + s for t, s in zip(theta, step, strict=True)]
        u = [t - m.dot(x, theta) for x, t in zip(X, y, strict=True)]
        a = [m.max(r - 1, m.min(r, s + v / width)) for v, s in zip(u, a, strict=True)]
        pull = [sum((s * x[j] for s, x in zip(a, X, strict=True)), start=zero) / n for j in range(len(theta))]
        gradient = [2 * lambda_ * (t - c) - p for t, c, p in zip(theta, centre, pull, strict=True)]
        gap = spec.dual_gap(m, a, u, gradient, r, lambda_)
        if m.lt(gap, least):
            best, least = theta, gap
        if m.le(gap, target):
            break
        width = width / 4
    return best, least


@literal(spec.solve)
def solve(m: Numbers, X: Any, y: Any, centre: Any, r: Any, lambda_: Any, tolerance: Any) -> tuple[list[Real], Real]:
    rows, outcomes, around = newton.promoted(m, X), [m.real(t) for t in y], [m.real(c) for c in centre]
    return multipliers(m, rows, outcomes, around, m.real(r), m.real(lambda_), m.real(tolerance) / MARGIN)


def excess(m: Numbers, X: Any, y: Any, centre: Any, r: Any, lambda_: Any, tolerance: Any, theta: Any) -> Real:
    """How far J(theta) lies above its exact minimum, for numbers of the context or doubles."""
    rows, outcomes, around = newton.promoted(m, X), [m.real(t) for t in y], [m.real(c) for c in centre]
    level, ridge, small = m.real(r), m.real(lambda_), m.real(tolerance)
    best, gap = multipliers(m, rows, outcomes, around, level, ridge, small / MARGIN)
    if not m.le(gap, small / MARGIN):
        raise ArithmeticError(f"the exact minimum is known to {m.real(gap)} only")
    least = objective(m, rows, outcomes, around, level, ridge, best)
    return objective(m, rows, outcomes, around, level, ridge, theta) - least


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """Excess of the objective at an answer (theta, gap) over its exact minimum, over the tolerance asked for.

    Domain   inputs: what the contract `solve` takes, by name; answer: doubles
    """
    return excess(m, **inputs, theta=[m.real(float(t)) for t in answer[0]]) / m.real(inputs["tolerance"])
