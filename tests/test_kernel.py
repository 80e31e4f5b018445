"""The kernel cache: an edit anywhere in the import closure gives the new number, and an unwritable folder does no harm."""

import ast
import importlib.metadata
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dpsco
import dpsco.fast.closure as closures_module
from dpsco.fast import kernel
from dpsco.fast.closure import closure, digest, forget, imported, stamp
from dpsco.fast.kernel import bind
from dpsco.reference.literal import literal
from dpsco.spec.contract import FINITE, ULPS, contract

FOLDER = Path(str(closures_module.__file__)).parent
PROGRAM = """
import sys, importlib.util, types
import dpsco.fast.closure as closure
folder = sys.argv[1]
import dpsco
dpsco.__path__.append(folder)
from dpsco.outer import outer
print(outer(2.0))
"""


def run(folder: Path, cache: Path) -> float:
    environment = {**os.environ, "DPSCO_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)], env=environment, capture_output=True, text=True, check=True, cwd=folder
    )
    return float(done.stdout)


def test_an_edit_in_an_imported_module_is_seen(tmp_path: Path):
    modules, cache = tmp_path / "modules", tmp_path / "cache"
    modules.mkdir()
    (modules / "inner.py").write_text(
        "from dpsco.fast.kernel import kernel\n\n@kernel()\ndef inner(x):\n    return 3.0 * x\n", encoding="utf-8"
    )
    (modules / "outer.py").write_text(
        "from dpsco.fast.kernel import kernel\nfrom dpsco.inner import inner\n\n"
        "@kernel()\ndef outer(x):\n    return inner(x) + 1.0\n",
        encoding="utf-8",
    )
    assert run(modules, cache) == 7.0
    assert run(modules, cache) == 7.0
    assert list(cache.rglob("*.nbi")), "nothing was cached"
    (modules / "inner.py").write_text(
        "from dpsco.fast.kernel import kernel\n\n@kernel()\ndef inner(x):\n    return 5.0 * x\n", encoding="utf-8"
    )
    assert run(modules, cache) == 11.0


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("kept", [0, 9])
def test_a_cache_file_cut_short_is_a_miss(tmp_path: Path, suffix: str, kept: int):
    """As a full disk or a power cut leaves it: the answer is right, and the next process finds a whole file."""
    modules, cache = tmp_path / "modules", tmp_path / "cache"
    modules.mkdir()
    (modules / "outer.py").write_text(
        "from dpsco.fast.kernel import kernel\n\n@kernel()\ndef outer(x):\n    return 3.0 * x\n", encoding="utf-8"
    )
    assert run(modules, cache) == 6.0
    files = list(cache.rglob(f"*outer*{suffix}"))
    assert files
    sizes = [len(file.read_bytes()) for file in files]
    for file in files:
        file.write_bytes(file.read_bytes()[:kept])
    assert run(modules, cache) == 6.0
    assert [len(file.read_bytes()) for file in files] == sizes


def test_an_unwritable_cache_folder_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "outer.py").write_text(
        "from dpsco.fast.kernel import kernel\n\n@kernel()\ndef outer(x):\n    return x\n", encoding="utf-8"
    )
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    assert run(modules, tmp_path / "file" / "below") == 2.0
    assert not list((tmp_path / "temporary").iterdir()), "what numba unpickles is not kept where others could have put it"
    assert not list(tmp_path.rglob("*.nbi"))


def test_an_edit_that_is_taken_back_leaves_another_stamp(tmp_path: Path):
    """Even where content, size and the time of writing are what they were."""
    file = tmp_path / "source.py"
    assert stamp(file) is None
    file.write_text("x = 1\n", encoding="utf-8")
    before, times = stamp(file), file.stat()
    file.write_text("x = 2\n", encoding="utf-8")
    file.write_text("x = 1\n", encoding="utf-8")
    time.sleep(0.05)  # the clock of a file system may tick that slowly
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert file.stat().st_mtime_ns == times.st_mtime_ns
    assert file.stat().st_size == times.st_size
    assert stamp(file) != before


NESTED = """
import a
if x:
    import b
elif y:
    import c
else:
    from d import e
try:
    import f
except E:
    import g
else:
    import h
finally:
    import i
for _ in z:
    import j
else:
    import k
while z:
    import m
with z:
    async def deep():
        import n
        class Inner:
            import o
match z:
    case 1:
        import p
    case _:
        import q
async def later():
    async for _ in z:
        import r
    async with z:
        import s
try:
    pass
except* E:
    import t
"""


def test_imports_are_found_wherever_a_statement_may_stand():
    assert imported(NESTED.encode()) == {*"abcdfghijkmnopqrst", "d.e"}
    for file in Path(dpsco.__file__).parent.rglob("*.py"):
        source = file.read_bytes()
        nodes = list(ast.walk(ast.parse(source)))
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert names <= imported(source)
        assert {node.module for node in nodes if isinstance(node, ast.ImportFrom)} <= imported(source)


def test_closure_follows_imports():
    found = closure("dpsco.fast.privacy.gaussian")
    assert {"dpsco.fast.kernel", "dpsco.fast.quadrature", "dpsco.spec.privacy.gaussian", "dpsco.spec.contract"} <= found
    assert not any(name.startswith("dpsco.reference") for name in found)
    assert digest("dpsco.fast.kernel") != digest("dpsco.fast.kernel", salt="another compiler")


def closure_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **sources: str) -> None:
    """Put modules into the package for the closure to find."""
    for name, source in sources.items():
        file = tmp_path / "added" / (name.replace(".", "/") + ".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    monkeypatch.setattr(dpsco.__spec__, "submodule_search_locations", [*dpsco.__path__, str(tmp_path / "added")])
    forget()


@pytest.fixture
def fresh() -> Iterator[None]:
    """A closure that looks at the disk before and after."""
    forget()
    yield
    forget()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    "line", ["import dpsco.added_inner", "from dpsco import added_inner", "from dpsco.added_inner import f"]
)
def test_closure_follows_every_kind_of_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str):
    with monkeypatch.context() as patch:
        closure_of(tmp_path, patch, added_outer=f"def f():\n    {line}\n", added_inner="f = 1\n")
        assert "dpsco.added_inner" in closure("dpsco.added_outer")


@pytest.mark.usefixtures("fresh")
def test_closure_has_the_packages_that_an_import_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        sources = {"added.__init__": "from dpsco import added_far\n", "added.below": "", "added_far": ""}
        closure_of(tmp_path, patch, **sources, added_outer="from dpsco.added.below import x\n")
        assert {"dpsco", "dpsco.added", "dpsco.added_far"} <= closure("dpsco.added_outer")


@pytest.mark.parametrize("name", ["numba", "llvmlite", "numpy"])
def test_a_kernel_of_another_compiler_is_another(name: str, monkeypatch: pytest.MonkeyPatch):
    version = importlib.metadata.version(name)
    assert f"{name} {version}" in kernel.VERSIONS
    before = kernel.cache_key("dpsco.fast.privacy.gaussian")
    monkeypatch.setattr(kernel, "VERSIONS", kernel.VERSIONS.replace(f"{name} {version}", f"{name} 0.0.1"))
    assert kernel.cache_key("dpsco.fast.privacy.gaussian") != before


@contract(metric=ULPS, range=FINITE)
def wanted(a: float, b: float) -> float:
    """What it does."""
    raise NotImplementedError


def implementations() -> dict[str, Any]:
    """Functions of the right name that are wrong in one thing each."""

    def exchanged(b: float, a: float) -> float:
        return a + b

    def shorter(a: float) -> float:
        return a

    def longer(a: float, b: float, c: float) -> float:
        return a + b

    def gathering(a: float, *b: float) -> float:
        return a

    def keyword(a: float, *, b: float) -> float:
        return a

    def defaulting(a: float, b: float = 1.0) -> float:
        return a

    found = {f.__name__: f for f in (exchanged, shorter, longer, gathering, keyword, defaulting)}
    for function in found.values():
        function.__name__ = "wanted"
    return found


@pytest.mark.parametrize("name", implementations())
def test_another_signature_is_refused(name: str):
    function = implementations()[name]
    for check in (lambda: bind(function, wanted), lambda: literal(wanted)(function), lambda: kernel.kernel(wanted)(function)):
        with pytest.raises(TypeError, match="does not implement"):
            check()


def test_the_signature_itself_is_accepted():
    def right(a: float, b: float) -> float:
        return a + b

    def literally(m: Any, a: Any, b: Any) -> Any:
        return a + b

    with pytest.raises(TypeError, match="does not implement"):
        bind(right, wanted)
    right.__name__ = literally.__name__ = "wanted"
    bind(right, wanted)
    assert literal(wanted)(literally).__doc__ == right.__doc__ == "What it does."
    with pytest.raises(TypeError, match="does not implement"):
        literal(wanted)(right)


TWO = """
from dpsco.fast.kernel import kernel


@kernel()
def outer(x):
    total = 0.0
    for i in range(100):
        total += x * i
    return total
"""


def test_two_processes_that_compile_at_once_are_safe(tmp_path: Path):
    modules, cache = tmp_path / "modules", tmp_path / "cache"
    modules.mkdir()
    (modules / "outer.py").write_text(TWO, encoding="utf-8")
    environment = {**os.environ, "DPSCO_CACHE": str(cache)}
    command = [sys.executable, "-c", PROGRAM, str(modules)]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=modules) for _ in range(3)]
    assert [float(process.communicate()[0]) for process in both] == [9900.0] * 3
    assert run(modules, cache) == 9900.0
    assert not [file for file in cache.rglob("*") if file.is_file() and file.suffix not in (".nbi", ".nbc")], (
        "nothing left over"
    )


FAST = sorted(
    ".".join(("dpsco.fast", *file.relative_to(FOLDER).with_suffix("").parts)).removesuffix(".__init__")
    for file in FOLDER.rglob("*.py")
)


@pytest.mark.usefixtures("fresh")
def test_an_edit_anywhere_in_fast_is_another_key_for_all_that_import_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    closures, where, edited = {name: closure(name) for name in FAST}, closures_module.source_of, tmp_path / "edited.py"
    before = {name: digest(name) for name in FAST}
    for changed in FAST:
        edited.write_bytes((where(changed) or edited).read_bytes() + b"# edited\n")
        monkeypatch.setattr(closures_module, "source_of", lambda name: edited if name == changed else where(name))  # noqa: B023
        users = [name for name in FAST if changed in closures[name]]
        others = [name for name in FAST if changed not in closures[name]]
        assert changed in users
        assert all(digest(name) != before[name] for name in {changed, users[0], users[-1]})
        assert all(digest(name) == before[name] for name in others[:1])


@pytest.mark.parametrize("module", ["bilevel_descent.algorithm", "exponential_sampling.convex_walk", "dp_sgd.minibatch"])
def test_what_an_import_really_runs_is_in_the_closure(module: str):
    name = f"dpsco.fast.algorithms.{module}"
    program = f"import sys, {name}; print(*[m for m in sys.modules if m.split('.')[0] == 'dpsco'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= closure(name)
