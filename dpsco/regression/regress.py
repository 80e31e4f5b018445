"""Fast kernels against the reference: the same doubles to both, the error in the contract's metric, a recorded budget.

Contracts are found in `spec/`; their reference and their kernel stand under the same name in the same room.
"""

import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from dpsco.regression.errors import error
from dpsco.regression.inputs import inputs
from dpsco.regression.ranges import outside
from dpsco.regression.values import flat
from dpsco.spec.contract import Contract, Inputs
from dpsco.spec.register import concepts

BUDGETS = Path(__file__).with_name("budgets.json")
SCALAR_SAMPLES, GENERATED_SAMPLES = 1000, 60
OK, FAIL, NO_KERNEL, NO_BUDGET = "ok", "FAIL", "no kernel", "no budget"

Function = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Regression:
    """What one contract's run found. Errors are in the contract's metric; `at` is the input of the largest."""

    contract: Contract
    samples: int
    largest: float
    typical: float
    at: Inputs
    remark: str = ""
    budget: float | None = None

    @property
    def verdict(self) -> str:
        if self.samples == 0:
            return NO_KERNEL
        if self.budget is None:
            return NO_BUDGET
        return OK if self.largest <= self.budget else FAIL  # an error that is no number is no success


def contracts() -> dict[str, Contract]:
    """All contracts of the specification by id."""
    found: dict[str, Contract] = {}
    for concept in concepts():
        for value in vars(import_module(f"dpsco.spec.{concept}")).values():
            if isinstance(value, Contract) and value.concept == concept:
                found[value.id] = value
    return found


def implementation(room: str, contract: Contract) -> Function | None:
    """The contract's implementation in "reference" or "fast", None if that room does not have it."""
    module = f"dpsco.{room}.{contract.concept}"
    try:
        there = find_spec(module) is not None
    except ModuleNotFoundError:
        there = False
    found: Function | None = getattr(import_module(module), contract.name, None) if there else None
    return found


def compare(
    contract: Contract,
    kernel: Function,
    reference: Function,
    *,
    samples: int | None = None,
    seed: int = 0,
    budget: float | None = None,
) -> Regression:
    """Run the kernel on the contract's hard, edge and random inputs and compare each result with the reference.

    A kernel that raises on an input of the domain has an infinite error there; so has one whose value is outside of the
    contract's range, and one whose exact value is unknown.
    """
    wanted = samples if samples is not None else SCALAR_SAMPLES if contract.generate is None else GENERATED_SAMPLES
    found: list[tuple[float, Inputs, str]] = []
    for given in inputs(contract, wanted, seed):
        try:
            result = kernel(*(as_array(given[name]) for name in contract.signature.parameters))
        except (Exception, SystemExit) as failure:
            found.append((math.inf, given, f"raised {type(failure).__name__}: {failure}"))
            continue
        try:
            strange = outside(contract, given, result)
            off = error(contract, reference, given, result)
            found.append((math.inf if strange else off, given, strange))
        except (ValueError, ArithmeticError, TypeError) as failure:  # no exact value, or an answer that is no number
            found.append((math.inf, given, f"cannot be compared: {failure}"))
    if not found:
        raise ValueError(f"{contract.id} has no inputs to be tried on: samples must be positive, got {wanted}")
    largest, at, remark = max(found, key=lambda one: one[0])
    typical = median(off for off, _, _ in found)
    return Regression(
        contract=contract, samples=len(found), largest=largest, typical=typical, at=at, remark=remark, budget=budget
    )


def missing(contract: Contract) -> Regression:
    """The result for a contract that nobody has implemented fast."""
    return Regression(contract=contract, samples=0, largest=math.nan, typical=math.nan, at={})


def as_array(value: object) -> object:
    """Lists become arrays, a table with rows of different lengths a list of arrays; numbers and names stay."""
    if isinstance(value, list | tuple):
        import numpy

        rows = {len(row) if isinstance(row, list | tuple) else None for row in value}
        return numpy.asarray(value) if len(rows) <= 1 else [as_array(row) for row in value]
    return value


def shown(given: Mapping[str, object], most: int = 6) -> str:
    """An input on one line, long arrays by shape and first entries."""
    return ", ".join(f"{name}={_brief(value, most)}" for name, value in given.items())


def _brief(value: object, most: int) -> str:
    if not isinstance(value, list | tuple):
        return repr(value)
    numbers = flat(value)
    if len(numbers) <= most:
        return repr(value)
    shape, inner = [], value
    while isinstance(inner, list | tuple) and inner:
        shape.append(str(len(inner)))
        inner = inner[0]
    return f"<{'x'.join(shape)}: {', '.join(map(repr, numbers[:most]))}, ...>"


def budgets(file: Path = BUDGETS) -> dict[str, float]:
    """The recorded budget of each contract."""
    if not file.exists():
        return {}
    return {id: float(value) for id, value in json.loads(file.read_text(encoding="utf-8")).items()}


def record(results: list[Regression], file: Path = BUDGETS) -> list[str]:
    """Write the largest errors, rounded up to two digits, where there was no budget or a larger one; what was changed.

    Budgets only shrink: an error above its budget is not recorded, whoever means it edits the file.
    """
    known = budgets(file)
    changed = []
    for result in results:
        id, before = result.contract.id, known.get(result.contract.id)
        if result.samples and math.isfinite(result.largest):
            now = float(Context(prec=2, rounding=ROUND_CEILING).plus(Decimal(repr(result.largest))))
            if before is None or now < before:
                known[id] = now
                changed.append(f"{id}: {before} -> {now}")
    temporary = file.with_suffix(".part")
    text = json.dumps({id: repr(known[id]) for id in sorted(known)}, indent=1) + "\n"
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, file)
    return changed


def report(result: Regression) -> dict[str, object]:
    """The result as plain data, numbers as decimal strings."""
    there = result.samples > 0
    return {
        "id": result.contract.id,
        "metric": result.contract.metric,
        "samples": result.samples,
        "max": repr(result.largest) if there else None,
        "median": repr(result.typical) if there else None,
        "at": {name: _strings(value) for name, value in result.at.items()},
        "remark": result.remark or None,
        "budget": repr(result.budget) if result.budget is not None else None,
        "verdict": result.verdict,
    }


def _strings(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_strings(part) for part in value]
    return repr(value) if isinstance(value, float) else value if isinstance(value, str) else str(value)
