"""The sources that a module's behaviour depends on: itself and, transitively, every dpsco module that it imports.

Standard library only, and nothing is imported: import statements are read from the syntax tree. Importing a module runs its
parent packages too, so their `__init__` files belong to it.
"""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "dpsco"
ROOMS = ("spec", "reference", "fast")
"""Subpackages that may stand elsewhere than in the package's own folder."""

Stamp = tuple[int, int, int]
"""When a file's content and its entry were last written (in ns), and its size: an edit that is taken back leaves another,
even where it puts the first time back, as `cp -p` and `os.utime` do."""


@cache
def _folders(package: str) -> tuple[Path, ...]:
    spec = find_spec(package)
    return tuple(map(Path, spec.submodule_search_locations or ())) if spec is not None else ()


@cache
def source_of(module: str) -> Path | None:
    """The file of a dpsco module, None if there is no such module. Looked up by name, since `find_spec` imports parents."""
    top, *rest = module.split(".")
    if top != PACKAGE:
        return None
    package = f"{PACKAGE}.{rest.pop(0)}" if rest and rest[0] in ROOMS else PACKAGE
    for folder in _folders(package):
        places = [folder.joinpath(*rest, "__init__.py"), *([folder.joinpath(*rest).with_suffix(".py")] if rest else [])]
        for file in places:
            if file.is_file():
                return file
    return None


@cache
def imported(source: bytes) -> frozenset[str]:
    """Every absolute name in a source's import statements (inside functions too); by content, so that nothing goes stale.

    Raises   SyntaxError, ValueError where the source does not parse
    """
    found: set[str] = set()
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements inside, at any depth. Expressions hold none, and are most of a tree."""
    for place in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, place, ()):
            yield inner
            yield from _statements(inner)


@cache
def imports_of(module: str) -> frozenset[str]:
    """The dpsco modules that importing `module` runs: those that its source names, and its parent packages."""
    path = source_of(module)
    if path is None:
        return frozenset()
    parents = module.split(".")[:-1]
    found = imported(path.read_bytes()) | {".".join(parents[: n + 1]) for n in range(len(parents))}
    return frozenset(name for name in found if source_of(name) is not None)


def closure(*modules: str) -> frozenset[str]:
    """The modules and everything of dpsco that they import, directly or not."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(imports_of(name) - seen)
    return frozenset(seen)


def files(*modules: str) -> dict[str, Path]:
    """The files of the modules' joint closure, by module name, sorted."""
    return {name: path for name in sorted(closure(*modules)) if (path := source_of(name)) is not None}


def digest(*modules: str, salt: str = "") -> str:
    """SHA-256 over the names and sources of the modules' joint closure, and over `salt`."""
    total = hashlib.sha256(salt.encode())
    for name, path in files(*modules).items():
        total.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def forget() -> None:
    """Look at the disk again: where the modules stand, and what they import."""
    for remembered in (_folders, source_of, imports_of):
        remembered.cache_clear()


def stamp(file: Path) -> Stamp | None:
    """The file's stamp, None if there is no such file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size


def stamps() -> dict[Path, Stamp | None]:
    """The stamps of all sources of the package."""
    rooms = [folder for package in (PACKAGE, *(f"{PACKAGE}.{room}" for room in ROOMS)) for folder in _folders(package)]
    return {file: stamp(file) for folder in rooms for file in folder.rglob("*.py")}
