"""What `dpsco verify` says of a paper of one's own that is not finished: no mutants, no judge, a judge that fails."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dpsco.__main__ import run
from dpsco.extending.sources import place_of


@pytest.mark.parametrize(
    ("before", "after", "verdict", "says"),
    [
        ("MUTANTS", "SPARE", "asserted by its author", "no mutants: the judge's power is not known"),
        ("lambda: 2 * 1.0**2 > 1.0", "lambda: None", "asserted by its author", "2 of at least 3 false mutants killed"),
        ("MUTANTS", "MUTANTS", "certified", "3/3 false mutants killed"),
    ],
)
def test_a_certificate_says_what_it_is_worth(
    written: Callable[..., tuple[str, Path]],
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
    verdict: str,
    says: str,
):
    key, file = written(edit=(before, after))
    assert run(["verify", f"{key}/thm-1", "--from", str(file), "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert f"claims: 1 {verdict}\n" in shown
    assert says in " ".join(shown.split())


def test_a_claim_that_nobody_judges_says_so(written: Callable[..., tuple[str, Path]], capsys: pytest.CaptureFixture[str]):
    _, file = written(edit=(', "{key}/thm-2": judged', ""))
    assert run(["verify", "--from", str(file), "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("JUDGES has no judge for it") == 1
    assert "1 of the open ones are not judged yet" in shown


@pytest.mark.parametrize(
    ("before", "after", "raised"),
    [
        ("return x**2", "return math.log(x)", "ValueError"),
        ("return x**2", "return m.root(x)", "AttributeError"),
    ],
)
def test_a_failing_judge_has_a_place(
    written: Callable[..., tuple[str, Path]], capsys: pytest.CaptureFixture[str], before: str, after: str, raised: str
):
    key, file = written(edit=(before, after))
    file.write_text(f"import math\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    (line,) = (number for number, text in enumerate(lines, 1) if after in text)
    assert run(["verify", f"{key}/thm-1", "--from", str(file), "--jobs", "1"]) == 1
    shown = capsys.readouterr()
    for said in (shown.out, shown.err):
        assert raised in said
        assert f"({file.name}:{line})" in " ".join(said.split())


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("def square(m, x)", "def square(m, y)", "the formula 'left' asks for y; the parameters are x"),
        ("def square(m, x)", "def square(m, x, eps, y)", "the formula 'left' asks for eps, y; the parameters are x"),
        (
            "formulas={{",
            'preconditions=(Predicate("y > 0", lambda m, y: m.gt(y, 0), {{"y": 1}}, {{"y": 0}}),), formulas={{',
            "the precondition 'y > 0' asks for y; the parameters are x",
        ),
    ],
)
def test_an_argument_that_is_no_parameter_is_refused(
    written: Callable[..., tuple[str, Path]], capsys: pytest.CaptureFixture[str], before: str, after: str, what: str
):
    key, file = written()
    text = file.read_text(encoding="utf-8")
    changed = text.replace(before.replace("{{", "{"), after.replace("{{", "{").replace("}}", "}"), 1)
    file.write_text(f"from dpsco.spec.predicate import Predicate\n{changed}", encoding="utf-8")
    assert changed != text
    assert run(["verify", f"{key}/thm-1", "--from", str(file), "--jobs", "1"]) == 2
    assert f"{key}/thm-1: {what}" in " ".join(capsys.readouterr().err.split())


def test_an_error_elsewhere_has_no_place(tmp_path: Path):
    with pytest.raises(ValueError, match="invalid literal") as raised:
        int("x")
    here = Path(__file__).resolve()
    assert re.fullmatch(rf"{here.name}:\d+", place_of(raised.value, [here]) or "")
    assert place_of(raised.value, [tmp_path / "mine.py"]) is None
