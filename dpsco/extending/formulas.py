"""What of Python a formula of one's own may use: its arguments, its number context, numbers and other such functions.

An expression is data and uses nothing else. A function that reads a clock, a list that is written elsewhere, or which context
it was given says nothing: it is no formula.
Its code is read, not run. This finds accidents and plain tricks; a module is a program, and whoever runs it trusts it.
"""

import dis
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import getattr_static
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

from dpsco.fast.closure import PACKAGE
from dpsco.spec.conjunction import Conjunction
from dpsco.spec.expressions import Condition, Expr
from dpsco.spec.numbers import Numbers

ASKED = frozenset(name for name in {*vars(Numbers), *Numbers.__annotations__} if not name.startswith("_"))
"""What a number context is asked for; nothing else is read from anything but a module."""
PLAIN = frozenset(
    {
        "abs",
        "all",
        "any",
        "enumerate",
        "len",
        "max",
        "min",
        "pow",
        "range",
        "reversed",
        "sum",
        "tuple",
        "list",
        "zip",
        "int",
        "map",
    }
)
"""Built-in functions that give the same for the same arguments, whatever these are."""
WRITING = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "IMPORT_NAME")
CATCHING = ("PUSH_EXC_INFO", "BEFORE_WITH", "RAISE_VARARGS")
"""A formula neither catches nor raises: whether something fails depends on the context."""
LOOKING = ("IS_OP", "FORMAT_VALUE", "FORMAT_SIMPLE", "BUILD_STRING")
"""A formula does not look at which object it was given, nor at how it is printed."""


def strange(formula: Callable[..., Any]) -> str | None:
    """What the formula uses that a formula may not, in words; None where it uses nothing of the kind."""
    return next(_strange(formula, set()), None)


def _strange(value: object, seen: set[int]) -> Iterator[str]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if _is_expression(value):
        return
    if not isinstance(value, FunctionType):
        yield f"is no function but {type(value).__name__}"
        return
    ours = _ours(value)
    if not ours:
        yield from _code(value.__code__, value.__globals__, value.__code__.co_freevars, seen)
    held: list[tuple[str, object]] = [(f"a default {default!r}", default) for default in value.__defaults__ or ()]
    held += [(f"a default {default!r}", default) for default in (value.__kwdefaults__ or {}).values()]
    held += [(name, _content(cell)) for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)]
    for name, inner in held:
        if not (ours and not isinstance(inner, FunctionType)):
            yield from _value(name, inner, seen)


def _is_expression(value: object) -> bool:
    """Whether it is an expression, a condition or several, and made of nothing else."""
    if type(value) is Conjunction:
        return all(_is_expression(one) for one in value.conditions)
    if type(value) is Condition:
        return _is_expression(value.left) and _is_expression(value.right)
    return type(value) is Expr and all(type(node) is Expr for node in value.walk())


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet: nothing can read it
        return None


def _ours(function: FunctionType) -> bool:
    """Whether the function's code stands in a module of dpsco, whatever it calls itself."""
    name = str(function.__globals__.get("__name__", ""))
    home = sys.modules.get(name)
    return name.split(".")[0] == PACKAGE and home is not None and vars(home) is function.__globals__


def _value(name: str, value: object, seen: set[int]) -> Iterator[str]:
    """What is wrong with a value that a formula holds or reads by name."""
    if isinstance(value, FunctionType) or _is_expression(value):
        yield from _strange(value, seen)
    elif isinstance(value, tuple | frozenset):
        for entry in value:
            yield from _value(name, entry, seen)
    elif not (isinstance(value, BuiltinFunctionType | type) and name in PLAIN) and (
        type(value) not in (int, bool, str, Fraction, type(None)) and value not in (Fraction, Any)
    ):
        yield f"reads {name}, {_what(value)}"


def _what(value: object) -> str:
    return f"the module {value.__name__}" if isinstance(value, ModuleType) else f"of type {type(value).__name__}"


def _code(code: CodeType, known: dict[str, Any], free: tuple[str, ...], seen: set[int]) -> Iterator[str]:
    builtins = vars(sys.modules["builtins"])
    nothing = object()
    module: object = nothing
    for step in dis.get_instructions(code):
        name, before, module = str(step.argval), module, nothing
        if step.opname in WRITING or (step.opname == "STORE_DEREF" and name in free):
            yield f"writes or imports {name}"
        elif step.opname in CATCHING:
            yield "raises or catches"
        elif step.opname in LOOKING:
            yield "looks at the objects that it is given"
        elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            found = known.get(name, builtins.get(name, nothing))
            if isinstance(found, ModuleType) and _part(found.__name__):
                module = found
            elif found is not nothing:
                yield from _value(name, found, seen)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
            if isinstance(before, ModuleType):
                inner = getattr_static(before, name, None)
                module = inner if isinstance(inner, ModuleType) else nothing
                if module is nothing:
                    yield from _value(name, inner, seen)
            elif name not in ASKED:
                yield f"reads .{name}"
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _code(inner, known, free, seen)


def _part(name: str) -> bool:
    return name.split(".")[0] in (PACKAGE, "fractions")
