"""dpsco: an executable specification of differentially private stochastic convex optimization, with a verified reference."""

import sys
from importlib.machinery import ModuleSpec

__version__ = "0.1.0"
MOVED = {
    "dpsco.auditing": "dpsco.audit.calibration",
    "dpsco.plans": "dpsco.audit.plans",
    "dpsco.blackbox": "dpsco.audit.blackbox",
    "dpsco.replay": "dpsco.audit.replay",
    "dpsco.command": "dpsco.show.command",
    "dpsco.report": "dpsco.show.report",
}
"""New paths of rooms by their old ones, which work for one version and warn; what lies below moves along."""


class _OldPaths:
    """Asked by the import system before all others: below a moved room they would find its files, and load them twice.

    How it is done is loaded when an old path is asked for: a process that checks proofs loads nothing of it.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        room = ".".join(name.split(".")[:2])
        if room not in MOVED:
            return None
        from dpsco.moved import Loader

        return ModuleSpec(name, Loader(MOVED[room] + name.removeprefix(room)), is_package=True)


sys.meta_path.insert(0, _OldPaths)
