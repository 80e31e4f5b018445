"""The pytest plugin, run as its users run it: a library's suite of ten promises, its level, reports, what it refuses."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

HERE = Path(__file__).parent
FAULTY = {"test_balance", "test_histogram", "test_report", "test_first_above"}
SOUND = {"test_mean", "test_count", "test_total", "test_choice", "test_answers", "test_median"}
BAD = {"test_report": "leaks"} | dict.fromkeys(sorted(FAULTY - {"test_report"}), "refuted")
REASONS = {
    "test_balance": (
        "balance refuted: two-sample",
        r"half lowest and half highest; the row of highest sum replaced by the row of lowest",
    ),
    "test_histogram": ("Histogram refuted: two-sample", r"coordinate 1 >= \d\.\d+: 5000/5000 under D1, 0/5000 under D0"),
    "test_report": ("report leaks: replay: output 'rows'", r"output 'rows': 1 against 2 \(1 row, .* added\)"),
    "test_first_above": ("first_above refuted: two-sample", r"coordinate 1 >= [3-9]: \d+/5000 under D0, \d+/5000 under D1"),
}
"""How each faulty mechanism is told, and what of it shows the cause: far apart rows; no noise between two runs; the output that
differs; a late first answer, as all counts but not the threshold have noise."""


@dataclass(frozen=True)
class Ran:
    """One run of a suite."""

    status: int
    text: str
    cases: dict[str, dict[str, str]]
    """By the test's name: the properties of its JUnit case, and the message of its failure or error."""

    def verdicts(self) -> dict[str, str]:
        return {name: case["dpsco.1.verdict"] for name, case in self.cases.items() if "dpsco.1.verdict" in case}


def run(place: Path, *options: str) -> Ran:
    """pytest with this plugin and hypothesis's alone, in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "pytest", "-p", "dpsco.audit.pytest_plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--strict-markers", "-W", "error", "--junitxml=report.xml", *options],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
    )
    cases = {}
    if (place / "report.xml").exists():
        for case in ElementTree.parse(place / "report.xml").getroot().iter("testcase"):
            found = {p.attrib["name"]: p.attrib["value"] for p in case.iter("property")}
            for bad in (*case.iter("failure"), *case.iter("error")):
                found["bad"] = bad.text or ""
            cases[case.attrib["name"]] = found
    return Ran(done.returncode, done.stdout + done.stderr, cases)


def suite(place: Path, text: str) -> Path:
    """A folder with one test file."""
    head = "import numpy as np\nimport pytest\nfrom hypothesis import strategies as st\n\nunit = st.floats(0, 1)\n"
    (place / "test_it.py").write_text(f"{head}\n{text}", encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    place = tmp_path_factory.mktemp("library")
    shutil.copytree(HERE / "small_library", place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return place, run(place, "suite.py", "--dp-sarif", "found.sarif")


def test_of_ten_mechanisms_the_four_faulty_ones_are_found(library: tuple[Path, Ran]):
    _, ran = library
    assert ran.verdicts() == {**BAD, **dict.fromkeys(SOUND, "not refuted")}
    assert ran.status == 1
    assert {name for name, case in ran.cases.items() if "bad" in case} == FAULTY
    for name, case in ran.cases.items():
        if name != "test_report":
            assert (float(case["dpsco.1.epsilon"]) > 1) is (case["dpsco.1.verdict"] == "refuted")
    assert float(ran.cases["test_balance"]["dpsco.1.epsilon"]) <= 2
    assert float(ran.cases["test_histogram"]["dpsco.1.epsilon"]) > 6


@pytest.mark.parametrize("name", sorted(FAULTY))
def test_each_faulty_mechanism_is_told_with_its_reason(library: tuple[Path, Ran], name: str):
    """On the terminal, in the message of its JUnit case and in SARIF."""
    place, ran = library
    head, shows = REASONS[name]
    _, _, own = ran.text.partition(f"_ {name} _")
    for text in (own[: own.index("suite.py:")], ran.cases[name]["bad"]):
        assert head in text
        assert re.search(shows, text)
    assert f"{BAD[name]}: suite.py::{name}\n    {ran.cases[name]['dpsco.1.check']}" in ran.text
    results = json.loads((place / "found.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    (found,) = (one for one in results if one["message"]["text"].startswith(head.partition(":")[0]))
    assert found["ruleId"] == f"dp/{ran.cases[name]['dpsco.1.check']}"
    assert found["message"]["text"].endswith(ran.cases[name]["dpsco.1.found"])
    assert found["properties"]["neighbours"] == ran.cases[name]["dpsco.1.neighbours"]


def test_the_four_mended_are_not_found(library: tuple[Path, Ran], tmp_path: Path):
    """The control: what was told was the fault's, not the mechanism's."""
    shutil.copytree(HERE / "small_library", tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    suite = tmp_path / "suite.py"
    text = (
        suite.read_text(encoding="utf-8").replace("mechanisms.", "mended.").replace('"mended.laplace"', '"mechanisms.laplace"')
    )
    suite.write_text(text.replace("import mechanisms", "import mended"), encoding="utf-8")
    ran = run(tmp_path, "suite.py", "-k", " or ".join(sorted(FAULTY)))
    assert ran.verdicts() == {name: "no leak found" if BAD[name] == "leaks" else "not refuted" for name in FAULTY}
    assert ran.status == 0, ran.text


def test_the_summary_says_the_level_first_and_what_was_tested(library: tuple[Path, Ran]):
    _, ran = library
    _, _, section = ran.text.partition("= differential privacy =")
    lines = section.partition("= short test summary info =")[0].splitlines()[1:]
    assert lines[0] == "level 0.001 for the whole run: 10 checks, 0.0001 each; seed 0"
    assert "3 refuted, 1 leaking, 6 not refuted; what is not refuted is not proved" in lines
    at = lines.index("not refuted: suite.py::test_total")
    assert re.fullmatch(
        r"    two-sample, \(1, 0\.001\)-DP, add-remove: epsilon >= 0\.\d+ at delta = 0\.001; "
        r"at best, 1\.\d+ would have been exposed",
        lines[at + 1],
    )


def test_the_sarif_file_names_each_refuted_test_where_it_stands(library: tuple[Path, Ran]):
    place, _ = library
    log = json.loads((place / "found.sarif").read_text(encoding="utf-8"))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (only,) = log["runs"]
    rules = {rule["id"] for rule in only["tool"]["driver"]["rules"]}
    source = (place / "suite.py").read_text(encoding="utf-8").splitlines()
    named = set()
    for result in only["results"]:
        assert result["ruleId"] in rules
        assert result["level"] == "error"
        where = result["locations"][0]["physicalLocation"]
        assert where["artifactLocation"]["uri"] == "suite.py"
        named.add(re.search(r"test_\w+", "".join(source[where["region"]["startLine"] - 1 :][:2]))[0])  # type: ignore[index]
    assert named == FAULTY
    assert only["properties"] == {"level": "0.001", "seed": 0, "checks": 10, "refuted": 4}


LEVELS = """
def noisy(data, rng, size):
    return sum(data) + rng.laplace(0, 1, size)

promised = pytest.mark.dp(epsilon=1, adjacency="add-remove", rows=unit)

@promised
def test_one(dp):
    dp.check(noisy)

@promised
@pytest.mark.dp(checks=3)
def test_three(dp):
    for scale in (1, 2):
        dp.check(noisy, epsilon=scale)

@promised
@pytest.mark.parametrize("k", [1, 2])
def test_each(dp, k):
    dp.check(noisy)

@promised
@pytest.mark.xfail(strict=True, raises=AssertionError)
def test_expected(dp):
    dp.check(lambda data, rng, size: sum(data) + rng.laplace(0, 0.3, size))

def test_plain():
    pass
"""


def test_the_level_is_shared_by_all_checks_that_will_run(tmp_path: Path):
    place = suite(tmp_path, LEVELS)
    whole = run(place, "--dp-level", "0.007", "--dp-runs", "1000", "--dp-sarif", "found.sarif")
    assert whole.status == 0, whole.text
    assert {case["dpsco.1.level"] for case in whole.cases.values() if case.get("dpsco.1.level")} == {"0.001"}
    assert whole.cases["test_three"]["dpsco.2.level"] == "0.001"
    assert "level 0.007 for the whole run: 7 checks, 0.001 each" in whole.text
    assert "refuted (expected): test_it.py::test_expected" in whole.text
    (note,) = json.loads((place / "found.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert note["level"] == "note"
    part = run(place, "--dp-level", "0.007", "--dp-runs", "1000", "-k", "each or plain")
    assert {case["dpsco.1.level"] for case in part.cases.values() if "dpsco.1.level" in case} == {"0.0035"}


def test_workers_share_the_same_level_and_find_the_same(tmp_path: Path):
    place = suite(tmp_path, LEVELS)
    alone = run(place, "--dp-runs", "500", "--dp-seed", "3")
    spread = run(place, "-p", "xdist", "-n", "2", "--dp-runs", "500", "--dp-seed", "3", "--dp-sarif", "found.sarif")
    assert alone.cases == spread.cases
    assert (place / "found.sarif").exists()
    sections = [ran.text.partition("= differential privacy =")[2] for ran in (alone, spread)]
    told = [sorted(line for line in text.splitlines() if line.startswith("    two-sample")) for text in sections]
    assert told[0] == told[1]
    assert len(told[0]) == 6
    other = run(place, "--dp-runs", "500", "--dp-seed", "4")
    assert other.cases != alone.cases


CHECKS = """
import helper

@pytest.mark.dp(adjacency="add-remove", rows=unit)
def test_replayed(dp):
    dp.replay(helper.total, noise="helper.laplace", sensitivity=1)

@pytest.mark.dp(adjacency="add-remove", rows=unit)
def test_leaks(dp):
    dp.replay(helper.with_count, noise="helper.laplace")

@pytest.mark.dp(epsilon=1, adjacency="add-remove")
def test_canaries(dp):
    dp.one_run(helper.bins(1.0), lambda out, i: out[i], canaries=list(range(500)))

@pytest.mark.dp(epsilon=1, adjacency="add-remove")
def test_too_many_guessed(dp):
    dp.one_run(helper.bins(0.25), lambda out, i: out[i], canaries=list(range(500)))
"""
HELPER = """
import numpy as np

def laplace(value, scale, rng):
    return value + rng.laplace(0, scale)

def total(data, rng):
    return laplace(sum(data), 1, rng)

def with_count(data, rng):
    return {"sum": laplace(sum(data), 1, rng), "rows": len(data)}

def bins(scale):
    return lambda data, rng: np.bincount(data, minlength=500) + rng.laplace(0, scale, 500)
"""


def test_replay_and_one_run_are_checks_too(tmp_path: Path):
    (tmp_path / "helper.py").write_text(HELPER, encoding="utf-8")
    ran = run(suite(tmp_path, CHECKS))
    assert ran.verdicts() == {
        "test_replayed": "no leak found",
        "test_leaks": "leaks",
        "test_canaries": "not refuted",
        "test_too_many_guessed": "refuted",
    }
    assert "output 'rows': 1 against 2" in ran.cases["test_leaks"]["bad"]
    assert "1 refuted, 1 leaking, 1 not refuted, 1 without a leak found; what is not refuted is not proved" in ran.text


SECRET = 0.7254
REFUSED = {
    "no_strategy": (
        "rows=[SECRET]",
        "noisy",
        "rows: a hypothesis strategy is needed, such as st.floats(0, 1), not a list of 1",
    ),
    "no_rows": ("rows=None", "noisy", "rows is needed, in mark.dp or in the call: a hypothesis strategy for one row, or pairs"),
    "one_value": ("rows=st.just(SECRET), adjacency='replace-one'", "noisy", "has one value only"),
    "no_value": ("rows=st.nothing()", "noisy", "rows: the strategy has no value"),
    "adjacency": ("adjacency='replace'", "noisy", "unknown adjacency 'replace'; did you mean 'replace-one'?"),
    "no_adjacency": ("adjacency=None", "noisy", "adjacency is needed, in mark.dp or in the call"),
    "adjacency_type": ("adjacency=3", "noisy", "adjacency=3 (one of replace-one, add-remove, add-one is needed)"),
    "epsilon": ("epsilon=-1", "noisy", "epsilon must be positive, got -1"),
    "no_epsilon": ("epsilon=None", "noisy", "epsilon is needed"),
    "delta": ("delta=1", "noisy", "delta must lie in [0, 1), got 1"),
    "delta_type": ("delta='some'", "noisy", "delta must be a number, got 'some'"),
    "word": ("epsilo=2", "noisy", "unknown word of dp 'epsilo'; did you mean 'epsilon'?"),
    "sizes": ("sizes=3", "noisy", "sizes=3: a list of numbers of rows is needed"),
    "sizes_low": ("sizes=[0], adjacency='replace-one'", "noisy", "sizes=0: must be a whole number from 1"),
    "build": ("build=3", "noisy", "build=3: a function"),
    "runs": ("runs=40", "noisy", "runs=40: at least "),
    "runs_type": ("runs=2.5", "noisy", "runs=2.5: must be a whole number"),
    "pairs": ("pairs=[SECRET]", "noisy", "pairs: each must be two data sets (D0, D1), and pair 1 is a float"),
    "pairs_type": (
        "pairs=SECRET",
        "noisy",
        "pairs: a list of (D0, D1), or a hypothesis strategy for one, is needed, not a float",
    ),
    "no_function": ("", "SECRET", "mechanism: a function (data, rng) is needed, not a float"),
    "arguments": ("", "lambda data: 0", "mechanism: a function (data, rng) is needed, not one of (data)"),
    "hidden_n": ("", "lambda data, rng, n: 0", "mechanism takes n, which add-remove hides"),
    "uncopied": ("pairs=[(SECRET, (i for i in 'x'))]", "noisy", "data set D1 cannot be copied"),
}
OTHERS = """
@promised
def test_nothing(dp):
    pass

@promised
def test_twice(dp):
    dp.check(noisy)
    dp.check(noisy)

@promised
def test_dynamic(request):
    request.getfixturevalue("dp")

@pytest.mark.dp(1)
def test_place(dp):
    pass

@pytest.mark.dp(checks=0)
def test_none(dp):
    pass

@promised
def test_never(dp):
    dp.replay(noisy, noise="os.path.join")

@promised
def test_no_noise(dp):
    dp.replay(noisy, noise="os.path.joined")

@promised
def test_few(dp):
    dp.one_run(noisy, lambda output, row: 0.0, canaries=4)

@promised
def test_score(dp):
    dp.one_run(noisy, SECRET)

@promised
def test_mechanisms_own(dp):
    def own(data, rng):
        raise ValueError("of the mechanism")
    dp.one_run(own, lambda output, row: 0.0)

@promised
def test_skipped(dp):
    pytest.skip("not today")
"""
SAID = {
    "nothing": "the test asks for dp and checks nothing",
    "twice": "checks=1: the test makes more; the level is shared out before the tests run; say mark.dp(checks=2)",
    "dynamic": "dp: must stand among the test's arguments",
    "place": "dp: mark.dp: names are needed, such as mark.dp(epsilon=1)",
    "none": "dp: checks: a whole number from 1 to 1000000 is needed",
    "never": "noise='os.path.join': never called",
    "no_noise": "noise='os.path.joined': there is no function of this dotted name",
    "few": "canaries=4, guesses=2: more are needed",
    "score": "score=0.7254: a function (output, row)",
    "mechanisms_own": "of the mechanism",
}


def test_what_is_asked_wrongly_is_one_line_without_data(tmp_path: Path):
    head = f"SECRET = {SECRET}\n\ndef noisy(data, rng, size):\n    return sum(data) + rng.laplace(0, 1, size)\n\n"
    head += 'promised = pytest.mark.dp(epsilon=1, adjacency="add-remove", rows=unit)\n'
    tests = [
        f"@promised\ndef test_{name}(dp):\n    dp.check({mechanism}{', ' + words if words else ''})\n"
        for name, (words, mechanism, _) in REFUSED.items()
    ]
    ran = run(suite(tmp_path, "\n".join((head, *tests, OTHERS))), "--tb=short", "--dp-runs", "1000")
    for name, says in {**{name: says for name, (_, _, says) in REFUSED.items()}, **SAID}.items():
        text = ran.cases[f"test_{name}"]["bad"]
        lines = [line for line in text.splitlines() if says in line and not line.startswith(" ")]
        assert len(lines) == 1, (name, text)
        if name != "score":
            assert str(SECRET) not in text
        if name not in ("mechanisms_own", "dynamic"):
            assert "dpsco" not in text, "a frame of dpsco's own"
    assert "bad" not in ran.cases["test_skipped"]


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--dp-level", "2"), "argument --dp-level: a number in (0, 1) is needed"),
        (("--dp-level", "much"), "argument --dp-level: a number in (0, 1) is needed"),
        (("--dp-seed", "-1"), "argument --dp-seed: a whole number, at least 0, is needed"),
        (("--dp-runs", "7"), "argument --dp-runs: a whole number, at least 8, is needed"),
        (("--dp-sarif", "no/such/file"), "--dp-sarif 'no/such/file': there is no directory 'no/such'"),
    ],
)
def test_a_wrong_option_is_told_before_any_test(tmp_path: Path, option: tuple[str, str], says: str):
    ran = run(suite(tmp_path, "def test_it():\n    pass\n"), *option)
    assert ran.status == 4
    assert says in ran.text


UNUSED = """
import sys

def test_it():
    heavy = {"numba", "mpmath", "flint", "sympy", "typer", "rich", "dpsco.audit.blackbox.running", "dpsco.audit.checks"}
    assert not heavy & set(sys.modules)
"""
OWN = """
@pytest.fixture
def dp():
    return [1, 1, 2, 3, 5]

@pytest.mark.dp("dynamic programming")
def test_it(dp):
    assert dp[-1] == 5
"""


@pytest.mark.parametrize("text", [UNUSED, OWN])
def test_a_suite_that_does_not_use_it_is_left_alone(tmp_path: Path, text: str):
    ran = run(suite(tmp_path, text))
    assert ran.status == 0, ran.text
    assert "differential privacy" not in ran.text
    assert ran.cases == {"test_it": {}}


def test_the_plugin_imports_nothing_but_pytest():
    """So that a suite's start does not wait for it."""
    seen = "import sys, pytest; before = set(sys.modules); import dpsco.audit.pytest_plugin; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.split(".")[0] not in sys.stdlib_module_names}
    assert ours == {"dpsco", "dpsco.audit", "dpsco.audit.pytest_plugin"}
