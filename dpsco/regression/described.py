"""A contract in words, as plain data: what a reader needs to implement it."""

import ast
import linecache
import re
from dataclasses import dataclass
from inspect import getsourcelines
from types import FunctionType

from dpsco.spec.contract import SUBOPTIMALITY, SUM_SCALED, ULPS, Contract, End, Range

METRICS = {
    ULPS: "the largest error of an entry, in units of the last place of its exact value",
    SUM_SCALED: "the largest error of an entry, over the sum of its terms' sizes, in units of 2^-53",
    SUBOPTIMALITY: "the norm of the objective's gradient at the answer, over the tolerance asked for",
}
NO_BUDGET = "none is recorded"
NOTATION = {" ** ": "^", "**": "^", " * ": " ", " / ": "/"}
SECTION = re.compile(r"(Domain|Returns|Raises|Source|Deviation):?\s+(.*)")


@dataclass(frozen=True, kw_only=True)
class Described:
    """What a contract says of itself; a section that its docstring does not have is empty."""

    id: str
    signature: str
    says: str
    formula: tuple[str, ...]
    """Its paragraphs."""
    domain: str
    parameters: tuple[str, ...]
    """What the contract says of its scalar parameters: set, unit and meaning."""
    returns: str
    range: tuple[str, ...]
    """One for each output."""
    metric: str
    budget: str
    raises: str
    source: str
    deviation: str

    @property
    def rows(self) -> dict[str, tuple[str, ...]]:
        """All but the first line, in the order in which it is read."""
        rows = {
            "formula": self.formula,
            "domain": (self.domain,),
            "where": self.parameters,
            "returns": (self.returns,),
            "range": self.range,
            "metric": (self.metric,),
            "budget": (self.budget,),
            "raises": (self.raises,),
            "deviation": (self.deviation,),
            "source": (self.source,),
        }
        return {name: told for name, lines in rows.items() if (told := tuple(line for line in lines if line))}


def described(contract: Contract, budget: float | None) -> Described:
    """The contract with the largest error that is accepted, in the contract's metric (None where no budget is recorded)."""
    (says, *formula), sections = _parts(contract.doc)
    near = f", of {contract.floor!r} where that is larger" if contract.floor else ""
    return Described(
        id=contract.id,
        signature=f"{contract.name}({', '.join(contract.signature.parameters)})",
        says=says,
        formula=tuple(formula),
        domain=sections.get("Domain", ""),
        parameters=tuple(f"{p.name} in {p.domain}{_unit(p.unit)}: {p.meaning}" for p in contract.inputs),
        returns=sections.get("Returns", ""),
        range=tuple(map(interval, contract.ranges)),
        metric=f"{contract.metric}: {METRICS[contract.metric]}{near}",
        budget=NO_BUDGET if budget is None else f"{budget:g}",
        raises=sections.get("Raises", ""),
        source=sections.get("Source", ""),
        deviation=sections.get("Deviation", ""),
    )


def _unit(unit: str) -> str:
    return "" if unit == "1" else f", in {unit}"


def _parts(doc: str) -> tuple[list[str], dict[str, str]]:
    """The paragraphs of a docstring, each on one line, and its sections by name."""
    paragraphs: list[list[str]] = [[]]
    sections: dict[str, list[str]] = {}
    last: list[str] | None = None
    for line in doc.splitlines():
        begun = SECTION.fullmatch(line)
        if begun:
            last = sections.setdefault(begun[1], [])
            last.append(begun[2])
        elif last is not None and line.startswith(" "):
            last.append(line.strip())
        elif line.strip():
            paragraphs[-1].append(line.strip())
        else:
            paragraphs.append([])
    joined = [" ".join(lines) for lines in paragraphs if lines]
    return joined or [""], {name: " ".join(lines) for name, lines in sections.items()}


def interval(held: Range) -> str:
    """The range as an interval: its ends are numbers or formulas in the inputs."""
    low, high = end(held.low), end(held.high)
    shown = f"{'(' if held.low_open else '['}{low}, {high}{')' if held.high_open else ']'}"
    return f"l2 norm in {shown}" if held.norm else shown


def end(given: End) -> str:
    """An end in the notation of the docstrings: a function without its number context, ^ for powers."""
    if isinstance(given, str):
        return given
    shown = ast.unparse(_Plain().visit(_body(given))) if isinstance(given, FunctionType) else repr(given)
    for python, written in NOTATION.items():
        shown = shown.replace(python, written)
    return shown


def _body(function: FunctionType) -> ast.expr:
    """The expression of a lambda, found in its file by the place of its code: several may stand on one line."""
    code, file = function.__code__, function.__code__.co_filename
    tree = ast.parse("".join(linecache.getlines(file)) or "".join(getsourcelines(function)[0]))
    places = {(line, column) for line, _, column, _ in code.co_positions() if line and column}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            inside = ((part.lineno, part.col_offset) for part in ast.walk(node.body) if isinstance(part, ast.expr))
            if places & {*inside}:
                return node.body
    raise ValueError(f"{function!r} is no lambda of {file}: an end of a range is one")


class _Plain(ast.NodeTransformer):
    """The number context left out: m.sqrt(d - m.frac(1, 2)) is sqrt(d - 1 / 2), m.min(*low) is min(low)."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "frac":
            return ast.BinOp(node.args[0], ast.Div(), node.args[1])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv):
            return ast.Call(ast.Name("floor"), [ast.BinOp(node.left, ast.Div(), node.right)], [])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Name(node.attr) if isinstance(node.value, ast.Name) and node.value.id == "m" else self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        return self.visit(node.value)
