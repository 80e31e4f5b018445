"""What a record shows of a broken proof: the step that shows it most plainly."""

from typing import Any

import pytest

from dpsco.command.showing import numbers
from dpsco.running.record import NO_DIGITS, digits_apart, false_step


def step(
    scope: str, claimed: str | None, computed: tuple[str, str] | None, rung: int = 3, said: dict[str, str] | None = None
) -> dict[str, Any]:
    """The record of a false step of the printed proof."""
    number = {"claimed": claimed, "computed": list(computed) if computed else None, "symbolic": said or {}, "at": {}}
    return {**number, "scope": scope, "rung": rung, "about": "proof", "reading": "printed", "verdict": "refuted"}


@pytest.mark.parametrize(
    ("number", "digits"),
    [
        (step("", "0", ("60.57", "60.58")), 1),
        (step("", "1", ("1.4", "1.4")), 2),
        (step("", "0.99999750208281201", ("0.99999750458125210", "0.99999750458125211")), 9),
        (step("", None, None, said={"claimed": "5/4", "computed": "3/2"}), 1),
        (step("", None, ("0", "0.0161"), said={"claimed": "at least 0.0397"}), 1),
        (step("", "0", ("0.5", "1e-400000000")), 1),
        (step("", "1", ("1", "1")), NO_DIGITS),
        (step("", None, ("inf", "inf"), said={"claimed": "bounded"}), NO_DIGITS),
        (step("", None, None, said={"claimed": "1/0", "computed": "3/2 epsilon"}), NO_DIGITS),
    ],
)
def test_digits_that_tell_two_sides_apart(number: dict[str, Any], digits: int):
    assert digits_apart(number) == digits


PLAIN, CLOSE = step("plain", "0", ("60", "60")), step("close", "0.9999", ("0.9998", "0.9998"), rung=1)
ORDER = step("an order of growth", None, ("2", "2"), rung=1, said={"claimed": "a bounded multiple of 1"})
UNBOUNDED = step("no number", None, ("inf", "inf"), rung=1, said={"claimed": "bounded"})


@pytest.mark.parametrize("turned", [1, -1])
def test_the_plainest_step_is_shown_whatever_its_place_and_rung(turned: int):
    ladder = [PLAIN, CLOSE, ORDER, UNBOUNDED]
    for first in range(len(ladder)):
        assert false_step(ladder[first:][::turned]) is ladder[first]


def test_among_equals_the_highest_rung_and_nothing_that_is_not_printed_or_false():
    exact = {**PLAIN, "rung": 1}
    assert false_step([PLAIN, exact]) is exact
    others = [{**exact, "reading": "meant"}, {**exact, "about": "statement"}, {**exact, "verdict": "certified"}]
    assert false_step([*others, UNBOUNDED]) is UNBOUNDED


def test_both_sides_are_shown_with_the_digits_that_part_them():
    close = step("", "0.99999750208281201", ("0.99999750458125210", "0.99999750458125211"))
    assert numbers(close) == "claimed 0.999997502, computed 0.999997505"
    assert numbers(PLAIN) == "claimed 0, computed 60"
    multiple = step("", None, ("0", "0"), said={"claimed": "at least a multiple of 1.4621171572600097 to 1.4621171572600098"})
    assert numbers(multiple) == "computed 0, claimed at least a multiple of 1.46212"
