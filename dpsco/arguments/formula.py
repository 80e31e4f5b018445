"""Calling a claim's formula with the values that its own argument names ask for, and a condition for its threshold."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from dpsco.spec.numbers import Numbers, Real


def apply(formula: Callable[..., Real], m: Numbers, values: Mapping[str, Real]) -> Real:
    """formula(m, ...) at `values`, surplus values ignored; KeyError where one is missing."""
    return formula(m, **{name: values[name] for name in list(signature(formula).parameters)[1:]})


def threshold(comparison: str, test: Callable[..., object], m: Numbers, values: Mapping[str, Real]) -> Any:
    """The right side of the condition's last comparison of that kind (`le`, `ge`, `gt`), in the context m; None without one."""
    recorder: Any = _Recorder(m, comparison)
    apply(test, recorder, values)
    return recorder.right


class _Recorder:
    """The context m, except that one comparison records its right side and stays undecided."""

    def __init__(self, m: Numbers, comparison: str) -> None:
        self._m, self._comparison, self.right = m, comparison, None

    def __getattr__(self, name: str) -> object:
        return self._record if name == self._comparison else getattr(self._m, name)

    def _record(self, left: Real, right: Real) -> None:
        self.right = right
