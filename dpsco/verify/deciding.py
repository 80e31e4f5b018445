"""All proof objects: the judges by claim, the objects that they find, and what each verdict rests on."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
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


@cache
def standings() -> Mapping[str, Standing]:
    """What each verdict with a proof object rests on."""
    used = {id: lemmas_under(proof_object_of(id)) for id in judges()}
    amends = {id: one.amends for id, one in statements().items()}
    return MappingProxyType({id: standing(statements()[id], used, amends, lemmas()) for id in judges()})
