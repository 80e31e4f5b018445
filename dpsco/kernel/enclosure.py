"""Balls that hold the value of an expression, at balls for its symbols.

flint's comparisons of balls are true only when certain; a ball that is not finite is comparable with nothing here.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from dpsco.kernel.ranges import BITS, FUNCTIONS, Rejected, Work, ball, need
from dpsco.spec.expressions import Expr, TooLargeError

MOST_BITS = 4096
LARGEST_POWER = 10_000
MOST_TERMS = 10_000


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """flint's working precision, put back afterwards. An enclosure is right at any precision."""
    if not 16 <= bits <= MOST_BITS:
        raise TooLargeError(f"bits = {bits}: from 16 to {MOST_BITS} are allowed")
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = BITS


def certainly(left: Any, sign: str, right: Any) -> bool:
    """left sign right for all numbers in the two balls, sign < or <=."""
    if not (left.is_finite() and right.is_finite()):
        return False
    return bool(left < right) if sign == "<" else bool(left <= right)


def enclose(e: Expr, values: Mapping[str, Any], work: Work, bound: tuple[Any, ...] = ()) -> Any:
    """A ball that holds e wherever e is defined and its symbols lie in their balls. Rejected for quantities and integrals."""
    work.spend(max(1, ctx.prec // 64))
    match e.op:
        case "num":
            return ball(e.value)
        case "sym":
            return values[e.value]
        case "bound":
            return bound[e.value]
        case "pi":
            return arb.pi()
        case "noun" | "integral" | "oo":
            raise Rejected(f"{e!r} cannot be enclosed")
        case "sum" | "product":
            low, high = (_whole(enclose(end, values, work, bound)) for end in e.args[:2])
            if high - low >= MOST_TERMS:
                raise TooLargeError(f"more than {MOST_TERMS} terms")
            total = arb(0 if e.op == "sum" else 1)
            for k in range(low, high + 1):
                term = enclose(e.args[2], values, work, (arb(k), *bound))
                total = total + term if e.op == "sum" else total * term
            return total
        case "^":
            base, exponent = enclose(e.args[0], values, work, bound), e.args[1]
            if exponent.op == "num" and exponent.value.denominator == 1:
                if abs(exponent.value) > LARGEST_POWER:
                    raise TooLargeError(f"powers beyond {LARGEST_POWER}")
                return base ** int(exponent.value)
            return (enclose(exponent, values, work, bound) * base.log()).exp()
    x = [enclose(arg, values, work, bound) for arg in e.args]
    match e.op:
        case "+":
            return x[0] + x[1]
        case "*":
            return x[0] * x[1]
        case "/":
            return x[0] / x[1]
        case "max":
            return x[0].max(x[1])
        case "min":
            return x[0].min(x[1])
    return FUNCTIONS[e.op].balls(x[0])


def _whole(x: Any) -> int:
    found: Any = x.unique_fmpz() if x.is_finite() else None
    need(found is not None and x.is_exact(), "an end of a sum is not known as an integer")
    return int(found)


def spanned(low: Fraction, high: Fraction) -> Any:
    """A ball that holds [low, high]."""
    return ball(low).union(ball(high))
