"""Mutants of lemmas and statements, generated: every edit of an expression, and what an oracle says of it.

Edits: a constant by a tenth up and down, a whole exponent by one, a term or a factor dropped, a sign flipped; a relation edited
is a claim of its own, and a false one must contradict the oracle at some instance.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from dpsco.spec.claim import Adjacency
from dpsco.spec.expressions import Condition, E, Expr
from dpsco.spec.lemmas import Lemma
from dpsco.spec.privacy.randomised_response import HalfSphereDraw

EXTREMES: Mapping[str, tuple[str | Expr, ...]] = {
    "epsilon": ("1/1000", "1/3", "1", "8", "40"),
    "larger": ("1/1000", "1/3", "1", "8", "40"),
    "delta": ("0", "1e-40", "1/1000000", "1/3", "999/1000"),
    "slack": ("1e-40", "1/1000000", "1/3", "1"),
    "k": ("1", "2", "10", "1000"),
    "sigma": ("1/257", "1/5", "1", "30"),
    "sensitivity": ("1/3", "1", "7"),
    "share": ("1/2", "51/100", "9/10", "999999/1000000"),
    "d": ("1", "2", "3", "9", "100"),
    "factor": ("1/100", "1", "20"),
    "change": ("1/10", "1", "2"),
    "G": ("1/10", "1", "7"),
    "mu": ("1/100", "1", "9"),
    "variance": ("1/100", "1", "50"),
    "kappa": ("1", "3/2", "40"),
    "rho": ("1/1000", "1/10", "1", "20"),
    "x": ("0", "1/1000", "1/3", "9/10", "30"),
    "z": ("0", "1/1000", "1/2", "1", "3", "30"),
    "l": ("1/1000", "1/2", "5", "90"),
    "alpha": ("1/100", "1", "6"),
    "gradient_difference": ("0", "1/9", "1", "8"),
    "L": ("1/4", "1", "7"),
    "n": ("1", "2", "10"),
    "B_x": ("1/10", "1", "5"),
    "mechanism": tuple(
        HalfSphereDraw(E(share), 3, neighbours=Adjacency.REPLACE_ONE) for share in ("1/2", "9/10", "999999/1000000")
    ),
}
"""Values of each symbol of the family's lemmas: usual ones, and both ends."""

HARD: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "composition by tails, replace-one": (
        {"epsilon": "1/10", "delta": "0", "slack": "1e-6", "k": "1000"},
        {"epsilon": "3/2", "delta": "0", "slack": "1/2", "k": "20000"},
    ),
}
"""Instances where a lemma has little to spare, found by search: so many mechanisms that their privacy loss is nearly normal."""


@dataclass(frozen=True)
class Mutant:
    what: str
    conclusion: Condition


def edits(e: Expr) -> Iterator[tuple[str, Expr]]:
    """All edits of one place of the expression, each with its name."""
    if e.op == "num" and e.value != 0:
        yield f"{e.value} by a tenth up", E(e.value * Fraction(11, 10))
        yield f"{e.value} by a tenth down", E(e.value * Fraction(9, 10))
    if e.op in ("+", "*"):
        for kept, gone in ((0, 1), (1, 0)):
            if e.args[gone] != E(-1):
                yield f"without {e.args[gone]!r}", e.args[kept]
    if e.op == "*" and e.args[0] == E(-1):
        yield f"{e.args[1]!r} with its sign flipped", e.args[1]
    if e.op == "+":
        yield f"{e.args[1]!r} with its sign flipped", e.args[0] - e.args[1]
    if e.op == "^" and e.args[1].op == "num" and e.args[1].value.denominator == 1:
        for other in (e.args[1].value + 1, e.args[1].value - 1):
            yield f"exponent {other} for {e.args[1].value}", e.args[0] ** E(other)
    for place, arg in enumerate(e.args):
        if e.op == "^" and place == 1 and arg.op == "num":
            continue
        if e.op == "*" and place == 0 and arg == E(-1):
            continue
        for what, edited in edits(arg):
            yield what, Expr(e.op, (*e.args[:place], edited, *e.args[place + 1 :]), e.value)


def mutants(lemma: Lemma) -> list[Mutant]:
    """The edited conclusions, each once."""
    c = lemma.conclusion
    found: dict[Condition, str] = {}
    for what, side in edits(c.left):
        found.setdefault(Condition(side, c.sign, c.right), f"left: {what}")
    for what, side in edits(c.right):
        found.setdefault(Condition(c.left, c.sign, side), f"right: {what}")
    found.pop(c, None)
    return [Mutant(what, conclusion) for conclusion, what in found.items()]


def instances(lemma: Lemma, holds: Callable[[Condition, Mapping[str, Expr]], bool], most: int = 24) -> list[dict[str, Expr]]:
    """Instances that meet the hypotheses, from the extremes of each symbol; at most so many, drawn with a fixed seed."""
    names = [*lemma.sorts]
    every = [dict(zip(names, map(E, values), strict=True)) for values in product(*(EXTREMES[name] for name in names))]
    legal = [at for at in every if all(holds(hypothesis, at) for hypothesis in lemma.hypotheses)]
    return Random(0).sample(legal, most) if len(legal) > most else legal


@dataclass(frozen=True)
class Fate:
    """What the oracle says of a mutant over the instances."""

    what: str
    contradicted: bool
    """It is false, or has no value, at some instance."""
    weaker: bool
    """Its small side is nowhere larger, and its large side nowhere smaller, than the lemma's: the lemma implies it."""


Sides = Callable[[Condition], tuple[Any, Any] | None]
"""Both sides of a relation at an instance, with its sign upward; None where one has no value."""


def false(shown: Condition, sides: tuple[Any, Any] | None, tolerance: float) -> bool:
    """Whether the relation fails by more than the tolerance, relative to the larger side; without a value it fails."""
    if sides is None:
        return True
    left, right = sides
    size = max(abs(left), abs(right))
    gap = left - right
    return bool((abs(gap) if shown.sign == "=" else gap) > tolerance * size)


def fates(lemma: Lemma, oracles: Sequence[Sides], hard: Sequence[Sides] = (), tolerance: float = 1e-9) -> list[Fate]:
    """The fate of every mutant; `oracles` give the sides at each instance, `hard` those at which the mutants that are left die.

    Raises  ValueError if the lemma itself is contradicted
    """
    c = lemma.conclusion
    own = [sides(c) for sides in oracles]
    if any(false(c, one, tolerance) for one in (*own, *(sides(c) for sides in hard))):
        raise ValueError(f"{lemma.id} is contradicted by the oracle")
    found = []
    for mutant in mutants(lemma):
        given = [sides(mutant.conclusion) for sides in oracles]
        contradicted = any(false(mutant.conclusion, one, tolerance) for one in given)
        weaker = c.sign != "=" and all(
            a is not None and b is not None and a[0] <= b[0] and a[1] >= b[1] for a, b in zip(given, own, strict=True)
        )
        if not (contradicted or weaker):
            contradicted = any(false(mutant.conclusion, sides(mutant.conclusion), tolerance) for sides in hard)
        found.append(Fate(mutant.what, contradicted, weaker))
    return found


def meets(hypothesis: Condition, sides: tuple[Any, Any] | None) -> bool:
    """Whether the relation holds, exactly."""
    if sides is None:
        return False
    left, right = sides
    return bool({"<": left < right, "<=": left <= right, "=": left == right}[hypothesis.upward.sign])
