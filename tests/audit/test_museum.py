"""The museum: every record is sound, every truth is computed again, and the runs say what the page says."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpsco.audit.museum.exhibit import NO_ANSWER, TOO_LARGE, TOO_SMALL, Exhibit, exhibits, left_out, number
from dpsco.audit.museum.page import markdown, rows, screen
from dpsco.audit.museum.running import AbsentError, failing, recorded, reproduced, results, run, today
from dpsco.audit.museum.truths import TRUTHS, enclosed, sampled_noise, sampled_zero

SLOW = {"sampled_epsilon", "sampled_noise"}
PAGE = Path(__file__).parents[2] / "docs" / "museum.md"


def quick() -> list[str]:
    return [name for name, one in exhibits().items() if not SLOW & set(one.truth)]


def test_the_museum_is_as_large_as_it_says():
    seen = [name for name, one in exhibits().items() if reproduced(one, results().get(name))]
    assert len(exhibits()) >= 35
    assert len(seen) >= 20
    assert max(Counter(one.kind for one in exhibits().values()).values()) <= 5


@pytest.mark.parametrize("name", exhibits())
def test_a_record_names_its_thread_and_says_enough(name: str):
    one = exhibits()[name]
    assert one.thread.startswith("https://github.com/")
    assert set(one.truth) <= set(TRUTHS)
    assert one.second
    assert len(one.cause) <= 110
    assert "\n" not in one.cause + one.quantity + one.adjacency
    assert one.code or one.told, "either a program shows the claim or the thread says its number"


@pytest.mark.parametrize("name", quick())
def test_the_recorded_truth_is_what_dpsco_encloses(name: str):
    assert list(enclosed(exhibits()[name].truth)) == results()[name]["truth"]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(exhibits()) - set(quick())))
def test_the_recorded_truth_of_sampled_steps_is_what_dpsco_encloses(name: str):
    """Their ends hang on where the sums were made; both enclosures hold the one number, and stay as narrow as was promised."""
    low, high = map(Decimal, enclosed(exhibits()[name].truth))
    recorded_low, recorded_high = map(Decimal, results()[name]["truth"])
    assert max(low, recorded_low) <= min(high, recorded_high)
    (given,) = exhibits()[name].truth.values()
    said = set(given) >= {"low", "high"}  # a bracket whose two ends are proved, not an enclosure
    assert (low, high) == (Decimal(given["low"]), Decimal(given["high"])) if said else high - low <= Decimal("1e-6") * high


UPPER_BOUNDS = {"prv-17"}
"""Exhibits whose second number is another accountant's upper bound."""


@pytest.mark.parametrize("name", exhibits())
def test_the_second_number_agrees_with_the_enclosure(name: str):
    low, high = (Decimal(end) for end in results()[name]["truth"])
    for ran in results()[name]["runs"].values():
        second = number(ran.get("second"))
        assert second is not None
        if low.is_infinite():
            assert second == low
        elif name in UPPER_BOUNDS:
            assert second >= low
        else:
            slack = Decimal("2e-4") * max(abs(low), Decimal("1e-9"))
            assert low - slack <= second <= high + slack


def test_a_failure_in_the_record_is_a_failure_against_its_truth():
    for name, one in exhibits().items():
        entry = results()[name]
        for version, failed in failing(one, entry).items():
            claim = number(entry["runs"][version]["claimed"])
            if failed and one.fails == TOO_SMALL:
                assert claim is not None
                assert claim < Decimal(entry["truth"][0])
            elif failed and one.fails == TOO_LARGE:
                assert claim is not None
                assert claim > Decimal(entry["truth"][1])
            elif failed:
                assert claim is None


def test_what_a_failing_library_shows_supports_the_truth():
    """Where the run measured the library itself, the measure is at the truth (within sampling), and not at the claim."""
    for name, one in exhibits().items():
        entry = results()[name]
        for version, failed in failing(one, entry).items():
            seen = number(entry["runs"][version].get("seen"))
            if failed and one.fails == TOO_SMALL and seen is not None:
                assert seen >= Decimal("0.9") * Decimal(entry["truth"][0]), name


@pytest.mark.parametrize("name", [n for n, one in exhibits().items() if one.fails != NO_ANSWER])
def test_the_true_value_is_not_called_a_failure(name: str):
    """The control: what claims the truth itself does not fail, nor does what claims it with a rounding."""
    one, (low, high) = exhibits()[name], results()[name]["truth"]
    assert one.failed(low, low, high) is False
    assert one.failed(high, low, high) is False


def made(**changes: object) -> Exhibit:
    fields = {
        "id": "made",
        "library": "pip",
        "distribution": "pip",
        "thread": "https://github.com/x/y/issues/1",
        "cause": "c",
        "kind": "k",
        "quantity": "q",
        "adjacency": "a",
        "fails": TOO_SMALL,
        "truth": {"exact": {"value": "2"}},
        "seen_in": "1.0",
        "code": "claimed = 1",
        "second": "second = 2",
    }
    return Exhibit(**{**fields, **changes})  # type: ignore[arg-type]


def test_what_a_program_sets_is_what_is_recorded():
    ran = run(made(code="print('noise')\nclaimed, seen = 1, 2"), sys.executable)
    assert (ran["claimed"], ran["seen"], ran["second"]) == ("1.0", "2.0", "2.0")


def test_an_error_is_told_and_decides_nothing_unless_it_is_the_exhibits():
    ran = run(made(code="raise RuntimeError('no root')"), sys.executable)
    assert ran["claimed"] == "RuntimeError: no root"
    assert made().failed(ran["claimed"], "2", "2") is None
    silent = made(fails=NO_ANSWER, error="no root")
    assert silent.failed(ran["claimed"], "2", "2") is True
    assert silent.failed("ImportError: x", "2", "2") is None
    assert silent.failed("2.0", "2", "2") is False


def test_no_end_is_no_answer():
    ran = run(made(code="while True: pass", limit=1), sys.executable)
    assert ran["claimed"] == "no answer in 1 s"


def test_a_library_that_is_not_there_is_said():
    with pytest.raises(AbsentError, match="no-such-library-of-anybody"):
        run(made(distribution="no-such-library-of-anybody"), sys.executable)


def test_an_exhibit_without_a_program_is_not_run():
    with pytest.raises(ValueError, match="no program"):
        run(made(code=""), sys.executable)


@pytest.mark.parametrize(
    ("claims", "says"),
    [
        ({"1.0": "1", "2.0": "1"}, "still so in 2.0"),
        ({"1.0": "1", "2.0": "2"}, "fixed by 2.0"),
        ({"1.10": "2", "1.9": "1"}, "fixed by 1.10"),
        ({"1.0": "1", "2.0": "ImportError: x"}, "still so in 1.0"),
        ({"1.0": "2"}, "not seen in 1.0"),
        ({}, "not run"),
    ],
)
def test_today_is_what_the_newest_run_that_decides_says(claims: dict[str, str], says: str):
    kept: dict[str, object] = {}
    recorded(kept, made(), ("2", "2"), None)
    for version, claim in claims.items():
        recorded(kept, made(), ("2", "2"), {"version": version, "claimed": claim, "seconds": 0.0})
    assert today(made(), kept["made"]) == says  # type: ignore[arg-type]


def test_by_design_is_said_only_of_what_still_fails():
    kept: dict[str, object] = {}
    recorded(kept, made(), ("2", "2"), {"version": "1.0", "claimed": "1", "seconds": 0.0})
    assert today(replace(made(), design="d"), kept["made"]) == "by design in 1.0"  # type: ignore[arg-type]


def test_truths_that_are_not_proved_are_refused():
    with pytest.raises(ValueError, match="delta = 1e-9"):
        sampled_zero("1e-9", "1", "0.5", 1)
    with pytest.raises(ValueError, match="low = 5"):
        sampled_noise("1", "0.01", "1", 1, "5", "6")
    with pytest.raises(ValueError, match="guess"):
        enclosed({"guess": {}})


def test_what_is_left_out_is_no_failure_by_the_enclosure():
    for one in left_out():
        assert one.why
        if one.truth:
            enclosed(one.truth)


def test_the_page_is_written_from_the_records():
    assert PAGE.read_text(encoding="utf-8") == markdown(exhibits(), results(), left_out())


def test_the_number_of_failures_is_said_rightly():
    now = Counter(today(one, results().get(name)).partition(" in ")[0] for name, one in exhibits().items())
    seen = sum(reproduced(one, results().get(name)) for name, one in exhibits().items())
    says = (
        f"{len(exhibits())} failures, {seen} of them shown by running a released version; "
        f"{now['still so'] + now['by design']} are there in the newest that was run, {now['by design']} of them by design."
    )
    assert says in (PAGE.parent / "README.md").read_text(encoding="utf-8")


def test_a_number_is_called_the_threads_only_where_it_is():
    for name, one in exhibits().items():
        if one.told:
            shown = next(text for text in screen(one, results().get(name)) if one.told in text)
            assert shown.startswith("computed" if one.origin else "the thread")
            assert f"By the thread: {one.told}" not in PAGE.read_text(encoding="utf-8") or not one.origin
    computed = made(told="1", code="", origin="computed here")
    assert "computed   1 (too small; no program here runs it)" in screen(computed, None)
    assert "the thread 1 (too small; no program here runs it)" in screen(replace(computed, origin=""), None)


def test_the_lists_fit_the_screen():
    assert all(len(row) == 4 for row in rows(exhibits(), results()))
    for name, one in exhibits().items():
        assert 8 <= len(screen(one, results().get(name))) <= 24


def test_the_command_lists_shows_and_refuses(capfd: pytest.CaptureFixture[str], tmp_path: Path):
    from dpsco.__main__ import run as command

    assert command(["museum"]) == 0
    out = capfd.readouterr().out
    assert "exhibits of" in out
    assert max(len(text) for text in out.splitlines()) <= 80
    assert command(["museum", "opendp-2923"]) == 0
    assert "63.9375" in capfd.readouterr().out
    assert command(["museum", "opendp-2924"]) == 2
    assert command(["museum", "opendp-2923", "--run", "--python", str(tmp_path / "python")]) == 2
    assert command(["museum", "opendp-2923", "--record", str(tmp_path / "r.json")]) == 2
    assert command(["museum", "--json", str(tmp_path / "m.json")]) == 0
    assert set(json.loads((tmp_path / "m.json").read_text())["exhibits"]) == set(exhibits())


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n, one in exhibits().items() if one.code])
def test_an_installed_version_does_what_is_recorded(name: str):
    one = exhibits()[name]
    asked = subprocess.run([sys.executable, "-m", "pip", "show", "-q", one.distribution], capture_output=True, check=False)
    if asked.returncode:
        pytest.skip(f"{one.distribution} is not installed")
    ran = run(one, sys.executable)
    known = failing(one, results()[name])
    if ran["version"] not in known:
        pytest.skip(f"{one.distribution} {ran['version']} is not among the recorded runs")
    assert one.failed(ran["claimed"], *results()[name]["truth"]) is known[ran["version"]]
