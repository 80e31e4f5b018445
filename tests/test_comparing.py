"""A refutation's numbers: the end shown of a claimed ball, exact numbers and texts, and what a finding must have."""

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.comparing import admits, both_ends, certified, compared, refuted
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Kind
from dpsco.spec.domain import Parameter, positive
from dpsco.spec.papers import QUANTILE
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Rung, Severity, Verdict

REST = ({"n": "1"}, "both enclosed", Severity.CONSTANT, "half of it")


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.integers(1, 97))
def test_the_end_shown_of_a_claimed_ball_lies_next_to_the_computed_one(a: int, b: int, q: int):
    """So that the printed decimals contradict each other wherever the balls do, whatever was rounded."""
    m = arb()
    claimed, computed = m.frac(a, q), m.frac(b, q)
    found = refuted("scope", claimed, computed, *REST)
    assert found.claimed is not None
    assert found.computed is not None
    low, high = map(Decimal, found.computed)
    if a < b:
        assert Decimal(found.claimed) < low
        assert Fraction(Decimal(found.claimed)) >= Fraction(a, q)
    elif a > b:
        assert Decimal(found.claimed) > high
        assert Fraction(Decimal(found.claimed)) <= Fraction(a, q)


def test_texts_exact_numbers_and_nothing():
    assert both_ends("bounded") == ("bounded", "bounded")
    assert both_ends(sympy.Rational(3, 2)) == ("3/2", "3/2")
    assert both_ends(sympy.oo) == ("inf", "inf")
    assert both_ends(("0", "1")) == ("0", "1")
    found = refuted("scope", "bounded", None, {"path": "n grows"}, *REST[1:], Rung.EXACT, release="all")
    assert (found.claimed, found.computed, found.rung, found.release) == ("bounded", None, Rung.EXACT, "all")
    assert refuted("scope", "0", ("1", "2"), *REST).rung is Rung.POINT


def test_a_refutation_is_the_finding_written_out():
    m = arb()
    at, method, severity, survives = REST
    written = Finding(
        scope="scope",
        verdict=Verdict.REFUTED,
        rung=Rung.POINT,
        method=method,
        claimed="1",
        computed=("2", "2"),
        at=at,
        severity=severity,
        survives=survives,
    )
    assert refuted("scope", m.real(1), m.real(2), *REST) == written
    with pytest.raises(ValueError, match="survives"):
        refuted("scope", "1", "2", {}, "", Severity.RATE, "")


def test_what_is_refuted_keeps_the_other_fields_of_an_open_finding():
    base = Finding(scope="scope", verdict=Verdict.OPEN, release="x", coverage=("all",), reason="not yet known")
    found = refuted(base, "1", "2", *REST)
    assert found == refuted("scope", "1", "2", *REST, release="x", coverage=("all",))
    assert refuted(base, "1", "2", *REST, reason="why").reason == "why"


@pytest.mark.parametrize(("known", "given_to"), [("<=", (len,)), (None, ())])
def test_only_a_certificate_rests_on_conditions(known, given_to):
    words = {"method": "algebra", "severity": Severity.RATE, "survives": "nothing", "given": (len,)}
    found = compared("scope", lambda m: m.real(1), "<=", lambda m: m.real(2), known=known, instances=[{}], **words)
    assert found.given == given_to
    if known:
        assert found == certified("scope", "algebra", given=(len,), coverage=("1 instances",))


def small(m, a, b):
    return m.le(a, b)


BELOW = Predicate("a <= b", small, accepts={"a": "1", "b": "2"}, rejects={"a": "2", "b": "1"})
ORDERED = Claim(
    id="quantile/made-up",
    kind=Kind.BOUND,
    source=QUANTILE.at("nowhere"),
    says="a <= b",
    parameters=(Parameter("a", "one", positive), Parameter("b", "other", positive)),
    formulas={"f": lambda m, a: a},
    preconditions=(BELOW,),
)


@given(st.integers(-3, 3), st.integers(-3, 3))
def test_values_are_admitted_by_domains_and_conditions(a: int, b: int):
    m = arb()
    assert admits(ORDERED, m, {"a": m.real(a), "b": m.real(b), "surplus": m.real(0)}) is (0 < a <= b)


def test_what_lacks_a_condition_s_value_or_is_undecided_is_not_admitted():
    m = arb()
    assert not admits(ORDERED, m, {"a": m.real(1)})
    assert not admits(ORDERED, m, {"a": m.real(1), "b": m.real(0).union(m.real(2))})
    assert not admits(ORDERED, m, {"a": m.real(0).union(m.real(1)), "b": m.real(2)})


def test_a_claim_knows_its_conditions_tests():
    assert ORDERED.tests == {small}
    assert BELOW.names == ("a", "b")
