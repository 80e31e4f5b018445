"""What an amendment changes: the smallest subterms that differ between it and the statement that it amends."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dpsco.spec.expressions import Condition, Expr
from dpsco.spec.statement import Assertion, Statement

OPERATIONS = {"+": "sum", "*": "product", "/": "quotient", "^": "power"}


@dataclass(frozen=True)
class Change:
    """At the path the statement has `printed` and its amendment `amended`; None where it has nothing."""

    path: str
    printed: str | None
    amended: str | None

    def __str__(self) -> str:
        return f"{self.path}: {self.printed or 'nothing'} -> {self.amended or 'nothing'}"


Relation: TypeAlias = Condition | Assertion


def changes(printed: Statement, amended: Statement) -> list[Change]:
    """The differences of the domains and of the assertions, in their order."""
    found = list(_lists("if", printed.domain, amended.domain))
    return [*found, *_lists("asserts", printed.asserts, amended.asserts)]


def _lists(name: str, old: Sequence[Relation], new: Sequence[Relation]) -> Iterator[Change]:
    """What stands in both is passed over; of the others, each is compared with the nearest one that is left."""
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    unlike = []
    for one in gone:
        path = f"{name} {old.index(one) + 1}"
        near = min(come, key=lambda other: _distance(one, other), default=None)
        if near is None or _distance(one, near) >= _size(one):
            unlike.append(one)
            continue
        come.remove(near)
        if one.sign != near.sign:
            yield Change(f"{path}, sign", one.sign, near.sign)
        yield from subterms(f"{path}, left", one.left, near.left)
        yield from subterms(f"{path}, right", one.right, near.right)
    left = {old.index(one): str(one) for one in unlike}
    right = {new.index(one): str(one) for one in come}
    for place in sorted(left.keys() | right.keys()):
        yield Change(f"{name} {place + 1}", left.get(place), right.get(place))


def _size(one: Relation) -> int:
    return sum(1 for side in (one.left, one.right) for _ in side.walk())


def _distance(one: Relation, other: Relation) -> int:
    """How many nodes of the first are not in common."""
    return _different(one.left, other.left) + _different(one.right, other.right) + (one.sign != other.sign)


def _different(old: Expr, new: Expr) -> int:
    if old == new:
        return 0
    if _same_head(old, new):
        return sum(_different(a, b) for a, b in zip(old.args, new.args, strict=True))
    return sum(1 for _ in old.walk())


def _same_head(old: Expr, new: Expr) -> bool:
    return bool(old.args) and (old.op, old.value, len(old.args)) == (new.op, new.value, len(new.args))


def subterms(path: str, old: Expr, new: Expr) -> Iterator[Change]:
    """The smallest places at which two trees differ; the path counts arguments from 1, quantities and functions by name."""
    if old == new:
        return
    if not _same_head(old, new):
        yield Change(path, repr(old), repr(new))
        return
    differ = [place for place, (a, b) in enumerate(zip(old.args, new.args, strict=True)) if a != b]
    if len(differ) > 1 and old.op in OPERATIONS:
        yield Change(path, repr(old), repr(new))
        return
    head = old.value[0] if old.op == "noun" else OPERATIONS.get(old.op, old.op)
    for place in differ:
        yield from subterms(f"{path}/{head}.{place + 1}", old.args[place], new.args[place])
