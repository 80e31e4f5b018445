"""Registered statements, nouns and lemmas: their JSON, and their instances inside and outside."""

import pytest

from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.evaluation import value
from dpsco.spec.expressions import Condition, E, Expr, Reader, exp, log, sqrt, symbols
from dpsco.spec.lemmas import Lemma, Status, lemma
from dpsco.spec.library import lemmas, nouns, statements
from dpsco.spec.nouns import Noun
from dpsco.spec.register import amendments, register
from dpsco.spec.statement import Assertion

x, y = symbols("x y")
M = arb(128)


def plain(e: Expr) -> bool:
    return not e.nouns


@pytest.mark.parametrize("id", [*statements()])
def test_instances_are_inside_and_outside(id: str):
    claim = statements()[id]
    for number, condition in enumerate(claim.domain):
        for instance, wanted in ((claim.inside, True), (claim.outside[number], False)):
            if plain(condition.left) and plain(condition.right):
                at = {name: value(one, M, {}) for name, one in instance.items() if name in condition.symbols}
                assert condition(M, **at) is wanted, f"{condition} at {instance}"


def test_statements_are_about_registered_claims():
    assert {*statements()} <= {*register(), *amendments()}
    assert {id: one.amends for id, one in statements().items()} == {
        id: {**register(), **amendments()}[id].amends for id in statements()
    }


def test_lemmas_speak_of_registered_nouns_and_use_registered_lemmas():
    for one in lemmas().values():
        assert one.nouns <= {*nouns()}
        assert {*one.uses} <= {*lemmas()}


@pytest.mark.parametrize("id", [*lemmas()])
def test_json_is_read_back(id: str):
    one = lemmas()[id]
    for condition in (*one.hypotheses, one.conclusion):
        assert Reader().condition(condition.json()) == condition


def test_a_hash_changes_with_every_part():
    base = lemma("one", x <= y, x >= 0, status=Status.PROSE, text="t", proof="p")
    changed = [
        lemma("one", x < y, x >= 0, status=Status.PROSE, text="t", proof="p"),
        lemma("one", x <= y, x > 0, status=Status.PROSE, text="t", proof="p"),
        lemma("one", x <= y, x >= 0, status=Status.PROSE, text="t", proof="q"),
        lemma("one", x <= y, x >= 0, status=Status.CITED, text="t", proof="p", reference="r"),
        lemma("one", x <= y, x >= 0, status=Status.PROSE, text="t", proof="p", integers="x"),
        lemma("two", x <= y, x >= 0, status=Status.PROSE, text="t", proof="p"),
    ]
    assert len({base.sha256, *(one.sha256 for one in changed)}) == 7


def test_what_is_declared_is_used_and_what_is_used_declared():
    with pytest.raises(ValueError, match="are used"):
        Lemma(id="l", sorts={"x": "real"}, conclusion=x <= y, status=Status.PROSE, text="t", proof="p")
    with pytest.raises(ValueError, match="needs its reference"):
        lemma("l", x <= y, status=Status.CITED, text="t")
    with pytest.raises(ValueError, match="needs its proof"):
        lemma("l", x <= y, status=Status.PROSE, text="t")
    with pytest.raises(ValueError, match="which is no slot"):
        Noun("N", (("a", "real"),), "n", domain=(x > 0,))
    with pytest.raises(ValueError, match="one of"):
        Noun("N", (("a", "real"),), "n", tags={"of": ("all",)})(1, of="none")
    with pytest.raises(TypeError, match="takes a"):
        Noun("N", (("a", "real"),), "n")(1, 2)
    with pytest.raises(ValueError, match="sign"):
        Assertion(x, "~", y)


def test_mistakes_with_expressions_are_refused():
    for wrong in (lambda: E(0.5), lambda: x + 0.5, lambda: bool(x), lambda: bool(x < y), lambda: E(True)):  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AttributeError):
        x.op = "num"
    with pytest.raises(TypeError, match="needs values for y"):
        (x + y)(M, x=M.real(1))
    with pytest.raises(TypeError, match=r"asked by the names of its symbols: x=\.\.\., y=\.\.\."):
        (x + y)(M, M.real(1), M.real(2))
    with pytest.raises(ValueError, match="no derivative"):
        Expr("floor", (x,)).derivative("x")


@pytest.mark.parametrize(
    ("e", "shown"),
    [
        (x - (y - 1), "x - (y - 1)"),
        (-(x + y) * 3, "(-(x + y)) * 3"),
        (x / (y * x), "x / (y * x)"),
        (x / y / x, "x / y / x"),
        ((-x) ** 2, "(-x)^2"),
        (-(x**2), "-x^2"),
        (x ** (y + 1), "x^(y + 1)"),
        (sqrt(2 * log(2 / x)), "sqrt(2 * log(2 / x))"),
        (E("1/3") * exp(-x), "1/3 * exp(-x)"),
        (x - 2, "x - 2"),
        (x + -(y + 1), "x - (y + 1)"),
    ],
)
def test_an_expression_is_read_as_it_is_shown(e: Expr, shown: str):
    assert repr(e) == shown


def test_conditions_turn_and_negate():
    assert Condition(x, ">", y).upward == Condition(y, "<", x)
    assert Condition(x, "<", y).negated == Condition(x, ">=", y)
    with pytest.raises(ValueError, match="no negation"):
        _ = Condition(x, "=", y).negated
