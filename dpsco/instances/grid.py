"""Instances of a claim: every combination of hard values that its printed domain and preconditions admit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import product

from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim

Instance = Mapping[str, str]
"""Values as decimal strings, by parameter name."""


@dataclass(frozen=True)
class Grid:
    """The instances that were really used, and from them the coverage."""

    instances: tuple[Instance, ...]

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances)

    def __len__(self) -> int:
        return len(self.instances)

    @property
    def coverage(self) -> tuple[str, ...]:
        """One line a parameter: how many values, and the range they span."""
        lines = []
        for name in self.instances[0] if self.instances else ():
            values = sorted({instance[name] for instance in self.instances}, key=_numeric)
            lines.append(
                f"{name}: {len(values)} in [{values[0]}, {values[-1]}]" if len(values) > 1 else f"{name} = {values[0]}"
            )
        return tuple(lines)


def grid(claim: Claim, axes: Mapping[str, Sequence[str]], fixed: Iterable[Instance] = ({},)) -> Grid:
    """All combinations of the axes, joined to each of `fixed`, that lie in the domain and meet the preconditions."""
    found: list[Instance] = []
    for base in fixed:
        if not all(_inside(claim, name, value) for name, value in base.items()):
            continue
        inside = {name: [v for v in axes[name] if _inside(claim, name, v)] for name in axes if name not in base}
        for values in product(*inside.values()):
            instance = {**base, **dict(zip(inside, values, strict=True))}
            if _meets(claim, instance):
                found.append(instance)
    return Grid(tuple(found))


def _inside(claim: Claim, name: str, value: str) -> bool:
    """Whether the value certainly lies in the printed domain of the parameter."""
    return claim.parameter(name).domain.contains(mp(50), value) is True


def _meets(claim: Claim, instance: Instance) -> bool:
    """Whether the instance certainly meets every precondition that it has the values for."""
    m = mp(50)
    checked = [predicate for predicate in claim.preconditions if {*predicate.names} <= {*instance}]
    values = {name: m.real(value) for name, value in instance.items()} if checked else {}
    return all(predicate(m, values) is True for predicate in checked)


def _numeric(value: str) -> tuple[Decimal, str]:
    """A key that leaves no two texts tied: 1e-30000 is no double but is not 0, and words stand in their own order."""
    try:
        return Decimal(value), value
    except InvalidOperation:
        return Decimal(0), value
