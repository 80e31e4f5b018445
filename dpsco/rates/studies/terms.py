"""A registered claim's own formulas as functions of a study's grid point: no study types a bound again."""

from collections.abc import Callable, Mapping
from typing import Any

from dpsco.rates.studies.formulas import value
from dpsco.rates.study import Point
from dpsco.spec.register import find

FREE = 1e200
"""An epsilon at which a rate has its statistical part only."""
Given = Callable[[Point], Mapping[str, Any]]
Term = Callable[[Point], float]


def term(claim: str, name: str, given: Given) -> Term:
    """The claim's formula of that name as a function of a grid point.

    Domain   given: all that the formula may name, from a point
    Raises   when called: KeyError for an unknown claim or formula, ValueError for a number that is not given
    """
    return lambda point: value(find(claim).formulas[name], given(point))


def private(claim: str, name: str, given: Given) -> Term:
    """The private part of a rate that is a sum: what the claim's formula has more than at epsilon = FREE."""
    whole = term(claim, name, given)
    return lambda point: whole(point) - whole({**point, "epsilon": FREE})
