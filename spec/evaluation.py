"""The value of an expression in a number context: what is written, and nothing simplified."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import TypeAlias

from dpsco.spec.expressions import BINDERS, Expr
from dpsco.spec.numbers import Numbers, Real


def asked(e: Expr, m: Numbers, unnamed: Sequence[Real], values: Mapping[str, Real]) -> Real:
    """The value of e at a number for each of its symbols and for nothing else. Raises TypeError that names what is amiss."""
    wanted = e.symbols
    if not unnamed and values.keys() == wanted:
        return value(e, m, values)
    if unnamed:
        raise TypeError(
            f"a formula is asked by the names of its symbols: {', '.join(f'{name}=...' for name in sorted(wanted))}"
        )
    if surplus := values.keys() - wanted:
        raise TypeError(f"{e!r} has no symbol {', '.join(sorted(surplus))}")
    missing = wanted - values.keys()
    raise TypeError(f"{e!r} needs values for {', '.join(sorted(missing))}")


def value(e: Expr, m: Numbers, values: Mapping[str, Real]) -> Real:
    """The value of e at numbers of the context m for its free symbols."""
    return _evaluator(e)(m, values, ())


_Evaluator: TypeAlias = Callable[[Numbers, Mapping[str, Real], tuple[Real, ...]], Real]
"""From a context, the values of the symbols, and those of the bound variables from the innermost binder outward."""


@cache
def _evaluator(e: Expr) -> _Evaluator:
    """What computes e: one function a node, made once, as an integrand is asked for a million values."""
    a = e.value
    match e.op:
        case "num" if a.denominator == 1:
            return lambda m, values, bound: m.real(a.numerator)
        case "num":
            return lambda m, values, bound: m.frac(a.numerator, a.denominator)
        case "sym":
            return lambda m, values, bound: values[a]
        case "bound":
            return lambda m, values, bound: bound[a]
        case "pi":
            return lambda m, values, bound: m.pi
        case "oo":
            return lambda m, values, bound: m.inf
        case "noun":
            raise TypeError(f"{e!r} is a quantity, which has a definition and no formula")
    args = [_evaluator(arg) for arg in e.args]
    if e.op in BINDERS:
        return _binder(e.op, *args)
    if len(args) == 1:
        only, name = args[0], e.op
        return lambda m, values, bound: getattr(m, name)(only(m, values, bound))
    first, second = args
    match e.op:
        case "+":
            return lambda m, values, bound: first(m, values, bound) + second(m, values, bound)
        case "*":
            return lambda m, values, bound: first(m, values, bound) * second(m, values, bound)
        case "/":
            return lambda m, values, bound: first(m, values, bound) / second(m, values, bound)
        case "^" if e.args[1].op == "num" and e.args[1].value.denominator == 1:
            power = int(e.args[1].value)
            return lambda m, values, bound: first(m, values, bound) ** power
        case "^":
            return lambda m, values, bound: first(m, values, bound) ** second(m, values, bound)
        case "max":
            return lambda m, values, bound: m.max(first(m, values, bound), second(m, values, bound))
        case "min":
            return lambda m, values, bound: m.min(first(m, values, bound), second(m, values, bound))
    raise TypeError(f"{e.op!r} is no operation")


def _binder(op: str, low: _Evaluator, high: _Evaluator, body: _Evaluator) -> _Evaluator:
    def product(m: Numbers, values: Mapping[str, Real], bound: tuple[Real, ...]) -> Real:
        ends = int(low(m, values, bound)), int(high(m, values, bound))
        factors = (body(m, values, (m.real(k), *bound)) for k in range(ends[0], ends[1] + 1))
        return reduce(lambda x, y: x * y, factors, m.real(1))

    def total(m: Numbers, values: Mapping[str, Real], bound: tuple[Real, ...]) -> Real:
        add = m.sum if op == "sum" else m.integral
        return add(lambda x: body(m, values, (x, *bound)), low(m, values, bound), high(m, values, bound))

    return product if op == "product" else total
