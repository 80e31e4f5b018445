"""`dpsco predict`: fitted quantiles, or order quantities, of new rows, from the model that `dpsco fit --json` wrote."""

import csv
import io
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from dpsco.command.fit import INTERCEPT
from dpsco.command.rows import lines, numbers
from dpsco.command.screen import BadInputError, whole, writable

SCHEMA = 1


@dataclass(frozen=True)
class Model:
    """What is needed of a fitted model; its coefficients are all that depends on data."""

    target: str
    features: tuple[str, ...]
    """Columns, in the order of the coefficients; `INTERCEPT` stands for a column of ones."""
    coefficients: tuple[float, ...]
    orders: bool
    """Whether it was fitted to costs: then what it predicts is to be ordered, and never negative."""
    private: bool


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL.json", help="What `dpsco fit --json` wrote.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="New rows, with the columns that the model was fitted to.")],
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE", help="Where to write the CSV; - for standard output.")
    ] = Path("-"),
) -> None:
    """Append fitted quantiles, or order quantities, to new rows."""
    fitted = read_model(model)
    try:
        writable(output)
    except BadInputError as error:
        raise BadInputError(str(error).replace("--json", "--output")) from error
    header, body = lines(file)
    column = f"{fitted.target}_{'order' if fitted.orders else 'quantile'}"
    if column in header:
        raise BadInputError(f"{str(file)!r} has a column {column!r} already")
    columns = [name for name in fitted.features if name != INTERCEPT]
    cells = [iter(row) for row in numbers(file, header, body, columns)]
    rows = [[1.0 if name == INTERCEPT else next(row) for name in fitted.features] for row in cells]

    from dpsco.newsvendor import orders
    from dpsco.quantile_regression import predict as quantiles

    found = (orders if fitted.orders else quantiles)(rows, fitted.coefficients).tolist()
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*header, column])
    writer.writerows([*row, repr(value)] for (_, row), value in zip(body, found, strict=True))
    if not fitted.private:
        print("dpsco: warning: the model is NOT PRIVATE: for experiments only", file=sys.stderr)
    if str(output) == "-":
        sys.stdout.write(text.getvalue())
        return
    with whole(output.resolve()) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")


def read_model(file: Path) -> Model:
    """A model from its JSON; bad input says what of it is not as `dpsco fit --json` writes it."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(f"cannot read {str(file)!r}: {error.strerror}") from error
    except ValueError as error:  # no UTF-8, or no JSON
        raise BadInputError(f"{str(file)!r} is not JSON: {error}") from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or "coefficients" not in found:
        raise BadInputError(f"{str(file)!r} is no model: `dpsco fit --json {file.name}` writes one (schema {SCHEMA})")
    target, coefficients, private = found.get("target"), found["coefficients"], found.get("private")
    if not (isinstance(target, str) and isinstance(coefficients, dict) and coefficients and isinstance(private, bool)):
        raise BadInputError(f"{str(file)!r}: target must be a name, coefficients an object of numbers, private true or false")
    return Model(
        target,
        tuple(coefficients),
        tuple(_number(file, name, value) for name, value in coefficients.items()),
        "underage" in found,
        private,
    )


def _number(file: Path, name: str, value: Any) -> float:
    try:
        number = float(value) if isinstance(value, str) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInputError(f"{str(file)!r}: the coefficient of {name!r} must be a decimal string, got {value!r}")
    return number
