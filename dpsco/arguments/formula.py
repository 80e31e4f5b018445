"""Calling a claim's formula with the values that its own argument names ask for, and a condition for its threshold."""

from collections.abc import Callable, Mapping
from typing import Any

from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth, names_of


def apply(formula: Callable[..., Real], m: Numbers, values: Mapping[str, Real]) -> Real:
    """formula(m, ...) at `values`, surplus values ignored; KeyError where one is missing."""
    return formula(m, **{name: values[name] for name in names_of(formula)})


def quantity(claim: Claim, name: str, m: Numbers, values: Mapping[str, Real]) -> Real:
    """The claim's formula of that name at `values`, or the value itself."""
    return apply(claim.formulas[name], m, values) if name in claim.formulas else values[name]


def thresholds(comparison: str, test: Callable[..., object], m: Numbers, values: Mapping[str, Real]) -> list[Any]:
    """The right sides of the condition's comparisons of that kind (`le`, `ge`, `gt`), in the context m."""
    recorder: Any = _Recorder(m, comparison)
    apply(test, recorder, values)
    return list(recorder.rights)


def threshold(comparison: str, test: Callable[..., object], m: Numbers, values: Mapping[str, Real]) -> Any:
    """The last of the `thresholds`; None without one."""
    return next(reversed(thresholds(comparison, test, m, values)), None)


class _Recorder:
    """The context m, except that one comparison records its right side and stays undecided, and a conjunction with it."""

    def __init__(self, m: Numbers, comparison: str) -> None:
        self._m, self._comparison, self.rights = m, comparison, list[Real]()

    def __getattr__(self, name: str) -> object:
        return self._record if name == self._comparison else getattr(self._m, name)

    def _record(self, left: Real, right: Real) -> None:
        self.rights.append(right)

    def all(self, *truths: Truth) -> None:
        return None
