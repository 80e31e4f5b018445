"""Judgements cached by content: an entry's key covers every source and version that it depends on.

The key of a judgement is the digest of the judge's and the claim's modules with everything of dpsco that they import, the
data files, the versions of the arithmetic, and the claim's id. A judge that looks other claims up depends on the whole
register. An entry that is missing, unreadable or not for this key is computed again; nothing is ever wrong because of it.

A key speaks of the files on disk, a judgement comes from the code that was imported. So a judgement is kept only if no file
that it depends on has been written since this process began (taking an edit back is writing too) and the key, computed
anew, is the one that it had.
"""

import hashlib
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import dpsco.verify.judges
import dpsco.verify.lemmas
from dpsco import __version__
from dpsco.extending.sources import named, sources_of
from dpsco.fast import closure as sources
from dpsco.fast.closure import closure, digest, source_of
from dpsco.fast.folders import cache_folder
from dpsco.judging import judges_module
from dpsco.spec.register import concept_of, concepts, module_of, own

ARITHMETIC = ("python-flint", "mpmath", "sympy", "numpy", "numba", "llvmlite")
REGISTER = "dpsco.spec.register"
FORMAT = "4"
ALWAYS = ("dpsco.judging", "dpsco.running.record")
"""What every judgement depends on."""
OBJECTS = ("dpsco.kernel.check", "dpsco.verify.deciding")
"""What a judgement depends on whose claim has a proof object, with all judges, lemmas and statements: what one object rests on
depends on who else uses its lemmas."""
FOLDER = "judgements"


@cache
def versions() -> str:
    """Versions of everything that could change a number."""
    found = [f"dpsco {__version__}", f"python {platform.python_version()}", f"{platform.machine()} {FORMAT}"]
    for name in ARITHMETIC:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version_of(name)}")
    return "\n".join(found)


def data_files() -> list[Path]:
    """The package's data files."""
    place = Path(__file__).parents[1] / "data"
    found = sorted(place.iterdir()) if place.is_dir() else []
    return [file for file in found if file.is_file() and file.suffix != ".py"]


@cache
def data_digest() -> str:
    """SHA-256 over the package's data files."""
    total = hashlib.sha256()
    for file in data_files():
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def modules_of(concept: str) -> list[str]:
    """The modules that a concept's judgements start from: one that looks other claims up starts from the whole register."""
    if concept in own():
        modules = [name for name in named(own_sources(concept)) if source_of(name) is not None]
    else:
        modules = [name for name in (judges_module(concept), module_of(concept)) if source_of(name) is not None]
    objects = concept not in own() and bool(getattr(import_module(module_of(concept)), "statements", ()))
    if objects:
        modules += OBJECTS
        for room in (dpsco.verify.judges, dpsco.verify.lemmas):
            modules += [module.name for module in walk_packages(room.__path__, f"{room.__name__}.")]
    if objects or any(REGISTER in closure(name) for name in modules):
        modules += [f"dpsco.spec.{other}" for other in concepts()]
    return [*modules, *ALWAYS]


def own_sources(concept: str) -> tuple[Path, ...]:
    """The files of a concept that stands outside the tree; none for any other."""
    return sources_of(concept, own()[concept]) if concept in own() else ()


@cache
def concept_key(concept: str) -> str:
    """What a concept's judgements depend on."""
    outside = hashlib.sha256(b"\0".join(file.read_bytes() for file in own_sources(concept))).hexdigest()
    beside = f"\n{outside}" if own_sources(concept) else ""
    return digest(*modules_of(concept), salt=f"{versions()}\n{data_digest()}{beside}")


def key(id: str) -> str:
    """The key of one claim's judgement."""
    return hashlib.sha256(f"{concept_key(concept_of(id))}\0{id}".encode()).hexdigest()


def forget() -> None:
    """Compute every key anew from the disk."""
    sources.forget()
    for remembered in (versions, data_digest, concept_key):
        remembered.cache_clear()


def _stamps() -> dict[Path, sources.Stamp | None]:
    return sources.stamps() | {file: sources.stamp(file) for file in data_files()}


BEGAN = _stamps()
"""The files as they were when this process began."""


STARTED = time.time_ns() - 20_000_000
"""When that was, no later than a file system's clock, which may lag behind, would say."""


def watch(files: Iterable[Path]) -> None:
    """Files outside the tree that this process imports: they count from now on, but one that it has imported already does
    not count as unmoved if it has been written since the process began."""
    fresh = [file for file in files if file not in BEGAN]
    imported = {vars(module).get("__file__") for module in list(sys.modules.values()) if isinstance(module, ModuleType)}
    for file in fresh:
        found = sources.stamp(file)
        late = found is not None and str(file) in imported and max(found[:2]) > STARTED
        BEGAN[file] = None if late else found


def unmoved(id: str) -> bool:
    """Whether the code of this process is what the disk says: no file of the claim's has been written since it began."""
    concept = concept_of(id)
    mine = [*sources.files(*modules_of(concept)).values(), *own_sources(concept), *data_files()]
    return all(file in BEGAN and BEGAN[file] == sources.stamp(file) for file in mine)


def _file(id: str) -> Path | None:
    place = cache_folder(FOLDER)
    return place / f"{key(id)}.json" if place is not None else None


def load(id: str) -> dict[str, Any] | None:
    """The cached judgement of a claim, None if there is none that can be used."""
    file = _file(id)
    if file is None:
        return None
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        found = stored["record"]
        intact = stored["key"] == key(id) and stored["check"] == _check(found) and found["id"] == id
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if intact else None


def store(id: str, found: dict[str, Any]) -> None:
    """Keep a judgement, unless a source was written meanwhile; a cache that cannot be written is no error."""
    file = _file(id)
    if file is None:
        return
    asked = key(id)
    forget()
    if key(id) != asked or not unmoved(id):
        return
    temporary = None
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, suffix=".part", delete=False) as part:
            temporary = part.name
            json.dump({"key": key(id), "check": _check(found), "record": found}, part, ensure_ascii=False)
        os.replace(temporary, file)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _check(found: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(found, ensure_ascii=False).encode()).hexdigest()
