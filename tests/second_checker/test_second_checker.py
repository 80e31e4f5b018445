"""The second checker: its arithmetic against mpmath, honest objects, forged ones, and what it must not import."""

import ast
import copy
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsco.second_checker
from dpsco.second_checker import intervals
from dpsco.second_checker.check import check, holds
from dpsco.second_checker.formulas import Expansion, enclosed, minus
from dpsco.second_checker.intervals import UnknownError
from dpsco.spec.expressions import Expr, Phi, exp, log, maximum, pi, product, sqrt, summation, symbols
from dpsco.spec.library import statements
from dpsco.verify.deciding import judges, proof_object_of
from dpsco.verify.judges.privacy.gaussian import JUDGES
from dpsco.verify.objects import kernel_input

x, y, k = symbols("x y k")
rationals = st.fractions(min_value=-50, max_value=50, max_denominator=10**6)
FUNCTIONS = {
    "exp": (intervals.exponential, mpmath.exp),
    "Phi": (intervals.normal_distribution, lambda v: mpmath.erfc(-v / mpmath.sqrt(2)) / 2),
    "log": (intervals.logarithm, mpmath.log),
    "sqrt": (intervals.square_root, mpmath.sqrt),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=20)
@given(value=rationals)
def test_enclosures_hold_the_value_that_mpmath_gives_and_are_narrow(name: str, value: Fraction):
    ours, theirs = FUNCTIONS[name]
    value = abs(value) + Fraction(1, 10**12) if name in ("log", "sqrt") else value
    low, high = ours(intervals.exact(value))
    with mpmath.workprec(6000 if name == "Phi" else 700):
        known = theirs(mpmath.mpf(value.numerator) / value.denominator)
        ends = [mpmath.mpf(end.numerator) / end.denominator for end in (low, high)]
        assert ends[0] <= known <= ends[1]
        assert ends[1] - ends[0] <= abs(known) * mpmath.mpf(2) ** -300


def test_what_is_not_enclosed_is_not_known():
    for expression in (log(x - 1), 1 / (x - 1), sqrt(x - 2), exp(10**9 * x)):
        with pytest.raises(UnknownError):
            enclosed(expression.json(), {"x": intervals.exact(1)})


def test_sums_products_and_ends():
    values = {"x": intervals.exact(2)}
    assert enclosed(summation(k * x, k, 1, 4).json(), values) == intervals.exact(20)
    assert enclosed(product(k, k, 1, 5).json(), values) == intervals.exact(120)
    assert enclosed(maximum(x, 3).json(), values) == intervals.exact(3)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((x + y) ** 2, x**2 + 2 * x * y + y**2),
        (sqrt(x) ** 4, x**2),
        ((sqrt(x) - 1) * (sqrt(x) + 1), x - 1),
        (x / y + y / x, (x**2 + y**2) / (x * y)),
        (exp((x + 1) ** 2) * pi, pi * exp(x**2 + 2 * x + 1)),
    ],
)
def test_identities_are_expanded_and_moved_ones_are_not(left: Expr, right: Expr):
    assert Expansion().vanishes(minus(left.json(), right.json()))
    assert not Expansion().vanishes(minus(left.json(), (right + 1).json()))
    assert not Expansion().vanishes(minus(left.json(), (2 * right).json()))


def test_a_relation_is_true_false_or_not_known():
    point = {"x": intervals.exact(1)}
    assert holds((Phi(-x).json(), "<", "1/6"), point) is True
    assert holds((Phi(-x).json(), ">", "1/6"), point) is False
    assert holds((exp(log(2 * x)).json(), "=", "2"), point) is None
    assert holds((exp(log(2 * x)).json(), "=", "3"), point) is False


OBJECTS = {id: kernel_input(judge(statements()[id])) for id, judge in JUDGES.items()}


@pytest.mark.parametrize("id", OBJECTS)
def test_honest_objects_are_agreed_with(id: str):
    report = check(OBJECTS[id])
    assert not report.contradictions
    assert report.enclosed + report.expanded + report.compared >= 5


@pytest.mark.parametrize("id", sorted({*judges()} - {*OBJECTS}))
def test_no_object_that_the_kernel_accepts_is_contradicted(id: str):
    assert not check(kernel_input(proof_object_of(id))).contradictions


def steps_of(proof: object, rule: str) -> list[dict]:
    """All steps of that rule inside a proof."""
    found = []
    if isinstance(proof, dict):
        found = [proof] if proof.get("rule") == rule else []
        proof = list(proof.values())
    return found + [step for part in proof for step in steps_of(part, rule)] if isinstance(proof, list) else found


def forged(id: str, rule: str, key: str, change: object) -> dict:
    """The input with one step's part replaced."""
    given = copy.deepcopy(OBJECTS[id])
    step = steps_of([given["object"]["answers"], given["object"]["proofs"]], rule)[0]
    step[key] = change(step[key])
    return given


@pytest.mark.parametrize(
    ("id", "rule", "key", "change"),
    [
        ("bilevel/lem-A.3", "number", "left", lambda e: ["*", "2", e]),
        ("bilevel/lem-A.3-amended", "ring", "right", lambda e: ["*", "9/10", e]),
        ("bilevel/lem-A.3-amended", "combine", "right", lambda e: ["+", e, "-1"]),
        ("bilevel/lem-A.3-amended", "slope", "right", lambda e: ["/", e, "2"]),
        ("bilevel/lem-A.3-amended", "sign", "right", lambda e: ["*", "-1", e]),
    ],
)
def test_forged_steps_are_contradicted(id: str, rule: str, key: str, change: object):
    assert check(forged(id, rule, key, change)).contradictions


def test_a_rule_that_it_does_not_know_is_no_agreement():
    with pytest.raises(ValueError, match="no rule is called"):
        check(forged("bilevel/lem-A.3", "number", "rule", lambda _: "believe me"))


def test_it_shares_neither_code_nor_flint_with_the_kernel():
    for file in Path(dpsco.second_checker.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            imported += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in imported:
                assert module.partition(".")[0] != "flint"
                assert not module.startswith("dpsco") or module.startswith("dpsco.second_checker"), (file.name, module)


def test_points_are_those_of_the_scope():
    from dpsco.second_checker.check import Scope

    facts = ((x.json(), ">", "1"), (x.json(), "<", "3/2"))
    found = list(Scope({"x": "real"}, facts, ({"x": intervals.exact(Fraction(5, 4))},)).points())
    assert found
    assert all(1 < point["x"][0] <= point["x"][1] < Fraction(3, 2) for point in found)
