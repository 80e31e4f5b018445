"""The register's statements are as signed, and every thing that a paper prints is in what was signed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpsco.mutant import scaled
from dpsco.running import statements
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, Vectors, reals
from dpsco.spec.expressions import E, maximum, symbols
from dpsco.spec.register import amendments, register

EVERY = {**register(), **amendments()}
CLAIM = EVERY["spo/thm-2"]


def test_statements_are_as_signed():
    changed = statements.differences(statements.read(), statements.current(EVERY.values()) | statements.library())
    assert not changed, "statements changed; if that is meant: dpsco ledger --sign\n" + "\n".join(changed)


MOVES: dict[str, Callable[[Claim], Claim]] = {
    "kind": lambda c: replace(c, kind=Kind.LOWER),
    "provenance": lambda c: replace(c, provenance=Provenance.REBUILT),
    "adjacency": lambda c: replace(c, adjacency=Adjacency.ADD_ONE_N_FIXED),
    "releases": lambda c: replace(c, releases="nothing"),
    "assertion": lambda c: replace(c, asserts=(replace(c.asserts[0], sign="<"), *c.asserts[1:])),
    "one assertion less": lambda c: replace(c, asserts=c.asserts[1:]),
    "over": lambda c: replace(c, over=(*c.over, "more")),
    "domain": lambda c: replace(c, parameters=(replace(c.parameters[0], domain=reals, unit="1"), *c.parameters[1:])),
    "condition": lambda c: replace(c, preconditions=c.preconditions[1:]),
    "a condition's words": lambda c: replace(
        c, preconditions=(replace(c.preconditions[0], says="other"), *c.preconditions[1:])
    ),
    "a condition's test": lambda c: replace(
        c, preconditions=(replace(c.preconditions[0], test=lambda m: m.real(1)), *c.preconditions[1:])
    ),
    "formula": lambda c: scaled(c, next(iter(c.formulas)), 3, 2),
    "amends": lambda c: replace(c, amends="spo/thm-6"),
}


@pytest.mark.parametrize("what", MOVES)
def test_what_is_moved_is_seen(what: str):
    assert CLAIM.preconditions, "the claim that is moved has all parts"
    assert CLAIM.asserts != (Relation("a", "<", "b"),)
    assert statements.digest(MOVES[what](CLAIM)) != statements.digest(CLAIM)


@pytest.mark.parametrize("id", [id for id, claim in EVERY.items() if claim.formulas])
def test_every_formula_is_in_the_digest(id: str):
    claim = EVERY[id]
    for name in claim.formulas:
        assert statements.digest(scaled(claim, name, 3, 2)) != statements.digest(claim)


def test_words_that_explain_may_be_bettered():
    assert statements.digest(replace(CLAIM, says="in other words", note="a note")) == statements.digest(CLAIM)
    for_readers = replace(CLAIM, title="a title", uses=("spo/thm-1",), symbols={"epsilon": "e"})
    assert statements.digest(for_readers) == statements.digest(CLAIM)


def test_a_formula_is_written_as_it_is_computed():
    def formula(m: Any, x: Any, v: Any) -> Any:
        half = m.frac(1, 2)
        return -(abs(x) ** half) + 2 / m.norm(v, m.inf) - m.sum(lambda k: k * x, 1, 3)

    claim = replace(CLAIM, parameters=(Parameter("x", "", reals), Parameter("v", "", Vectors())))
    (line,) = statements.traced(claim, formula)
    assert line == "{}: (((-1 * (abs(x) ^ 1/2)) + (2 / norm([v_1, v_2], inf))) + (-1 * sum((v -> (v * x)), 1, 3)))"


def test_a_function_and_an_expression_that_compute_the_same_are_written_alike():
    x, y = symbols("x y")
    expression = (x - y) / -(2 - x) + maximum(x, E("5/4"), 2 * y - 1) ** 2 - E(3)

    def function(m: Any, x: Any, y: Any) -> Any:
        return (x - y) / -(2 - x) + m.max(x, m.frac(5, 4), 2 * y - 1) ** 2 - m.real(3)

    claim = replace(CLAIM, parameters=(Parameter("x", "", reals), Parameter("y", "", reals)))
    assert statements.traced(claim, expression) == statements.traced(claim, function)
    assert statements.traced(claim, expression) != statements.traced(claim, expression.where({"y": E(1) + y}))


@pytest.mark.parametrize("branch", [lambda m, x: 1 if x else 2, lambda m, x: x == 1, lambda m, x: x > 1])
def test_a_formula_that_branches_is_not_signed(branch: Callable[..., Any]):
    claim = replace(CLAIM, parameters=(Parameter("x", "", reals),))
    with pytest.raises(TypeError):
        statements.traced(claim, branch)


def test_signing_is_remembered(tmp_path: Path):
    file = tmp_path / "statements.json"
    assert statements.read(file) == {}
    statements.sign({"b/x": "1", "a/x": "2"}, file)
    assert list(statements.read(file)) == ["a/x", "b/x"]
    assert [f.name for f in tmp_path.iterdir()] == ["statements.json"]


@pytest.mark.parametrize("content", ["[]", "{", '{"a": 1}'])
def test_a_file_that_holds_no_digests_is_refused(tmp_path: Path, content: str):
    (tmp_path / "statements.json").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="must map ids to digests"):
        statements.read(tmp_path / "statements.json")


def test_a_changed_statement_is_a_difference():
    assert statements.differences({"a": "1", "b": "2"}, {"b": "3", "c": "4"}) == [
        "a is gone",
        "b changed",
        "c is new",
    ]
