"""Papers of one's own that are made to be believed: none of them is certified, refuted or called vacuous."""

from collections.abc import Callable
from typing import Any

import pytest

Judged = Callable[[str], dict[str, Any]]


def test_what_is_honest_is_certified(judged: Judged):
    """The control: the same judge and mutants, and a true claim."""
    found = judged("claims = [stating(square, same)]")
    assert (found["verdict"], found["power"]) == ("certified", "3/3 false mutants killed"), found["reasons"]


def test_noise_of_one_answer_is_certified(judged: Judged):
    found = judged("#NOISE#\nclaims = [noise]")
    assert (found["verdict"], found["power"]) == ("certified", "3/3 false mutants killed"), found["reasons"]


FALSE = {
    "a second assertion that is listed and not read": """
claims = [replace(stating(square, same, Relation("left", "<=", "right"), Relation("right", "<=", "half")))]
claims = [replace(claims[0], formulas={**claims[0].formulas, "half": lambda m, x: x / 2})]
""",
    "a second assertion written as arithmetic": """
claims = [stating(square, same, Relation("left", "<=", "right"), Relation("right", "<=", "right/2"))]
""",
    "noise and half of it": """#NOISE#
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
    assert found["verdict"] == "refuted", found["reasons"]
    (against,) = [f for f in found["findings"] if f["verdict"] == "refuted"]
    assert "apart from the judge" in against["method"]
    assert against["claimed"] is not None
    assert against["at"]


OPEN = {
    "a hundred answers": ('#NOISE#\nclaims = [replace(noise, over=("100 adaptive answers",))]', "100 adaptive answers"),
    "another release": ('#NOISE#\nclaims = [replace(noise, releases="the data")]', "the data"),
    "an adjacency of nobody's": ("#NOISE#\nclaims = [replace(noise, adjacency=Adjacency.ADD_ONE_N_FIXED)]", "n fixed"),
    "refuted outside its domain": (
        """#NOISE#
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
    assert found["verdict"] == "open", found["reasons"]
    assert says in found["reasons"]
