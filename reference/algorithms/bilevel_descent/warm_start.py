"""The warm start, literally: the exponential mechanism on finitely many candidates, then descent from the one drawn."""

from collections.abc import Sequence
from typing import Any

from dpsco.reference.algorithms.bilevel_descent.algorithm import Lower, descend
from dpsco.reference.literal import literal
from dpsco.reference.losses.bilevel.hypergradient import Vector
from dpsco.reference.losses.bilevel.problem import Problem, objective
from dpsco.spec.algorithms.bilevel_descent import warm_start as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.start_weights)
def start_weights(m: Numbers, values: Any, epsilon: Any, s: Any) -> tuple[list[Real], list[Real]]:
    if not len(values) or not (epsilon > 0 and s > 0):
        raise ValueError(f"values={values!r}, epsilon={epsilon!r}, s={s!r}: at least one value, both others positive")
    numbers = [m.real(v) for v in values]
    k = spec.epsilon_of_each_stage(m, epsilon=m.real(epsilon)) / (2 * m.real(s))
    heights = [k * (v - m.real(min(values))) for v in numbers]
    weights = [m.exp(-h) for h in heights]
    total = sum(weights, start=m.real(0))
    found = [w / total for w in weights]
    felt = 1 + m.dot(found, heights)
    return found, [p * (felt + h) for p, h in zip(found, heights, strict=True)]


def drawn(weights: Sequence[Real], uniform: Real) -> int:
    """The first index whose cumulative weight exceeds `uniform`, in [0, 1); the last one where rounding leaves none."""
    total = 0 * uniform
    for i, p in enumerate(weights):
        total = total + p
        if total > uniform:
            return i
    return len(weights) - 1


def warm_start(
    m: Numbers,
    problem: Problem,
    candidates: Sequence[Vector],
    epsilon: Real,
    s: Real,
    uniform: Real,
    lower: Lower,
    eta: Real,
    noise: Sequence[Vector],
    smallest: Real,
) -> list[list[Real]]:
    """Algorithm 2: x_0 drawn by `uniform` among the candidates with probabilities that fall with Phi_Z, then Algorithm 1.

    Domain   epsilon of both stages together; noise: T x d_x; smallest: gradient left over by the lower solutions of stage one
    Returns  x_0, ..., x_T (decision)
    Source   bilevel, Algorithm 2
    """
    values = [objective(m, problem, x, smallest) for x in candidates]
    weights, _ = start_weights(m, values, epsilon, s)
    return descend(m, problem, candidates[drawn(weights, uniform)], lower, eta, noise)
