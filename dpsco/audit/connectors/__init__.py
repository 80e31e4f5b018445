"""Objects of other libraries, read into questions: `read(thing)` says what it is, `.audit(...)` what it comes to.

A library is recognised by the module of the thing's type and imported only then. What an adapter reads it verifies by value;
what it does not understand is `not judged`, and then there is no verdict for the whole.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from dpsco.audit.result import Result, Verdict

__all__ = ["Reading", "read"]
SLACK = Decimal("1e-6")
"""A promise of a library is judged at so much more epsilon, relative: rounding in its doubles is not what is asked about."""
ADAPTERS = {"dp_accounting": "dp-accounting", "opacus": "opacus", "diffprivlib": "diffprivlib", "opendp": "opendp"}
"""Modules that are recognised, and the distributions that hold them; the adapter has the module's name here."""
ADJACENCIES = ("add-remove", "replace-one", "add-one")

Part = tuple[str, Mapping[str, Any]]
"""A mechanism and its numbers, as the functions of `dpsco.audit` take them."""


@dataclass(frozen=True)
class Read:
    """What an adapter makes of a thing."""

    parts: tuple[Part, ...] = ()
    not_judged: tuple[str, ...] = ()
    declared: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    run: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Reading:
    """A thing of another library as questions about mechanisms."""

    library: str
    version: str
    parts: tuple[Part, ...]
    not_judged: tuple[str, ...]
    """What was not understood, or contradicts what is declared: if there is any, nothing is judged."""
    declared: Mapping[str, Any]
    """The epsilon and delta that the thing itself promises, where it promises any."""
    notes: tuple[str, ...]
    adjacency: str
    run: Callable[[Any], Any] | None = field(default=None, repr=False)

    def audit(self, epsilon: object = None, delta: object = None) -> Result:
        """Epsilon at a delta, delta at an epsilon, or the verdict on both; without either, on what the thing itself promises.

        Raises   ValueError where there is nothing to ask for, or a number is outside what is allowed
        """
        from dpsco.audit.composing import compose
        from dpsco.audit.mechanisms import asked_about

        notes = self.notes
        target: dict[str, Any] = {n: value for n, value in (("epsilon", epsilon), ("delta", delta)) if value is not None}
        if not target and self.declared:
            target = dict(self.declared)
            target["epsilon"] = Decimal(repr(float(target["epsilon"]))) * (1 + SLACK)
            notes = (*notes, f"promised: epsilon {self.declared['epsilon']}, judged at a relative {SLACK} more")
        if self.not_judged or not self.parts:
            return self._nothing(target, notes)
        if not target:
            raise ValueError("epsilon or delta is needed: the thing promises none of its own")
        if len(self.parts) == 1:
            ((name, numbers),) = self.parts
            found = asked_about(name, {**numbers, **target})
        else:
            every = [asked_about(name, numbers, compute=False) for name, numbers in self.parts]
            found = compose(every, **target, adjacency=self.adjacency)
        return _with(found, notes=(*notes, *found.notes), title=f"{self.library} {self.version}: {found.title}")

    def check(self, D0: Any, D1: Any, *, epsilon: object = None, delta: object = None, **options: Any) -> Result:
        """Run the thing on two neighbouring inputs: do its outputs refute what it promises?

        Domain   D0, D1: two inputs that the thing takes, neighbours; epsilon, delta: instead of what it promises; options:
                 confidence, runs, seed of `sampler`
        Raises   ValueError where the thing cannot be run or promises nothing
        """
        from dpsco.audit.sampling import sampler

        if self.run is None:
            raise ValueError(f"a {self.library} description cannot be run; audit(...) is what it has")
        run, promised = self.run, {**self.declared}
        promised |= {name: value for name, value in (("epsilon", epsilon), ("delta", delta)) if value is not None}
        if "epsilon" not in promised:
            raise ValueError("epsilon is needed: the thing promises none of its own")
        found = sampler(lambda data, rng: run(data), D0, D1, **{"delta": 0, **promised}, **options)
        return _with(found, notes=(*self.notes, *found.notes))

    def _nothing(self, target: Mapping[str, Any], notes: tuple[str, ...]) -> Result:
        why = "; ".join(self.not_judged) or "nothing is released"
        return Result(
            subject=self.library,
            title=f"{self.library} {self.version}",
            given={name: str(value) for name, value in target.items()},
            verdict=Verdict.NOTHING,
            why=f"not judged: {why}",
            notes=notes,
            adjacency=self.adjacency,
        )


def read(thing: Any, *, adjacency: str = "add-remove", **context: Any) -> Reading:
    """What a thing of another library is.

    Domain   thing: a DpEvent of dp-accounting (jax_privacy builds the same), an accountant or privacy engine of Opacus, a
             mechanism of diffprivlib, a measurement of OpenDP; adjacency: the neighbours, replace-one, add-remove or add-one;
             loader: the data loader, for Opacus, whose sampling is compared with what is declared; d_in: how far neighbours'
             inputs are apart, for OpenDP
    Returns  a reading, to be audited
    Raises   ValueError for a thing of no library that is known
    """
    known = next((top for cls in type(thing).__mro__ if (top := cls.__module__.partition(".")[0]) in ADAPTERS), None)
    if known is None:
        allowed = "a DpEvent, an Opacus accountant or privacy engine, a diffprivlib mechanism or an OpenDP measurement"
        raise ValueError(f"thing is a {type(thing).__name__}: {allowed} is needed")
    if not isinstance(adjacency, str) or adjacency not in ADJACENCIES:
        raise ValueError(f"adjacency must be one of {', '.join(ADJACENCIES)}")
    adapter = import_module(f"{__name__}.{known}")
    wrong = set(context) - set(adapter.CONTEXT)
    if wrong:
        raise ValueError(f"{', '.join(sorted(wrong))}: for {known} allowed are {', '.join(adapter.CONTEXT) or 'none'}")
    here = _version(ADAPTERS[known])
    tested = here.rpartition(".")[0] in adapter.TESTED
    made: Read = adapter.read(thing, adjacency, **context)
    notes, refused = made.notes, made.not_judged
    if not tested:
        notes = (f"version untested: {ADAPTERS[known]} {here}", *notes)
        if not adapter.answers(thing):
            refused = (*refused, f"{ADAPTERS[known]} {here} does not give a known answer")
    return Reading(ADAPTERS[known], here, made.parts, refused, made.declared, notes, adjacency, made.run)


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Equal mechanisms as one, with all of their steps."""
    steps: dict[tuple[Any, ...], int] = {}
    for name, numbers in parts:
        key = (name, *sorted((k, v) for k, v in numbers.items() if k != "steps"))
        steps[key] = steps.get(key, 0) + numbers.get("steps", 1)
    return tuple((name, {**dict(numbers), "steps": count}) for (name, *numbers), count in steps.items())


def positive(thing: Any, name: str) -> float | int:
    """A field that must be a positive finite number. TypeError, which says so, where it is none."""
    value: Any = getattr(thing, name, None)
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise TypeError(f"{type(thing).__name__}.{name} is no positive number")
    return value


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "(no version)"


def _with(result: Result, **changes: Any) -> Result:
    from dataclasses import replace

    return replace(result, **changes)
