"""Limits as a symbol t tends to infinity, the other symbols fixed.

Two theorems are used and nothing else.

Growth. Let n be a finite sum of terms c(t-free) * e^f * t^a * (log t)^b, a rational, b whole, f a sum of t-free multiples of
t^p (log t)^q. A term with exponents (f, a, b) is o of a term with (f', a', b') if f' - f is not 0 and its leading part, the
largest (p, q), has p > 0 and a positive coefficient (then e^(f - f') decreases faster than every power of t grows), or if
f = f' and (a, b) < (a', b') in the order of pairs (every power of t outgrows every power of log t). So n is equivalent to the
sum of its terms with the largest exponents, if the sum of their coefficients is not 0; and a quotient of two such sums to the
quotient of these. Logarithms of anything but t itself, and functions of t that are none of these, are not read as growth.

Composition. The limit of a sum, product or quotient of what has a finite or infinite limit, where that is no indeterminate
form, and of a continuous function: f at the finite limit of its argument, where it is defined, or the function's own limit at
an end of its domain that is infinite.
"""

from fractions import Fraction
from functools import cmp_to_key
from typing import TypeAlias

from dpsco.kernel.ranges import DOWN, FUNCTIONS, UP, End, Rejected, need
from dpsco.kernel.ring import ONE, PARTS, Monomial, Poly, Quotient
from dpsco.kernel.scope import Scope
from dpsco.spec.expressions import E, Expr

Limit: TypeAlias = Expr | int
"""A finite value, or 1 or -1 for the two infinities."""
Exponents: TypeAlias = tuple[tuple[tuple[tuple[Fraction, int], Quotient], ...], Fraction, int]


def limit(e: Expr, t: str, scope: Scope) -> Limit:
    """The limit. Rejected where the two theorems do not give one."""
    scope.work.spend(1)
    if t not in e.symbols:
        return e
    found = _Growth(t, scope).limit(e)
    if found is not None:
        return found
    if e.op in ("+", "*", "/") or (e.op == "^" and e.args[1].op == "num"):
        a = limit(e.args[0], t, scope)
        b = limit(e.args[1], t, scope)
        return {"+": _sum, "*": _product, "/": _quotient, "^": _power}[e.op](a, b, scope)
    if e.op in FUNCTIONS and not FUNCTIONS[e.op].jumps:
        a = limit(e.args[0], t, scope)
        if isinstance(a, Expr):
            value = Expr(e.op, (a,))
            scope.defined(value)
            return value
        function = FUNCTIONS[e.op]
        if function.rises and (function.domain.high if a > 0 else function.domain.low) == (UP if a > 0 else DOWN):
            return _end(function.image.high if a == function.rises else function.image.low)
    raise Rejected(f"no limit is known of {e!r}")


def _end(end: End) -> Limit:
    return end[0] or E(end[1])


def _sign(x: Limit, scope: Scope) -> int:
    """1 or -1, certain; Rejected else."""
    if isinstance(x, int):
        return x
    if scope.positive(x):
        return 1
    need(scope.positive(-x), f"the sign of {x!r} is not known")
    return -1


def _sum(a: Limit, b: Limit, scope: Scope) -> Limit:
    if isinstance(a, Expr) and isinstance(b, Expr):
        return a + b
    need(isinstance(a, Expr) or isinstance(b, Expr) or a == b, "oo - oo")
    return b if isinstance(a, Expr) else a


def _product(a: Limit, b: Limit, scope: Scope) -> Limit:
    return a * b if isinstance(a, Expr) and isinstance(b, Expr) else _sign(a, scope) * _sign(b, scope)


def _quotient(a: Limit, b: Limit, scope: Scope) -> Limit:
    if isinstance(b, int):
        need(isinstance(a, Expr), "oo / oo")
        return E(0)
    sign = _sign(b, scope)
    return a / b if isinstance(a, Expr) else a * sign


def _power(a: Limit, k: Limit, scope: Scope) -> Limit:
    if isinstance(a, Expr) or not isinstance(k, Expr):
        need(isinstance(a, Expr) and isinstance(k, Expr), "an infinite exponent")
        value = a**k
        scope.defined(value)
        return value
    if k.value == 0:
        return E(1)
    if k.value.denominator == 1:
        return E(0) if k.value < 0 else a if k.value % 2 else 1
    need(a == 1, "a root of -oo")
    return E(0) if k.value < 0 else 1


class _Unread(Exception):  # noqa: N818
    """Not a sum of terms that grow as the theorem says."""


class _Growth:
    """The first theorem."""

    def __init__(self, t: str, scope: Scope) -> None:
        self.t, self.scope, self.ring = t, scope, scope.ring

    def limit(self, e: Expr) -> Limit | None:
        try:
            n, d = self.ring.normal(e)
            if not n:
                return E(0)
            top, above = self._leading(n)
            bottom, below = self._leading(d)
            order = self._compare(top, bottom)
        except _Unread:
            return None
        if order < 0:
            return E(0)
        sign = self._coefficient_sign(above) * self._coefficient_sign(below)
        return sign if order > 0 else self.ring.expression((above, below))

    def _leading(self, p: Poly) -> tuple[Exponents, Poly]:
        """The largest exponents, and the sum of their coefficients, which is not 0."""
        terms = [(*self._exponents(m), c) for m, c in p.items()]
        largest = max((exponents for exponents, _, _ in terms), key=cmp_to_key(self._compare))
        same: Poly = {}
        for exponents, rest, c in terms:
            if self._compare(exponents, largest) == 0:
                same[rest] = same.get(rest, Fraction(0)) + c
        self._coefficient_sign(same)
        return largest, same

    def _coefficient_sign(self, p: Poly) -> int:
        p_range = self.ring.poly_range(p)
        if p_range.positive:
            return 1
        if (-p_range).positive:
            return -1
        raise _Unread

    def _free(self, p: Poly) -> bool:
        return all(self.t not in self.ring.atoms[number].expression.symbols for m in p for number, _ in m)

    def _exponents(self, m: Monomial) -> tuple[Exponents, Monomial]:
        """The exponents of a monomial, and its t-free rest."""
        inner: dict[tuple[Fraction, int], Quotient] = {}
        a, b, rest = Fraction(0), 0, []
        for number, power in m:
            atom = self.ring.atoms[number]
            if self._free({((number, 1),): Fraction(1)}):
                rest.append((number, power))
            elif atom.op == "sym":
                a += power
            elif atom.op == "root" and self._is_t(atom.args[0]):
                a += Fraction(power, PARTS)
            elif atom.op == "log" and self._is_t(atom.args[0]):
                b += power
            elif atom.op == "exp":
                for key, coefficient in self._inner(atom.args[0]):
                    scale = Fraction(power, PARTS if atom.value == "part" else 1)
                    more = ({k: scale * c for k, c in coefficient[0].items()}, coefficient[1])
                    inner[key] = self.ring.add(inner[key], more) if key in inner else more
            else:
                raise _Unread
        kept = tuple(sorted(((key, c) for key, c in inner.items() if self.ring.reduced(c[0])), key=lambda item: item[0]))
        return (kept, a, b), tuple(rest)

    def _is_t(self, u: Quotient) -> bool:
        return u[1] == ONE and self.ring.equal(u, self.ring.normal(Expr("sym", (), self.t)))

    def _inner(self, u: Quotient) -> list[tuple[tuple[Fraction, int], Quotient]]:
        """u as t-free multiples of t^p (log t)^q."""
        if len(u[1]) != 1:
            raise _Unread
        ((bottom, _),) = u[1].items()
        (none, p, q), below = self._exponents(bottom)
        out = []
        for m, c in u[0].items():
            (also_none, a, b), above = self._exponents(m)
            if none or also_none:
                raise _Unread
            out.append(((a - p, b - q), ({above: c}, {below: u[1][bottom]})))
        return out

    def _compare(self, x: Exponents, y: Exponents) -> int:
        """1 if a term with x outgrows one with y, -1 the other way, 0 if they are the same."""
        gap = dict(x[0])
        for key, (n, d) in y[0]:
            minus = ({m: -c for m, c in n.items()}, d)
            gap[key] = self.ring.add(gap[key], minus) if key in gap else minus
        left = {key: c for key, c in gap.items() if self.ring.reduced(c[0])}
        if left:
            leading = max(left)
            if leading[0] <= 0:
                raise _Unread
            return self._coefficient_sign(left[leading][0]) * self._coefficient_sign(left[leading][1])
        return (x[1:] > y[1:]) - (x[1:] < y[1:])
