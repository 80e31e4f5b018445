"""Orders of growth: does a formula stay within a constant multiple of another, whatever path its quantities take?

Up to constants a formula made of sums, products, maxima and powers of positive quantities is a quotient of sums of monomials,
and along a path x = t^v each of them grows like a power of t. So left = O(right) on a domain that monomials bound is a question
about exponents: by Farkas either every monomial of left is a weighted geometric mean of monomials of right, times quantities
that the domain bounds (a proof), or there is a direction v along which left over right is unbounded (a contradiction). Both
are found by the simplex method over the rationals, so nothing is rounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Any

import sympy

Exponents = Mapping[str, Fraction]
"""A monomial, or a linear form in the logarithms of the quantities: exponent of each name, no zeros."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Order:
    """A quotient of sums of monomials, each known up to a constant."""

    top: tuple[Exponents, ...]
    bottom: tuple[Exponents, ...]

    def without(self, names: Iterable[str]) -> "Order":
        """The same with these quantities held fixed."""
        fixed = set(names)

        def kept(part: Exponents) -> Exponents:
            return {name: e for name, e in part.items() if name not in fixed}

        return Order(_distinct(kept(p) for p in self.top), _distinct(kept(p) for p in self.bottom))


def form(**exponents: int | str) -> Exponents:
    """A monomial or linear form by its exponents: form(n="1/2", epsilon=-1)."""
    return {name: Fraction(e) for name, e in exponents.items() if Fraction(e)}


def order(expression: Any) -> Order:
    """The order of an expression in positive symbols.

    Domain   sums, products, Max, rational powers, positive numbers
    Raises   ValueError for anything else: a difference, a logarithm of a quantity, a sum that vanishes
    """
    return _order(sympy.expand_log(sympy.sympify(expression), force=True))


def _order(x: Any) -> Order:
    if x.is_number and x.is_positive:
        return Order(({},), ({},))
    if x.is_Symbol and x.is_positive:
        return Order(({x.name: ONE},), ({},))
    if x.is_Pow and x.exp.is_Rational:
        return _power(_order(x.base), Fraction(int(x.exp.p), int(x.exp.q)))
    if x.is_Mul:
        found = Order(({},), ({},))
        for part in x.args:
            found = _times(found, _order(part))
        return found
    if x.is_Add or isinstance(x, sympy.Max):
        parts = [_order(part) for part in x.args]
        found = parts[0]
        for part in parts[1:]:
            top = _products(found.top, part.bottom) + _products(part.top, found.bottom)
            found = Order(_distinct(top), _distinct(_products(found.bottom, part.bottom)))
        return found
    raise ValueError(f"expression={x}: an order is read from sums, products, maxima and powers of positive symbols")


def _power(x: Order, e: Fraction) -> Order:
    if e < 0:
        return _power(Order(x.bottom, x.top), -e)
    return Order(*(_distinct({name: e * p for name, p in part.items()} for part in side) for side in (x.top, x.bottom)))


def _times(x: Order, y: Order) -> Order:
    return Order(_distinct(_products(x.top, y.top)), _distinct(_products(x.bottom, y.bottom)))


def _products(xs: Sequence[Exponents], ys: Sequence[Exponents]) -> list[Exponents]:
    return [combine(x, y) for x, y in product(xs, ys)]


def combine(x: Exponents, y: Exponents, factor: Fraction = ONE) -> Exponents:
    """x + factor y."""
    total = {name: x.get(name, ZERO) + factor * y.get(name, ZERO) for name in {**x, **y}}
    return {name: e for name, e in total.items() if e}


def _distinct(parts: Iterable[Exponents]) -> tuple[Exponents, ...]:
    return tuple({frozenset(part.items()): part for part in parts}.values())


def bounded_above(expression: Any) -> tuple[Exponents, ...]:
    """The linear forms, each at least 0, that say that the order of the expression is bounded."""
    found = order(expression)
    if len(found.bottom) != 1:
        raise ValueError(f"expression={expression}: bounded monomials need a single one below")
    return tuple(combine(found.bottom[0], part, -ONE) for part in found.top)


def grows(left: Any, right: Any, domain: Sequence[Exponents], fixed: Iterable[str] = ()) -> Exponents | None:
    """A direction v, each domain form at least 0 on it, along which left over right is unbounded; None if left = O(right).

    `fixed` are the names that do not move: the constants may depend on them.
    """
    names = set(fixed)
    a, b = order(left).without(names), order(right).without(names)
    cone = [{name: e for name, e in side.items() if name not in names} for side in domain]
    for one in _products(a.top, b.bottom):
        steps = [combine(one, other, -ONE) for other in _products(b.top, a.bottom)]
        direction = _direction(steps, cone)
        if direction is not None:
            return direction
    return None


def exponent(expression: Any, direction: Exponents) -> Fraction:
    """The power of t with which the expression grows along x = t^v."""
    found = order(expression)

    def largest(parts: tuple[Exponents, ...]) -> Fraction:
        return max(sum((e * direction.get(name, ZERO) for name, e in part.items()), start=ZERO) for part in parts)

    return largest(found.top) - largest(found.bottom)


def _direction(steps: Sequence[Exponents], cone: Sequence[Exponents]) -> Exponents | None:
    """v with v.step > 0 for every step and v.side >= 0 for every side of the cone, None if there is none.

    Phase one of the simplex method (Bland's rule) on Farkas' alternative: weights w >= 0 of the steps with sum 1 and c >= 0
    of the sides for which the weighted sum of all of them vanishes.
    """
    names = sorted({name for part in (*steps, *cone) for name in part})
    columns = [[*(step.get(name, ZERO) for name in names), ONE] for step in steps]
    columns += [[*(side.get(name, ZERO) for name in names), ZERO] for side in cone]
    size, count = len(names) + 1, len(columns)
    rows = [
        [*(column[i] for column in columns), *(ONE if i == j else ZERO for j in range(size)), ONE if i == size - 1 else ZERO]
        for i in range(size)
    ]
    basis = [count + i for i in range(size)]
    cost = [-sum((row[j] for row in rows), start=ZERO) if j < count else ZERO for j in range(count + size)]
    cost.append(-rows[-1][-1])
    while True:
        entering = next((j for j in range(count) if cost[j] < 0), None)
        if entering is None:
            break
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(rows) if row[entering] > 0]
        pivot = min(ratios)[2]
        rows[pivot] = [x / rows[pivot][entering] for x in rows[pivot]]
        for row in [*(row for i, row in enumerate(rows) if i != pivot), cost]:
            if row[entering]:
                factor = row[entering]
                row[:] = [x - factor * y for x, y in zip(row, rows[pivot], strict=True)]
        basis[pivot] = entering
    if cost[-1] == 0:
        return None
    found = {name: cost[count + i] - 1 for i, name in enumerate(names)}
    scale = Fraction(lcm(*(e.denominator for e in found.values())), gcd(*(e.numerator for e in found.values())))
    return {name: e * scale for name, e in found.items() if e}


def told(direction: Exponents) -> str:
    """The path in words: "n = t^2, epsilon = t^-1"."""
    return ", ".join(f"{name} = t^{e}" if e != 1 else f"{name} = t" for name, e in sorted(direction.items()))
