"""What is proved empty is empty, and what is not empty is never said to be; sides of assertions; instances inside."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.emptiness import empty
from dpsco.arguments.sides import side_of
from dpsco.instances.inside import admitted, points
from dpsco.instances.texts import read, written
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Kind
from dpsco.spec.domain import Choice, Domain, Integers, Interval, Parameter, Vectors, naturals, positive
from dpsco.spec.papers import SPO
from dpsco.spec.predicate import Predicate


def claim(*tests, **domains: Domain) -> Claim:
    conditions = tuple(Predicate("a condition", test, {}, {}) for test in tests)
    parameters = tuple(Parameter(name, "a number", domain) for name, domain in domains.items())
    source = SPO.at("nowhere")
    return Claim(id="test/a", kind=Kind.BOUND, source=source, says="", parameters=parameters, preconditions=conditions)


@pytest.mark.parametrize(
    "nothing",
    [
        claim(x=Interval("0.4", "0.2")),
        claim(x=Interval("1", "1")),
        claim(n=Integers(5, 3)),
        claim(lambda m, x: m.lt(x, m.frac(1, 10)), lambda m, x: m.gt(x, m.frac(1, 5)), x=positive),
        claim(lambda m, x: m.all(m.ge(x, 2), m.lt(x, 2)), x=positive),
        claim(lambda m, x: m.lt(x, 0), x=positive),
        claim(lambda m, x, y: m.gt(x * y, 2), x=Interval("0", "1"), y=Interval("0", "1.5")),
        claim(lambda m, x, k: m.gt(m.exp(x), 3), x=Interval("0", "1"), k=Choice(("a", "b"))),
    ],
)
def test_what_is_empty_is_proved_so(nothing: Claim):
    assert empty(nothing)
    assert not points(nothing)


@pytest.mark.parametrize(
    "something",
    [
        claim(x=Interval("0.2", "0.4")),
        claim(x=Interval("1", "1", False, False)),
        claim(lambda m, x: m.lt(x, m.frac(1, 5)), lambda m, x: m.gt(x, m.frac(1, 10)), x=positive),
        claim(lambda m, x: m.all(m.ge(x, 2), m.le(x, 2)), x=positive),
        claim(lambda m, x, y: m.gt(x * y, 1), x=Interval("0", "1"), y=Interval("0", "1.5")),
        claim(lambda m, x: m.eq(m.sin(x), m.frac(1, 3)), x=positive),
        claim(lambda m, x: m.gt(x, 10**9), x=positive),
        claim(lambda m, n: m.ge(n, 10**12), n=naturals),
        claim(v=Vectors("d", positive), d=naturals),
    ],
)
def test_what_is_not_empty_is_not_said_to_be(something: Claim):
    assert empty(something) is None


@given(low=st.decimals("-9", "9", places=3), length=st.decimals("0", "9", places=3), closed=st.booleans())
def test_an_interval_is_empty_or_has_points(low, length, closed):
    one = claim(x=Interval(str(low), str(low + length), not closed, not closed))
    found = points(one, 20)
    assert bool(found) is (empty(one) is None) is (bool(length) or closed)
    assert all(admitted(one, arb(), values) for values in found)
    assert [read(one, written(values)) for values in found] == found


def test_instances_are_the_same_every_time_and_have_vectors_of_their_length():
    one = claim(v=Vectors("d", positive), d=naturals, kind=Choice(("a", "b")))
    found = points(one)
    assert found == points(one)
    assert len(found) > 50
    assert all(len(values["v"]) == values["d"] for values in found)  # type: ignore[arg-type]
    assert {values["kind"] for values in found} == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("f", 4),
        ("x", 2),
        ("3", 3),
        ("f - x/4", "3.5"),
        ("-2*f^2 + 1e-1", "-31.9"),
        ("0.1", "0.1"),
        ("f of x", None),
        ("E[f]", None),
        ("g", None),
        ("f(x)", None),
        ("x < 2", None),
        ("", None),
        ("True", None),
        ("k", None),
        ("'a'", None),
    ],
)
def test_a_side_is_arithmetic_or_words(text: str, value: object):
    one = replace(claim(x=positive, k=Choice(("a",))), formulas={"f": lambda m, x: x**2})
    side, m = side_of(one, text), arb()
    if value is None:
        assert side is None
    else:
        assert side is not None
        assert side(m, {"x": m.real(2), "k": "a"}).overlaps(m.real(Fraction(str(value))))
