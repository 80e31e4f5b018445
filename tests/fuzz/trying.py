"""One input tried on one target: it ends in a right answer or in a documented error, in time and in its memory; or it fails."""

import contextlib
import io
import os
import resource
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

SECONDS = 10.0
"""Of processor time, for one input."""
BYTES = 2 << 30
"""Of memory that a process of the fuzzers may take."""
LONGEST = 4096
"""Bytes of an input, unless its seed is longer."""
ANSWERED, REFUSED = "answered", "refused"
TOKENS = tuple(rb'NaN inf -0 1e400 1e-400 5e-324 0 -1 1e99999999 " , ; [ { ] } null true ": / = \ud800'.split())
TOKENS += (b"9" * 30, b"\xef\xbb\xbf", b"\r\n", b"\x00", b"\xff", b"\t", b"[" * 2000)

Target = Callable[[Any], object]


class HangError(BaseException):
    """The processor time of an input is over; no handler of the code under test catches it."""


@dataclass
class Tally:
    """How many inputs ended how, and one input for each kind of failure."""

    ends: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def inputs(self) -> int:
        return sum(self.ends.values())

    def add(self, end: str, given: Any) -> None:
        self.ends[end if end in (ANSWERED, REFUSED) else "failed"] += 1
        if end not in (ANSWERED, REFUSED):
            self.failures.setdefault(end, _shown(given))


def _shown(given: Any) -> str:
    try:
        return repr(given)[:20_000]
    except ValueError as error:  # a whole number of more digits than Python prints
        return f"an input that cannot be shown: {error}"


def documented() -> tuple[type[Exception], ...]:
    """What a target may raise: it names the argument or the file, and what is allowed."""
    from dpsco.show.command.screen import BadInputError

    return ValueError, BadInputError


def attempt(target: Target, given: Any) -> str:
    """`ANSWERED`, `REFUSED`, or the kind of the failure and where it arose."""

    def over(number: int, frame: FrameType | None) -> None:
        raise HangError(f"{SECONDS} s")

    previous = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        target(given)
        return ANSWERED
    except documented() as error:
        return REFUSED if str(error).strip() else f"{type(error).__name__} without a word"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return _kind(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, previous)


def _kind(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if "/dpsco/" in frame.filename or "/fast/" in frame.filename] or frames
    where = "/".join(Path(mine[-1].filename).parts[-2:])
    said = f": {error}" if isinstance(error, AssertionError) else ""
    return f"{type(error).__name__} at {where}:{mine[-1].lineno} {mine[-1].name}{said[:200]}"


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing on the screen, no warning."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def bounded(size: int = BYTES) -> None:
    """From now on this process may take so much memory: what asks for more gets a MemoryError, which is a failure."""
    resource.setrlimit(resource.RLIMIT_DATA, (size, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def mutated(seed: bytes, others: list[bytes], random: Random) -> bytes:
    """The seed with one to eight edits: bits, bytes, tokens, parts doubled, cut, moved, or taken from another seed."""
    data = bytearray(seed)
    for _ in range(random.choice((1, 1, 2, 4, 8))):
        i = random.randrange(len(data) + 1)
        j = min(len(data), i + random.choice((1, 1, 2, 4, 16, 64)))
        match random.randrange(7):
            case 0 if i < len(data):
                data[i] ^= 1 << random.randrange(8)
            case 1:
                data[i:j] = random.randbytes(random.randrange(5))
            case 2 | 3:
                data[i : random.choice((i, j))] = random.choice(TOKENS)
            case 4:
                data[i:i] = data[i:j] * random.choice((1, 2, 50))
            case 5:
                del data[i:j]
            case _:
                other = random.choice(others)
                k = random.randrange(len(other) + 1)
                data[i:j] = other[k : k + random.randrange(65)]
    return bytes(data[: max(LONGEST, len(seed))])


def scratch() -> Path:
    """A folder in memory where there is one: millions of small files are written."""
    import tempfile

    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="dpsco-fuzz-", dir=place))


def stop(code: int = 0) -> None:
    """End this process at once: nothing that a fuzzer registered runs."""
    sys.stdout.flush()
    os._exit(code)
