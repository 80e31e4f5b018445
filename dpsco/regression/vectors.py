"""Test vectors of a contract for kernels in any language: inputs as hexadecimal doubles, exact values to 30 digits.

A file holds everything that a test needs: names and domains of the arguments, how errors are measured, what error is allowed,
and the cases: the contract's hard inputs and its edge values, mixed, then random ones.
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from random import Random
from typing import Any

from dpsco.reference.numbers.mp import mp
from dpsco.regression.described import interval
from dpsco.regression.errors import exact
from dpsco.regression.inputs import first, one
from dpsco.regression.values import nested
from dpsco.spec.contract import SUM_SCALED, ULPS, Contract, Inputs
from dpsco.spec.numbers import Real

SCHEMA = 1
DIGITS = 30
CERTAIN = DIGITS + 2
"""Digits to which two working precisions must agree, so that the printed ones are right but for rounding."""
SINGLE = 2.0**-29
"""Units of the last place of a double in one of a single, inside the range of singles."""

BUDGETS_FOR = {
    "float64": "arithmetic in doubles",
    "float32": "arithmetic in doubles, rounded once to a single; arithmetic in singles needs an allowance of its own",
}
"""What the errors allowed are for, as the file says it."""

FAR = 2000
"""Decades around 1 that values are written in: readers of decimals need not know larger exponents."""

Case = dict[str, Any]


def cases(contract: Contract, reference: Callable[..., Any], count: int, seed: int = 0) -> Iterator[Case]:
    """Up to `count` cases, each {"in": ..., "out": ...}; "size" beside them where errors are measured against a sum's terms.

    An input whose exact value has no certain digits within the precisions tried is passed over.

    Raises  ValueError where the contract's values are not determined to the last digit
    """
    if contract.metric not in (ULPS, SUM_SCALED):
        raise ValueError(f"{contract.id} is measured by {contract.metric}: many answers are right, and none has digits to list")
    found = (_case(contract, reference, given) for given in mixed(contract, 2 * count, seed))
    yield from islice((case for case in found if case is not None), count)


def mixed(contract: Contract, samples: int, seed: int) -> Iterator[Inputs]:
    """`inputs`, the hard ones and the edge values in an order of chance that goes round the names among the arguments.

    So a short part has several values of each argument, and every kernel, say, as soon as it has as many cases as there are.
    """
    random = Random(f"{contract.id} {seed}")
    known = list(first(contract, random))
    Random(0).shuffle(known)
    alike: dict[tuple[str, ...], list[Inputs]] = {}
    for given in known:
        alike.setdefault(tuple(value for value in given.values() if isinstance(value, str)), []).append(given)
    yield from (given for turn in zip_longest(*alike.values()) for given in turn if given is not None)
    yield from (one(contract, random) for _ in range(samples))


def head(contract: Contract, budget: float | None, seed: int) -> dict[str, Any]:
    """What stands above the cases: the arguments, the range of each output, the metric in words, the errors allowed.

    Budgets are for kernels that take the doubles as they are: "float64" as recorded for the package's own kernel, "float32"
    for a result that was computed as well and then rounded once to a single; what doubles allow counts twice there, since a
    rounding may cross a power of two.
    """
    scaled = contract.metric == SUM_SCALED
    rounding = 1.0 if scaled else 0.5
    domains = {p.name: p for p in contract.inputs}
    return {
        "schema": SCHEMA,
        "contract": contract.id,
        "says": contract.doc,
        "arguments": [
            {"name": name, **({"domain": str(p.domain), "unit": p.unit} if (p := domains.get(name)) is not None else {})}
            for name in contract.signature.parameters
        ],
        "range": [interval(held) for held in contract.ranges],
        "metric": contract.metric,
        "error": _words(scaled, contract.floor),
        "budgets": {
            "float64": None if budget is None else repr(budget),
            "float32": None if budget is None else repr(rounding + 2 * budget * SINGLE),
        },
        "budgets_for": BUDGETS_FOR,
        "digits": DIGITS,
        "far": f"1e-{FAR} stands for every smaller number, 1e+{FAR} for every larger one",
        "seed": seed,
    }


def document(top: dict[str, Any], some: Iterator[Case]) -> Iterator[str]:
    """The file's text, one case a line."""
    yield json.dumps(top, indent=1, ensure_ascii=False)[:-2] + ',\n "cases": ['
    for place, case in enumerate(some):
        yield f"{',' if place else ''}\n  {json.dumps(case, ensure_ascii=False)}"
    yield "\n ]\n}\n"


def _words(scaled: bool, floor: float) -> str:
    if scaled:
        return "|result - out| / size, in units of 2^-53 (float32: 2^-24), size / 2^53 at least 2^-1074 (float32: 2^-149)"
    near = f", or of {floor!r} where that is larger" if floor else ""
    return (
        f"|result - out| in units of the last place of out{near}, at least 2^-1074 (float32: 2^-149); what exceeds the largest "
        "number must come out infinite"
    )


def _case(contract: Contract, reference: Callable[..., Any], given: Any) -> Case | None:
    try:
        shape, values = exact(contract, reference, given, CERTAIN)
    except ValueError:
        return None
    case: Case = {
        "in": {name: _hex(given[name]) for name in contract.signature.parameters},
        "out": nested(shape, (_decimal(value) for value, _ in values)),
    }
    if contract.metric == SUM_SCALED:
        case["size"] = nested(shape, (_decimal(size) for _, size in values))
    return case


def _hex(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_hex(part) for part in value]
    return value.hex() if isinstance(value, float) else value


def _decimal(number: Real) -> str:
    """30 digits; far outside the doubles the nearest end of what is written, which a test of doubles cannot tell apart."""
    m = mp(2 * DIGITS)
    value = m.real(number)
    if m.real(10) ** FAR < abs(value) < m.inf:
        value = m.real(10) ** FAR * (1 if value > 0 else -1)
    elif 0 < abs(value) < m.real(10) ** -FAR:
        value = m.real(10) ** -FAR * (1 if value > 0 else -1)
    return str(m.mp.nstr(value, DIGITS))  # type: ignore[attr-defined]
