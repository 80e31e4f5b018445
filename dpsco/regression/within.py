"""Conditions on a contract's inputs as one types them, "0.1 <= mu <= 10, epsilon <= 100 mu", and the inputs that keep them.

A text is read, never run: what comes out are the conditions of `dpsco.spec.expressions`.
"""

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from random import Random

from dpsco.reference.numbers.mp import mp
from dpsco.regression.inputs import edges, first, one
from dpsco.spec.contract import Contract, Inputs
from dpsco.spec.domain import Domain, Integers, Interval
from dpsco.spec.expressions import FLIPPED, FUNCTIONS, Condition, E, Expr, symbol

LONGEST = 500
DIGITS = 80
TRIES = 300
"""Random inputs that are thrown away for one that keeps the conditions."""
SIGNS: Mapping[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "="}
OPERATORS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}
NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,4})?", re.ASCII)


def conditions(text: str, contract: Contract) -> list[Condition]:
    """The conditions that a text says of the contract's numbers; commas and `and` join them, a < b < c is two.

    Raises  ValueError where the text is not made of numbers, of the names of the contract's numbers, of + - * / ^ and
            functions, and of < <= = >= >
    """
    names = numbers_of(contract)
    if len(text) > LONGEST:
        raise ValueError(f"{len(text)} characters; at most {LONGEST} are read")
    python = re.sub(r"(?<![<>=!])=(?!=)", "==", text.replace("^", "**").strip())
    try:
        tree = ast.parse(python, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no condition, such as {names[0] if names else 'x'} <= 100") from None
    return list(_conditions(tree, python, names))


def numbers_of(contract: Contract) -> list[str]:
    """The names of the arguments that are single numbers."""
    given = one(contract, Random(0))
    return [name for name in contract.signature.parameters if type(given[name]) in (int, float)]


def _conditions(node: ast.expr, text: str, names: Sequence[str]) -> Iterable[Condition]:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts) | ast.Tuple(elts=parts) if parts:
            for part in parts:
                yield from _conditions(part, text, names)
        case ast.Compare(left=left, ops=signs, comparators=others):
            sides = [_expression(side, text, names) for side in (left, *others)]
            for sign, low, high in zip(signs, sides, sides[1:], strict=False):
                if type(sign) not in SIGNS:
                    raise ValueError(f"{_said(node, text)!r} compares by another sign; allowed: < <= = >= >")
                yield Condition(low, SIGNS[type(sign)], high)
        case _:
            raise ValueError(f"{_said(node, text)!r} compares nothing; a condition is needed, such as {names[0]} <= 100")


def _expression(node: ast.expr, text: str, names: Sequence[str]) -> Expr:
    match node:
        case ast.Constant(value=int() | float()) if NUMBER.fullmatch(written := ast.get_source_segment(text, node) or ""):
            return E(Fraction(written))
        case ast.Name(id=name) if name in names:
            return symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_expression(inner, text, names)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _expression(left, text, names) - _expression(right, text, names)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            return Expr(OPERATORS[type(operator)], (_expression(left, text, names), _expression(right, text, names)))
        case ast.Call(func=ast.Name(id=function), args=[inner], keywords=[]) if function in FUNCTIONS:
            return Expr(function, (_expression(inner, text, names),))
        case ast.Call(func=ast.Name(id="max" | "min" as function), args=[a, b], keywords=[]):
            return Expr(function, (_expression(a, text, names), _expression(b, text, names)))
    raise ValueError(f"{_said(node, text)!r} is no number here; the contract's numbers are {', '.join(names) or 'none'}")


def _said(node: ast.expr, text: str) -> str:
    return (ast.get_source_segment(text, node) or "").replace("**", "^").replace("==", "=")


def inside(contract: Contract, samples: int, seed: int, asked: Sequence[Condition]) -> Iterator[Inputs]:
    """As `inputs.inputs`, those that keep the conditions: hard ones, edges of the box, and `samples` random ones, as far as
    chance finds so many.

    Raises  ValueError where no double of a domain is left
    """
    box, random = narrowed(contract, asked), Random(f"{contract.id} {seed}")
    yield from (given for given in first(box, random) if kept(given, asked))
    for _ in range(samples):
        found = next((given for given in (one(box, random) for _ in range(TRIES)) if kept(given, asked)), None)
        if found is None:
            return
        yield found


def kept(given: Inputs, asked: Sequence[Condition]) -> bool:
    """Whether an input keeps all of the conditions; one that cannot be computed there is not kept."""
    m = mp(DIGITS)
    try:
        return all(one(m, **{name: m.real(given[name]) for name in one.symbols}) is True for one in asked)
    except (ValueError, ArithmeticError):
        return False


def narrowed(contract: Contract, asked: Sequence[Condition]) -> Contract:
    """The contract with the domains of its numbers cut by those conditions that bound one of them by a number.

    Raises  ValueError where no double of a domain is left
    """
    inputs = []
    for parameter in contract.inputs:
        domain: Domain = parameter.domain
        for condition in asked:
            domain = _cut(domain, parameter.name, condition)
        if domain != parameter.domain and not _inhabited(domain):
            raise ValueError(f"no {parameter.name} in {parameter.domain} keeps them")
        inputs.append(replace(parameter, domain=domain))
    return replace(contract, inputs=tuple(inputs), hard=tuple(given for given in contract.hard if kept(given, asked)))


def _inhabited(domain: Domain) -> bool:
    if isinstance(domain, Interval) and Decimal(domain.low) > Decimal(domain.high):
        return False
    if isinstance(domain, Integers) and domain.high is not None and domain.low > domain.high:
        return False
    return bool(edges(domain))


def _cut(domain: Domain, name: str, condition: Condition) -> Domain:
    left, sign, right = condition.left, condition.sign, condition.right
    if right == symbol(name):
        left, sign, right = right, FLIPPED[sign], left
    if left != symbol(name) or right.op != "num":
        return domain
    bound: Fraction = right.value
    if isinstance(domain, Interval):
        end = Context(prec=2000).divide(Decimal(bound.numerator), Decimal(bound.denominator))
        if sign in ("<", "<=", "=") and (end < Decimal(domain.high) or (end == Decimal(domain.high) and sign == "<")):
            domain = replace(domain, high=str(end), high_open=sign == "<")
        if sign in (">", ">=", "=") and (end > Decimal(domain.low) or (end == Decimal(domain.low) and sign == ">")):
            domain = replace(domain, low=str(end), low_open=sign == ">")
    elif isinstance(domain, Integers):
        if sign in ("<", "<=", "="):
            most = math.ceil(bound) - 1 if sign == "<" else math.floor(bound)
            domain = replace(domain, high=most if domain.high is None else min(most, domain.high))
        if sign in (">", ">=", "="):
            domain = replace(domain, low=max(domain.low, math.floor(bound) + 1 if sign == ">" else math.ceil(bound)))
    return domain
