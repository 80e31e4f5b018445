"""The digest of every registered statement, signed with the ledger: a transcription does not change unless a person says so.

The digest covers what the paper is said to print: id, kind, provenance, adjacency, what is released, what is asserted and
over what, the parameters' domains, the preconditions and the formulas, these as they are computed: every formula is run on
`Traced` numbers, which write down what is done with them, in the form that an expression has (`spec.expressions`): a number is
its fraction, x - y is x + -1 * y, a maximum of three is one of two twice. So a function and an expression that compute the same
have the same digest. Words that explain (the gist, notes, meanings) may be bettered.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

from dpsco.running.ledger import written
from dpsco.spec import library as library_of
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Choice, Vectors
from dpsco.spec.expressions import NUMBER
from dpsco.spec.numbers import names_of

FILE = Path(__file__).with_name("statements.json")
LENGTH = 16
"""Hexadecimal digits kept of a SHA-256."""
ENTRIES = 2
"""A vector is traced with its first entries."""


class Traced:
    """A number that is written instead of computed."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, said: str) -> None:
        self.said = said

    def __bool__(self) -> bool:
        raise TypeError(f"a formula decides through its number context, not by Python: {self.said}")

    def __eq__(self, other: object) -> bool:
        raise TypeError(f"a formula compares through its number context, not by Python: {self.said}")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a formula asks its number context, not the number, for {name}: {self.said}")


def _operator(name: str, written: Callable[[str, str], str]) -> None:
    setattr(Traced, f"__{name}__", lambda self, other: Traced(written(self.said, _said(other))))
    setattr(Traced, f"__r{name}__", lambda self, other: Traced(written(_said(other), self.said)))


def _negative(said: str) -> str:
    return str(-Fraction(said)) if NUMBER.fullmatch(said) else f"(-1 * {said})"


_operator("add", lambda a, b: f"({a} + {b})")
_operator("sub", lambda a, b: f"({a} + {_negative(b)})")
_operator("mul", lambda a, b: f"({a} * {b})")
_operator("truediv", lambda a, b: f"({a} / {b})")
_operator("pow", lambda a, b: f"({a} ^ {b})")
for _name, _written in (("neg", _negative), ("pos", str), ("abs", "abs({})".format)):
    setattr(Traced, f"__{_name}__", lambda self, written=_written: Traced(written(self.said)))


def _said(value: object) -> str:
    if isinstance(value, Traced):
        return value.said
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_said, value))}]"
    if callable(value):
        return f"(v -> {_said(value(Traced('v')))})"
    return str(value)


class TracingNumbers:
    """The number context that writes down what it is asked for."""

    pi, e, inf = Traced("pi"), Traced("e"), Traced("inf")

    def real(self, value: Any) -> Traced:
        return value if isinstance(value, Traced) else Traced(str(Fraction(value)))

    def frac(self, numerator: int, denominator: int) -> Traced:
        return Traced(str(Fraction(numerator, denominator)))

    def max(self, *given: object) -> Traced:
        return reduce(lambda a, b: Traced(f"max({a.said}, {b.said})"), map(self._number, given))

    def min(self, *given: object) -> Traced:
        return reduce(lambda a, b: Traced(f"min({a.said}, {b.said})"), map(self._number, given))

    @staticmethod
    def _number(value: object) -> Traced:
        return value if isinstance(value, Traced) else Traced(_said(value))

    def __getattr__(self, name: str) -> Callable[..., Traced]:
        return lambda *given, **named: Traced(
            f"{name}({', '.join([*map(_said, given), *(f'{k}={_said(v)}' for k, v in named.items())])})"
        )


def traced(claim: Claim, formula: Callable[..., Any]) -> list[str]:
    """What the formula (or a precondition's test) computes, for each name that its Choice parameters may take."""
    names = names_of(formula)
    domains = {name: claim.parameter(name).domain for name in names}
    choices = {name: domain.names for name, domain in domains.items() if isinstance(domain, Choice)}
    lines = []
    for chosen in product(*choices.values()):
        given: dict[str, object] = {
            name: [Traced(f"{name}_{i + 1}") for i in range(ENTRIES)] if isinstance(domain, Vectors) else Traced(name)
            for name, domain in domains.items()
        }
        fixed = dict(zip(choices, chosen, strict=True))
        lines.append(f"{json.dumps(fixed)}: {_said(formula(TracingNumbers(), **{**given, **fixed}))}")
    return lines


def content(claim: Claim) -> dict[str, object]:
    """What the digest covers."""
    return {
        "id": claim.id,
        "kind": claim.kind.value,
        "provenance": claim.provenance.value,
        "amends": claim.amends,
        "adjacency": claim.adjacency.value if claim.adjacency else None,
        "releases": claim.releases,
        "asserts": [str(relation) for relation in claim.asserts],
        "over": list(claim.over),
        "domains": {p.name: [str(p.domain), p.unit] for p in claim.parameters},
        "preconditions": [[predicate.says, traced(claim, predicate.test)] for predicate in claim.preconditions],
        "formulas": {name: traced(claim, formula) for name, formula in claim.formulas.items()},
    }


def digest(claim: Claim) -> str:
    """The digest of one statement."""
    return hashlib.sha256(json.dumps(content(claim), sort_keys=True).encode()).hexdigest()[:LENGTH]


def current(claims: Iterable[Claim]) -> dict[str, str]:
    """The digest of each statement."""
    return {claim.id: digest(claim) for claim in claims}


def library() -> dict[str, str]:
    """The digest of each statement on a proof object, of each noun and each lemma: all that proof objects name."""
    found = {f"statement of {name}": one.sha256 for name, one in library_of.statements().items()}
    found |= {f"noun {name}": one.sha256 for name, one in library_of.nouns().items()}
    found |= {f"lemma {name}": one.sha256 for name, one in library_of.lemmas().items()}
    return {name: digest[:LENGTH] for name, digest in found.items()}


def read(file: Path = FILE) -> dict[str, str]:
    """The signed digests by id; ValueError if the file does not hold them."""
    if not file.exists():
        return {}
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file.name} must map ids to digests, but it does not: {error}") from error
    if not isinstance(stored, dict) or not all(isinstance(found, str) for found in stored.values()):
        raise ValueError(f"{file.name} must map ids to digests, but it does not")
    return stored


def differences(signed: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """One line for each statement, noun or lemma that is new, gone or changed since it was signed."""
    words = {(False, True): "is new", (True, False): "is gone", (True, True): "changed"}
    return [f"{id} {words[id in signed, id in now]}" for id in sorted({*signed, *now}) if signed.get(id) != now.get(id)]


def sign(now: Mapping[str, str], file: Path = FILE) -> None:
    """Write the digests, sorted by id."""
    written(file, now)
