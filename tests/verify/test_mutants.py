"""Generated mutants of the lemmas, held against oracles that share nothing with them."""

import json
from collections.abc import Mapping
from itertools import product
from math import prod

import pytest
from mpmath import mp, mpf

from dpsco.reference.oracles import (
    Oracle,
    composed_responses,
    concentrated_above,
    finite_hockey_stick,
    gaussian_hockey_stick,
)
from dpsco.spec.expressions import Condition, E, Expr
from dpsco.spec.lemmas import Lemma
from dpsco.spec.library import lemmas
from dpsco.spec.privacy.profile import NEIGHBOURS
from dpsco.verify.edits import EXTREMES, HARD, edits, fates, instances, meets, mutants

DIGITS, MOST = 25, 12
"""Digits of the oracles, and the instances of a lemma."""

SURVIVORS: Mapping[str, Mapping[str, str]] = {
    "an answer without data": {},
    "basic composition": {},
    "Bernoulli's inequality": {"left: without k * x": "It leaves 1 - 1 <= (1 - x)^k, which is true since x < 1."},
    "composition by tails": {},
    "error of an answer without data": {},
    "exponential mechanism": {},
    "from rho-zCDP to (epsilon, delta)-DP": {},
    "gaussian tail": {
        "right: exponent 1 for 2": "Both sides are 1/2 at z = 0; there phi(z)/Phi(-z), minus the slope of log Phi(-z), is "
        "sqrt(2/pi) > 1/2, and it increases, while the slope of log(e^(-z/2)/2) is -1/2."
    },
    "gaussian tight pair": {},
    "least delta of bounded quotients": {},
    "logarithm below its tangent": {},
    "mean of a draw from two halves": {},
    "mean of a half-sphere": {},
    "minimisers of close functions": {},
    "one record of a mean loss": {},
    "points see nothing of atomless laws": {},
    "quotients of a half-sphere draw": {},
    "Renyi divergence of noise in a regular space": {},
    "second moment of noise in a regular space": {},
    "strongly log-concave laws against two Gaussians": {},
    "the rho of a budget": {
        "left: 2 by a tenth down": "epsilon^2/(4 l + 1.8 epsilon) for the first term: with y = sqrt(1 + epsilon/(2 l)) > 1 it "
        "says 2 (y^2 - 1)/(3.6 y^2 + 0.4) + 1/y <= 1, which is 0 <= (y - 1) (1.6 y - 0.4)."
    },
    "twice the advantage of randomised response": {
        "left: 1 by a tenth down": "(e^x - 1)/(e^x + 0.9) <= x: at x = 0 both sides of e^x - 1 <= x (e^x + 0.9) are 0, and the "
        "right one has the larger slope, e^x + 0.9 + x e^x.",
        "left: without 1": "(e^x - 1)/e^x = 1 - e^-x <= x.",
    },
}
"""Of each lemma with an oracle, the mutants that no instance contradicts and that the lemma does not imply by itself: each with
the proof that it is true."""

WITHOUT_ORACLE: Mapping[str, str] = {
    "a decision that does not move": "Nothing here runs the mechanism on data sets; the one pair known is that of the proof.",
    "amplification by shuffling": "What is known of all randomisers from below, the pair of binary ones, is at a few tenths of "
    "the published bound at most, so no edit by a tenth meets it; its constants 8, 8 and 4 are compared with the paper's.",
    "shuffled approximate randomisers": "No pair of randomisers is known that comes near the factor 2 (1 + e^epsilon) n.",
}
"""Of each lemma whose edits nothing contradicts, why."""

NOTHING_TO_EDIT = {
    "least delta at infinity",
    "least delta falls",
    "one law of a rotation for all vectors",
    "post-processing",
    "shuffled randomisers at large delta",
    "what (epsilon, delta)-DP says",
    "what the inequality for points says",
}
"""Their conclusions relate quantities, symbols and 0 as they are: there is no constant, term or sign."""


def holds(hypothesis: Condition, at: Mapping[str, Expr]) -> bool:
    return meets(hypothesis, Oracle(at).sides(hypothesis))


def kinds() -> dict[str, list[Lemma]]:
    """The lemmas, those together that differ in who are neighbours."""
    found: dict[str, list[Lemma]] = {}
    for id, rule in lemmas().items():
        tag = next((tag for tag in NEIGHBOURS if id.endswith(f", {tag}")), "")
        found.setdefault(id.removesuffix(f", {tag}"), []).append(rule)
    return found


def test_every_lemma_meets_an_oracle_or_says_why_not() -> None:
    listed = [*SURVIVORS, *WITHOUT_ORACLE, *NOTHING_TO_EDIT]
    assert len(listed) == len({*listed})
    assert {*listed} == {*kinds()}
    assert {kind for kind, rules in kinds().items() if not mutants(rules[0])} == NOTHING_TO_EDIT
    for kind in WITHOUT_ORACLE:
        rule = kinds()[kind][0]
        numbers = {name: E(values[0]) for name in rule.sorts for values in [EXTREMES.get(name, ("1",))]}
        with pytest.raises(KeyError):
            Oracle(numbers).sides(rule.conclusion)


def test_variants_of_a_lemma_differ_in_their_neighbours_alone() -> None:
    for kind, rules in kinds().items():
        texts = {
            json.dumps(rule.json(), sort_keys=True).replace(f'"{tag}"', '""').replace(f'"{kind}, {tag}"', "")
            for rule in rules
            for tag in NEIGHBOURS
            if rule.id.endswith(f", {tag}")
        }
        assert len(texts) <= 1, kind


@pytest.mark.parametrize("kind", SURVIVORS)
def test_mutants_contradict_the_oracle_but_for_those_listed(kind: str) -> None:
    rule = kinds()[kind][0]
    hard = [Oracle({name: E(value) for name, value in at.items()}, DIGITS).sides for at in HARD.get(rule.id, ())]
    found = fates(rule, [Oracle(at, DIGITS).sides for at in instances(rule, holds, MOST)], hard)
    assert any(one.contradicted for one in found)
    assert sorted(one.what for one in found if not (one.contradicted or one.weaker)) == sorted(SURVIVORS[kind])


def test_false_lemma_is_noticed() -> None:
    rule = lemmas()["gaussian tight pair, replace-one"]
    for mutant in mutants(rule)[:3]:
        object.__setattr__(changed := type(rule)(**{**_fields(rule)}), "conclusion", mutant.conclusion)
        with pytest.raises(ValueError, match="is contradicted"):
            fates(changed, [Oracle(at, DIGITS).sides for at in instances(rule, holds, 6)])


def _fields(rule: object) -> dict[str, object]:
    return {name: getattr(rule, name) for name in type(rule).__dataclass_fields__}  # type: ignore[attr-defined]


@pytest.mark.parametrize(("sigma", "epsilon"), [("1/257", 8), ("1/257", 40_000), ("1", 40), ("30", 1)])
def test_hockey_stick_at_extremes(sigma: str, epsilon: int) -> None:
    """The bump at mu = 257, and a divergence below 1e-340, against the closed form at 60 digits."""
    from mpmath import erfc, exp, sqrt

    with mp.workdps(60):
        mu = 1 / mpf(E(sigma).value.numerator) * E(sigma).value.denominator
        upper, lower = (erfc(-x / sqrt(mpf(2))) / 2 for x in (mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu))
        closed = upper - exp(mpf(epsilon)) * lower
    with mp.workdps(40):
        found = gaussian_hockey_stick(1 / mu, mpf(1), mpf(epsilon))
        assert abs(found - closed) <= mpf(10) ** -20 * closed


def test_edits_reach_every_kind_of_place() -> None:
    x = E("3") * lemmas()["gaussian tail"].conclusion.right - E(1)
    named = {what for what, _ in edits(x)}
    assert {"3 by a tenth up", "3 by a tenth down", "without 3", "-1 with its sign flipped"} <= named
    assert any(what.startswith("exponent") for what in named)


@pytest.mark.parametrize(("epsilon", "delta", "total"), [(1, "0.1", "0.7"), ("0.3", 0, "0.3"), (2, "0.001", 6), (0, "0.2", 0)])
@pytest.mark.parametrize("k", [1, 3])
def test_counted_outputs_are_those_listed(epsilon: object, delta: object, total: object, k: int) -> None:
    with mp.workdps(30):
        e, truth = mp.exp(mpf(epsilon)), mpf(delta)
        right, wrong = (1 - truth) * e / (e + 1), (1 - truth) / (e + 1)
        one = [(truth, mpf(0)), (mpf(0), truth), (right, wrong), (wrong, right)]
        listed = [(prod(p for p, _ in outputs), prod(q for _, q in outputs)) for outputs in product(one, repeat=k)]
        expected = finite_hockey_stick(listed, mpf(total))
        assert abs(composed_responses(mpf(epsilon), truth, k, mpf(total)) - expected) <= mpf(10) ** -24 * (expected + truth)


def test_counted_outputs_of_many_are_all_counted() -> None:
    """Against the whole sum, without where it starts and where it stops."""
    k, total = 400, mpf(12)
    with mp.workdps(30):
        e = mp.exp(mpf(1) / 10)
        right, wrong = e / (e + 1), 1 / (e + 1)
        pairs = [
            (mp.binomial(k, j) * right**j * wrong ** (k - j), mp.binomial(k, j) * wrong**j * right ** (k - j))
            for j in range(k + 1)
        ]
        expected = finite_hockey_stick(pairs, total)
        assert abs(composed_responses(mpf(1) / 10, mpf(0), k, total) - expected) <= mpf(10) ** -22 * expected


@pytest.mark.parametrize(("rho", "epsilon"), [("0.001", "0.1"), ("0.5", 0), ("0.5", 9), (20, 40)])
def test_bound_from_above_is_above_a_gaussian_pair_and_near_it(rho: object, epsilon: object) -> None:
    least = gaussian_hockey_stick(mpf(1), mp.sqrt(2 * mpf(rho)), mpf(epsilon))
    above = concentrated_above(mpf(rho), mpf(epsilon))
    assert least <= above <= 1
    assert mpf(epsilon) < 9 or mp.log(above) <= mp.log(least) * mpf("0.6")
