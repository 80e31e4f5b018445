"""Conditions on inputs: read and not run, kept by every input that is tried, refused where nothing is left."""

import json
import math
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dpsco.__main__ import run
from dpsco.reference.numbers.mp import mp
from dpsco.regression import regress
from dpsco.regression.inputs import inputs
from dpsco.regression.values import promoted
from dpsco.regression.within import conditions, inside, kept, narrowed, numbers_of
from dpsco.spec.contract import FINITE, ULPS, contract
from dpsco.spec.domain import Integers, Parameter, positive

PROFILE = "privacy.gaussian.profile"
GRADIENT = "losses.quantile.smoothing.gradient"
CONTRACTS = regress.contracts()


@contract(
    metric=ULPS,
    range=FINITE,
    inputs=(Parameter("x", "argument", positive), Parameter("n", "count", Integers(1))),
    hard=({"x": 2.0, "n": 1}, {"x": 1e300, "n": 1}),
)
def scaled(x: float, n: int) -> float:
    """n times x."""
    raise NotImplementedError


def wrong_above_a_hundred(x: float, n: int) -> float:
    return n * x if x <= 100 else n * x * 1.001


def literally(m: Any, x: Any, n: Any) -> Any:
    return n * x


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epsilon <= 100", ["epsilon <= 100"]),
        ("0.1 <= mu < 1e-3 and epsilon = 2", ["1/10 <= mu", "mu < 1/1000", "epsilon = 2"]),
        ("mu > epsilon, -1 < epsilon - mu^2/2", ["mu > epsilon", "-1 < epsilon - mu^2 / 2"]),
        ("exp(max(mu, epsilon)) >= 3", ["exp(max(mu, epsilon)) >= 3"]),
    ],
)
def test_what_is_read_is_what_is_written(text: str, said: list[str]):
    assert [str(one) for one in conditions(text, CONTRACTS[PROFILE])] == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epsilon", "compares nothing"),
        ("", "is no condition"),
        ("eps <= 1", "the contract's numbers are epsilon, mu"),
        ("epsilon != 1", "compares by another sign; allowed: < <= = >= >"),
        ("__import__('os').system('true') < 1", "is no number here"),
        ("epsilon.real < 1", "is no number here"),
        ("epsilon < 1e99999", "is no number here"),
        ("epsilon < 'a'", "is no number here"),
        ("epsilon < True", "is no number here"),
        ("(" * 200 + "epsilon", "is no condition"),
        ("epsilon < 1 and " * 99, "at most 500"),
    ],
)
def test_anything_else_is_refused(text: str, said: str):
    with pytest.raises(ValueError, match=re.escape(said)):
        conditions(text, CONTRACTS[PROFILE])


@pytest.mark.parametrize("text", ["x <= 100", "1 < x, x < 1 + 1e-9", "x = 3, n = 2", "n <= 3 and x <= n", "sqrt(x) < 2, 5 < n"])
def test_every_input_keeps_them(text: str):
    asked = conditions(text, scaled)
    found = list(inside(scaled, 50, 0, asked))
    assert len(found) >= 50
    assert all(kept(given, asked) for given in found)
    assert not all(kept(given, asked) for given in inputs(scaled, 50, 0)), "the domain itself does not keep them"


def test_a_box_is_drawn_from_up_to_its_ends():
    box = narrowed(scaled, conditions("2 <= x <= 3, n <= 2", scaled))
    assert [str(p.domain) for p in box.inputs] == ["[2, 3]", "{1, 2, ..., 2}"]
    assert [dict(given) for given in box.hard] == [{"x": 2.0, "n": 1}]
    drawn = [float(str(given["x"])) for given in inside(scaled, 0, 0, conditions("2 <= x <= 3, n <= 2", scaled))]
    assert (min(drawn), max(drawn)) == (2.0, 3.0)
    assert math.nextafter(2.0, 3.0) in drawn


@pytest.mark.parametrize("text", ["x < 0", "x > 5, x < 5", "n < 1", "x > 1, x < 1.00000000000000001"])
def test_an_empty_box_is_refused(text: str):
    with pytest.raises(ValueError, match="keeps them"):
        list(inside(scaled, 1, 0, conditions(text, scaled)))


def test_a_kernel_is_right_within_and_wrong_outside():
    """The control is the whole domain, on which the same kernel fails."""
    for text, verdict in (("x <= 100", regress.OK), ("x <= 200", regress.FAIL), ("", regress.FAIL)):
        asked = conditions(text, scaled) if text else []
        result = regress.compare(scaled, wrong_above_a_hundred, literally, samples=60, budget=1.0, within=asked)
        assert result.verdict == verdict, text


def test_generated_inputs_are_kept_or_passed_over():
    made = CONTRACTS[GRADIENT]
    assert numbers_of(made) == ["h", "r"]
    found = list(inside(made, 5, 0, conditions("h >= 1, r < 1/2", made)))
    assert len(found) >= 5
    assert all(float(str(given["h"])) >= 1 and float(str(given["r"])) < 0.5 for given in found)
    with pytest.raises(ValueError, match="keeps the conditions"):
        regress.compare(made, lambda *_: 0.0, lambda *_: 0.0, samples=2, within=conditions("h * r > 1e300", made))


def test_the_worst_are_shown_with_got_and_expected():
    result = regress.compare(scaled, wrong_above_a_hundred, literally, samples=60, budget=1.0)
    assert len(result.worst) == 5
    assert [miss.error for miss in result.worst] == sorted(result.errors, reverse=True)[:5]
    for miss in result.worst:
        x, n = float(str(miss.at["x"])), int(str(miss.at["n"]))
        assert miss.got == repr(wrong_above_a_hundred(x, n))
        assert float(miss.expected) == n * x != float(miss.got)


def test_of_several_numbers_the_worst_is_shown():
    made = CONTRACTS[GRADIENT]
    reference = regress.implementation("reference", made)
    assert reference is not None

    def right(*given: Any) -> list[float]:
        m = mp(60)
        named = dict(
            zip(made.signature.parameters, (one.tolist() if hasattr(one, "tolist") else one for one in given), strict=True)
        )
        return [float(x) for x in reference(m, **promoted(m, named))[0]]

    def moved(*given: Any) -> list[float]:
        answer = right(*given)
        return [*answer[:-1], answer[-1] + 0.25]

    result = regress.compare(made, moved, reference, samples=4, budget=2.0)
    worst = result.worst[0]
    size = len(worst.at["theta"])  # type: ignore[arg-type]
    assert worst.got.startswith(f"entry [{size - 1}]: ")
    assert float(worst.got.split(": ")[1]) - float(worst.expected) == pytest.approx(0.25)
    short = regress.compare(made, lambda *given: right(*given)[:0], reference, samples=2, budget=2.0)
    assert short.worst[0].remark == "the shape is another"


RATIO = "losses.newsvendor.critical_ratio"


def test_the_command_asks_about_a_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Outside of the box the sum overflows."""
    (tmp_path / "naive_ratio.py").write_text("def ratio(c_u, c_o):\n    return c_u / (c_u + c_o)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    asked = ["regress", RATIO, "--kernel", "naive_ratio:ratio", "--samples", "20", "--budget"]
    assert run([*asked, "2", "--within", "c_u <= 1e300", "--within", "1 <= c_o, c_o <= 4"]) == 0
    shown = capsys.readouterr().out
    assert "1 within budget, on inputs with c_u <= 1e300 and 1 <= c_o, c_o <= 4 only" in " ".join(shown.split())
    assert run([*asked, "2"]) == 1
    assert "exceed the budget" in " ".join(capsys.readouterr().out.split())
    assert run([*asked, "0", "--within", "c_u <= 5 and 1 <= c_o <= 4", "--json", "found.json"]) == 1
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert all(f"    {number}. " in shown for number in range(1, 6))
    assert shown.count("got ") == shown.count("expected ") == 5
    assert "90 % at most" in shown
    written = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert written["within"] == ["c_u <= 5 and 1 <= c_o <= 4"]
    (found,) = written["contracts"]
    assert float(found["quantiles"]["0.9"]) <= float(found["quantiles"]["0.99"]) <= float(found["max"])
    assert found["worst"][0]["error"] == found["max"]
    assert len({str(miss["at"]) for miss in found["worst"]}) == 5
    for wrong, said in (("c_u <= -1", "no c_u in (0, inf) keeps them"), ("x < 1", "the contract's numbers are c_u, c_o")):
        assert run([*asked, "15", "--within", wrong]) == 2
        assert said in capsys.readouterr().err
    assert run(["regress", RATIO, "--record", "--within", "c_u < 1"]) == 2
    assert "--within" in capsys.readouterr().err


def test_what_no_double_is_near_to_is_bounded():
    result = regress.compare(CONTRACTS[PROFILE], lambda epsilon, mu: 1.0, tiny, samples=0, budget=1.0)
    assert {miss.expected for miss in result.worst} == {"within 1e-2000 of 0"}


def tiny(m: Any, epsilon: Any, mu: Any) -> Any:
    return m.real(10) ** -5000


def test_a_folder_is_all_of_it(capsys: pytest.CaptureFixture[str]):
    assert run(["regress", "privacy.laplace", "privacy/group", "--list"]) == 0
    shown = capsys.readouterr().out
    assert "privacy.laplace.profile" in shown
    assert "privacy.group.delta_at_distance" in shown
    assert "2 contracts;" in shown


def test_the_numbers_of_every_contract_are_known():
    for made in CONTRACTS.values():
        given = regress.inputs(made, 0, 0)
        known = next(given, None) or made.generate(Random(0))  # type: ignore[misc]
        assert all(isinstance(known[name], int | float) for name in numbers_of(made)), made.id
