"""The check by hand: every refuted claim has one, complete, that contradicts the claim and agrees with what is recorded."""

import re
from decimal import Decimal

import pytest

from dpsco.reference.numbers.enclosure import arb
from dpsco.running import ledger, recorded
from dpsco.show import hand
from dpsco.show.by_hand import CHECKS, Hand
from dpsco.show.hand import BITS, check_of, values_of
from dpsco.spec.expressions import Expr
from dpsco.spec.numbers import names_of
from dpsco.spec.register import find, register

REFUTED = [id for id in register() if ledger.read()[id]["severity"] is not None]
AGREE = Decimal("1e-5")
"""How near its numbers are to the recorded ones, relatively: an event may need a little less than the whole divergence."""
OTHERWISE = {
    "bilevel/def-erm": "it is recorded in words",
    "quantile/thm-3.2": "the last iterate is shown, recorded is the average",
    "quantile/sec-5-times": "recorded are the ends that the printed decimals leave",
    "newsvendor/prop-EC.2": "the limit is shown, recorded is a bound at one n",
}
"""Rows that show other numbers than the recorded ones, with the reason."""


def test_every_refuted_claim_has_a_check():
    assert {*CHECKS} == {*REFUTED}
    assert len(REFUTED) == 80


@pytest.mark.parametrize("id", REFUTED)
def test_it_names_all_that_a_reader_needs(id: str):
    """Every symbol of every formula has a value or a line above it, and both numbers of the conclusion are there."""
    check = check_of(id)
    assert check is not None
    known = {name for name, _ in check.given}
    assert all(value for _, values in check.given for value in values)
    for line in check.lines:
        assert {*names_of(line.formula)} <= known
        known.add(line.name)
        assert all(line.values)
    row = CHECKS[id]
    assert (row.so is None) == bool(row.grows)
    assert ({*row.so.symbols} if row.so is not None else {row.grows}) <= known
    assert len(check.so.split(" > " if " > " in check.so else " ")) >= 2
    assert 20 < len(check.why) < 500
    assert not check.why.endswith(".")


WRITTEN_OUT = {
    "quantile/table-1": "the integral is in its closed form",
    "newsvendor/table-EC.3": "one of the four functions is wrong",
    "spo/lem-5": "a mean over two costs of what is printed for one",
    "spo/thm-9": "the same",
    "spo/sec-6-rate": "a mean over costs",
    "spo/sec-3.2-loss": "vectors are written in entries",
    "bilevel/thm-B.15": "every polynomial time is refuted",
    "newsvendor/prop-EC.2": "a probability of its sign",
}
"""Rows that have not every formula that the refuted assertion names as it is printed, with the reason."""


def test_it_computes_the_printed_formulas_of_what_is_refuted():
    missing = {}
    for id in REFUTED:
        kept = recorded.read()[id]["finding"]
        assert kept is not None
        words = {word for assertion in kept["asserts"] for word in re.findall(r"\w+", assertion)}
        shown = {name for name, formula in CHECKS[id].lines if formula is None}
        if left := {*find(id).formulas} & words - shown:
            missing[id] = left
    assert {*missing} == {*WRITTEN_OUT}


def contradicted(id: str) -> bool:
    row, m = CHECKS[id], arb(BITS)
    if row.so is None:
        first, second = (values_of(id, place)[row.grows] for place in (0, 1))
        return bool(second > 2 * first)
    values = values_of(id)
    return row.so(m, **{name: values[name] for name in row.so.symbols}) is True


@pytest.mark.parametrize("id", REFUTED)
def test_the_claim_is_contradicted(id: str):
    assert contradicted(id)


def recomputed(id: str) -> dict[str, bool]:
    """For each side that the row names: whether it is the recorded number."""
    kept = recorded.read()[id]["finding"]
    assert kept is not None
    told = dict(zip(("claimed", "computed"), CHECKS[id].sides, strict=True))
    found = {}
    for side, name in told.items():
        ends = [kept["claimed"]] if side == "claimed" else kept["computed"]
        if name and ends and ends[0] is not None:
            value = Decimal(hand._short(values_of(id)[name], 30))
            apart = min(abs(value - Decimal(end)) for end in ends)
            found[side] = apart <= AGREE * max(abs(value), *(abs(Decimal(end)) for end in ends))
    return found


def test_its_numbers_are_the_recorded_ones():
    sides = {id: recomputed(id) for id in REFUTED}
    assert not [id for id, found in sides.items() if not all(found.values())]
    both = [id for id, found in sides.items() if len(found) == 2]
    from_formula = [id for id in both if any(formula is None for _, formula in CHECKS[id].lines)]
    assert len(both) >= 45
    assert len(from_formula) >= 25, "these recompute the claimed side from the printed formula"
    of_expressions = [
        id
        for id in from_formula
        if all(isinstance(find(id).formulas[name], Expr) for name, formula in CHECKS[id].lines if formula is None)
    ]
    assert len(of_expressions) >= 25
    numbers = [id for id in REFUTED if (kept := recorded.read()[id]["finding"]) and kept["claimed"] and not CHECKS[id].grows]
    assert {*numbers} - {*both} <= {*OTHERWISE, "newsvendor/lem-EC.1", "bilevel/thm-4.2"}


def test_a_check_that_holds_is_seen(monkeypatch: pytest.MonkeyPatch):
    """The control: where the printed noise is enough, the same lines contradict nothing."""
    row = CHECKS["bilevel/lem-A.3"]
    small = Hand(row.why, row.lines, so=row.so, values={"epsilon": "1"}, sides=row.sides)
    monkeypatch.setattr(hand, "CHECKS", {**CHECKS, "bilevel/lem-A.3": small})
    monkeypatch.setitem(globals()["CHECKS"], "bilevel/lem-A.3", small)  # type: ignore[index]
    assert not contradicted("bilevel/lem-A.3")
    assert not recomputed("bilevel/lem-A.3")["computed"]


def test_a_symbol_without_a_value_is_an_error(monkeypatch: pytest.MonkeyPatch):
    row = CHECKS["bilevel/lem-B.7"]
    bare = Hand(row.why, row.lines, so=row.so)
    monkeypatch.setattr(hand, "CHECKS", {"bilevel/lem-B.7": bare})
    with pytest.raises(ValueError, match=r"bilevel/lem-B\.7: the check by hand has no value of G"):
        hand.check_of.__wrapped__("bilevel/lem-B.7")
