"""Fast kernels against the reference: the same doubles to both, the error in the contract's metric, a recorded budget.

Contracts are found in `spec/`; their reference and their kernel stand under the same name in the same room.
"""

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import entries, error, exact
from dpsco.regression.inputs import inputs
from dpsco.regression.ranges import outside
from dpsco.regression.values import flat, places, shape
from dpsco.regression.vectors import FAR
from dpsco.regression.within import inside
from dpsco.spec.contract import SUBOPTIMALITY, Contract, Inputs
from dpsco.spec.expressions import Condition
from dpsco.spec.numbers import Real
from dpsco.spec.register import concepts

BUDGETS = Path(__file__).with_name("budgets.json")
SCALAR_SAMPLES, GENERATED_SAMPLES = 1000, 60
OK, FAIL, NO_KERNEL, NO_BUDGET = "ok", "FAIL", "no kernel", "no budget"

WORST = 5
"""Inputs of the largest errors that are kept."""
SHOWN = 18
"""Digits of an exact value, all of them certain."""
FEW = 6
QUANTILES = tuple(Fraction(percent, 100) for percent in (90, 99))
"""Shares of the inputs at which errors are told, beside the median."""

Function = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Miss:
    """One input, the error there, and what was got and expected, where these are known."""

    error: float
    at: Inputs
    got: str = ""
    expected: str = ""
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class Regression:
    """What one contract's run found. Errors are in the contract's metric; `worst` are the inputs of the largest."""

    contract: Contract
    errors: tuple[float, ...] = ()
    """One for each input, ascending."""
    worst: tuple[Miss, ...] = ()
    budget: float | None = None

    @property
    def samples(self) -> int:
        return len(self.errors)

    @property
    def largest(self) -> float:
        return self.errors[-1] if self.errors else math.nan

    @property
    def typical(self) -> float:
        return median(self.errors) if self.errors else math.nan

    @property
    def at(self) -> Inputs:
        """The input of the largest error."""
        return self.worst[0].at if self.worst else {}

    @property
    def remark(self) -> str:
        return self.worst[0].remark if self.worst else ""

    def quantile(self, share: Fraction) -> float:
        """The least error that is not exceeded at this share of the inputs."""
        return self.errors[max(math.ceil(share * self.samples), 1) - 1]

    def exceeds(self, error: float) -> bool:
        """Whether the error is more than the budget allows, or no number; any is where there is no budget."""
        return self.budget is None or not error <= self.budget

    @property
    def beyond(self) -> tuple[Miss, ...]:
        """Of the worst inputs those whose errors exceed the budget."""
        return tuple(miss for miss in self.worst if self.exceeds(miss.error))

    @property
    def verdict(self) -> str:
        if self.samples == 0:
            return NO_KERNEL
        if self.budget is None:
            return NO_BUDGET
        return FAIL if self.exceeds(self.largest) else OK


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
    within: Sequence[Condition] = (),
) -> Regression:
    """Run the kernel on the contract's hard, edge and random inputs and compare each result with the reference.

    A kernel that raises on an input of the domain has an infinite error there; so has one whose value is outside of the
    contract's range, and one whose exact value is unknown. Only inputs that keep the conditions of `within` are tried.

    Raises  ValueError where there are no inputs
    """
    wanted = samples if samples is not None else SCALAR_SAMPLES if contract.generate is None else GENERATED_SAMPLES
    found: list[tuple[float, Inputs, object, str]] = []
    for given in inputs(contract, wanted, seed) if not within else inside(contract, wanted, seed, within):
        try:
            result = kernel(*(as_array(given[name]) for name in contract.signature.parameters))
        except (Exception, SystemExit) as failure:
            found.append((math.inf, given, None, f"raised {type(failure).__name__}: {failure}"))
            continue
        try:
            strange = outside(contract, given, result)
            off = error(contract, reference, given, result)
            found.append((math.inf if strange else off, given, result, strange))
        except (ValueError, ArithmeticError, TypeError) as failure:  # no exact value, or an answer that is no number
            found.append((math.inf, given, result, f"cannot be compared: {failure}"))
    if not found and within:
        raise ValueError(f"no input of {contract.id} that was tried keeps the conditions")
    if not found:
        raise ValueError(f"{contract.id} has no inputs to be tried on: samples must be positive, got {wanted}")
    found.sort(key=lambda one: (one[0] == one[0], -one[0]))  # what is no number first; among equals the first that was tried
    worst: dict[str, tuple[float, Inputs, object, str]] = {}
    for one in found:  # hard inputs and edges may be the same
        if len(worst) < WORST:
            worst.setdefault(repr(one[1]), one)
    return Regression(
        contract=contract,
        errors=tuple(off for off, *_ in reversed(found)),
        worst=tuple(_miss(contract, reference, *one) for one in worst.values()),
        budget=budget,
    )


def _miss(contract: Contract, reference: Function, off: float, at: Inputs, result: object, remark: str) -> Miss:
    """What was got and expected, of several numbers the one that is worst."""
    if contract.metric == SUBOPTIMALITY:  # many answers are right
        return Miss(error=off, at=at, remark=remark)
    try:
        if result is None:
            (value, _), *others = exact(contract, reference, at)[1]
            return Miss(error=off, at=at, expected="" if others else _digits(value), remark=remark)
        found = entries(contract, reference, at, result)
    except (ValueError, ArithmeticError, TypeError):
        return Miss(error=off, at=at, got=_brief(result, FEW), remark=remark)
    if not found:
        return Miss(error=off, at=at, got=_brief(result, FEW), remark=remark or "the shape is another")
    worst = max(range(len(found)), key=lambda entry: found[entry][0])
    place = list(places(shape(result)))[worst]
    name = f"entry {list(place)}: " if place else ""
    return Miss(error=off, at=at, got=f"{name}{float(found[worst][1])!r}", expected=_digits(found[worst][2]), remark=remark)


def _digits(value: Real) -> str:
    m = mp(80)
    if 0 < abs(value) < m.real(10) ** -FAR:
        return f"within 1e-{FAR} of 0"
    if m.real(10) ** FAR < abs(value) < m.inf:
        return f"beyond {'-' if value < 0 else ''}1e+{FAR}"
    return str(m.mp.nstr(value, SHOWN))  # type: ignore[attr-defined]


def missing(contract: Contract) -> Regression:
    """The result for a contract that nobody has implemented fast."""
    return Regression(contract=contract)


def as_array(value: object) -> object:
    """Lists become arrays, a table with rows of different lengths a list of arrays; numbers and names stay."""
    if isinstance(value, list | tuple):
        import numpy

        rows = {len(row) if isinstance(row, list | tuple) else None for row in value}
        return numpy.asarray(value) if len(rows) <= 1 else [as_array(row) for row in value]
    return value


def shown(given: Mapping[str, object], most: int = FEW) -> str:
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
        "quantiles": {f"{share.numerator / share.denominator:g}": repr(result.quantile(share)) for share in QUANTILES}
        if there
        else None,
        "worst": [
            {
                "error": repr(miss.error),
                "at": {name: _strings(value) for name, value in miss.at.items()},
                "got": miss.got or None,
                "expected": miss.expected or None,
                "remark": miss.remark or None,
            }
            for miss in result.worst
        ],
        "verdict": result.verdict,
    }


def _strings(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_strings(part) for part in value]
    return repr(value) if isinstance(value, float) else value if isinstance(value, str) else str(value)
