"""Witnesses, printed: scripts of at most 40 lines on mpmath alone that show a refutation without dpsco.

A script has the instance of the proof object, the preconditions, both sides of the refuted assertion, and for a quantity the
oracle of `reference.oracles` that computes it, as it is written there. A counterexample that is a construction (of a quantity
without an oracle in closed form) is not printed: its witness is written by hand.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath

from dpsco.reference import oracles
from dpsco.spec.expressions import SIGNS, Condition, E, Expr, Reader, symbol
from dpsco.spec.library import statements
from dpsco.spec.statement import Assertion, Statement
from dpsco.verify.deciding import proof_object_of
from dpsco.verify.instances import Instance
from dpsco.verify.standing import quantities

LONGEST, WIDTH = 40, 118
ORACLES: Mapping[str, Callable[..., Any]] = {
    "LeastDelta of GaussianNoise": oracles.gaussian_hockey_stick,
    "TurnedMean": oracles.turned_mean,
    "HalfSphereMean": oracles.half_sphere_mean,
}
"""Of each quantity that a script computes, the function of its numbers in their order."""
CONSTANTS = "mpf(1), mpf(1000), mpf(10)**6"
"""With which the failure of an order is shown; the proof object has it for every constant."""
NAMES = {"abs": "fabs", "Phi": "ncdf", "phi": "npdf", "lgamma": "loggamma"}
FAILS = {"<": "left >= right", "<=": "left > right", ">=": "left < right", ">": "left <= right"}
FAILS["="] = "abs(left - right) > mpf(10)**-20"


class ConstructionError(ValueError):
    """The counterexample is a construction, which no closed form shows."""


@dataclass(frozen=True)
class Refutation:
    """The assertion at this place fails at the instance; for an order, with the constant of this name, on which `at` rests."""

    place: int
    at: Instance
    constant: str = ""


def refutations(id: str) -> list[Refutation]:
    """Those of a claim's proof object; a path with a diverging ratio is no instance, and is not among them."""
    found = []
    for place, answer in enumerate(proof_object_of(id)["answers"]["asserts"]):
        if answer is not None and answer["verdict"] == "refuted" and "start" not in answer:
            given = answer["at"] if "at" in answer else answer["path"]
            values = {name: Reader().expression(value) for name, value in given.items()}
            found.append(Refutation(place, values, answer.get("symbol", "")))
    return found


def printed(id: str) -> str:
    """The script for a refuted claim. Raises ConstructionError where its witness has to be written by hand."""
    found = refutations(id)
    if not found:
        raise ConstructionError(f"{id}: no instance in its proof object refutes it")
    return script(statements()[id], found)


def script(claim: Statement, found: Sequence[Refutation]) -> str:
    """The assertions that fail, computed. Raises ConstructionError where they cannot be, or not in 40 lines."""
    used = {oracle(e) for one in found for side in _sides(claim.asserts[one.place]) for e in quantities(side)}
    body = [line for one in found for line in _shown(claim, one)]
    text = "\n".join([*map(source, sorted(used, key=lambda one: one.__name__)), *body])
    title = textwrap.fill(f'"""{claim.id}, {claim.source}: {claim.title}."""', WIDTH)
    whole = "\n".join([title, "", imports(text), "", "mp.dps = 40", text, ""])
    if (count := len(whole.splitlines())) > LONGEST:
        raise ConstructionError(f"{claim.id}: a script of {count} lines, {LONGEST} are allowed")
    return whole


def _sides(one: Assertion) -> tuple[Expr, Expr]:
    return one.left, one.right


def _shown(claim: Statement, one: Refutation) -> list[str]:
    """The lines of one refuted assertion: the instance, its preconditions, both sides, and that they fail."""
    asserted = claim.asserts[one.place]
    shown = at_constant(asserted, one.constant)
    needed = _needed(claim, asserted)
    values = {name: one.at[name] for name in sorted(needed)}
    lines = _packed([f"{name} = {_value(value)}" for name, value in values.items()], "; ", "")
    lines += _packed([_condition(c) for c in claim.domain if c.symbols <= needed], " and ", "assert ")
    lines += [f"left = {python(shown.left)}", f"right = {python(shown.right)}"]
    where = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    lines += [f"print({f'{where}: claimed left {shown.sign} right'!r})"]
    lines += ['print(f"FALSE: left = {nstr(left, 15)}, right = {nstr(right, 15)}")', f"assert {FAILS[shown.sign]}"]
    return [f"for {one.constant} in ({CONSTANTS}):", *(f"    {line}" for line in lines)] if one.constant else lines


def _value(value: Expr) -> str:
    """A value of the instance, as an mpf and never an int."""
    return f"mpf({value!r})" if value.op == "num" and value.value.denominator == 1 else python(value)


def _condition(c: Condition) -> str:
    return f"{python(c.left)} {'==' if c.sign == '=' else c.sign} {python(c.right)}"


def at_constant(one: Assertion, constant: str) -> Condition:
    """The assertion, an order with its constant."""
    if one.sign in SIGNS:
        return Condition(one.left, one.sign, one.right)
    small, large = (one.left, one.right) if one.sign == "<=O" else (one.right, one.left)
    return Condition(small, "<=", symbol(constant) * large)


def _needed(claim: Statement, one: Assertion) -> frozenset[str]:
    """The symbols of the assertion, and those that its preconditions tie them to."""
    names = set(one.symbols)
    while more := {name for c in claim.domain if c.symbols & names for name in c.symbols} - names:
        names |= more
    return frozenset(names)


def _packed(parts: Sequence[str], between: str, start: str) -> list[str]:
    """The parts side by side, as many in a line as fit."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(between) + len(part) <= WIDTH - 4:
            lines[-1] += between + part
        else:
            lines.append(start + part)
    return lines


# --- Python ---------------------------------------------------------------------------------------------------------------


def python(e: Expr, rank: int = 0) -> str:
    """The expression as Python on mpmath, symbols under their own names; brackets where it binds more loosely than `rank`.

    Raises  ConstructionError for what is not printed: sums, integrals, quantities without a closed form
    """
    own = {"+": 1, "*": 2, "/": 2, "^": 4}.get(e.op, 5)
    match e.op:
        case "num" if e.value.denominator != 1:
            return f"(mpf({e.value.numerator}) / {e.value.denominator})"
        case "num":
            return str(e.value) if e.value >= 0 or not rank else f"({e.value})"
        case "sym":
            return str(e.value)
        case "pi":
            return "pi"
        case "noun":
            return f"{oracle(e).__name__}({', '.join(map(python, _numbers(e)))})"
        case "sum" | "product" | "integral" | "bound" | "oo":
            raise ConstructionError(f"{e!r} is not printed")
        case "*" if e.args[0] == E(-1):
            text, own = f"-{python(e.args[1], 3)}", 1
        case "+":
            text = _sum(e)
        case "*":
            text = f"{python(e.args[0], 2)} * {python(e.args[1], 3)}"
        case "/":
            above = python(e.args[0], 2) if e.args[0].symbols else f"mpf({python(e.args[0])})"
            text = f"{above} / {python(e.args[1], 3)}"
        case "^":
            text = f"{python(e.args[0], 5)}**{python(e.args[1], 5)}"
        case _:
            return f"{NAMES.get(e.op, e.op)}({', '.join(map(python, e.args))})"
    return f"({text})" if own < rank else text


def _sum(e: Expr) -> str:
    first, second = e.args
    if second.op == "*" and second.args[0] == E(-1):
        return f"{python(first, 1)} - {python(second.args[1], 2)}"
    if second.op == "num" and second.value < 0:
        return f"{python(first, 1)} - {python(-second, 2)}"
    return f"{python(first, 1)} + {python(second, 2)}"


def oracle(e: Expr) -> Callable[..., Any]:
    """The function that computes a quantity. Raises ConstructionError where none is a closed form."""
    name = " of ".join([e.value[0], *(arg.value[0] for arg in e.args if arg.op == "noun")])
    if name not in ORACLES:
        raise ConstructionError(f"{name} has no closed form to print")
    return ORACLES[name]


def _numbers(e: Expr) -> Iterator[Expr]:
    """The numbers that a quantity is about, those of its objects included."""
    for arg in e.args:
        yield from _numbers(arg) if arg.op == "noun" else (arg,)


def source(function: Callable[..., Any]) -> str:
    """A function as it is written, without its words and types."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for arg in node.args.args:
                arg.annotation = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
    return f"\n{ast.unparse(tree)}\n"


def imports(text: str) -> str:
    """What the text needs of mpmath, under the names that `reference.oracles` has for it."""
    nodes = list(ast.walk(ast.parse(text)))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - own | {"mp"}
    from_oracles = {name: _mpmath_name(vars(oracles)[name]) for name in used if name in vars(oracles)}
    known = {name: name for name in used if hasattr(mpmath, name)} | {n: k for n, k in from_oracles.items() if k is not None}
    names = (name if name == origin else f"{origin} as {name}" for name, origin in sorted(known.items()))
    return f"from mpmath import {', '.join(names)}"


def _mpmath_name(value: Any) -> str | None:
    return next((name for name in dir(mpmath) if getattr(mpmath, name) is value), None)
