"""Who is told when a kernel's compilation starts and ends. Standard library only: who listens need not import a compiler."""

from collections.abc import Callable

listeners: list[Callable[[bool], None]] = []
"""Called with True at a start and with False at an end; kernels compile the kernels that they call, so these nest."""


def tell(starts: bool) -> None:
    for listener in tuple(listeners):
        listener(starts)
