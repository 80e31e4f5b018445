"""Certificates that are worth their author's word, what is empty and what is not, and claims that are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpsco.__main__ import run

Judged = Callable[[str], dict[str, Any]]


AUTHORS = {
    "no mutants": ("claims = [stating(square, same)]\nmutants = list", "0 of at least 3"),
    "two mutants": ("claims = [stating(square, same)]\ndef mutants():\n    return list(moved())[:2]", "2 of at least 3"),
    "one mutant three times": (
        "claims = [stating(square, same)]\ndef mutants():\n    return [next(moved())] * 3",
        "1 of at least 3",
    ),
    "copies of the claim, called false": (
        """
claims = [stating(square, same)]
def judge(claim):
    yield certified(*claim.asserts) if claim is claims[0] else refuted(*claim.asserts, x="0.9")
def mutants():
    for name in "abc":
        yield Mutant(name, replace(claims[0], says=name), lambda: True)
""",
        "0 of at least 3",
    ),
    "true mutants, called false": (
        """
claims = [stating(square, same)]
def mutants():
    for factor in (2, 3, 4):
        yield Mutant(f"the bound times {factor}", scaled(claims[0], "right", factor, 1), lambda: True)
""",
        "0 of at least 3",
    ),
    "mutants killed outside their domain": (
        """
claims = [stating(square, same)]
def judge(claim):
    yield certified(*claim.asserts) if claim is claims[0] else refuted(*claim.asserts, x="20")
""",
        "0 of at least 3",
    ),
    "words of its own": (
        """
claims = [stating(square, same, Relation("left", "<=", "right"), Relation("Gaussian noise", "is", "private for everybody"))]
""",
        "private for everybody",
    ),
}


@pytest.mark.parametrize(("body", "says"), AUTHORS.values(), ids=AUTHORS)
def test_a_certificate_without_power_is_its_authors_word(judged: Judged, body: str, says: str):
    found = judged(body)
    assert found["verdict"] == "asserted by its author", found["reasons"]
    assert says in found["reasons"]


def test_a_claim_between_the_points_of_every_list_is_not_vacuous(judged: Judged):
    found = judged(
        '#NOISE#\nclaims = [replace(noise, parameters=(EPSILON.within(Interval("0.2", "0.4")), DELTA, SENSITIVITY))]'
    )
    assert found["verdict"] == "certified", found["reasons"]


EMPTY = {
    "ends that cross": 'claims = [stating(square, same, x=X.within(Interval("0.4", "0.2")))]',
    "conditions that cross": """
claims = [stating(square, same, preconditions=(
    Predicate("x < 0.3", lambda m, x: m.lt(x, m.frac(3, 10)), {"x": "0.1"}, {"x": "0.9"}),
    Predicate("x > 0.4", lambda m, x: m.gt(x, m.frac(2, 5)), {"x": "0.9"}, {"x": "0.1"}),
))]
""",
    "a condition that enclosures exclude": """
claims = [stating(square, same, preconditions=(
    Predicate("x e^x > 3", lambda m, x: m.gt(x * m.exp(x), 3), {"x": "0.9"}, {"x": "0.1"}),
))]
""",
}


@pytest.mark.parametrize("body", EMPTY.values(), ids=EMPTY)
def test_what_is_proved_empty_is_vacuous(judged: Judged, body: str):
    found = judged(body)
    assert found["verdict"] == "vacuous", found["reasons"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('claims = [stating(square, same, x=replace(X, name="left"))]', "means two things"),
        ("claims = [replace(stating(square, same), parameters=(X, X))]", "means two things"),
        ('claims = [replace(stating(square, same), formulas={"2": square, "1": same})]', "is no name"),
        ("class Mine(Interval):\n    pass\nclaims = [stating(square, same, x=X.within(Mine('0', '1')))]", "of type Mine"),
        ("class Any(str):\n    pass\nclaims = [stating(square, same, Relation(Any('left'), '<=', 'right'))]", "of type Any"),
    ],
)
def test_what_means_two_things_is_refused(
    cheating: Callable[[str], Path], capsys: pytest.CaptureFixture[str], body: str, says: str
):
    assert run(["verify", "--from", str(cheating(body)), "--jobs", "1"]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_strict_does_not_accept_the_authors_word(cheating: Callable[[str], Path]):
    file = str(cheating(AUTHORS["no mutants"][0]))
    assert run(["verify", "--from", file, "--jobs", "1"]) == 0
    assert run(["verify", "--from", file, "--jobs", "1", "--strict"]) == 1
