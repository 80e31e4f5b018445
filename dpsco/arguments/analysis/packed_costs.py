"""Packed costs on the set S = {w >= -1}: the exact SPO+ loss against what is printed of it, and what private answers can do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.reference.analysis.lower_bounds.packing import decide, half_of_largest, risk, spo_plus, unit
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

REACH = "1000"
"""A decision of S goes this far where the loss has no bound: it is a lower bound on an infinite value."""
CONE = Lemma(
    "the supremum over a shifted orthant",
    "Over w >= -1 the sum of (c_k - 2 c_hat_k) w_k separates: a coordinate with 2 c_hat_k >= c_k has its maximum at w_k = -1, "
    "one with 2 c_hat_k < c_k grows without limit. So SPO+ is 1'(2 c_hat - c) + 2 c_hat'w*(c) - z*(c) where 2 c_hat >= c, and "
    "infinite elsewhere; every coordinate enters alone, so that two or three of them stand for all d.",
)
SLACK = Lemma(
    "a loss that grows in every coordinate",
    "For the cost e_j and w* = -e_j the loss is 2 sum over k not j of c_hat_k; in the mean over records of which a share f_k "
    "has cost e_k it is 2 sum (1 - f_k) c_hat_k, nondecreasing in each c_hat_k. Predictions that cover have c_hat_k >= 1/2 "
    "where f_k > 0 and c_hat_k >= 0 elsewhere: half the largest costs is the least of them, and attainable with p >= 1 "
    "features.",
)
PACKED = Lemma(
    "disjoint balls and group privacy",
    "If every j had |c_hat_j - e_j|_1 < 1 with probability above 1/2 on D^(j), then on D^(1), n replacements away, the d "
    "balls, disjoint as |e_i - e_j|_1 = 2, would have probability at least e^(-epsilon n)/2 each: together d e^(-epsilon n)/2 "
    "> 1.",
    (Adjacency.REPLACE_ONE,),
)
NAMING = Lemma(
    "naming the cost",
    "The answer e_k with probability proportional to e^(epsilon N_k/2), N_k the records with cost e_k, is epsilon-DP; on D^(j) "
    "it is e_j, at distance 0, with probability 1/(1 + (d - 1) e^(-epsilon n/2)).",
    (Adjacency.REPLACE_ONE,),
)
NAMING_PADDED = Lemma(
    "naming the cost on padded data",
    "The padded set of j has N >= floor(n*) records with cost e_j; the padding, costs +-(1, ..., 1), is the same for every j. "
    "The answer c_star_k with probability proportional to e^(epsilon N_k/2), N_k the records with cost e_k, is epsilon-DP, and "
    "at distance 0 with probability at least 1/(1 + (d - 1) e^(-epsilon floor(n*)/2)), whatever the c_star_k are.",
    (Adjacency.REPLACE_ONE,),
)
CONSTANT = Lemma(
    "the answer 1/2 in every coordinate",
    "It reads no data, covers every packed cost, and has excess risk d - 1 on every D^(j): 0 at d = 1.",
    (Adjacency.REPLACE_ONE,),
)
SUPPORT = Lemma(
    "what may not happen anywhere",
    "If the risk on every D^(j) is finite, c_hat_j >= 1/2 with probability 1 on D^(j), and by epsilon-DP on every other "
    "D^(i), as e^(-epsilon n) > 0: the excess risk on D^(i), 2 sum over k not i of c_hat_k, is at least d - 1 with "
    "probability 1. Else it is infinite on one of them.",
    (Adjacency.REPLACE_ONE,),
)


@dataclass(frozen=True)
class Case:
    """One cost with a prediction, and another prediction where two are compared; exact decimals."""

    c: tuple[str, ...]
    c_hat: tuple[str, ...]
    c_star: tuple[str, ...]

    @property
    def at(self) -> dict[str, str]:
        return {name: f"({', '.join(getattr(self, name))})" for name in ("c", "c_hat", "c_star")}


CASES = (
    Case(("1",), ("0",), ("1",)),
    Case(("1", "0"), ("0.25", "3"), ("0.5", "0")),
    Case(("1",), ("0.5",), ("1",)),
    Case(("1", "0"), ("1", "3"), ("0.5", "0")),
    Case(("0", "1", "0"), ("0.7", "0.6", "2"), ("0.1", "1", "0.3")),
)
"""The first two predictions do not cover their cost; the others do."""


def admitted(claim: Claim) -> Iterator[tuple[Case, Numbers, dict[str, Any]]]:
    """The cases that meet the claim's preconditions and its dimension, w*(c) = -c among the values."""
    m = arb()
    for case in CASES:
        v: dict[str, Any] = {name: [m.real(x) for x in getattr(case, name)] for name in ("c", "c_hat", "c_star")}
        v["w_star"] = decide(m, v["c"])
        fits = claim.parameter("d").domain.contains(m, len(case.c)) is True
        if fits and all(p(m, v) is True for p in claim.preconditions):
            yield case, m, v


def loss_contradicted(claim: Claim) -> tuple[Case, Real, Real] | None:
    """A case in which the printed loss is certainly not SPO+: (case, printed, a lower bound or the value)."""
    for case, m, v in admitted(claim):
        true = spo_plus(m, v["c"], v["c_hat"], v["w_star"], m.real(REACH))
        said = apply(claim.formulas["packed_loss"], m, v)
        if m.eq(true, said) is False:
            return case, said, true
    return None


def gap_contradicted(claim: Claim) -> tuple[Case, Real, Real] | None:
    """The same for the printed difference of two risks."""
    for case, m, v in admitted(claim):
        first, second = (risk(m, [v["c"]], v[name], m.real(REACH)) for name in ("c_hat", "c_star"))
        said = apply(claim.formulas["loss_gap"], m, v)
        if m.eq(first - second, said) is False:
            return case, said, first - second
    return None


def vectors(d: int) -> dict[str, Any]:
    """Symbols for the vectors of a claim in d dimensions."""
    names = ("c", "c_hat", "c_star", "w_star", "c_first", "c_second")
    return {name: [sympy.Symbol(f"{name}_{k}", real=True) for k in range(d)] for name in names}


def covered_loss(v: Mapping[str, Any], name: str) -> Any:
    """SPO+ of a prediction that covers, by the lemma, as an expression."""
    linear = sum(2 * a - b for a, b in zip(v[name], v["c"], strict=True))
    return linear + sum(w * (2 * a - b) for w, a, b in zip(v["w_star"], v[name], v["c"], strict=True))


def is_loss(claim: Claim) -> bool:
    """Whether the printed loss is the one of the lemma, for two and three coordinates."""
    return all(
        sympy.expand(apply(claim.formulas["packed_loss"], symbolic(), v) - covered_loss(v, "c_hat")) == 0
        for v in (vectors(2), vectors(3))
    )


def is_gap(claim: Claim) -> bool:
    """Whether the printed difference is that of two such losses."""
    return all(
        sympy.expand(apply(claim.formulas["loss_gap"], symbolic(), v) - covered_loss(v, "c_hat") + covered_loss(v, "c_star"))
        == 0
        for v in (vectors(2), vectors(3))
    )


def mean_printed(claim: Claim, m: Numbers, costs: list[list[Real]], c_hat: list[Real]) -> Real:
    """Mean of the printed loss over packed costs."""
    losses = [apply(claim.formulas["packed_loss"], m, {"c": c, "c_hat": c_hat, "w_star": decide(m, c)}) for c in costs]
    return sum(losses[1:], start=losses[0]) / len(losses)


CHOICES = (((0, 1), 2), ((0, 0, 1), 2), ((0, 0), 1), ((0, 1, 2, 2, 2), 3))
"""Places of the packed costs of one data set, and d."""


def share_contradicted(claim: Claim) -> tuple[str, Real, Real] | None:
    """A data set on which `share` times the largest costs has a larger risk than half of them: (where, its risk, the other)."""
    m = arb()
    part = apply(claim.formulas["share"], m, {})
    for places, d in CHOICES:
        costs = [unit(m, d, j) for j in places]
        said = risk(m, costs, half_of_largest(m, costs, part), m.real(REACH))
        best = risk(m, costs, half_of_largest(m, costs, m.frac(1, 2)), m.real(REACH))
        if m.gt(said, best) is True:
            return f"costs e_{', e_'.join(str(j + 1) for j in places)}, d = {d}", said, best
    return None


def average_beaten(claim: Claim) -> tuple[dict[str, str], list[tuple[Real, Real]]]:
    """The average of the costs e_1, e_1, e_2 against another prediction: (where, [(its mean, the other's)]).

    First the printed loss, against the prediction 0; then SPO+ up to decisions of REACH, against 1/2 in every coordinate.
    """
    m = arb()
    costs, mean = [unit(m, 2, j) for j in (0, 0, 1)], [m.frac(2, 3), m.frac(1, 3)]
    printed = (mean_printed(claim, m, costs, mean), mean_printed(claim, m, costs, [m.real(0)] * 2))
    exact = (risk(m, costs, mean, m.real(REACH)), risk(m, costs, [m.frac(1, 2)] * 2, m.real(REACH)))
    return {"n": "3", "d": "2", "costs": "e_1, e_1, e_2"}, [printed, exact]


def without_end(m: Numbers) -> tuple[Real, Real]:
    """The cost -1 of a padding record at d = 1: c'w at the decision REACH, and at -c, the decision of the text."""
    cost = [m.real(-1)]
    return m.dot(cost, [m.real(REACH)]), m.dot(cost, decide(m, cost))


def half_way(m: Numbers, d: int) -> Real | None:
    """The l1 distance of the constant 0 from e_j/2; None unless e_j/2 has the exact risk of e_j, which is optimal."""
    cost = unit(m, d, 0)
    half = half_of_largest(m, [cost], m.frac(1, 2))
    risks = [risk(m, [cost], c_hat, m.real(REACH)) for c_hat in (cost, half)]
    return m.norm(half, 1) if m.eq(*risks) is True else None


def shown(value: Real) -> str:
    return " to ".join(dict.fromkeys(ends(value)))
