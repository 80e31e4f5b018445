"""Penalties of logistic regression selected on a validation loss, literally."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses.bilevel import selection
from dpsco.reference.losses.bilevel.problem import Problem
from dpsco.spec.losses.bilevel import logistic as spec
from dpsco.spec.numbers import Numbers, Real

OF = spec.loss, spec.slope, spec.curvature


def problem(m: Numbers, A: Any, b: Any, C: Any, e: Any, groups: Any, low: Any, high: Any) -> Problem:
    """The problem for numbers of the context or doubles; see `dpsco.spec.losses.bilevel.selection`."""
    return selection.problem_of(m, OF, A, b, C, e, groups, low, high)


@literal(spec.approximate_gradient)
def approximate_gradient(
    m: Numbers, x: Any, y: Any, A: Any, b: Any, C: Any, e: Any, groups: Any, bound: Any, low: Any, high: Any
) -> tuple[Any, Any]:
    return selection.scaled_gradient(m, OF, x, y, A, b, C, e, groups, low, high)


@literal(spec.lower_minimiser)
def lower_minimiser(
    m: Numbers, x: Any, A: Any, b: Any, groups: Any, bound: Any, low: Any, high: Any, accuracy: Any
) -> tuple[list[Real], Real]:
    return selection.solved(m, problem(m, A, b, A, b, groups, low, high), x, low, accuracy)


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """Exact distance of an answer from the lower minimiser, over the accuracy asked for."""
    exact, _ = lower_minimiser(m, **inputs)
    return selection.distance(m, exact, answer) / m.real(inputs["accuracy"])
