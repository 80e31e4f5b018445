"""What makes the first call of a kernel slow does not come back: seconds of compilation for an error message.

A slice that is set to an array, or a value to a row that is one, may not fit: numba then compiles the message, with all of its
arithmetic of strings, which takes longer than the kernel. Kernels copy in loops, or exchange names.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpsco.fast.closure as closures

FOLDER = Path(str(closures.__file__)).parent
FILES = sorted(FOLDER.rglob("*.py"))


def is_kernel(function: ast.FunctionDef) -> bool:
    names = (part.func if isinstance(part, ast.Call) else part for part in function.decorator_list)
    return any(isinstance(name, ast.Name) and name.id == "kernel" for name in names)


def assignments(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets and values, those of tuples one by one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    yield from zip(target.elts, node.value.elts, strict=True)
                else:
                    yield target, node.value


def slow_copies(source: str) -> list[int]:
    """Lines of kernels in which a slice is set to anything but a number."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and is_kernel(function):
            for target, value in assignments(function):
                slices = isinstance(target, ast.Subscript) and any(isinstance(n, ast.Slice) for n in ast.walk(target.slice))
                if slices and not isinstance(value, ast.Constant):
                    found.append(target.lineno)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_no_kernel_sets_a_slice_to_an_array(file: Path):
    assert slow_copies(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "slow"), [("a[:] = b", True), ("a[i, :], x = b, 0.0", True), ("a[:] = 0.0", False), ("a[i], a[j] = b, c", False)]
)
def test_the_search_sees_a_slow_copy(line: str, slow: bool):
    for decorator, is_seen in (("@kernel()", slow), ('@kernel(fastmath={"contract"})', slow), ("@other", False)):
        assert bool(slow_copies(f"{decorator}\ndef f(a, b, c, i, j):\n    {line}\n")) is is_seen
