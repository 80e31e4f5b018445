"""What an amendment changes, as data."""

import pytest

from dpsco.__main__ import run
from dpsco.spec.expressions import symbols
from dpsco.spec.library import statements
from dpsco.verify.changes import Change, changes, subterms

AMENDED = sorted(id for id, one in statements().items() if one.amends in statements())


@pytest.mark.parametrize("id", AMENDED)
def test_every_amendment_changes_something(id: str) -> None:
    amended = statements()[id]
    printed = statements()[str(amended.amends)]
    assert changes(printed, amended)
    assert not changes(amended, amended)
    assert len(changes(amended, printed)) == len(changes(printed, amended))


def test_changes_of_two_amendments() -> None:
    known = statements()
    assert changes(known["lp/thm-7-young"], known["lp/thm-7-young-amended"]) == [
        Change("asserts 1, right/sum.2/quotient.2/product.1", "2", "4"),
        Change("asserts 2, left/sum.2/quotient.2/product.1", "2", "4"),
        Change("asserts 4, sign", ">", ">="),
    ]
    (only,) = changes(known["bilevel/lem-A.3"], known["bilevel/lem-A.3-amended"])
    assert only.path == "asserts 1, left/LeastDelta.1/GaussianNoise.1"
    assert only.printed == "sensitivity * sqrt(2 * log(2 / delta)) / epsilon"


def test_smallest_places() -> None:
    x, y = symbols("x y")
    assert list(subterms("", x + y, x + y)) == []
    assert list(subterms("", x + 1, x + 2)) == [Change("/sum.2", "1", "2")]
    assert list(subterms("", x * y, (x + 1) * (y + 1))) == [Change("", "x * y", "(x + 1) * (y + 1)")]


def test_command_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["claims", "quantile/cond-2-amended"]) == 0
    assert "nothing -> exp(-far)" in capsys.readouterr().out
    assert run(["claims", "quantile/cond-2"]) == 0
    assert "changes" not in capsys.readouterr().out
