"""Small papers from outside the tree, each under a name of its own: an honest one, and what cheats are made of."""

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpsco.__main__ import run
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
HEAD = '''
import time
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import Scale, suffices
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Choice, Integers, Interval, Parameter, Vectors, open_unit, positive
from dpsco.spec.papers import Paper
from dpsco.spec.parameters import DELTA, EPSILON, SENSITIVITY
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

PAPER = Paper("KEY", "Nobody", "Cheats", "whole")
X = Parameter("x", "a number", Interval("0", "1"))
READ = []


def square(m, x):
    return x**2


def same(m, x):
    return x


def stating(left, right, *asserts, x=X, **rest):
    """A claim about two formulas in x: left <= right, if nothing else is asserted."""
    asserts = asserts or (Relation("left", "<=", "right"),)
    formulas = {"left": left, "right": right}
    at = PAPER.at("Theorem 1")
    return Claim(
        id="KEY/a", kind=Kind.BOUND, source=at, says="", parameters=(x,), formulas=formulas, asserts=asserts, **rest
    )


def certified(*asserts, reading=Reading.PRINTED):
    return Finding(scope="all", verdict=Verdict.CERTIFIED, rung=Rung.EXACT, asserts=asserts, reading=reading)


def refuted(*asserts, **at):
    there = {"scope": "there", "rung": Rung.POINT, "severity": Severity.CONSTANT, "survives": "?"}
    return Finding(verdict=Verdict.REFUTED, asserts=asserts, at=at, **there)


def knows(claim):
    """Whatever is not the claim itself is refuted at x = 0.9."""
    yield certified(*claim.asserts) if claim is claims[0] else refuted(*claim.asserts, x="0.9")


def moved(claim=None):
    """Three false mutants: the left side is larger."""
    for factor in (3, 5, 7):
        yield Mutant(f"left times {factor}", scaled(claims[0], "left", factor, 1), lambda: True)


judge, mutants = knows, moved
'''
TAIL = """
JUDGES = {"KEY/a": judge}
MUTANTS = {"KEY/a": mutants}
"""
NOISE = """
def sigma(m, epsilon, delta, sensitivity):
    return sensitivity * m.sqrt(2 * m.log(m.frac(5, 4) / delta)) / epsilon


noise = Claim(
    id="KEY/a", kind=Kind.PRIVACY, source=PAPER.at("Theorem A.1"), says="",
    parameters=(EPSILON.within(open_unit), DELTA, SENSITIVITY),
    formulas={"sigma": sigma}, asserts=(Relation("N(0, sigma^2) noise", "is", "(epsilon, delta)-DP"),),
    over=("every query with values in R^k, every k",), adjacency=Adjacency.ADD_REMOVE, releases="the noisy answer",
)
AXES = {"epsilon": ("0.001", "0.5", "0.999", "8"), "delta": ("1e-40", "1e-6", "0.1", "0.9"), "sensitivity": ("1", "7")}


def judge(claim):
    def mu(m, values):
        return values["sensitivity"] / apply(claim.formulas["sigma"], m, values)

    yield from suffices(claim, Scale(mu, AXES, "one answer", claim.adjacency, claim.releases, asserts=claim.asserts))


def mutants():
    for tenths in (5, 6, 7):
        yield Mutant(f"sigma times 0.{tenths}", scaled(claims[0], "sigma", tenths, 10), lambda: True)
"""


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


@pytest.fixture
def cheating(written: Callable[..., tuple[str, Path]]) -> Callable[[str], Path]:
    """Writes a paper with one claim, its judge and its mutants; #NOISE# stands for a claim about Gaussian noise."""

    def write(body: str) -> Path:
        key, file = written("")
        file.write_text((HEAD + body.replace("#NOISE#", NOISE) + TAIL).replace("KEY", key), encoding="utf-8")
        return file

    return write


@pytest.fixture
def judged(cheating: Callable[[str], Path], tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """What `verify --json` writes of such a paper's claim, with all reasons in one text."""

    def one(body: str) -> dict[str, Any]:
        found = tmp_path / "found.json"
        run(["verify", "--from", str(cheating(body)), "--jobs", "1", "--json", str(found)])
        (claim,) = json.loads(found.read_text(encoding="utf-8"))["claims"]
        return {**claim, "reasons": " | ".join(str(f["reason"]) for f in claim["findings"])}

    return one
