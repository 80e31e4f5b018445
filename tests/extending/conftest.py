"""A small paper from outside the tree, under a name of its own."""

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dpsco.running import cache
from dpsco.spec import register
from dpsco.spec.papers import PAPERS

COUNT = itertools.count()
SQUARES = '''
from dataclasses import replace
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, closed_unit
from dpsco.spec.papers import Paper
from dpsco.verdict import Finding, Rung, Severity, Verdict

PAPER = Paper("{key}", "Nobody", "Squares", "whole")

def square(m, x):
    return x**2

def bound(m, x):
    return x

small = Claim(
    id="{key}/thm-1", kind=Kind.BOUND, source=PAPER.at("Theorem 1"), says="x^2 <= x on [0, 1].",
    parameters=(Parameter("x", "a number", closed_unit),), formulas={{"left": square, "right": bound}},
    asserts=(Relation("left", "<=", "right"),),
)
half = replace(small, id="{key}/thm-2", formulas={{"left": square, "right": lambda m, x: x / 2}}, says="x^2 <= x / 2.")
claims = [small, half]

def judged(claim):
    """x (x - slope) is convex: the ends decide."""
    m = arb(64)
    for end in ("0", "1"):
        left, right = (apply(claim.formulas[name], m, {{"x": m.real(end)}}) for name in ("left", "right"))
        if m.le(left, right) is not True:
            yield Finding(
                scope="x = " + end, verdict=Verdict.REFUTED, rung=Rung.POINT, at={{"x": end}}, claimed="0.5",
                computed=("1", "1"), severity=Severity.DOMAIN, survives="It holds on [0, 1/2].", asserts=claim.asserts,
            )
            return
    yield Finding(scope="all x", verdict=Verdict.CERTIFIED, rung=Rung.EXACT, asserts=claim.asserts)

JUDGES = {{"{key}/thm-1": judged, "{key}/thm-2": judged}}
MUTANTS = {{
    "{key}/thm-1": lambda: [
        Mutant("left doubled", scaled(small, "left", 2, 1), lambda: 2 * 1.0**2 > 1.0),
        Mutant("left tripled", scaled(small, "left", 3, 1), lambda: 3 * 1.0**2 > 1.0),
        Mutant("half the bound", scaled(small, "right", 1, 2), lambda: 1.0**2 > 1.0 / 2),
    ]
}}
'''


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[str, Path]]]:
    """Writes a module under a name of its own (modules stay imported); everything registered is forgotten afterwards."""
    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    papers = dict(PAPERS)

    def write(source: str = SQUARES, edit: tuple[str, str] = ("{key}", "{key}"), **beside: str) -> tuple[str, Path]:
        key = f"squares{next(COUNT)}"
        file = tmp_path / f"{key}.py"
        assert source is not SQUARES or edit[0] in source
        file.write_text(source.replace(*edit).format(key=key) if source is SQUARES else source, encoding="utf-8")
        for name, text in beside.items():
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        return key, file

    yield write
    register._own.clear()
    register._by_id.cache_clear()
    PAPERS.clear()
    PAPERS.update(papers)
    cache.forget()
