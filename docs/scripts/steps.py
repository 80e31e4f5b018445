"""A newcomer's first steps, run and recorded: python docs/scripts/steps.py (minutes; writes docs/steps.md, docs/steps/).

Each step is run in a new folder with an empty cache, as on the first day: what takes long once (compiling) is in the seconds.
The files are those of the guide and a table of its own; the commands see a terminal of 80 columns, and what they print on it
is drawn. Progress on standard error is left out. Private noise is drawn anew each time, so numbers of the first step differ.
"""

import os
import platform
import pty
import re
import subprocess
import sys
import tempfile
import time
from copy import copy
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from struct import pack
from termios import TIOCSWINSZ

import numpy as np

HOUSE = Path(__file__).parents[2]
GUIDE, PICTURES = HOUSE / "dpsco" / "show" / "guide", HOUSE / "docs" / "steps"
COLUMNS, LINES = 80, 60


@dataclass(frozen=True)
class Step:
    """A task, the guide's page that has its files (none: it needs none), and what is typed."""

    name: str
    says: str
    page: str
    commands: tuple[str, ...]


STEPS = (
    Step(
        "fit",
        "Fit a private quantile regression on a CSV file of one's own",
        "fit_private_models",
        (
            "head -n 4 rents.csv",
            "dpsco fit rents.csv --target rent --quantile 0.5 --epsilon 1 --delta 1e-6 --bound 10 --scale 5 --json model.json",
            "head -n 2 rents.csv > new.csv",
            "dpsco predict model.json new.csv",
        ),
    ),
    Step(
        "refuted",
        "Why is a theorem refuted, and what repairs it",
        "verify_a_bound",
        (
            "dpsco verify bilevel/lem-A.3 bilevel/lem-A.3-amended",
            "dpsco claims bilevel/lem-A.3-amended | head -n 16",
            "dpsco witness bilevel/lem-A.3 > witness.py",
            "python witness.py",
        ),
    ),
    Step(
        "sampler",
        "Audit a sampler of one's own",
        "audit_your_noise",
        (
            "head -n 5 noisy.py",
            """echo '{"D0": [0.0, 0.0], "D1": [0.0, 1.0]}' > pair.json""",
            "dpsco audit sampler noisy:answer --pair pair.json --epsilon 1 --delta 1e-5 --samples-each 100000",
            "dpsco audit sampler noisy:enough --pair pair.json --epsilon 1 --delta 1e-5 --samples-each 100000",
            "dpsco audit gaussian --epsilon 1 --delta 1e-5 --sensitivity 1",
        ),
    ),
    Step(
        "kernel",
        "Regression-test a kernel of one's own",
        "regression_test_your_kernel",
        (
            "cat plain.py",
            "dpsco regress privacy.gaussian.profile --kernel plain:profile",
            "dpsco regress privacy.gaussian.profile",
        ),
    ),
    Step(
        "theorem",
        "State and judge a theorem of one's own",
        "your_own_paper",
        (
            "sed -n '/^theorem/,/^claims/p' dworkroth.py",
            "dpsco verify --from dworkroth.py",
            "dpsco review dworkroth/copied --format latex --from dworkroth.py | tail -n 6",
        ),
    ),
)


def files(page: str, folder: Path) -> None:
    """The Python files that a page of the guide shows, and a table: rents of 2000 flats by size (in 10 square metres)."""
    for body in re.findall(r"```python\n(.*?)```", (GUIDE / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL):
        name, _, rest = body.partition("\n")
        if name.startswith("# ") and name.endswith(".py"):
            (folder / name[2:]).write_text(rest, encoding="utf-8")
    random = np.random.default_rng(0)
    size = random.uniform(2, 10, 2000)
    rent = 8 * size + random.exponential(size)
    rows = (f"{a:.2f},{b:.2f}\n" for a, b in zip(size, rent, strict=True))
    (folder / "rents.csv").write_text("size,rent\n" + "".join(rows), encoding="utf-8")


def ran(command: str, folder: Path) -> tuple[str, float]:
    """What a command shows on a terminal, its errors last, and how many seconds it takes."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, pack("HHHH", LINES, COLUMNS, 0, 0))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    around = {**os.environ, "PATH": path, "TERM": "xterm-256color", "DPSCO_CACHE": str(folder / "cache")}
    start = time.monotonic()
    with subprocess.Popen(
        command, shell=True, cwd=folder, env=around, stdout=theirs, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as running:
        os.close(theirs)
        shown = bytearray()
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says so where the other end is closed
                break
            if not part:
                break
            shown += part
        errors = (running.stderr.read() if running.stderr else b"").decode()
    os.close(ours)
    seconds = time.monotonic() - start
    if running.returncode not in (0, 1) or "Traceback" in errors:  # 1 is a verdict
        raise RuntimeError(f"{command} exits with {running.returncode}: {errors}")
    return shown.decode().replace("\r\n", "\n"), seconds


def drawn(shown: str, title: str, file: Path) -> None:
    """A terminal of 80 columns as SVG, in the reader's own fixed-width font: nothing is fetched."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.color_triplet import ColorTriplet
    from rich.console import Console
    from rich.terminal_theme import SVG_EXPORT_THEME
    from rich.text import Text

    alone = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    alone = re.sub(r"Fira Code(?=, )", "ui-monospace, Menlo, DejaVu Sans Mono", alone)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True, highlight=False)
        console.print(Text.from_ansi(shown.rstrip("\n")), soft_wrap=False)
    theme = copy(SVG_EXPORT_THEME)  # darker: what is printed dim must be readable
    theme.background_color, theme.foreground_color = ColorTriplet(16, 16, 16), ColorTriplet(240, 240, 240)
    svg = console.export_svg(title=title, theme=theme, code_format=alone, unique_id=file.stem)
    file.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n", encoding="utf-8")


def recorded(step: Step, folder: Path) -> float:
    """Runs a step, draws it; returns the seconds."""
    files(step.page, folder)
    text, total = "", 0.0
    for command in step.commands:
        shown, seconds = ran(command, folder)
        text += f"\x1b[1m$ {command}\x1b[0m\n{shown}\n"
        total += seconds
    drawn(text, f"{step.says}: {total:.0f} s", PICTURES / f"{step.name}.svg")
    return total


def main(names: list[str]) -> None:
    """The pictures of the steps that are named, all if none is; with all, the page as well."""
    PICTURES.mkdir(exist_ok=True)
    lines = [*(__doc__ or "").strip().split("\n\n")[1:]]
    lines += [f"Seconds on {platform.machine()}, {os.cpu_count()} cores, their load {os.getloadavg()[0]:.0f} at the start.\n"]
    spent = []
    for step in STEPS:
        if names and step.name not in names:
            continue
        with tempfile.TemporaryDirectory() as place:
            seconds = recorded(step, Path(place))
        print(f"{step.name}: {seconds:.0f} s", flush=True)
        spent.append(seconds)
        link = f"The files are on the [guide's page](../dpsco/show/guide/{step.page}.md)."
        lines += [f"## {step.says}\n", f"{seconds:.0f} seconds. {link}\n", f"![{step.says}](steps/{step.name}.svg)\n"]
    if not names:
        finding = f"A newcomer's {len(spent)} steps take {sum(spent):.0f} seconds in all, the longest {max(spent):.0f}.\n"
        lines[:0] = ["# First steps\n", finding]
        (HOUSE / "docs" / "steps.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
