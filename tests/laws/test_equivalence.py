"""Law 1, equivalence: every contract's kernel is within its budget of the reference, and both lie in the contract's range.

The subjects are the register of contracts: a new one joins by existing. Inputs come from the contract's own domain, hard ones
included, through the one maker that `dpsco regress`, `dpsco vectors` and the fuzzers use; hypothesis shrinks what fails to the
smallest disagreement. Each run tries the same inputs; with HYPOTHESIS_PROFILE=audit others each time, forty times as many.
"""

import importlib
import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dpsco.reference.numbers.mp import mp
from dpsco.regression import regress
from dpsco.regression.errors import error, exact
from dpsco.regression.inputs import first, one
from dpsco.regression.ranges import outside
from dpsco.regression.values import flat
from dpsco.spec.contract import FINITE, POSITIVE_PROBABILITY, SUBOPTIMALITY, SUM_SCALED, ULPS, Contract, Inputs, contract
from dpsco.spec.domain import Parameter, positive

CONTRACTS = regress.contracts()
BUDGETS = regress.budgets()
COSTS = json.loads(Path(__file__).with_name("costs.json").read_text(encoding="utf-8"))
"""Milliseconds of processor time that kernel and reference take for an input, where that is more than a few: measured once."""
USUAL, FEW = 16, 2
"""Most and fewest generated inputs of a contract."""
SHARE = 400
"""Milliseconds that the generated inputs of a contract may take."""
CHOSEN = 60
"""Numbers of an input that hypothesis chooses and shrinks; later ones come from a generator whose seed it chooses."""

Function = Callable[..., Any]


class Drawn(Random):
    """A source of chance that hypothesis steers: uniform, and nearer to zero where it shrinks, but never zero itself."""

    def __init__(self, draw: Callable[[Any], Any], chosen: int = CHOSEN) -> None:
        self._draw, self._left = draw, chosen
        super().__init__(draw(st.integers(0, 2**24 - 1)))

    def random(self) -> float:
        return (self._bits(24) + 0.5) / 2**24 if self._left > 0 else super().random()

    def getrandbits(self, k: int, /) -> int:
        if self._left <= 0:
            return super().getrandbits(k)
        return sum(self._bits(min(24, k - low)) << low for low in range(0, k, 24))

    def _bits(self, k: int) -> int:
        self._left -= 1
        return int(self._draw(st.integers(0, 2**k - 1)))  # of at most 24 bits: hypothesis draws these uniformly


def examples(id: str) -> int:
    """How many generated inputs are tried beside all hard ones: plain data, the same on each machine."""
    return max(FEW, min(USUAL, int(SHARE / COSTS.get(id, 1))))


@cache
def known(id: str) -> list[Inputs]:
    """The hard inputs and the edge values."""
    return list(first(CONTRACTS[id], Random(id)))


@st.composite
def inputs(draw: Callable[[Any], Any], subject: Contract, edges: list[Inputs]) -> Inputs:
    """An edge value, or an input from the contract's domain."""
    if edges and draw(st.booleans()):
        return dict(draw(st.sampled_from(edges)))
    return one(subject, Drawn(draw))


def broken(subject: Contract, kernel: Function, reference: Function, asked: Inputs, budget: float) -> str:
    """One sentence if the law does not hold at this input: law, subject, input, expected and got; else nothing."""
    where = f"law 1, equivalence: {subject.id} at {regress.shown(asked)}"
    try:
        got = kernel(*(regress.as_array(asked[name]) for name in subject.signature.parameters))
    except (Exception, SystemExit) as failure:
        return f"{where}: expected an answer, got {type(failure).__name__}: {failure}"
    strange = outside(subject, asked, got)
    if strange:
        return f"{where}: expected a value in its range, got one of which {strange}"
    try:
        off = error(subject, reference, asked, got)
    except (ValueError, ArithmeticError) as failure:
        return f"{where}: expected an exact value, got {failure}"
    if off <= budget:
        return ""
    right = _expected(subject, reference, asked)
    return f"{where}: expected {right} within {budget} {subject.metric}, got {_few(got)}, off by {off:.4g}"


def _expected(subject: Contract, reference: Function, asked: Inputs) -> str:
    if subject.metric == SUBOPTIMALITY:
        return "a point"
    return ", ".join(str(mp(20).real(value)) for value, _ in exact(subject, reference, asked)[1][:4])


def _few(got: Any) -> str:
    return ", ".join(repr(float(x)) for x in flat(got)[:4])


def law(subject: Contract, kernel: Function, reference: Function, budget: float, known: list[Inputs], examples: int) -> None:
    """Raise AssertionError with the sentence about a hard input, or the smallest generated one, that breaks the law."""
    for asked in subject.hard:
        assert not (sentence := broken(subject, kernel, reference, asked, budget)), sentence

    @settings(
        max_examples=max(1, examples * settings().max_examples // 50),
        derandomize=settings.get_current_profile_name() != "audit",
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        database=None,
        report_multiple_bugs=False,
    )
    @given(inputs(subject, known[len(subject.hard) :]))
    def holds(asked: Inputs) -> None:
        sentence = broken(subject, kernel, reference, asked, budget)
        assert not sentence, sentence

    holds()


def subject_of(id: str) -> tuple[Contract, Function, Function, float]:
    """A contract with its kernel, its reference and its budget; an error that names it where one is missing."""
    subject = CONTRACTS[id]
    kernel, reference = (regress.implementation(room, subject) for room in ("fast", "reference"))
    assert kernel is not None, f"law 1, equivalence: {id} has no kernel in fast/"
    assert reference is not None, f"law 1, equivalence: {id} has no reference"
    assert id in BUDGETS, f"law 1, equivalence: {id} has no recorded budget"
    return subject, kernel, reference, BUDGETS[id]


@pytest.mark.parametrize("id", CONTRACTS)
def test_equivalence(id: str):
    law(*subject_of(id), known(id), examples(id))


def caught(id: str, kernel: Function | None = None, reference: Function | None = None) -> str:
    """The sentence about a contract with another kernel or reference in the place of its own."""
    subject, right, literal, budget = subject_of(id)
    with pytest.raises(AssertionError) as found:
        law(subject, kernel or right, reference or literal, budget, known(id), USUAL)
    return str(found.value).splitlines()[0]


@pytest.mark.parametrize("id", ["privacy.laplace.profile", "losses.kernels.density", "losses.quantile.smoothing.derivative"])
def test_control_a_kernel_off_by_two_budgets_is_named(id: str):
    subject, kernel, reference, budget = subject_of(id)

    def off(*given: Any) -> float:
        right = kernel(*given)
        if not right:
            return float(right)  # below zero it would be out of range, which is another control
        asked = dict(zip(subject.signature.parameters, given, strict=True))
        ((_, size),) = exact(subject, reference, asked)[1]
        unit = float(size) * 2.0**-53 if subject.metric == SUM_SCALED else math.ulp(right)
        return float(right - 2 * math.copysign(max(budget, 0.5) * unit, right))

    sentence = caught(id, kernel=off)
    assert f"law 1, equivalence: {id} at {next(iter(subject.signature.parameters))}=" in sentence
    assert "expected" in sentence
    assert "off by" in sentence


def test_control_a_kernel_out_of_range_is_named():
    """Off by the least double only, and within its budget, but a negative probability."""
    id = "privacy.gaussian.profile"
    subject, kernel, reference, budget = subject_of(id)
    far = {"epsilon": 700.0, "mu": 1e-3}
    assert error(subject, reference, far, -5e-324) <= budget
    sentence = caught(id, kernel=lambda epsilon, mu: kernel(epsilon, mu) or -5e-324)
    assert f"law 1, equivalence: {id} at epsilon=" in sentence
    assert "expected a value in its range, got one of which -4.9" in sentence
    assert "is outside of (0.0, 1.0]" in sentence


def test_control_a_reference_out_of_range_is_named():
    """The profile's difference of two tails without digits to spare, as it was: -1.0e-2000 for a probability."""

    def literally(m: Any, epsilon: Any, mu: Any) -> Any:
        return m.Phi(mu / 2 - epsilon / mu) - m.exp(epsilon) * m.Phi(-mu / 2 - epsilon / mu)

    subject, kernel, reference, budget = subject_of("privacy.gaussian.profile")
    far = subject.hard[0]
    assert broken(subject, kernel, reference, far, budget) == ""
    sentence = broken(subject, kernel, literally, far, budget)
    assert "law 1, equivalence: privacy.gaussian.profile at epsilon=1e+154, mu=" in sentence
    assert "the reference's value -" in sentence


def test_control_a_subject_without_a_kernel_is_named(monkeypatch: pytest.MonkeyPatch):
    @contract(metric=ULPS, range=POSITIVE_PROBABILITY, inputs=(Parameter("x", "", positive),))
    def lonely(x: float) -> float:
        """A contract that nobody keeps."""
        raise NotImplementedError

    monkeypatch.setitem(CONTRACTS, lonely.id, lonely)
    with pytest.raises(AssertionError, match="lonely has no kernel"):
        test_equivalence(lonely.id)


def test_control_a_subject_without_inputs_is_named(monkeypatch: pytest.MonkeyPatch):
    @contract(metric=ULPS, range=FINITE)
    def silent(x: float) -> float:
        """A contract that does not say what x is."""
        raise NotImplementedError

    monkeypatch.setitem(CONTRACTS, silent.id, silent)
    with pytest.raises(ValueError, match="silent must describe all of its parameters"):
        known(silent.id)


def test_what_is_tried_depends_on_no_module_that_was_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Hypothesis would draw the constants of modules under the working folder, which are others in a run of the whole suite."""
    subject = CONTRACTS["privacy.laplace.profile"]

    def tried() -> list[Inputs]:
        found: list[Inputs] = []

        @settings(max_examples=200, derandomize=True, database=None)
        @given(inputs(subject, []))
        def look(asked: Inputs) -> None:
            found.append(asked)

        look()
        return found

    before = tried()
    (tmp_path / "full_of_constants.py").write_text("".join(f"x{k} = {97 * k + 1}\n" for k in range(400)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("full_of_constants")
    assert tried() == before


def test_control_a_contract_without_a_range_is_refused():
    with pytest.raises(TypeError, match="range"):
        contract(metric=ULPS)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"bounded depends on \['y'\]"):

        @contract(metric=ULPS, range=(FINITE, FINITE.__class__(high=lambda m, y: y)))
        def bounded(x: float) -> float:
            """A contract whose range depends on what it does not take."""
            raise NotImplementedError
