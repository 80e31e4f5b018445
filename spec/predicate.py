"""Preconditions as predicates over numbers that answer yes, no or undecided.

A condition on an object that is not a number (a loss, a data set, a distribution) is stated on numbers that summarise it,
each a parameter of the claim: "every gradient has norm at most L" is `largest_gradient_norm <= L`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from dpsco.spec.numbers import Numbers, Truth, names_of


def shown(test: Callable[..., Truth]) -> str:
    """A condition's test in a sentence: what it says where it is an expression, a function's name."""
    return str(getattr(test, "__name__", test))


@dataclass(frozen=True)
class Predicate:
    """`test(m, **values)` says whether the condition holds; its arguments name the values that it needs. It is a `Condition`,
    several of them (`spec.conjunction`), or a function where the condition is no comparison of expressions.

    `accepts` and `rejects` are stored instances (ints, decimal strings, Fractions, names, tuples of these); the tests hold
    that the predicate says yes to the one and no to the other, and that both lie inside the parameters' own domains.
    """

    says: str
    test: Callable[..., Truth]
    accepts: Mapping[str, object]
    rejects: Mapping[str, object]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the values that it needs."""
        return names_of(self.test)

    def __call__(self, m: Numbers, values: Mapping[str, object]) -> Truth:
        """The answer at `values` (numbers of the context, names or tuples); surplus values are ignored."""
        return self.test(m, **{name: values[name] for name in self.names})
