"""Parameters in formulas, several conditions as one, and claims that go from one process to another."""

import operator
import pickle

import pytest

from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, positive, reals
from dpsco.spec.expressions import E, Expr, sqrt, symbols
from dpsco.spec.numbers import names_of
from dpsco.spec.register import amendments, register

T = Parameter("T", "number of steps", positive)
t, x = symbols("T x")


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("other", [3, x, x / 2])
def test_a_parameter_stands_for_its_symbol_on_both_sides(name: str, other: int | Expr):
    apply = getattr(operator, name)
    assert apply(T, other) == apply(t, other)
    assert apply(other, T) == apply(other, t)
    assert apply(T, other) != apply(x + 1, other)


def test_a_parameter_is_an_argument_of_functions_and_stays_itself():
    assert E(T) == T.expression == t
    assert -t == -T
    assert sqrt(T) + T == sqrt(t) + t
    assert t != T
    assert T == Parameter("T", "number of steps", positive) != T.within(reals)
    assert len({T, Parameter("T", "number of steps", positive)}) == 1


def test_all_of_some_conditions():
    both = all_of(x > 0, all_of(x <= T, T <= 2))
    assert both == all_of(x > 0, x <= t, t <= 2)
    assert names_of(both) == ("T", "x")
    assert str(both) == "x > 0 and x <= T and T <= 2"
    m = mp(20)
    assert both(m, T=m.real(2), x=m.real(2)) is True
    assert both(m, T=m.real(1), x=m.real(2)) is False
    assert both.where({"T": E(3)})(m, x=m.real(1)) is False
    ball = arb().real(1) / 3 * 3
    assert both(arb(), T=arb().real(1), x=ball) is None, "a ball around 1 is neither above nor below it for certain"


def test_claims_go_through_pickle():
    for claim in (*register().values(), *amendments().values()):
        again = pickle.loads(pickle.dumps(claim))
        assert again.formulas == claim.formulas
        assert [p.test for p in again.preconditions] == [p.test for p in claim.preconditions]
        assert again.parameters == claim.parameters
