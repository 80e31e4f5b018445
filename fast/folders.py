"""Where dpsco keeps what it can compute again: compiled kernels and judgements. Standard library only."""

import os
import tempfile
from functools import cache
from pathlib import Path

KERNELS = "kernels"
"""The folder of compiled kernels."""


def cache_folder(name: str) -> Path | None:
    """The folder `name` of DPSCO_CACHE, else of XDG_CACHE_HOME/dpsco, else of ~/.cache/dpsco.

    Returns  None where it cannot be made or written: then nothing is kept. A place that others could have prepared (a
    predictable name in the folder for temporary files) is never taken instead, since what is read back is trusted.
    """
    given = os.environ.get("DPSCO_CACHE")
    if given:
        return _writable(str(Path(given, name).absolute()))
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser(os.path.join("~", ".cache"))
    return _writable(os.path.join(base, "dpsco", name)) if os.path.isabs(base) else None


@cache
def _writable(place: str) -> Path | None:
    folder = Path(place)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None
