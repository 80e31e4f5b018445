"""The files that a module outside the tree consists of, and what of dpsco they import: read, never imported."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from traceback import walk_tb

PACKAGE = "dpsco"


def root_of(name: str, file: Path) -> Path:
    """The folder from which the module in `file` is imported as `name`."""
    return file.parents[name.count(".") + (file.name == "__init__.py")]


def sources_of(name: str, file: Path) -> tuple[Path, ...]:
    """The module's file and, transitively, every module and package beside it that is imported by name; sorted.

    A package counts with all of its modules, whichever of them are imported. Data files do not count: what a judge reads
    belongs in its module.
    """
    root = root_of(name, file)
    seen: set[Path] = set()
    waiting = [file, *_beside(root, name)]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if one.name == "__init__.py":
            waiting += one.parent.rglob("*.py")
        waiting += [found for imported in _imports(one) for found in _beside(root, imported)]
    return tuple(sorted(seen))


def place_of(error: BaseException, files: Iterable[Path]) -> str | None:
    """The innermost line of these files that the error passed through, as `mypaper.py:12`; None if it passed through none."""
    wanted = set(files)
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    return next((f"{file.name}:{line}" for file, line in reversed(frames) if file.resolve() in wanted), None)


def named(files: Iterable[Path]) -> list[str]:
    """The dpsco names in the files' import statements, sorted."""
    return sorted({name for file in files for name in _imports(file) if name.split(".")[0] == PACKAGE})


def _beside(folder: Path, name: str) -> Iterator[Path]:
    top = name.split(".")[0]
    for place in (folder / f"{top}.py", folder / top / "__init__.py"):
        if place.is_file():
            yield place


def _imports(file: Path) -> Iterator[str]:
    """Every absolute name in an import statement, those inside functions too; none where the file does not parse."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
