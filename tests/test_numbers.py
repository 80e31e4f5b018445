"""The three number contexts agree, and enclosures enclose."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judging import judge
from dpsco.reference.bracket import bracket
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.rounding import downward, upward
from dpsco.running.record import record

UNARY = ("sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "erf", "erfc", "gamma", "lgamma", "Phi", "phi", "abs")
points = st.floats(0.01, 20)


@pytest.mark.parametrize("name", UNARY)
@given(x=points)
def test_enclosure_holds_the_value(name: str, x: float):
    value = getattr(mp(60), name)(mp(60).real(x))
    low, high = ends(getattr(arb(200), name)(arb(200).real(x)), 40)
    assert mp(60).real(low) <= value <= mp(60).real(high)
    assert mp(60).real(high) - mp(60).real(low) <= abs(value) * mp(60).real("1e-30") + mp(60).real("1e-40")


@pytest.mark.parametrize("name", [n for n in UNARY if n not in ("Phi", "phi")])
def test_symbolic_is_the_same_function(name: str):
    at = Fraction(7, 5)
    expression = getattr(symbolic(), name)(symbolic().real(at))
    assert mp(40).real(str(sympy.N(expression, 40))) == pytest.approx(getattr(mp(40), name)(mp(40).real(at)), rel=1e-30)


def test_lower_tail_does_not_cancel():
    for m in (mp(30), arb(120)):
        assert float(m.Phi(m.real(-38))) == pytest.approx(2.8854282e-316, rel=1e-7)


@given(st.fractions(-100, 100), st.fractions(-100, 100))
def test_comparisons_agree_where_decided(a: Fraction, b: Fraction):
    m, e = mp(60), arb(200)
    for name in ("lt", "le", "gt", "ge"):
        decided = getattr(e, name)(e.real(a), e.real(b))
        if decided is not None:
            assert decided is getattr(m, name)(m.real(a), m.real(b))
    if abs(a - b) > Fraction(1, 10**9):
        assert e.lt(e.real(a), e.real(b)) is (a < b)


def test_undecided_is_none_not_false():
    m = arb(64)
    third = m.real(1) / 3
    for answer in (m.lt(third, third), m.ge(third, third), m.eq(third, third), m.le(m.ball(0, 2), m.real(1))):
        assert answer is None
    assert m.all(True, None) is None
    assert m.all(False, None) is False
    assert m.any(True, None) is True
    assert m.any(False, None) is None
    assert m.no(None) is None


def test_undecided_branches_are_joined():
    m = arb(64)
    joined = m.where(m.lt(m.ball(0, 2), m.real(1)), m.real(-1), m.real(5))
    assert joined.contains(m.real(-1))
    assert joined.contains(m.real(5))


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_decimal_ends_are_rounded_outward(x: float):
    low, high = ends(arb(192).real(x))
    assert Decimal(low) <= Decimal(x) <= Decimal(high)
    assert Decimal(high) - Decimal(low) <= abs(Decimal(x)) * Decimal("1.1e-16")


@given(st.fractions(min_value=Fraction(-(10**12)), max_value=Fraction(10**12)))
def test_doubles_are_rounded_in_the_named_direction(x: Fraction):
    ball = arb(192).real(x)
    assert Fraction(downward(ball)) <= x <= Fraction(upward(ball))
    assert Fraction(upward(ball)) - Fraction(downward(ball)) <= abs(x) * Fraction(1, 2**50)


@pytest.mark.parametrize("root", ["0.001", "1", "3", "123456.789"])
def test_bracket_encloses_the_turning_point(root: str):
    m = arb(256)
    found = bracket(lambda x: m.lt(x, m.real(root)), m.real(1))
    assert found.low <= m.real(root) <= found.high
    assert found.high - found.low <= m.real(root) * m.real("1e-20")


def test_bracket_refuses_what_never_turns():
    with pytest.raises(ValueError, match="holds at every"):
        bracket(lambda x: True, arb(256).real(1))
    with pytest.raises(ValueError, match="holds at no"):
        bracket(lambda x: False, arb(256).real(1))


def test_bracket_stops_where_nothing_is_decided():
    m = arb(256)
    found = bracket(lambda x: m.lt(x, m.ball("0.9", "1.1")), m.real(1))
    assert found.low < m.real("0.9")
    assert found.high > m.real("1.1")


def test_arb_integral_of_an_analytic_integrand():
    m = arb(128)
    value = m.integral(lambda x: m.exp(x), m.real(0), m.real(1))
    assert value.contains(m.exp(m.real(1)) - 1)
    assert float(value.rad()) < 1e-35


FALLING = {
    "abs": lambda m: lambda x: m.abs(x),
    "built-in abs": lambda m: lambda x: abs(x),
    "where": lambda m: lambda x: m.where(m.lt(x, 0), -x, x),
    "max": lambda m: lambda x: m.max(x, -x),
    "min": lambda m: lambda x: -m.min(x, -x),
}


@pytest.mark.parametrize("name", FALLING)
def test_arb_integral_across_a_kink(name: str):
    m = arb(192)
    value = m.integral(FALLING[name](m), -1, 2)
    assert value.contains(m.frac(5, 2))
    assert float(value.rad()) < 1e-50


@pytest.mark.parametrize(
    "integrand",
    [
        lambda m, x: m.sqrt(x * x),
        lambda m, x: (x * x) ** m.frac(1, 2),
        lambda m, x: m.exp(m.log(x * x) / 2),
        lambda m, x: (x * x).sqrt(),
        lambda m, x: m.norm((x, 0)),
        lambda m, x: m.sqrt(m.sqrt(x**4)),
    ],
)
def test_arb_integral_follows_no_branch_across_its_cut(integrand: Any):
    m = arb(192)
    value = m.integral(lambda x: integrand(m, x), -1, 2)
    assert value.contains(m.frac(5, 2)) or not value.is_finite(), value


def test_without_the_flag_the_branch_is_followed():
    wrong = flint.acb.integral(lambda z, _: (z * z).sqrt(), -1, 2).real
    assert wrong.is_finite()
    assert not wrong.contains(2.5)


@pytest.mark.parametrize("name", [n for n in UNARY if n != "polylog"])
def test_arb_integral_knows_every_function(name: str):
    m, q = arb(128), mp(40)
    value = m.integral(lambda x: getattr(m, name)(x), m.frac(1, 2), m.real(2))
    low, high = ends(value, 35)
    assert q.real(high) - q.real(low) < q.real("1e-25")
    assert (
        q.real(low) - q.real("1e-20")
        <= q.integral(getattr(q, name), q.real("0.5"), q.real(2))
        <= q.real(high) + q.real("1e-20")
    )


def test_arb_integral_of_a_step_and_of_a_pole():
    m = arb(128)
    assert m.integral(lambda x: m.where(m.lt(x, m.frac(1, 3)), 1, 0), 0, 1).contains(m.frac(1, 3))
    assert m.integral(lambda x: m.floor(x), 0, 3).contains(3)
    assert not m.integral(lambda x: 1 / x, -1, 1).is_finite()
    assert not m.integral(lambda x: m.exp(-x), 0, m.inf).is_finite()


@pytest.mark.parametrize("error", [AttributeError, TypeError, ZeroDivisionError])
def test_arb_integral_does_not_hide_an_error(error: type[Exception]):
    def broken(x: Any) -> Any:
        raise error("mine")

    with pytest.raises(error, match="mine"):
        arb(64).integral(broken, 0, 1)


def test_the_last_context_asked_for_sets_the_precision():
    m = arb(256)
    x = m.real(1)
    arb(30).real(1)
    m = arb(256)
    assert float(m.sqrt(x / 3).rad()) < 1e-70
    arb(30).real(1)
    assert float((m.real(1) / 3).rad()) < 1e-70, "a method that was used sets it too"


@pytest.mark.parametrize("bits", [30, pytest.param(4000, marks=pytest.mark.long)])
def test_verdicts_do_not_depend_on_what_was_computed_before(bits: int):
    ids = ["spo/thm-2", "bilevel/lem-A.3", "newsvendor/lem-EC.1", "quantile/lem-3.1-2"]
    plain = {id: record(judge(id, with_mutants=False)) for id in ids}
    for id in reversed(ids):
        arb(bits).real(1)
        assert record(judge(id, with_mutants=False)) == plain[id]
