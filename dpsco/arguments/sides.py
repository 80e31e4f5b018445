"""The assertions of a claim that are between formulas, and instances at which one of them certainly fails.

A side is arithmetic over the claim's formulas, its parameters and decimal numbers: `sigma`, `2`, `sigma/2`, `left - right`.
Anything else is words, which nothing here reads.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from dpsco.arguments.comparing import SIGNS, compare
from dpsco.arguments.formula import apply
from dpsco.instances.inside import Values, numbers
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Choice, Vectors
from dpsco.spec.numbers import Numbers, Real

BITS = (192, 1024)
"""Precisions at which a side is enclosed, until the sign is decided."""
OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}
Side = Callable[[Numbers, Mapping[str, Any]], Real]


@dataclass(frozen=True)
class Violation:
    """An instance at which the enclosures of the two sides certainly do not have the asserted sign between them."""

    relation: Relation
    at: Values
    left: Real
    right: Real


def side_of(claim: Claim, text: str) -> Side | None:
    """What the text computes; None where it is words."""
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    scalars = {p.name for p in claim.parameters if not isinstance(p.domain, Choice | Vectors)}
    return _meaning(claim, scalars, text.strip().replace("^", "**"), tree)


def _meaning(claim: Claim, scalars: set[str], text: str, tree: ast.expr) -> Side | None:
    match tree:
        case ast.Name(id=name) if name in claim.formulas:
            return lambda m, values: apply(claim.formulas[name], m, values)
        case ast.Name(id=name) if name in scalars:
            return lambda m, values: values[name]
        case ast.Constant(value=int() | float()) if not isinstance(tree.value, bool):
            number = Fraction(ast.get_source_segment(text, tree) or "")
            return lambda m, values: m.frac(number.numerator, number.denominator)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            of = _meaning(claim, scalars, text, inner)
            return None if of is None else lambda m, values: -of(m, values)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            first, second = (_meaning(claim, scalars, text, part) for part in (left, right))
            if first is None or second is None:
                return None
            act = OPERATORS[type(operator)]
            return lambda m, values: act(first(m, values), second(m, values))
    return None


def readable(claim: Claim) -> dict[Relation, tuple[Side, Side]]:
    """The assertions whose two sides are arithmetic, with what these compute."""
    found = {}
    for relation in claim.asserts:
        left, right = side_of(claim, relation.left), side_of(claim, relation.right)
        if relation.sign in SIGNS and left is not None and right is not None:
            found[relation] = (left, right)
    return found


def violations(claim: Claim, instances: Iterable[Values], relations: Iterable[Relation] | None = None) -> Iterator[Violation]:
    """The first instance for each of the assertions, all that can be read if none are named, at which it certainly fails."""
    known = readable(claim)
    waiting = [relation for relation in known if relations is None or relation in set(relations)]
    for at in instances:
        for relation in list(waiting):
            against = violated(claim, relation, known[relation], at)
            if against is not None:
                waiting.remove(relation)
                yield against


def violated(claim: Claim, relation: Relation, sides: tuple[Side, Side], at: Values) -> Violation | None:
    """The violation at one instance, None where it is not certain."""
    for bits in BITS:
        m = arb(bits)
        values = numbers(m, at)
        try:
            left, right = (ball(m, side(m, values)) for side in sides)
        except Exception:  # a formula that has no value here asserts nothing here
            return None
        if not (left.is_finite() and right.is_finite()):
            continue
        truth = compare(m, left, relation.sign, right)
        if truth is not None:
            return None if truth else Violation(relation, at, left, right)
    return None


def ball(m: Numbers, value: object) -> Real:
    """The value as a ball, if it is a number: something else that answers comparisons as it likes is none.

    Raises  TypeError for anything but a ball, an integer and a fraction
    """
    if type(value) not in (flint.arb, int, Fraction):
        raise TypeError(f"a formula gives a number of its context, not {type(value).__name__}")
    return m.real(value)
