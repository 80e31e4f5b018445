"""Work in a process of its own: what an algorithm remembers of earlier runs in this one is not there.

The new process is a fork: it starts with what the calling process holds, so that the caller must not have run the algorithm.
"""

import multiprocessing
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")
FORKS = "fork" in multiprocessing.get_all_start_methods()
"""Where a system cannot fork, the work is done in the calling process, and memory between runs is not seen."""


def fresh(work: Callable[[], T]) -> T:
    """What `work` returns; its result must be plain data. RuntimeError where it raises or its process ends without a word."""
    if not FORKS:
        return work()
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_tell, args=(there, work))
    with warnings.catch_warnings():
        # from Python 3.12: a fork of a process with threads, here those of numpy's libraries, which mind their own forks
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    try:
        failed, told = here.recv()
    except EOFError:
        failed, told = True, "it ended without a word"
    finally:
        here.close()
        process.join()
    if failed:
        raise RuntimeError(f"a run in a process of its own failed: {told}")
    found: T = told
    return found


def _tell(there: "Connection[Any, Any]", work: Callable[[], Any]) -> None:
    try:
        there.send((False, work()))
    except Exception as failure:  # whatever it is, the parent raises it
        there.send((True, f"{type(failure).__name__}: {failure}"))
    finally:
        there.close()
