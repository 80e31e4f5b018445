"""Several conditions as one, where a precondition says more than one comparison."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass

from dpsco.spec.expressions import Condition, Expr, signature_of
from dpsco.spec.numbers import Numbers, Real, Truth


@dataclass(frozen=True)
class Conjunction:
    """All of some conditions; called as a condition is."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.conditions))

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset().union(*(one.symbols for one in self.conditions))

    def where(self, values: Mapping[str, Expr]) -> "Conjunction":
        return Conjunction(tuple(one.where(values) for one in self.conditions))

    def __call__(self, m: Numbers, /, **values: Real) -> Truth:
        """Whether all hold in the number context m; None where that is undecided."""
        return m.all(*(one(m, **{name: values[name] for name in one.symbols}) for one in self.conditions))

    @property
    def __signature__(self) -> inspect.Signature:
        return signature_of(self.symbols)


def all_of(*conditions: Condition | Conjunction) -> Conjunction:
    """All of the conditions."""
    parts = (one.conditions if isinstance(one, Conjunction) else (one,) for one in conditions)
    return Conjunction(tuple(part for several in parts for part in several))
