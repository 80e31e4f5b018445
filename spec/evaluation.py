"""The value of an expression in a number context: what is written, and nothing simplified."""

from collections.abc import Mapping, Sequence
from functools import reduce

from dpsco.spec.expressions import Expr
from dpsco.spec.numbers import Numbers, Real


def asked(e: Expr, m: Numbers, unnamed: Sequence[Real], values: Mapping[str, Real]) -> Real:
    """The value of e at a number for each of its symbols and for nothing else. Raises TypeError that names what is amiss."""
    wanted = e.symbols
    if unnamed:
        raise TypeError(
            f"a formula is asked by the names of its symbols: {', '.join(f'{name}=...' for name in sorted(wanted))}"
        )
    if surplus := values.keys() - wanted:
        raise TypeError(f"{e!r} has no symbol {', '.join(sorted(surplus))}")
    if missing := wanted - values.keys():
        raise TypeError(f"{e!r} needs values for {', '.join(sorted(missing))}")
    return value(e, m, values)


def value(e: Expr, m: Numbers, values: Mapping[str, Real], bound: tuple[Real, ...] = ()) -> Real:
    """The value of e at numbers of the context m, those of the bound variables outside it in `bound`."""
    match e.op:
        case "num":
            return m.real(e.value.numerator) if e.value.denominator == 1 else m.frac(e.value.numerator, e.value.denominator)
        case "sym":
            return values[e.value]
        case "bound":
            return bound[e.value]
        case "pi":
            return m.pi
        case "oo":
            return m.inf
        case "^":
            base, exponent = e.args
            if exponent.op == "num" and exponent.value.denominator == 1:
                return value(base, m, values, bound) ** int(exponent.value)
        case "sum" | "integral" | "product":
            low, high = (value(arg, m, values, bound) for arg in e.args[:2])

            def body(x: Real) -> Real:
                return value(e.args[2], m, values, (x, *bound))

            if e.op == "product":
                return reduce(lambda a, b: a * b, (body(m.real(k)) for k in range(int(low), int(high) + 1)), m.real(1))
            return (m.sum if e.op == "sum" else m.integral)(body, low, high)
        case "noun":
            raise TypeError(f"{e!r} is a quantity, which has a definition and no formula")
    x = [value(arg, m, values, bound) for arg in e.args]
    match e.op:
        case "+":
            return x[0] + x[1]
        case "*":
            return x[0] * x[1]
        case "/":
            return x[0] / x[1]
        case "^":
            return x[0] ** x[1]
    return getattr(m, e.op)(*x)
