"""How the old import paths of rooms that have moved (`dpsco.MOVED`) are read: for one version, with a warning.

What is imported by an old path is the module at the new one, the same object: classes are equal, and pickles are read.
"""

import sys
import warnings
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader as Base
from importlib.machinery import ModuleSpec
from types import ModuleType


@dataclass(frozen=True)
class Loader(Base):
    """Brings the module at the path `new` in under an old name."""

    new: str

    def create_module(self, spec: ModuleSpec) -> None:
        """The usual empty module, which the new one then replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the new module in the place of the empty one, and warn (FutureWarning)."""
        old = module.__name__
        sys.modules[old] = import_module(self.new)
        said = f"{old} has moved: import {self.new}; the old path goes with the next version"
        warnings.warn(said, FutureWarning, stacklevel=2)
