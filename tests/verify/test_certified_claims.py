"""What judges certify by the kernel: the statement with the claim's own formulas, and nothing that is moved."""

from dataclasses import replace

import pytest

from dpsco.arguments.proof_objects import accepted, conditions, written
from dpsco.mutant import changed
from dpsco.spec.claim import Adjacency
from dpsco.spec.expressions import symbols
from dpsco.spec.register import find

ID = "bilevel/thm-B.4"


def test_the_claims_formula_is_put_before_the_kernel() -> None:
    claim = find(ID)
    assert accepted(claim, lambda one: replace(one, right=written(claim, "bound")))
    less = changed(claim, "bound", lambda m, value, _: value * m.frac(9, 10))
    assert not accepted(claim, lambda one: replace(one, right=written(less, "bound")))
    other = replace(claim, adjacency=Adjacency.ADD_REMOVE)
    assert not accepted(other, lambda one: replace(one, right=written(other, "bound")))


def test_a_function_is_written_as_the_expression_that_it_is() -> None:
    claim = find("bilevel/lem-A.4")
    T, delta, delta_prime = symbols("T delta delta_prime")
    assert written(claim, "total_delta") == T * delta + delta_prime
    doubled = changed(claim, "total_delta", lambda m, value, _: m.real(2) * value)
    assert written(doubled, "total_delta") == 2 * (T * delta + delta_prime)
    assert written(claim, "delta") == delta


@pytest.mark.parametrize(("id", "number"), [(ID, 3), ("spo/lem-3", 1), ("spo/eps0", 0)])
def test_what_is_given_are_the_registered_conditions(id: str, number: int) -> None:
    bare = replace(find(id), preconditions=())
    assert len(conditions(bare)) == number
    assert not {*conditions(bare)} & {*bare.tests}
