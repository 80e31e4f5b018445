"""Expressions as the JSON of docs/proof_objects.md has them: put in, enclosed, and shown equal to 0 by expansion."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from dpsco.second_checker import intervals
from dpsco.second_checker.intervals import Interval, UnknownError

Json: TypeAlias = Any
Polynomial: TypeAlias = dict[tuple[tuple[int, int], ...], Fraction]
"""A coefficient for each product of powers of atoms; atoms are numbered."""
BINDERS = ("sum", "product", "integral")
MOST_TERMS = 20_000


def names(e: Json) -> frozenset[str]:
    """The free symbols."""
    if isinstance(e, str):
        return frozenset()
    if e[0] == "sym":
        return frozenset({e[1]})
    return frozenset().union(*(names(arg) for arg in arguments(e)))


def arguments(e: Json) -> Sequence[Json]:
    """The expressions directly inside."""
    if isinstance(e, str) or e[0] in ("sym", "bound", "pi", "oo"):
        return ()
    return e[3] if e[0] == "noun" else e[1:]


def opaque(e: Json) -> bool:
    """Whether a noun stands in it, of which nothing is known here, or an integral, which is not enclosed here."""
    return not isinstance(e, str) and (e[0] in ("noun", "integral") or any(map(opaque, arguments(e))))


def put(e: Json, values: Mapping[str, Json]) -> Json:
    """The expression with symbols replaced."""
    if isinstance(e, str):
        return e
    if e[0] == "sym":
        return values.get(e[1], e)
    if e[0] == "noun":
        return [*e[:3], [put(arg, values) for arg in e[3]]]
    return [e[0], *(put(arg, values) for arg in e[1:])] if arguments(e) else e


def minus(a: Json, b: Json) -> Json:
    return ["+", a, ["*", "-1", b]]


# --- enclosed -------------------------------------------------------------------------------------------------------------


def enclosed(e: Json, values: Mapping[str, Interval], bound: tuple[Interval, ...] = ()) -> Interval:
    """An interval that holds the value. Raises UnknownError where none is found."""
    if isinstance(e, str):
        return intervals.outward(Fraction(e), Fraction(e))
    op = e[0]
    if op == "sym":
        if e[1] not in values:
            raise UnknownError(f"no value for {e[1]}")
        return values[e[1]]
    if op == "bound":
        return bound[e[1]]
    if op == "pi":
        return intervals.pi()
    if op in ("sum", "product"):
        return _repeated(e, values, bound)
    if op in ("noun", "integral", "oo"):
        raise UnknownError(f"a {op}")
    if op == "^" and isinstance(e[2], str) and Fraction(e[2]).denominator == 1:
        return intervals.whole_power(enclosed(e[1], values, bound), int(e[2]))
    x = [enclosed(arg, values, bound) for arg in e[1:]]
    if op == "^":
        return intervals.exponential(intervals.multiply(x[1], intervals.logarithm(x[0])))
    if op not in FUNCTIONS:
        raise UnknownError(f"{op} is not enclosed here")
    return FUNCTIONS[op](*x)


def _repeated(e: Json, values: Mapping[str, Interval], bound: tuple[Interval, ...]) -> Interval:
    low, high = (enclosed(end, values, bound) for end in e[1:3])
    if low[0] != low[1] or high[0] != high[1] or high[1] - low[0] > 2_000:
        raise UnknownError("ends of a sum or a product that are not known, or far apart")
    total = intervals.exact(0 if e[0] == "sum" else 1)
    for k in range(int(low[0]), int(high[0]) + 1):
        term = enclosed(e[3], values, (intervals.exact(k), *bound))
        total = (intervals.add if e[0] == "sum" else intervals.multiply)(total, term)
    return total


def _both(f: Callable[[Fraction, Fraction], Fraction]) -> Callable[[Interval, Interval], Interval]:
    return lambda a, b: (f(a[0], b[0]), f(a[1], b[1]))


def _absolute(a: Interval) -> Interval:
    return (min(abs(a[0]), abs(a[1])) if a[0] * a[1] > 0 else Fraction(0)), max(abs(a[0]), abs(a[1]))


def _erfc(a: Interval) -> Interval:
    """erfc x = 2 Phi(-sqrt(2) x)."""
    inside = intervals.negative(intervals.multiply(intervals.square_root(intervals.exact(2)), a))
    return intervals.multiply(intervals.exact(2), intervals.normal_distribution(inside))


def _tanh(a: Interval) -> Interval:
    """tanh x = 1 - 2/(e^(2x) + 1)."""
    grown = intervals.add(intervals.exponential(intervals.multiply(intervals.exact(2), a)), intervals.exact(1))
    return _less(intervals.exact(1), intervals.divide(intervals.exact(2), grown))


def _density(a: Interval) -> Interval:
    """phi(x) = e^(-x^2/2) / sqrt(2 pi)."""
    half = intervals.divide(intervals.whole_power(a, 2), intervals.exact(-2))
    return intervals.divide(
        intervals.exponential(half), intervals.square_root(intervals.multiply(intervals.exact(2), intervals.pi()))
    )


def _less(a: Interval, b: Interval) -> Interval:
    return intervals.add(a, intervals.negative(b))


def _whole(f: Callable[[Fraction], int]) -> Callable[[Interval], Interval]:
    return lambda a: (Fraction(f(a[0])), Fraction(f(a[1])))


ONE = intervals.exact(1)
FUNCTIONS: Mapping[str, Callable[..., Interval]] = {
    "+": intervals.add,
    "*": intervals.multiply,
    "/": intervals.divide,
    "max": _both(max),
    "min": _both(min),
    "abs": _absolute,
    "sqrt": intervals.square_root,
    "exp": intervals.exponential,
    "expm1": lambda a: _less(intervals.exponential(a), ONE),
    "log": intervals.logarithm,
    "log1p": lambda a: intervals.logarithm(intervals.add(ONE, a)),
    "Phi": intervals.normal_distribution,
    "phi": _density,
    "erfc": _erfc,
    "erf": lambda a: _less(ONE, _erfc(a)),
    "tanh": _tanh,
    "floor": _whole(lambda x: x.numerator // x.denominator),
    "ceil": _whole(lambda x: -(-x.numerator // x.denominator)),
}


# --- expanded -------------------------------------------------------------------------------------------------------------


class Expansion:
    """Quotients of polynomials in atoms: symbols, pi, and anything that is no sum, product, quotient or whole power.

    Two atoms are the same where they are written with the same operation and their arguments have the same expansion. The
    square of a root is its argument. So `vanishes` is right wherever the expression is defined; where it says no, the
    expression may still be 0.
    """

    def __init__(self) -> None:
        self.atoms: list[tuple[Json, tuple[tuple[Polynomial, Polynomial], ...]]] = []

    def vanishes(self, e: Json) -> bool:
        return not self.quotient(e)[0]

    def quotient(self, e: Json) -> tuple[Polynomial, Polynomial]:
        one: Polynomial = {(): Fraction(1)}
        if isinstance(e, str):
            return ({(): Fraction(e)} if Fraction(e) else {}), one
        op = e[0]
        if op == "+":
            (a, b), (c, d) = map(self.quotient, e[1:])
            return (_sum(a, c), b) if b == d else (_sum(self.times(a, d), self.times(c, b)), self.times(b, d))
        if op == "*":
            (a, b), (c, d) = map(self.quotient, e[1:])
            return self.times(a, c), self.times(b, d)
        if op == "/":
            (a, b), (c, d) = map(self.quotient, e[1:])
            if not c:
                raise UnknownError("a division by 0")
            return self.times(a, d), self.times(b, c)
        if op == "^" and isinstance(e[2], str) and Fraction(e[2]).denominator == 1 and abs(int(e[2])) <= 64:
            a, b = self.quotient(e[1])
            if int(e[2]) < 0:
                a, b = b, a
            top, bottom = one, one
            for _ in range(abs(int(e[2]))):
                top, bottom = self.times(top, a), self.times(bottom, b)
            return top, bottom
        return {((self._atom(e), 1),): Fraction(1)}, one

    def _atom(self, e: Json) -> int:
        closed = e[0] in ("sym", "pi", *BINDERS)
        inside = () if closed else tuple(self.quotient(arg) for arg in arguments(e))
        head = e if closed else e[:3] if e[0] == "noun" else e[:1]
        for i, (other, others) in enumerate(self.atoms):
            if other == head and len(others) == len(inside):
                pairs = zip(inside, others, strict=True)
                if all(not _sum(self.times(a, d), _scaled(self.times(c, b), -1)) for (a, b), (c, d) in pairs):
                    return i
        self.atoms.append((head, inside))
        return len(self.atoms) - 1

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        out: Polynomial = {}
        for m, x in a.items():
            for n, y in b.items():
                powers = dict(m)
                for atom, k in n:
                    powers[atom] = powers.get(atom, 0) + k
                for product, z in self._without_squares(powers).items():
                    out[product] = out.get(product, Fraction(0)) + x * y * z
            if len(out) > MOST_TERMS:
                raise UnknownError("an expansion of many terms")
        return {m: x for m, x in out.items() if x}

    def _without_squares(self, powers: dict[int, int]) -> Polynomial:
        """A product of powers of atoms, squares of roots (of arguments without a denominator) replaced by their arguments."""
        for atom, k in powers.items():
            head, inside = self.atoms[atom]
            if k >= 2 and head == ["sqrt"] and inside[0][1] == {(): Fraction(1)}:
                rest = {**powers, atom: k - 2}
                return self.times(inside[0][0], {tuple(sorted((a, p) for a, p in rest.items() if p)): Fraction(1)})
        return {tuple(sorted(powers.items())): Fraction(1)}


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    out = dict(a)
    for m, x in b.items():
        out[m] = out.get(m, Fraction(0)) + x
    return {m: x for m, x in out.items() if x}


def _scaled(a: Polynomial, k: int) -> Polynomial:
    return {m: k * x for m, x in a.items()}
