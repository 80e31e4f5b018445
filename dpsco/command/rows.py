"""Numbers from a CSV as people save it; what is wrong with one is said with its line and column."""

import csv
import math
from pathlib import Path

from dpsco.command.screen import BadInputError, known


def lines(file: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header and body, each row with its line's number."""
    try:
        with file.open(newline="", encoding="utf-8-sig") as stream:
            reader = csv.reader(stream, strict=True, skipinitialspace=True)
            header = [name.strip() for name in next(reader, [])]
            body = [(reader.line_num, row) for row in reader if row]
    except OSError as error:
        raise BadInputError(f"cannot read {str(file)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInputError(f"{str(file)!r} is not UTF-8: {error.reason} at byte {error.start}") from error
    except csv.Error as error:
        raise BadInputError(f"{str(file)!r} is not a CSV: {error}") from error
    if not header:
        raise BadInputError(f"{str(file)!r} is empty; a header line and rows are needed")
    if not body:
        raise BadInputError(f"{str(file)!r} has a header and no rows")
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise BadInputError(f"{str(file)!r} has more than one column {doubled[0]!r}")
    for number, row in body:
        if len(row) != len(header):
            raise BadInputError(f"{str(file)!r} line {number} has {len(row)} cells, the header has {len(header)}")
    return header, body


def numbers(file: Path, header: list[str], body: list[tuple[int, list[str]]], columns: list[str]) -> list[list[float]]:
    """The cells of these columns, row by row."""
    places = [(name, header.index(known(name, header, f"column of {str(file)!r}"))) for name in columns]
    return [[_cell(file, number, name, row[place]) for name, place in places] for number, row in body]


def read(file: Path, target: str, features: list[str]) -> tuple[list[str], list[list[float]], list[float]]:
    """Feature names, rows and outcomes; bad input says which cell, row or column is at fault."""
    header, body = lines(file)
    known(target, header, f"column of {str(file)!r}")
    chosen = [known(name, header, f"column of {str(file)!r}") for name in features] or [n for n in header if n != target]
    if target in chosen:
        raise BadInputError(f"{target!r} is the target and cannot be a feature")
    if len(set(chosen)) < len(chosen):
        raise BadInputError(f"--feature names a column twice: {', '.join(chosen)}")
    if not chosen:
        raise BadInputError(f"{str(file)!r} has no column but {target!r}; at least one feature is needed")
    found = numbers(file, header, body, [*chosen, target])
    return chosen, [row[:-1] for row in found], [row[-1] for row in found]


def _cell(file: Path, number: int, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise BadInputError(f"{str(file)!r} line {number}, column {name!r}: {text!r} is not a number") from error
    if not math.isfinite(value):
        raise BadInputError(f"{str(file)!r} line {number}, column {name!r}: {text!r} is not finite")
    return value
