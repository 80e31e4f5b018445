"""Every block of the guide does what it says: files are written, Python runs, commands print what stands there.

In a `console` block a line `$ cat FILE` shows a file to be written, every other `$ command` is run by the shell, and what
follows it is its output (standard error where there is nothing on standard output). A `python` block whose first line is
a comment with a file's name is that file; any other is run, and a `text` block after it is its output.

`python tests/test_guide.py [PAGE ...]` puts the outputs of this machine in.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.core import TyperGroup as Group
from typer.main import get_command

from dpsco.__main__ import app

GUIDE = Path(__file__).parents[1] / "dpsco" / "show" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))
README = GUIDE.parents[2] / "README.md"
INDEX = README.parent / "docs" / "README.md"
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")
KINDS = ("console", "python", "text", "json", "c", "toml")
LONGEST = 120


def place() -> Path:
    """A folder with the data that pages read, and `dpsco` and `python` on the path: this interpreter's."""
    made = Path(tempfile.mkdtemp(prefix="dpsco-guide-"))
    (made / "bin").mkdir()
    for name, call in (("dpsco", "-m dpsco "), ("python", "")):
        script = made / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {call}"$@"\n', encoding="utf-8")
        script.chmod(0o755)
    (made / "work" / "dpsco").mkdir(parents=True)
    (made / "work" / "dpsco" / "data").symlink_to(GUIDE.parents[1] / "data")
    (made / "work" / "docs").symlink_to(README.parent / "docs")
    return made / "work"


def shell(command: str, work: Path) -> tuple[str, int]:
    """What a command prints, and its exit status."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))},
        "PATH": f"{work.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(GUIDE.parents[2]),  # before a folder `dpsco` that holds only data
        "COLUMNS": "80",
        "TERM": "dumb",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(command, shell=True, cwd=work, env=environment, capture_output=True, text=True)
    printed = done.stdout if done.stdout.strip() else done.stderr
    return printed.replace(f"{work}{os.sep}", ""), done.returncode


def commands(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what stands below it; a command may go on after a backslash."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        ends = next(place for place, line in enumerate(lines) if not line.endswith("\\"))
        yield "\n".join(lines[: ends + 1]), "\n".join(lines[ends + 1 :])


def played(page: str, work: Path) -> Iterator[tuple[str, str, str]]:
    """Each block's kind, what it says, and what it says here."""
    pending: str | None = None
    for kind, body in BLOCK.findall(page):
        if kind == "console":
            yield kind, body, "".join(_console(body, work))
        elif kind == "python" and FILE.match(body):
            (work / FILE.match(body)[1]).write_text(body, encoding="utf-8")  # type: ignore[index]
            yield kind, body, body
        elif kind == "python":
            (work / "block.py").write_text(body, encoding="utf-8")
            pending, status = shell("python block.py", work)
            yield kind, body, body if status == 0 else pending
        elif kind == "text" and pending is not None:
            yield kind, body, pending
        else:
            yield kind, body, body


def _console(body: str, work: Path) -> Iterator[str]:
    status = 0
    for command, below in commands(body):
        if command.startswith("cat "):
            (work / command[4:]).parent.mkdir(parents=True, exist_ok=True)
            (work / command[4:]).write_text(below.rstrip("\n") + "\n", encoding="utf-8")
            printed = below
        elif command == "echo $?":
            printed = str(status)
        else:
            printed, status = shell(command, work)
        printed = "\n".join(line.rstrip() for line in printed.rstrip().splitlines())
        yield f"$ {command}\n" + (f"{printed}\n" if printed else "")


def alike(text: str) -> str:
    """Without what differs from run to run: durations, and blanks at the ends of lines."""
    text = re.sub(r"\d+\.\d+ ?s\b", "0.0s", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_block_does_what_it_says(page: Path):
    work = place()
    try:
        for kind, said, here in played(page.read_text(encoding="utf-8"), work):
            same = released if kind == "console" else alike
            assert same(here) == same(said), f"{page.name}, a {kind} block"
    finally:
        shutil.rmtree(work.parent)


def released(body: str) -> str:
    """A console block with the numbers of a private release masked: they differ from run to run, what is spent does not."""
    parts = []
    for command, below in commands(body):
        drawn, spent, rest = below.partition("\nspent\n")
        if command.split()[:2] in (["dpsco", "fit"], ["dpsco", "choose"], ["dpsco", "predict"]):
            drawn = re.sub("─+", "─", " ".join(re.sub(r"(?<![\w.])-?\d[\d.e-]*", "#", drawn).split()))
        parts.append(f"$ {command}\n{drawn}{spent}{rest}")
    return alike("".join(parts))


def test_the_readmes_commands_print_what_stands_there():
    blocks = [body for kind, body in BLOCK.findall(README.read_text(encoding="utf-8")) if kind == "console"]
    assert len(blocks) >= 7
    work = place()
    try:
        for _, said, here in played("".join(f"```console\n{body}```\n" for body in blocks), work):
            assert released(here) == released(said)
    finally:
        shutil.rmtree(work.parent)


def test_only_a_releases_numbers_are_masked():
    block = "$ dpsco fit x.csv\nx  0.5\n\nspent\n  sigma  2.0\n"
    assert released(block) == released(block.replace("0.5", "-17.25"))
    assert released(block) != released(block.replace("2.0", "2.5"))
    assert released(block) != released(block.replace("x  0.5", "y  0.5"))
    assert released("$ dpsco check c\n1\n") != released("$ dpsco check c\n2\n")


def test_the_readmes_python_runs():
    """Its blocks in one session, with the data that they speak of; a number told in a comment is the expression's."""
    table = np.loadtxt(GUIDE.parents[1] / "data" / "engel.csv", delimiter=",", skiprows=1)
    X, y = table[:, :1], table[:, 1]
    given: dict[str, Any] = {"X": X, "y": y, "demand": y, "new": X[:3], "grid": {"quantile": [0.25, 0.5]}}
    blocks = [body for kind, body in BLOCK.findall(README.read_text(encoding="utf-8")) if kind == "python"]
    assert len(blocks) >= 3
    for body in blocks:
        exec(body, given)
        for expression, told in re.findall(r"^(\S.*?)  # (\d+):", body, re.MULTILINE):
            assert eval(expression, given) == int(told)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_pages_are_short_and_their_blocks_known(page: Path):
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert len(text.splitlines()) <= LONGEST
    assert {kind for kind, _ in BLOCK.findall(text)} <= set(KINDS)
    assert text.count("\n```") == 2 * len(BLOCK.findall(text)), "a fence that no block has"


def test_the_readme_is_short_and_its_fences_are_blocks():
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    assert {kind for kind, _ in BLOCK.findall(text)} == {"console", "python"}
    assert text.count("\n```") == 2 * len(BLOCK.findall(text)), "a fence that no block has"


def lost_links(text: str, folder: Path) -> list[str]:
    """Links of a page in the folder that lead nowhere: to no file, or to no heading of the page."""
    anchors = {f"#{re.sub(r'[^a-z0-9 -]', '', title.lower()).replace(' ', '-')}" for title in HEADING.findall(text)}
    links = re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", text))
    return [link for link in links if not (link in anchors or (not link.startswith("#") and (folder / link).exists()))]


@pytest.mark.parametrize("page", [README, INDEX, *PAGES], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path):
    assert not lost_links(page.read_text(encoding="utf-8"), page.parent)


def test_a_lost_link_is_seen():
    text = "# A b\n\n[here](#a-b), [the guide](dpsco/show/guide), [lost](gone.md), [lost](#gone)\n"
    assert lost_links(text, README.parent) == ["gone.md", "#gone"]


def bare_paths(text: str) -> list[str]:
    """Files of the clone that running text names without a link to them."""
    spans = re.findall(r"(?<!\[)`([\w.-]+/[\w./-]*)`", BLOCK.sub("", text))
    return [span for span in spans if (README.parent / span).exists()]


def test_paths_in_the_readme_are_links():
    assert not bare_paths(README.read_text(encoding="utf-8"))
    assert bare_paths("see `docs/rates.md`, [`docs/rates.md`](docs/rates.md) and `a/b`") == ["docs/rates.md"]


def test_the_index_of_docs_names_every_page():
    """And each page says of itself what was found before anything else: no page opens with the command that wrote it."""
    linked = re.findall(r"\]\((\w+\.md)\)", INDEX.read_text(encoding="utf-8"))
    pages = {page.name: page.read_text(encoding="utf-8") for page in INDEX.parent.glob("*.md") if page != INDEX}
    assert sorted(linked) == sorted(pages)
    for name, text in pages.items():
        assert re.match(r"# \S[^\n]*\n\n[^\s|`*#]", text), name


def test_the_index_names_every_page():
    linked = set(re.findall(r"\]\((\w+\.md)\)", (GUIDE / "index.md").read_text(encoding="utf-8")))
    assert linked == {page.name for page in PAGES} - {"index.md"}


def strange_words(text: str) -> list[str]:
    """What running text and commands call a command or an option of dpsco that there is none of.

    In `dpsco WORD ...` the words must be commands and the options that command's; an option that stands alone, any command's.
    A word in capitals stands for what the reader puts in; spans of another program are that program's.
    """
    main_command: Any = get_command(app)
    everywhere = {name for command in _commands(main_command) for name in _options(command)}
    found = []
    prose = BLOCK.sub("", text)
    typed = [command for kind, body in BLOCK.findall(text) if kind == "console" for command, _ in commands(body)]
    typed += re.findall(r"^ +\$ ((?:[^\n]*\\\n)*[^\n]*)$", prose, re.MULTILINE)
    for span in (*re.findall(r"(?<!`)`([^`]+)`(?!`)", prose), *(part for line in typed for part in re.split("[|;&]+ *", line))):
        words = span.replace("\\\n", " ").split()
        if words[:1] != ["dpsco"]:
            if words and not words[0].startswith("--"):
                continue
            found += [w for w in words if w.startswith("--") and w.split("=")[0] not in everywhere]
            continue
        command = main_command
        for word in words[1:]:
            if word.startswith("--"):
                found += [] if word.split("=")[0] in _options(command) else [f"{command.name} {word}"]
            elif isinstance(command, Group) and re.fullmatch(r"[a-z][a-z-]*", word):
                if word not in command.commands:
                    found.append(word)
                    break
                command = command.commands[word]
    return found


def _commands(command: Any) -> Iterator[Any]:
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from _commands(inner)


def _options(command: Any) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", [README, *PAGES], ids=lambda page: page.stem)
def test_every_command_and_option_named_is_one(page: Path):
    assert not strange_words(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Add with `dpsco plan`.", ["plan"]),
        ("Add with `dpsco audit plan FILE`, in a file of `dpsco fit X.npy`.", []),
        ("`dpsco audit plans`", ["plans"]),
        ("With `--scales` more; `--scale S` is known, `pip install --target X` is not ours.", ["--scales"]),
        ("`dpsco verify --bound 3`", ["verify --bound"]),
        ("```console\n$ dpsco verify --strict | sed -n 1p; dpsco fitt x\n```\n", ["fitt"]),
        ("    $ dpsco fit x.csv --target y \\\n      --bounds 3\n", ["fit --bounds"]),
    ],
)
def test_a_command_that_is_none_is_seen(text: str, seen: list[str]):
    assert strange_words(text) == seen


@pytest.mark.parametrize(
    "wrong", ["```console\n$ echo 1\n2\n```", "```python\nprint(1)\n```\n```text\n2\n```", "```python\n1/0\n```"]
)
def test_a_wrong_block_is_seen(wrong: str):
    work = place()
    try:
        assert any(alike(here) != alike(said) for _, said, here in played(wrong, work))
    finally:
        shutil.rmtree(work.parent)


def main(names: list[str]) -> None:
    """Put the outputs of this machine into the pages named, or into all."""
    for page in PAGES:
        if not names or page.stem in names:
            work = place()
            text = page.read_text(encoding="utf-8")
            for kind, said, here in played(text, work):
                if kind == "python" and here != said:
                    raise SystemExit(f"{page.name}: {here}")
                text = text.replace(f"```{kind}\n{said}```", f"```{kind}\n{here.rstrip()}\n```", 1)
            page.write_text(text, encoding="utf-8")
            shutil.rmtree(work.parent)


if __name__ == "__main__":
    main(sys.argv[1:])
