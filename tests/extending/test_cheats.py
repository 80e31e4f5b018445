"""Papers of one's own that are made to be believed: none of them is certified, refuted or called vacuous."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpsco.__main__ import run

HEAD = '''
import time
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import Scale, suffices
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Choice, Integers, Interval, Parameter, Vectors, open_unit, positive
from dpsco.spec.papers import Paper
from dpsco.spec.parameters import DELTA, EPSILON, SENSITIVITY
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

PAPER = Paper("KEY", "Nobody", "Cheats", "whole")
X = Parameter("x", "a number", Interval("0", "1"))
READ = []


def square(m, x):
    return x**2


def same(m, x):
    return x


def stating(left, right, *asserts, x=X, **rest):
    """A claim about two formulas in x: left <= right, if nothing else is asserted."""
    asserts = asserts or (Relation("left", "<=", "right"),)
    formulas = {"left": left, "right": right}
    at = PAPER.at("Theorem 1")
    return Claim(
        id="KEY/a", kind=Kind.BOUND, source=at, says="", parameters=(x,), formulas=formulas, asserts=asserts, **rest
    )


def certified(*asserts, reading=Reading.PRINTED):
    return Finding(scope="all", verdict=Verdict.CERTIFIED, rung=Rung.EXACT, asserts=asserts, reading=reading)


def refuted(*asserts, **at):
    there = {"scope": "there", "rung": Rung.POINT, "severity": Severity.CONSTANT, "survives": "?"}
    return Finding(verdict=Verdict.REFUTED, asserts=asserts, at=at, **there)


def knows(claim):
    """Whatever is not the claim itself is refuted at x = 0.9."""
    yield certified(*claim.asserts) if claim is claims[0] else refuted(*claim.asserts, x="0.9")


def moved(claim=None):
    """Three false mutants: the left side is larger."""
    for factor in (3, 5, 7):
        yield Mutant(f"left times {factor}", scaled(claims[0], "left", factor, 1), lambda: True)


judge, mutants = knows, moved
'''
TAIL = """
JUDGES = {"KEY/a": judge}
MUTANTS = {"KEY/a": mutants}
"""
NOISE = """
def sigma(m, epsilon, delta, sensitivity):
    return sensitivity * m.sqrt(2 * m.log(m.frac(5, 4) / delta)) / epsilon


noise = Claim(
    id="KEY/a", kind=Kind.PRIVACY, source=PAPER.at("Theorem A.1"), says="",
    parameters=(EPSILON.within(open_unit), DELTA, SENSITIVITY),
    formulas={"sigma": sigma}, asserts=(Relation("N(0, sigma^2) noise", "is", "(epsilon, delta)-DP"),),
    over=("every query with values in R^k, every k",), adjacency=Adjacency.ADD_REMOVE, releases="the noisy answer",
)
AXES = {"epsilon": ("0.001", "0.5", "0.999", "8"), "delta": ("1e-40", "1e-6", "0.1", "0.9"), "sensitivity": ("1", "7")}


def judge(claim):
    def mu(m, values):
        return values["sensitivity"] / apply(claim.formulas["sigma"], m, values)

    yield from suffices(claim, Scale(mu, AXES, "one answer", claim.adjacency, claim.releases, asserts=claim.asserts))


def mutants():
    for tenths in (5, 6, 7):
        yield Mutant(f"sigma times 0.{tenths}", scaled(claims[0], "sigma", tenths, 10), lambda: True)
"""

Judged = Callable[[str], dict[str, Any]]


@pytest.fixture
def judged(written: Callable[..., tuple[str, Path]], tmp_path: Path) -> Judged:
    """What `verify --json` writes of the paper's one claim."""

    def one(body: str) -> dict[str, Any]:
        key, file = written("")
        file.write_text((HEAD + body + TAIL).replace("KEY", key), encoding="utf-8")
        found = tmp_path / "found.json"
        run(["verify", "--from", str(file), "--jobs", "1", "--json", str(found)])
        (claim,) = json.loads(found.read_text(encoding="utf-8"))["claims"]
        return claim

    return one


def reasons(claim: dict[str, Any]) -> str:
    return " | ".join(str(f["reason"]) for f in claim["findings"])


def test_what_is_honest_is_certified(judged: Judged):
    """The control: the same judge and mutants, and a true claim."""
    found = judged("claims = [stating(square, same)]")
    assert (found["verdict"], found["power"]) == ("certified", "3/3 false mutants killed"), reasons(found)


def test_noise_of_one_answer_is_certified(judged: Judged):
    found = judged(f"{NOISE}\nclaims = [noise]")
    assert (found["verdict"], found["power"]) == ("certified", "3/3 false mutants killed"), reasons(found)


FALSE = {
    "a second assertion that is listed and not read": """
claims = [replace(stating(square, same, Relation("left", "<=", "right"), Relation("right", "<=", "half")))]
claims = [replace(claims[0], formulas={**claims[0].formulas, "half": lambda m, x: x / 2})]
""",
    "a second assertion written as arithmetic": """
claims = [stating(square, same, Relation("left", "<=", "right"), Relation("right", "<=", "right/2"))]
""",
    "noise and half of it": f"""{NOISE}
claims = [replace(noise, asserts=(*noise.asserts, Relation("sigma", "<=", "sigma/2")))]
""",
    "a finding of what is meant covers it": """
claims = [stating(square, same, Relation("left", "<=", "right"), Relation("2", "<=", "1"))]
def judge(claim):
    yield certified(claim.asserts[0])
    yield certified(claim.asserts[1], reading=Reading.MEANT)
""",
    "false, and the judge says true": "claims = [stating(same, square)]",
    "false near one end of the interval only": """
def wide(m, x):
    return x + m.frac(1, 10**8)
claims = [stating(wide, lambda m, x: 1 + 0 * x)]
""",
    "false in a narrow gap between the formula's own numbers": """
def gap(m, x):
    inside = m.all(m.gt(x, m.frac(77123, 100000)), m.lt(x, m.frac(77133, 100000)))
    return m.where(inside, 2 + 0 * x, 0 * x)
claims = [stating(gap, same)]
""",
    "called a definition": """
claims = [stating(same, square)]
def judge(claim):
    yield Finding(scope="all", verdict=Verdict.STATED, asserts=claim.asserts)
""",
    "the judge puts another formula in its place": """
claims = [stating(same, square)]
def judge(claim):
    claims[0].formulas["right"] = lambda m, x: 2 + x
    yield certified(*claim.asserts)
""",
    "the judge puts another search in its place": """
claims = [stating(same, square)]
def judge(claim):
    import dpsco.arguments.sides
    dpsco.arguments.sides.violations = lambda *given: iter(())
    dpsco.arguments.sides.compare = lambda *given: True
    yield certified(*claim.asserts)
""",
}


@pytest.mark.parametrize("body", FALSE.values(), ids=FALSE)
def test_a_false_assertion_is_refuted_whatever_the_judge_says(judged: Judged, body: str, monkeypatch: pytest.MonkeyPatch):
    from dpsco.arguments import sides

    monkeypatch.setattr(sides, "violations", sides.violations)
    monkeypatch.setattr(sides, "compare", sides.compare)
    found = judged(body)
    assert found["verdict"] == "refuted", reasons(found)
    (against,) = [f for f in found["findings"] if f["verdict"] == "refuted"]
    assert "apart from the judge" in against["method"]
    assert against["claimed"] is not None
    assert against["at"]


OPEN = {
    "a hundred answers": (f'{NOISE}\nclaims = [replace(noise, over=("100 adaptive answers",))]', "100 adaptive answers"),
    "another release": (f'{NOISE}\nclaims = [replace(noise, releases="the data")]', "the data"),
    "an adjacency of nobody's": (f"{NOISE}\nclaims = [replace(noise, adjacency=Adjacency.ADD_ONE_N_FIXED)]", "n fixed"),
    "refuted outside its domain": (
        f"""{NOISE}
claims = [noise]
def judge(claim):
    yield refuted(*claim.asserts, epsilon="20", delta="0.1", sensitivity="1")
""",
        "epsilon=20",
    ),
    "refuted where a condition fails": (
        """
small = Predicate("x < 1/2", lambda m, x: m.lt(x, m.frac(1, 2)), {"x": "0.1"}, {"x": "0.9"})
claims = [stating(square, same, preconditions=(small,))]
def judge(claim):
    yield refuted(*claim.asserts, x="0.9")
""",
        "x=0.9",
    ),
    "refuted where it holds": (
        "claims = [stating(square, same)]\ndef judge(claim):\n    yield refuted(*claim.asserts, x='0.5')",
        "does not certainly fail",
    ),
    "refuted nowhere": (
        "claims = [stating(square, same)]\ndef judge(claim):\n    yield refuted(*claim.asserts)",
        "every parameter",
    ),
    "vacuous by a grid": (
        """
claims = [stating(square, same)]
def judge(claim):
    yield Finding(scope="all", verdict=Verdict.VACUOUS, rung=Rung.EXACT, method="no point of my list", asserts=claim.asserts)
""",
        "not proved",
    ),
    "conditions that nothing found meets": (
        """
def narrow(m, x):
    return m.eq(m.sin(1000 * x), m.frac(1, 3))
claims = [stating(square, same, preconditions=(Predicate("sin 1000x = 1/3", narrow, {"x": "0.5"}, {"x": "0.1"}),))]
""",
        "no instance was found",
    ),
    "a clock": ("def late(m, x):\n    return x * int(time.time() > 0)\nclaims = [stating(square, late)]", "time"),
    "a list that others write": (
        "def bound(m, x):\n    return x + sum(READ)\nclaims = [stating(square, bound)]",
        "READ",
    ),
    "a list in a closure": (
        """
def made():
    seen = []
    def bound(m, x):
        seen.append(1)
        return x + len(seen)
    return bound
claims = [stating(square, made())]
""",
        ".append",
    ),
    "another number for balls": (
        """
def bound(m, x):
    return x if isinstance(x, int) or not hasattr(m, "ball") else 2 * x
claims = [stating(square, bound)]
""",
        "isinstance",
    ),
    "another formula for balls, by a branch": (
        """
def bound(m, x):
    return x if m.eq(m.sqrt(2) ** 2, 2) else 2 * x
claims = [stating(square, bound)]
""",
        "cannot be written down",
    ),
    "raises for balls where it is false": (
        """
def left(m, x):
    return m.sum(lambda k: x, 1, 1) if x < 0.7 else m.nothing(x)
claims = [stating(left, same)]
""",
        "",
    ),
    "no number where it is false": (
        """
def left(m, x):
    return x + m.log(m.frac(1, 2) - x) * 0
claims = [stating(left, same)]
""",
        "no value",
    ),
    "a number that answers as it likes": (
        """
class Agreeable:
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __eq__ = __lt__
    def is_finite(self): return True
ANY = Agreeable()
claims = [stating(lambda m, x: ANY, same)]
""",
        "Agreeable",
    ),
    "nothing is asserted": (
        """
claims = [replace(stating(square, same), asserts=())]
def judge(claim):
    yield certified()
""",
        "asserts nothing",
    ),
}


@pytest.mark.parametrize(("body", "says"), OPEN.values(), ids=OPEN)
def test_what_is_not_decided_is_open(judged: Judged, body: str, says: str):
    found = judged(body)
    assert found["verdict"] == "open", reasons(found)
    assert says in reasons(found)


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
    assert found["verdict"] == "asserted by its author", reasons(found)
    assert says in reasons(found)


def test_a_claim_between_the_points_of_every_list_is_not_vacuous(judged: Judged):
    found = judged(
        f'{NOISE}\nclaims = [replace(noise, parameters=(EPSILON.within(Interval("0.2", "0.4")), DELTA, SENSITIVITY))]'
    )
    assert found["verdict"] == "certified", reasons(found)


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
    assert found["verdict"] == "vacuous", reasons(found)


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
    written: Callable[..., tuple[str, Path]], capsys: pytest.CaptureFixture[str], body: str, says: str
):
    key, file = written("")
    file.write_text((HEAD + body + TAIL).replace("KEY", key), encoding="utf-8")
    assert run(["verify", "--from", str(file), "--jobs", "1"]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_strict_does_not_accept_the_authors_word(written: Callable[..., tuple[str, Path]]):
    key, file = written("")
    file.write_text((HEAD + AUTHORS["no mutants"][0] + TAIL).replace("KEY", key), encoding="utf-8")
    assert run(["verify", "--from", str(file), "--jobs", "1"]) == 0
    assert run(["verify", "--from", str(file), "--jobs", "1", "--strict"]) == 1
