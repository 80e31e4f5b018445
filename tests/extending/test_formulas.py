"""What a formula may use, held against every formula of the register read as if it were a stranger's."""

import pytest

from dpsco.extending import formulas
from dpsco.extending.formulas import strange
from dpsco.spec.conjunction import all_of
from dpsco.spec.expressions import Expr, sqrt, symbol
from dpsco.spec.register import amendments, register


def test_the_registers_own_formulas_use_nothing_else(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(formulas, "_ours", lambda function: False)
    everything = {**register(), **amendments()}.values()
    functions = [f for claim in everything for f in (*claim.formulas.values(), *(p.test for p in claim.preconditions))]
    assert len(functions) > 2000
    found = {what for function in functions if (what := strange(function)) is not None}
    assert found <= {"reads PolynomialKernel, of type type", "reads SUFFICIENT_LEVELS, of type dict"}


KEPT: list[int] = []


def caught(m, x):
    try:
        return m.real(x)
    except ValueError:
        return x


def written(m, x):
    seen = [x]
    seen[0] = 2 * x
    return seen[0]


X = symbol("x")
HALF = sqrt(X) / 2


class Impostor(Expr):
    """Looks like an expression and does as it likes."""

    def __call__(self, m, /, **values):
        return KEPT[0]


def with_default(m, x, seen=KEPT):
    return x


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        (lambda m, x: x if type(m) is int else 2 * x, "type"),
        (lambda m, x: x if m.bits == 192 else 2 * x, ".bits"),
        (lambda m, x: x * m.frac(1, 2).__class__(1), ".__class__"),
        (lambda m, x: len(f"{m}") * x, "looks at"),
        (lambda m, x: x * id(m), "id"),
        (lambda m, x: hash(m) * x, "hash"),
        (lambda m, x: x * __import__("time").time(), "__import__"),
        (lambda m, x: KEPT[0] * x, "KEPT"),
        (lambda m, x: pytest.approx(x), "the module pytest"),
        (caught, "catches"),
        (written, "writes"),
        (with_default, "a default"),
        (abs, "is no function"),
        (Expr("+", (X, Impostor("sym", (), "x"))), "is no function"),
        (lambda m, x: Impostor("sym", (), "x")(m, x=x), "Impostor"),
    ],
)
def test_what_is_no_formula_is_seen(formula, says: str):
    assert says in (strange(formula) or "")


def test_plain_formulas_pass():
    def inner(m, x):
        return m.sqrt(x)

    assert strange(lambda m, x: sum(inner(m, x) / k for k in range(1, 4)) + m.sum(lambda k: k * x, 1, 3)) is None


def test_expressions_pass_and_may_be_called():
    assert strange(HALF) is strange(HALF <= 2) is strange(all_of(HALF <= 2, X > 0)) is None
    assert strange(lambda m, x: HALF(m, x=2 * x)) is None
