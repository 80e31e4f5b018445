"""All nouns, lemmas and statements of the register, by name or id.

They stand in the modules of the concepts, in lists `nouns`, `lemmas` and `statements`; nothing is registered by a call, so that
what is read here is what the files say.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from dpsco.spec.lemmas import Lemma
from dpsco.spec.nouns import Noun
from dpsco.spec.register import concepts
from dpsco.spec.statement import Statement


@cache
def nouns() -> MappingProxyType[str, Noun]:
    return _collected("nouns", "name")


@cache
def lemmas() -> MappingProxyType[str, Lemma]:
    return _collected("lemmas", "id")


@cache
def statements() -> MappingProxyType[str, Statement]:
    return _collected("statements", "id")


def _all(what: str) -> Iterator[tuple[str, Any]]:
    for concept in concepts():
        for one in getattr(import_module(f"dpsco.spec.{concept}"), what, ()):
            yield concept, one


def _collected(what: str, key: str) -> Any:
    found: dict[str, Any] = {}
    places: dict[str, str] = {}
    for concept, one in _all(what):
        name = getattr(one, key)
        if name in found:
            raise ValueError(f"{name} stands in {places[name]} and in {concept}")
        found[name], places[name] = one, concept
    return MappingProxyType(found)
