"""Formulas as text and as LaTeX, from the code that computes them: there is no second copy to keep true."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from inspect import getsource, signature
from itertools import product
from textwrap import dedent
from typing import Any

from dpsco.spec.claim import Claim
from dpsco.spec.domain import Choice, Parameter, Vectors
from dpsco.spec.numbers import Real, names_of

ENTRIES = 2
"""A vector is written with its first entries."""


def text(formula: Callable[..., Real], claim: Claim) -> list[tuple[str, str]]:
    """The formula on one line, for each name that its Choice parameters may take: pairs (condition, formula)."""
    try:
        return [(given, _plain(str(shown))) for given, shown in expressions(formula, claim)]
    except TypeError:  # a formula that is no closed expression (it branches on a number) is shown as it is computed
        return [("", _source(formula))]


def latex(formula: Callable[..., Real], claim: Claim) -> list[tuple[str, str]]:
    """The formula in LaTeX, for each name that its Choice parameters may take: pairs (condition, LaTeX)."""
    from sympy import latex as typeset

    try:
        return [(given, typeset(shown, ln_notation=True)) for given, shown in expressions(formula, claim)]
    except TypeError:
        return [("", r"\texttt{" + re.sub(r"([_#%&{}$])", r"\\\1", _source(formula)) + "}")]


def expressions(formula: Callable[..., Real], claim: Claim) -> Iterator[tuple[str, Any]]:
    """The formula as a sympy expression for each name that its Choice parameters may take: pairs (condition, expression)."""
    from sympy import symbols

    from dpsco.reference.numbers.symbolic import expression

    parameters = [claim.parameter(name) for name in names_of(formula)]
    vectors = {p.name: list(symbols(f"{p.name}_1:{ENTRIES + 1}", real=True)) for p in parameters if _is(p, Vectors)}
    choices = [p for p in parameters if _is(p, Choice)]
    for names in product(*(_names(p) for p in choices)):
        given = dict(zip((p.name for p in choices), names, strict=True))
        condition = ", ".join(f"{parameter} = {name}" for parameter, name in given.items())
        yield condition, expression(formula, parameters, **given, **vectors)


def _is(parameter: Parameter, kind: type) -> bool:
    return isinstance(parameter.domain, kind)


def _names(parameter: Parameter) -> tuple[str, ...]:
    assert isinstance(parameter.domain, Choice)
    return parameter.domain.names


def _plain(shown: str) -> str:
    return shown.replace("**", "^").replace("lambda_", "lambda")


@cache
def _source(formula: Callable[..., Real]) -> str:
    """What the formula returns, as its source says it, without the number context."""
    try:
        tree = ast.parse(dedent(getsource(formula)))
    except (OSError, TypeError, SyntaxError):
        return f"{getattr(formula, '__name__', 'formula')}{signature(formula)}"
    body = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)).body
    shown = [ast.unparse(node) for node in body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    return _plain(re.sub(r"\bm\.", "", "; ".join(" ".join(part.split()) for part in shown)).removeprefix("return "))
