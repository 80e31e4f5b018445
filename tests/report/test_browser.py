"""In a browser: the filters work from the fragment, and no script complains. Skipped where there is no chromium."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dpsco.report.claim import claim_page
from dpsco.report.data import file_of, register_of
from dpsco.report.front import front_page
from dpsco.report.site import ASSETS, FILES, write
from dpsco.running.record import Record
from dpsco.spec.register import register

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
SECONDS = 120
CLAIM = "bilevel/lem-A.3"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason=f"none of {', '.join(NAMES)} is installed"),
]


@pytest.fixture(scope="module")
def folder(records: list[Record], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages that have a script to run."""
    place, whole = tmp_path_factory.mktemp("site"), register_of(records)
    pages = {"index.html": front_page(whole, [], "0"), file_of(CLAIM): claim_page(whole, CLAIM, {}, "0")}
    write(pages | {name: (ASSETS / name).read_text(encoding="utf-8") for name in FILES}, place)
    (place / "faulty.html").write_text("<!doctype html><script>undefinedName()</script>", encoding="utf-8")
    return place


def opened(folder: Path, address: str, tmp_path: Path, width: int = 1200) -> tuple[str, list[str]]:
    """The document after its scripts have run, and what they said on the console."""
    assert BROWSER is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0", f"--user-data-dir={tmp_path}"]
    done = subprocess.run(
        [BROWSER, *options, f"--window-size={width},900", "--dump-dom", f"{folder.as_uri()}/{address}"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def rows(document: str, shown: bool) -> list[str]:
    found = re.findall(r'<tr data-id="([^"]*)"[^>]*?( hidden="")?>', document)
    return [id for id, hidden in found if bool(hidden) is not shown]


@pytest.mark.parametrize(
    ("fragment", "paper", "verdict"),
    [("", None, None), ("#paper=lp&verdict=refuted", "lp", "refuted"), ("#paper=nobody&verdict=open", None, "open")],
)
def test_filters_work_from_the_fragment(
    fragment: str, paper: str | None, verdict: str | None, folder: Path, records: list[Record], tmp_path: Path
):
    document, said = opened(folder, f"index.html{fragment}", tmp_path)
    wanted = [
        r["id"]
        for r in records
        if "amends" not in r and paper in (None, r["id"].split("/")[0]) and verdict in (None, r["verdict"])
    ]
    assert sorted(rows(document, shown=True)) == sorted(wanted)
    assert f"{len(wanted)} of {len(register())} statements" in document
    dimmed = re.findall(r'<li data-id="([^"]*)" class="out"', document)
    assert sorted(dimmed) == sorted(rows(document, shown=False))
    assert said == []


def test_a_severity_filters(folder: Path, records: list[Record], tmp_path: Path):
    document, said = opened(folder, "index.html#severity=rate&proof=not+printed", tmp_path)
    wanted = [r["id"] for r in records if r["severity"] == "rate" and r["proof"]["word"] == "not printed" and "amends" not in r]
    assert wanted
    assert sorted(rows(document, shown=True)) == sorted(wanted)
    assert said == []


def test_words_are_searched_in_what_a_row_says(folder: Path, tmp_path: Path):
    document, _ = opened(folder, "index.html#text=MOREAU+envelope", tmp_path)
    found = rows(document, shown=True)
    assert found
    assert len(found) < len(register())
    for id in found:
        row = re.search(rf'<tr data-id="{re.escape(id)}".*?</tr>', document, re.DOTALL)
        assert row is not None
        assert "moreau" in row[0].lower()
        assert "envelope" in row[0].lower()


def test_letters_are_found_by_their_names(folder: Path, tmp_path: Path):
    """A statement shows an epsilon as a letter, and is found by what one types."""
    document, _ = opened(folder, "index.html#text=epsilon^2", tmp_path)
    found = rows(document, shown=True)
    assert 0 < len(found) < len(register())
    row = re.search(rf'<tr data-id="{re.escape(found[0])}".*?</tr>', document, re.DOTALL)
    assert row is not None
    assert "ε<sup>2</sup>" in row[0]


@pytest.mark.parametrize(("width", "reached"), [(1200, False), (500, True)])
def test_what_scrolls_sideways_is_reached_with_the_keyboard(width: int, reached: bool, folder: Path, tmp_path: Path):
    document, said = opened(folder, file_of(CLAIM), tmp_path, width)
    assert ('<pre class="copied" id="script" tabindex="0">' in document) is reached
    assert said == []


def test_a_script_can_be_copied(folder: Path, tmp_path: Path):
    document, said = opened(folder, file_of(CLAIM), tmp_path)
    assert '<button type="button">Copy</button><pre class="copied"' in document
    assert said == []


def test_an_error_would_be_seen(folder: Path, tmp_path: Path):
    assert opened(folder, "faulty.html", tmp_path)[1]
