"""Instances of a claim: every combination of hard values that its printed domain and preconditions admit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import product

from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Domain
from dpsco.spec.numbers import Truth, names_of

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
    bases = tuple(tuple(base.items()) for base in fixed)
    domains = {name: claim.parameter(name).domain for name in (*axes, *(name for base in bases for name, _ in base))}
    tests = tuple(predicate.test for predicate in claim.preconditions)
    return _grid(tuple(domains.items()), tests, tuple((name, tuple(values)) for name, values in axes.items()), bases)


@lru_cache(maxsize=16)  # most mutants of a claim have its domains and preconditions
def _grid(
    domains: tuple[tuple[str, Domain], ...],
    tests: tuple[Callable[..., Truth], ...],
    axes: tuple[tuple[str, tuple[str, ...]], ...],
    fixed: tuple[tuple[tuple[str, str], ...], ...],
) -> Grid:
    found: list[Instance] = []
    within = dict(domains)
    for base in map(dict, fixed):
        if not all(_inside(within[name], value) for name, value in base.items()):
            continue
        inside = {name: [v for v in values if _inside(within[name], v)] for name, values in axes if name not in base}
        for values in product(*inside.values()):
            instance = {**base, **dict(zip(inside, values, strict=True))}
            if _meets(tests, instance):
                found.append(instance)
    return Grid(tuple(found))


def _inside(domain: Domain, value: str) -> bool:
    """Whether the value certainly lies in the printed domain of a parameter."""
    return domain.contains(mp(50), value) is True


def _meets(tests: tuple[Callable[..., Truth], ...], instance: Instance) -> bool:
    """Whether the instance certainly meets every precondition that it has the values for."""
    m = mp(50)
    checked = [(test, names) for test in tests if {*(names := names_of(test))} <= {*instance}]
    values = {name: m.real(value) for name, value in instance.items()} if checked else {}
    return all(test(m, **{name: values[name] for name in names}) is True for test, names in checked)


def _numeric(value: str) -> tuple[Decimal, str]:
    """A key that leaves no two texts tied: 1e-30000 is no double but is not 0, and words stand in their own order."""
    try:
        return Decimal(value), value
    except InvalidOperation:
        return Decimal(0), value
