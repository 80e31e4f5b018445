"""Rooms that have moved: their old import paths (`dpsco.MOVED`) work for one version, and warn.

What is imported by an old path is the module at the new one, the same object: classes are equal, and pickles are read.
"""

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader as Base
from importlib.machinery import ModuleSpec
from types import ModuleType

from dpsco import MOVED


def path(name: str) -> str | None:
    """Where the module of an old path is now; None where it has not moved.

    Domain   name: a dotted path
    """
    parts = name.split(".")
    new = MOVED.get(".".join(parts[:2]))
    return None if new is None else ".".join([new, *parts[2:]])


class Loader(Base):
    """Brings the new module in under the old name."""

    def create_module(self, spec: ModuleSpec) -> None:
        """The usual empty module, which the new one then replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the new module in the place of the empty one, and warn (FutureWarning)."""
        old = module.__name__
        new = path(old) or old
        sys.modules[old] = import_module(new)
        warnings.warn(f"{old} has moved: import {new}; the old path goes with the next version", FutureWarning, stacklevel=2)
