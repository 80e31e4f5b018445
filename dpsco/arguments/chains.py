"""Chains of displayed formulas: is a link an exact consequence of named facts?

A fact is a formula that is nonnegative (or zero) whatever the data, for a reason that its lemma gives. A link `left <= right`
follows if right - left is a combination of facts with positive rational coefficients, plus any combination of identities.
The combination is found by linear algebra over the rationals and is the proof: anybody can expand it by hand. Every quantity
has the sign that the claim's own domain gives it, no other: the absolute value of one that may be negative is a monomial of
its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import sympy

from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.domain import Parameter
from dpsco.spec.numbers import Real, names_of

Formula = Callable[..., Real]
Terms = Mapping[Any, Fraction]
SIGNS = ("<=", "=", ">=")
"""What a chain can prove between two formulas."""
MOST_FACTS = 3
"""Facts in one proof: a display that needs more is not one link."""


@dataclass(frozen=True)
class Proof:
    """Coefficient of each fact and identity that the combination uses."""

    terms: Mapping[str, Fraction]

    def __str__(self) -> str:
        return " + ".join(f"{coefficient} * [{name}]" for name, coefficient in self.terms.items()) or "both sides are the same"


def arguments(formula: Formula) -> set[str]:
    """Names of the quantities that the formula is made of."""
    return set(names_of(formula))


@cache
def _terms(formula: Formula, parameters: tuple[Parameter, ...]) -> Terms:
    """Rational coefficients of the formula's monomials."""
    found = sympy.expand(expression(formula, parameters)).as_coefficients_dict()
    return {monomial: Fraction(int(c.p), int(c.q)) for monomial, c in found.items() if c != 0}


def _difference(high: Terms, low: Terms) -> Terms:
    keys = dict.fromkeys([*high, *low])
    total = {key: high.get(key, Fraction(0)) - low.get(key, Fraction(0)) for key in keys}
    return {key: value for key, value in total.items() if value}


def follows(
    left: Formula,
    sign: str,
    right: Formula,
    facts: Mapping[str, Formula],
    identities: Mapping[str, Formula],
    parameters: tuple[Parameter, ...],
) -> Proof | None:
    """The proof of `left sign right`, None if there is none of this form.

    Domain   sign: "<=", "=" or ">="; facts are >= 0, identities = 0; parameters: all that the two sides may speak of
    Raises   ValueError for another sign
    """
    if sign not in SIGNS:
        raise ValueError(f"sign={sign!r}: a link is <=, = or >=")
    named = {parameter.name for parameter in parameters}
    if not arguments(left) | arguments(right) <= named:
        return None
    low, high = (left, right) if sign != ">=" else (right, left)
    target = _difference(_terms(high, parameters), _terms(low, parameters))
    known = {name: _terms(fact, parameters) for name, fact in {**facts, **identities}.items() if arguments(fact) <= named}
    near = _connected(target, known)
    usable = [] if sign == "=" else [name for name in facts if name in near]
    free = [name for name in identities if name in near]
    if _combine(target, {name: known[name] for name in (*usable, *free)}) is None:
        return None
    # few facts first: the shortest proof is the most readable
    for size in range(min(len(usable), MOST_FACTS) + 1):
        for chosen in combinations(usable, size):
            found = _combine(target, {name: known[name] for name in (*chosen, *free)})
            if found is not None and all(found[name] > 0 for name in chosen):
                return Proof({name: value for name, value in found.items() if value})
    return None


def _connected(target: Terms, known: Mapping[str, Terms]) -> set[str]:
    """Facts that share a monomial with the target, or with one that does."""
    reached, near = set(target), set[str]()
    while True:
        new = {name for name, terms in known.items() if name not in near and reached & set(terms)}
        if not new:
            return near
        near |= new
        reached.update(*(known[name] for name in new))


def _combine(target: Terms, parts: Mapping[str, Terms]) -> dict[str, Fraction] | None:
    """Coefficients with which the parts add up to the target (undetermined ones 0), by elimination over the rationals."""
    names = list(parts)
    monomials = list(dict.fromkeys([*target, *(key for terms in parts.values() for key in terms)]))
    zero = Fraction(0)
    rows = [[*(parts[name].get(key, zero) for name in names), target.get(key, zero)] for key in monomials]
    pivots: list[int] = []
    for column in range(len(names)):
        row = next((i for i in range(len(pivots), len(rows)) if rows[i][column]), None)
        if row is None:
            continue
        top = len(pivots)
        rows[top], rows[row] = rows[row], rows[top]
        rows[top] = [x / rows[top][column] for x in rows[top]]
        for i, other in enumerate(rows):
            if i != top and other[column]:
                rows[i] = [x - other[column] * p for x, p in zip(other, rows[top], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    found = dict.fromkeys(names, zero)
    found.update({names[column]: rows[i][-1] for i, column in enumerate(pivots)})
    return found
