"""Which verdicts are argued: the two rules, each with a graph that it must catch and one that it must let pass."""

from dataclasses import replace
from pathlib import Path

from dpsco.spec.lemmas import Lemma, Status, lemma
from dpsco.spec.library import lemmas, statements
from dpsco.spec.privacy.composition.adaptive import basic
from dpsco.spec.privacy.profile import MECHANISM, LeastDelta, any_mechanism, delta, epsilon, falls
from dpsco.spec.statement import asserted
from dpsco.verify.standing import family_of, says, standing

CLAIM = statements()["spo/lem-3"]


def prose(id: str, conclusion: object) -> Lemma:
    return lemma(
        id,
        conclusion,
        status=Status.PROSE,
        text="t",
        proof="p",
        **({"mechanism": MECHANISM} if "any" in id else {}),  # type: ignore[arg-type]
    )


def test_assertion_under_another_name_is_caught() -> None:
    assert says(prose("any mechanism", LeastDelta(any_mechanism, epsilon) <= delta), CLAIM)
    least = CLAIM.asserts[1].left
    assert says(prose("itself", least <= CLAIM.asserts[1].right), CLAIM)
    assert says(prose("one arithmetic step", least.where({"epsilon": 2 * epsilon}) <= delta / 3), CLAIM)


def test_assertion_that_is_padded_or_turned_is_caught() -> None:
    least, other = LeastDelta(any_mechanism, epsilon), LeastDelta(any_mechanism, 2 * epsilon)
    padded = [least <= delta + 0 * other, least + other <= delta, 2 * least <= delta + least, least + (other - other) <= delta]
    assert all(says(prose("any mechanism", one), CLAIM) for one in padded)
    assert not says(prose("any mechanism", least <= delta + other), CLAIM)
    mechanism = CLAIM.asserts[1].left.args[0]
    two = replace(CLAIM, asserts=(asserted(LeastDelta(mechanism, 2 * epsilon) <= LeastDelta(mechanism, epsilon)),))
    assert says(prose("any mechanism", least >= other), two)


def test_bridge_between_two_quantities_is_not_an_assertion() -> None:
    assert not says(falls, CLAIM)


def test_status_other_than_prose_is_not_asked() -> None:
    rule = basic["replace-one"]
    found = standing(CLAIM, {CLAIM.id: [rule.id]}, {}, {rule.id: rule})
    assert found.cited == (rule.id,)
    assert not found.argued


def test_lemma_of_one_family_is_caught() -> None:
    amends = {"spo/lem-3-amended": "spo/lem-3", "spo/lem-3": None, "spo/thm-1": None}
    used = {"spo/lem-3": [falls.id], "spo/lem-3-amended": [falls.id], "spo/thm-1": []}
    lemmas = {falls.id: falls}
    assert standing(CLAIM, used, amends, lemmas).reasons == (f"(b) {falls.id}",)
    assert not standing(CLAIM, {**used, "spo/thm-1": [falls.id]}, amends, lemmas).argued


def test_family_is_all_amendments_of_one_claim() -> None:
    amends = {"a": None, "b": "a", "c": "b", "d": "a", "e": None}
    assert family_of("c", amends) == {"a", "b", "c", "d"}
    assert family_of("e", amends) == {"e"}


def test_no_lemma_is_a_proof_assistants_without_its_file() -> None:
    """There is no `proofs/` in the tree yet: whoever adds a file says here how its theorems are found."""
    assert not [name for name, lemma in lemmas().items() if lemma.status is Status.ROCQ]
    assert not (Path(__file__).parents[2] / "proofs").exists()
