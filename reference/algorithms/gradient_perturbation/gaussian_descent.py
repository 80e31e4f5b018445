"""Gaussian descent, literally: the gradient of the smoothed SPO+ risk is that of exponential descent, the noise is added to it.

The projected average and the decision, steps (3) and (4), are `predict` and `decide` of exponential descent.
"""

from collections.abc import Callable, Sequence
from typing import Any

from dpsco.reference.algorithms.dp_sgd.algorithm import path
from dpsco.reference.algorithms.exponential_descent.algorithm import gradient
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.gradient_perturbation import gaussian_descent as spec
from dpsco.spec.numbers import Numbers, Real


def iterates(
    m: Numbers,
    shape: str,
    costs: Any,
    features: Any,
    eta: Real,
    mu: Real,
    radius: Real,
    steps: int,
    answer: Callable[[int, list[Real]], Sequence[Real]],
) -> list[list[Real]]:
    """B_1, ..., B_T for T - 1 = `steps`; `answer` makes G_t of the number of the step, counted from 0, and the gradient.

    Returns  T x p d numbers (model)
    Source   spo, Algorithm 2, steps (1) and (2)
    """

    def noisy(t: int, B: list[Real]) -> list[Real]:
        return list(answer(t, gradient(m, shape, costs, features, mu, radius, B)))

    return path(m, len(costs[0]) * len(features[0]), steps, eta, noisy)


@literal(spec.descend)
def descend(
    m: Numbers, shape: str, costs: Any, features: Any, normals: Any, eta: Real, mu: Real, radius: Real, sigma: Real
) -> tuple[list[list[Real]], Real]:
    def answer(t: int, g: list[Real]) -> list[Real]:
        return [a + sigma * z for a, z in zip(g, normals[t], strict=True)]

    found = iterates(m, shape, costs, features, eta, mu, radius, len(normals), answer)
    # 4 radius |x| sqrt(d) is the largest gradient of a record
    reach = sum(4 * radius * m.sqrt(len(costs[0])) * m.norm(x) for x in features) / len(features)
    noise = sum((sigma * m.norm(z) for z in normals), start=m.real(0))
    return found, eta * (len(normals) * reach + noise)


def variance(m: Numbers, L: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
    """The noise that the moments of T steps of sensitivity 2L/n ask for: 2 (2L/n)^2 T ln(1/delta)/epsilon^2.

    Returns  (loss/model)^2
    """
    sensitivity = 2 * L / n
    return 2 * sensitivity**2 * T * m.log(1 / delta) / epsilon**2
