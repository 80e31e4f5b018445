"""Why a first run takes longer: numba compiles a kernel, and keeps it on disk for the runs that follow."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpsco.command.screen import Progress


@contextmanager
def compiling_shown(progress: Progress) -> Iterator[None]:
    """While a kernel is compiled, the progress line says so: "once" where there is a folder that it is kept in.

    What is read from that folder is not compiled, and nothing is said.
    """
    from numba.core import event

    from dpsco.fast.folders import cache_folder
    from dpsco.fast.kernel import FOLDER

    said = "compiling" if cache_folder(FOLDER) is None else "compiling (once)"

    class Listener(event.Listener):
        """Kernels compile the kernels that they call: the line changes with the outermost."""

        depth = 0

        def on_start(self, _: Any) -> None:
            self.depth += 1
            progress.at(said)

        def on_end(self, _: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                progress.at("")

    with event.install_listener("numba:compile", Listener()):
        yield
