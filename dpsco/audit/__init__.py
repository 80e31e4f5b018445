"""Audit what people run: calibrations, compositions, black boxes, and the objects of other libraries.

    from dpsco.audit import gaussian, dp_sgd, compose, sampler, read

Leave out one number and it is solved for, enclosed on both sides; give all and the verdict is sound, broken or undecided.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpsco.audit.composing import compose
    from dpsco.audit.connectors import Reading, read
    from dpsco.audit.factorisation import matrix_factorisation
    from dpsco.audit.mechanisms import (
        bilevel_exponential,
        bilevel_regularised,
        composition,
        discrete_gaussian,
        discrete_laplace,
        dp_sgd,
        exponential,
        gaussian,
        laplace,
        objective_perturbation,
        random_allocation,
        regularised_exponential,
        shuffle,
    )
    from dpsco.audit.result import Result, Verdict
    from dpsco.audit.sampling import sampler

__all__ = [
    "Reading",
    "Result",
    "Verdict",
    "bilevel_exponential",
    "bilevel_regularised",
    "compose",
    "composition",
    "discrete_gaussian",
    "discrete_laplace",
    "dp_sgd",
    "exponential",
    "gaussian",
    "laplace",
    "matrix_factorisation",
    "objective_perturbation",
    "random_allocation",
    "read",
    "regularised_exponential",
    "sampler",
    "shuffle",
]
_PLACES = {
    "Reading": "connectors",
    "read": "connectors",
    "Result": "result",
    "Verdict": "result",
    "compose": "composing",
    "matrix_factorisation": "factorisation",
    "sampler": "sampling",
}


def __getattr__(name: str) -> Any:
    """The public names, each imported when it is first asked for: the command's start stays light."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'mechanisms')}"), name)
