"""The one rule of every audit: what its last line says where nothing was judged, and its exit status."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from dpsco.show.command.screen import line

PASSED = ("holds", "not refuted")
"""Verdicts on what was claimed with which an audit ends well; every other one ends it with 1."""
Require = Annotated[bool, typer.Option("--require", help="Exit 1 where nothing was judged.")]


def close(result: Mapping[str, Any]) -> None:
    """The last line, where nothing was judged: `not_judged` of the result says why."""
    if result["not_judged"] is not None:
        line(f"nothing was judged: {result['not_judged']}")


def status(result: Mapping[str, Any], require: bool) -> int:
    """0 where the claim passed, 1 where it did not; where nothing was judged 0, or 1 if a verdict is required."""
    if result["not_judged"] is not None:
        return int(require)
    return 0 if result["verdict"] in PASSED else 1
