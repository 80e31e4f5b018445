"""The SPO loss and SPO+, literally: the printed formulas at the decisions that they name."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from dpsco.reference.literal import literal
from dpsco.reference.losses.spo import regions
from dpsco.spec.losses.spo import loss as spec
from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]
Sums = tuple[Any, Any]
"""A value and the sum of the absolute values of its terms."""


def decisions(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any, alpha: Real = 2) -> dict[str, Any]:
    """The vectors that the printed formulas take, under their names: c, c_hat, w_star, w_hat, and w_max for that alpha."""
    steered = [alpha * b - a for a, b in zip(c, c_hat, strict=True)]
    return {
        "c": c,
        "c_hat": c_hat,
        "w_star": regions.oracle(m, shape, table, c),
        "w_hat": regions.worst(m, shape, table, c, c_hat),
        "w_max": regions.oracle(m, shape, table, steered),
    }


def subgradient_in_model(m: Numbers, shape: str, table: Any, c: Any, x: Vector, B: Vector) -> list[Real]:
    """A subgradient of SPO+ in B = vec(Bhat), the rows of the d by p matrix one after the other, at c_hat = Bhat x."""
    p = len(x)
    c_hat = [m.dot(B[j * p : (j + 1) * p], x) for j in range(len(B) // p)]
    return [g * z for g in spo_plus_subgradient(m, shape, table, c, c_hat)[0] for z in x]


def sizes(m: Numbers, shape: str, table: Any, *found: Vector) -> list[Real]:
    """For each coordinate the terms of some decisions: on ball and sphere, where a decision is itself a sum, its own."""
    if shape in ("ball", "sphere"):
        return [(m.abs(a) + table[1][0]) * len(found) for a in table[0]]
    return [sum((m.abs(w[j]) for w in found), start=m.real(0)) for j in range(len(found[0]))]


def total(m: Numbers, terms: Iterable[Real]) -> Real:
    return sum(terms, start=m.real(0))


@literal(spec.spo_loss)
def spo_loss(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any) -> Sums:
    found = decisions(m, shape, table, c, c_hat)
    value = spec.spo(m, c, found["w_hat"], found["w_star"])
    each = sizes(m, shape, table, found["w_hat"], found["w_star"])
    return value, total(m, (m.abs(a) * s for a, s in zip(c, each, strict=True)))


@literal(spec.spo_plus_loss)
def spo_plus_loss(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any) -> Sums:
    found = decisions(m, shape, table, c, c_hat)
    each = sizes(m, shape, table, found["w_max"], found["w_star"])
    terms = total(m, ((m.abs(a) + 2 * m.abs(b)) * s for a, b, s in zip(c, c_hat, each, strict=True)))
    return spec.spo_plus(m, c, c_hat, found["w_max"], found["w_star"]), terms


@literal(spec.spo_plus_subgradient)
def spo_plus_subgradient(m: Numbers, shape: str, table: Any, c: Any, c_hat: Any) -> Sums:
    found = decisions(m, shape, table, c, c_hat)
    each = sizes(m, shape, table, found["w_max"], found["w_star"])
    return [2 * (a - b) for a, b in zip(found["w_star"], found["w_max"], strict=True)], [2 * s for s in each]
