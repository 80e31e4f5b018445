"""Why a first run takes longer: numba compiles a kernel, and keeps it on disk for the runs that follow."""

from collections.abc import Iterator
from contextlib import contextmanager

from dpsco.fast import told
from dpsco.fast.folders import KERNELS, cache_folder
from dpsco.show.command.screen import Progress


@contextmanager
def compiling_shown(progress: Progress) -> Iterator[None]:
    """While a kernel is compiled, the progress line says so: "once" where there is a folder that it is kept in.

    What is read from that folder is not compiled, and nothing is said.
    """
    depth = 0

    def show(starts: bool) -> None:
        nonlocal depth
        depth += 1 if starts else -1
        if starts:
            progress.at("compiling" if cache_folder(KERNELS) is None else "compiling (once)")
        elif depth == 0:
            progress.at("")

    told.listeners.append(show)
    try:
        yield
    finally:
        told.listeners.remove(show)
