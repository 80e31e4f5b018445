"""What differs between two formulas is marked, and nothing else."""

import re

import pytest

from dpsco.show.html import displays
from dpsco.show.marks import marked, marked_text
from dpsco.show.report.markup import Markup


@pytest.mark.parametrize(
    ("printed", "amended", "shown"),
    [
        ("4*epsilon + 8", "8*epsilon + 8", "«8»*epsilon + 8"),
        ("a + b", "a + b", "a + b"),
        ("a/n", "a", "a"),
        ("a", "a/n", "a«/n»"),
        ("x_1", "x_2", "«x_2»"),
        ("a/b", "(a + 1)/b", "(a + 1)/b"),
    ],
)
def test_a_line_of_text(printed: str, amended: str, shown: str):
    assert marked_text(printed, amended) == shown


def changed(formula: str) -> list[str]:
    return re.findall(r'<(\w+) class="changed">(.*?)</\1>', formula)


def test_the_smallest_part_is_marked():
    key = ("variance", "")
    shown = marked(displays("quantile/thm-3.5")[key], displays("quantile/thm-3.5-amended")[key])
    assert changed(shown) == [("mn", "8"), ("mn", "32")]


def test_nothing_is_marked_in_the_same_formula():
    formula = displays("quantile/thm-3.5")["variance", ""]
    assert not changed(marked(formula, formula))


def test_what_is_left_out_marks_the_row_and_what_is_new_itself():
    one, two = (
        Markup("<math><mrow><mi>a</mi></mrow></math>"),
        Markup("<math><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow></math>"),
    )
    assert changed(marked(one, two)) == [("mo", "+"), ("mn", "1")]
    assert changed(marked(two, one)) == [("mrow", "<mi>a</mi>")]
    raised = Markup("<math><msup><mi>a</mi><mn>2</mn></msup></math>")
    assert changed(marked(raised, Markup(raised.replace("2", "3")))) == [("mn", "3")]
    assert changed(marked(one, raised)) == [("msup", "<mi>a</mi><mn>2</mn>")]
