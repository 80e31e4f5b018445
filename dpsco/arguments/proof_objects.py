"""Certificates by the kernel: the registered statement with a claim's own formulas, and the proof object found for it."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.kernel.check import check
from dpsco.kernel.ranges import Rejected
from dpsco.spec import expressions
from dpsco.spec.claim import Claim
from dpsco.spec.expressions import E, Expr, symbol
from dpsco.spec.library import statements
from dpsco.spec.register import find
from dpsco.spec.statement import Assertion, Statement
from dpsco.verify.deciding import judges
from dpsco.verify.objects import kernel_input

METHOD = "a proof object of the statement with the claim's formulas, which the kernel accepts"


class _Expressions:
    """A number context whose numbers are expressions."""

    pi = expressions.pi
    exp, log, sqrt, Phi = map(staticmethod, (expressions.exp, expressions.log, expressions.sqrt, expressions.Phi))
    max, min = staticmethod(expressions.maximum), staticmethod(expressions.minimum)
    real = staticmethod(E)

    @staticmethod
    def frac(numerator: int, denominator: int) -> Expr:
        return E(Fraction(numerator, denominator))

    @staticmethod
    def expm1(x: Expr) -> Expr:
        return expressions.exp(x) - 1


def written(claim: Claim, name: str, **values: Expr) -> Expr:
    """A formula of the claim, or one of its parameters, as an expression; some symbols may have values."""
    known = {p.name: values.get(p.name, symbol(p.name)) for p in claim.parameters}
    context: Any = _Expressions()
    return E(apply(claim.formulas[name], context, known)) if name in claim.formulas else known[name]


def accepted(claim: Claim, moved: Callable[[Assertion], Assertion]) -> bool:
    """Whether the kernel certifies the registered statement of this id, each of its assertions moved.

    The domain is that of the statement: a finding that rests on it has `conditions(claim)` as what is given. Neighbours are
    those of the registered claim, or nothing is certified.
    """
    if claim.adjacency is not find(claim.id).adjacency:
        return False
    try:
        statement: Statement = statements()[claim.id]
        statement = replace(statement, asserts=tuple(map(moved, statement.asserts)))
        return check(kernel_input(judges()[claim.id](statement), statement)).verdict == "certified"
    except (Rejected, ValueError):
        return False


def conditions(claim: Claim) -> tuple[Callable[..., object], ...]:
    """The preconditions of the registered claim, which the statement's domain has."""
    return tuple(predicate.test for predicate in find(claim.id).preconditions)
