"""Rooms that have moved: their old import paths work for one version, and warn.

What is imported by an old path is the module at the new one, the same object: classes are equal, and pickles are read.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

NEW: Final[dict[str, str]] = {
    "dpsco.auditing": "dpsco.audit.calibration",
    "dpsco.plans": "dpsco.audit.plans",
    "dpsco.blackbox": "dpsco.audit.blackbox",
    "dpsco.replay": "dpsco.audit.replay",
    "dpsco.command": "dpsco.show.command",
    "dpsco.report": "dpsco.show.report",
}
"""New path by old path; what lies below moves along."""


def path(name: str) -> str | None:
    """Where the module of an old path is now; None where it has not moved.

    Domain   name: a dotted path
    """
    parts = name.split(".")
    for k in range(len(parts), 1, -1):
        if (new := NEW.get(".".join(parts[:k]))) is not None:
            return ".".join([new, *parts[k:]])
    return None


class Finder:
    """Asked by the import system before all others: below a moved room they would find its files, and load them twice."""

    @staticmethod
    def find_spec(name: str, path_: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The specification by which the new module comes in under the old name; None for what has not moved."""
        return None if path(name) is None else ModuleSpec(name, Finder, is_package=True)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """The usual empty module, which the new one then replaces."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Put the new module in the place of the empty one, and warn (FutureWarning)."""
        old = module.__name__
        new = path(old) or old
        sys.modules[old] = import_module(new)
        warnings.warn(f"{old} has moved: import {new}; the old path goes with the next version", FutureWarning, stacklevel=2)


def install() -> None:
    """Have the import system ask about old paths, before all others."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
