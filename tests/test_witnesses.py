"""Each refutation has a script that shows it without dpsco: short, on mpmath or the standard library, run in the bare."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import mpmath
import pytest

from dpsco.running import ledger
from dpsco.running.record import witness_file
from dpsco.spec.register import amendments, register

SCRIPTS = sorted(f for f in (Path(ledger.__file__).parents[1] / "witnesses").glob("*.py") if f.name != "__init__.py")
IDS = {id.replace("/", "_"): id for id in [*register(), *amendments()]}
LONGEST = 40

each = pytest.mark.parametrize("script", SCRIPTS, ids=[script.stem for script in SCRIPTS])


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which mpmath is the only package."""
    place = tmp_path_factory.mktemp("bare")
    shutil.copytree(
        Path(mpmath.__file__).parent, place / "mpmath", ignore=shutil.ignore_patterns("tests", "__pycache__", "*.pyc")
    )
    return place


def run(script: Path, bare: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with the standard library and mpmath, and nothing else that is installed."""
    start = f"import sys, runpy; sys.path.insert(0, {str(bare)!r}); runpy.run_path({str(script)!r}, run_name='__main__')"
    return subprocess.run([sys.executable, "-I", "-S", "-c", start], capture_output=True, text=True, cwd=bare, timeout=120)


@each
def test_witness_runs_alone(script: Path, bare: Path):
    done = run(script, bare)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert any(character.isdigit() for character in done.stdout), "a witness prints the claimed and the contradicting value"


@each
def test_witness_is_short_and_needs_nothing(script: Path):
    source = script.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= LONGEST
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names | {"mpmath"} for name in names), names


def shown(entry: ledger.Entry) -> bool:
    """Whether something of the claim is false: the statement, or a step of its proof."""
    return entry["verdict"] == "refuted" or entry["proof"] == "broken"


@each
def test_witness_belongs_to_a_refuted_claim_or_a_broken_proof(script: Path):
    assert shown(ledger.read()[IDS[script.stem]])


def test_every_refuted_claim_and_every_broken_proof_has_a_witness():
    assert not [id for id, entry in ledger.read().items() if shown(entry) and witness_file(id) is None]


def test_the_bare_environment_has_no_dpsco(bare: Path, tmp_path: Path):
    script = tmp_path / "cheat.py"
    for module in ("dpsco", "numpy", "flint"):
        script.write_text(f"import {module}\nprint(1)\n", encoding="utf-8")
        assert run(script, bare).returncode != 0
    script.write_text("import mpmath\nprint(mpmath.pi)\n", encoding="utf-8")
    assert run(script, bare).returncode == 0
