"""All proof objects: the judges by claim, the objects that they find, those shipped, and what each verdict rests on."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import MappingProxyType

import dpsco.verify.judges
from dpsco.spec.expressions import Json
from dpsco.spec.library import lemmas, statements
from dpsco.verify.judges import Judge
from dpsco.verify.standing import Standing, lemmas_under, standing


@cache
def judges() -> Mapping[str, Judge]:
    """From a claim's id to what finds its proof object."""
    found: dict[str, Judge] = {}
    package = dpsco.verify.judges
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        for id, judge in getattr(import_module(module.name), "JUDGES", {}).items():
            if id in found:
                raise ValueError(f"{id} has two judges")
            found[id] = judge
    return MappingProxyType(found)


@cache
def proof_object_of(id: str) -> Json:
    """The proof object of a registered statement."""
    return judges()[id](statements()[id])


SHIPPED = Path(__file__).with_name("shipped")
"""The proof objects as they were signed: a file for each claim."""


def file_of(id: str) -> Path:
    """Where the claim's proof object is shipped."""
    return SHIPPED / f"{id.replace('/', '_')}.json"


def written(given: Json) -> str:
    """A proof object as it stands in its file."""
    return json.dumps(given, separators=(",", ":")) + "\n"


def unlike_shipped() -> list[str]:
    """The claims whose judge finds another object than the one that is shipped, and files that belong to no claim."""
    texts = {file_of(id): written(proof_object_of(id)) for id in judges()}
    there = {file: file.read_text(encoding="utf-8") for file in SHIPPED.glob("*.json")}
    return sorted(file.stem for file in {*texts, *there} if texts.get(file) != there.get(file))


def ship() -> None:
    """Write the objects that the judges find."""
    SHIPPED.mkdir(exist_ok=True)
    for file in SHIPPED.glob("*.json"):
        file.unlink()
    for id in judges():
        file_of(id).write_text(written(proof_object_of(id)), encoding="utf-8")


@cache
def standings() -> Mapping[str, Standing]:
    """What each verdict with a proof object rests on."""
    used = {id: lemmas_under(proof_object_of(id)) for id in judges()}
    amends = {id: one.amends for id, one in statements().items()}
    return MappingProxyType({id: standing(statements()[id], used, amends, lemmas()) for id in judges()})
