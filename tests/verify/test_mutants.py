"""Generated mutants of the lemmas, held against oracles that share nothing with them."""

from collections.abc import Mapping

import pytest
from mpmath import mp, mpf

from dpsco.reference.oracles import Oracle, gaussian_hockey_stick
from dpsco.spec.expressions import Condition, E, Expr
from dpsco.spec.library import lemmas
from dpsco.verify.edits import edits, fates, instances, meets, mutants

SURVIVORS: Mapping[str, set[str]] = {
    "Bernoulli's inequality": {"left: without k * x"},
    "basic composition, replace-one": set(),
    "gaussian tail": {"right: exponent 1 for 2"},
    "gaussian tight pair, replace-one": set(),
    "logarithm below its tangent": set(),
    "mean of a draw from two halves": set(),
    "mean of a half-sphere": set(),
    "quotients of a half-sphere draw, replace-one": set(),
    "the rho of a budget": {"left: 2 by a tenth down"},
    "twice the advantage of randomised response": {"left: 1 by a tenth down", "left: without 1"},
}
"""Of each lemma with an oracle, the mutants that no instance contradicts and that the lemma does not imply by itself."""


def holds(hypothesis: Condition, at: Mapping[str, Expr]) -> bool:
    return meets(hypothesis, Oracle(at).sides(hypothesis))


@pytest.mark.parametrize("id", SURVIVORS)
def test_mutants_contradict_the_oracle_but_for_those_listed(id: str) -> None:
    rule = lemmas()[id]
    found = fates(rule, [Oracle(at).sides for at in instances(rule, holds)])
    assert any(one.contradicted for one in found)
    assert {one.what for one in found if not (one.contradicted or one.weaker)} == SURVIVORS[id]


def test_false_lemma_is_noticed() -> None:
    rule = lemmas()["gaussian tight pair, replace-one"]
    for mutant in mutants(rule)[:3]:
        object.__setattr__(changed := type(rule)(**{**_fields(rule)}), "conclusion", mutant.conclusion)
        with pytest.raises(ValueError, match="is contradicted"):
            fates(changed, [Oracle(at).sides for at in instances(rule, holds, 6)])


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
