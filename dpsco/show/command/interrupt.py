"""Ctrl-C that comes while Python cannot raise it: inside a destructor, a weak reference's callback, a callback from C.

Python prints such a KeyboardInterrupt as ignored and goes on, so that the command would not stop. Here it is raised again as
soon as that code has returned. All other errors in such places are printed as ever.
"""

import _thread
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

SOON = 0.001
"""Seconds until it is tried again."""


@contextmanager
def kept() -> Iterator[None]:
    """Within the block no KeyboardInterrupt is lost; one that could not be raised before its end is raised there."""
    usual, pending = sys.unraisablehook, False

    def again() -> None:
        time.sleep(SOON)
        if pending:
            _thread.interrupt_main()

    def hook(lost: "sys.UnraisableHookArgs") -> None:
        nonlocal pending
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            usual(lost)
            return
        pending = True
        _thread.start_new_thread(again, ())  # threading's own locks may be held where a destructor runs

    sys.unraisablehook = hook
    try:
        yield
        if pending:
            raise KeyboardInterrupt
    finally:
        pending = False
        sys.unraisablehook = usual
