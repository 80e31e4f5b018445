"""Printed witnesses: run without dpsco, short, and of the same values as those written by hand."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import mpmath
import pytest

from dpsco.__main__ import run
from dpsco.running.record import witness_file
from dpsco.spec.expressions import E, Number, sqrt
from dpsco.spec.library import statements
from dpsco.verify.instances import number, sides
from dpsco.verify.witness import LONGEST, ConstructionError, Refutation, at_constant, printed, refutations, script

PRINTED = ["bilevel/lem-A.3", "lp/thm-7-young", "lp/thm-10-noise", "quantile/cond-2", "spo/def-12"]
CONSTRUCTIONS = ["quantile/thm-3.7-sample", "spo/def-6", "spo/lem-2"]
"""The mechanisms, and the answer, of these counterexamples are written by hand."""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which mpmath is the only package."""
    place = tmp_path_factory.mktemp("bare")
    ignored = shutil.ignore_patterns("tests", "__pycache__", "*.pyc")
    shutil.copytree(Path(mpmath.__file__).parent, place / "mpmath", ignore=ignored)
    return place


def output(text: str, bare: Path) -> subprocess.CompletedProcess[str]:
    start = f"import sys; sys.path.insert(0, {str(bare)!r}); exec(compile({text!r}, 'witness', 'exec'))"
    return subprocess.run([sys.executable, "-I", "-S", "-c", start], capture_output=True, text=True, cwd=bare, timeout=120)


def values(text: str) -> set[str]:
    """The numbers of an output, to 6 digits."""
    return {f"{float(one):.6g}" for one in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", text)}


@pytest.mark.parametrize("id", PRINTED)
def test_printed_script_shows_the_refutation_alone(id: str, bare: Path) -> None:
    text = printed(id)
    assert len(text.splitlines()) <= LONGEST
    done = output(text, bare)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("FALSE: left = ")]
    assert len(lines) == sum(3 if one.constant else 1 for one in refutations(id))
    claim = statements()[id]
    for one, line in zip([one for one in refutations(id) if not one.constant], lines, strict=False):
        asserted = claim.asserts[one.place]
        if not asserted.left.nouns:
            found = sides(at_constant(asserted, ""), one.at)
            assert found is not None
            assert values(" ".join(str(float(side)) for side in found)) <= values(line)


@pytest.mark.parametrize("id", CONSTRUCTIONS)
def test_constructions_are_written_by_hand(id: str) -> None:
    with pytest.raises(ConstructionError):
        printed(id)
    assert witness_file(id) is not None


HAND: dict[tuple[str, int], dict[str, Number]] = {
    ("bilevel/lem-A.3", 0): {"epsilon": 8, "delta": "0.1"},
    ("lp/thm-7-young", 1): {"distance": 2, "step_divergence": 2, "inner_product": 2},
    ("lp/thm-7-young", 3): {},
    ("spo/def-12", 0): {"epsilon": 1, "d": 9},
}
"""The instances of the witnesses written by hand, by claim and place of the assertion."""


@pytest.mark.parametrize(("id", "place"), HAND)
def test_same_values_as_the_witness_written_by_hand(id: str, place: int, bare: Path) -> None:
    claim, file = statements()[id], witness_file(id)
    assert file is not None
    at = claim.moved(**HAND[id, place])
    done = output(script(claim, [Refutation(place, at)]), bare)
    assert done.returncode == 0, done.stderr
    mine = values(done.stdout.splitlines()[-1].removeprefix("FALSE: "))
    assert len(mine) == 2 or (id, place) == ("lp/thm-7-young", 3)
    assert mine <= values(output(file.read_text(encoding="utf-8"), bare).stdout)


def test_same_values_along_the_path_written_by_hand(bare: Path) -> None:
    claim, file = statements()["lp/thm-10-noise"], witness_file("lp/thm-10-noise")
    assert file is not None
    hand = values(output(file.read_text(encoding="utf-8"), bare).stdout)
    at = claim.moved(n=10, T=10, batch=1, delta="1/2", d=4, kappa="5/4", beta=1, M=1, lambda_=1, epsilon=1 / sqrt(E(10)))
    order = claim.asserts[2]
    for side in (order.left, order.right):
        assert f"{float(number(side.where(at))):.6g}" in hand


def test_an_instance_that_refutes_nothing_fails(bare: Path) -> None:
    claim = statements()["bilevel/lem-A.3"]
    assert output(script(claim, [Refutation(0, claim.inside)]), bare).returncode != 0
    outside = claim.moved(epsilon=8, delta=2)
    assert output(script(claim, [Refutation(0, outside)]), bare).returncode != 0


def test_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["witness", "bilevel/lem-A.3", "--printed"]) == 0
    assert capsys.readouterr().out == printed("bilevel/lem-A.3")
    assert run(["witness", "spo/lem-2", "--printed"]) == 2
    assert "closed form" in capsys.readouterr().err
    assert run(["witness", "spo/thm-4", "--printed"]) == 2
