"""The auditor audited: inputs that keep their claim exactly, and auditors and accountants with one known fault each.

An auditor is a function (zero, one, delta, rng) -> lower limit of epsilon at confidence 0.95. On inputs that keep their claim
it may exceed the claim in at most 5 % of the runs; one that does so more often is found out by its false alarms. A fault that
moves a number by less than its runs could show is found out by enclosure.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any, Final

import numpy as np

from dpsco.audit.blackbox.bounds import at_least, lower
from dpsco.audit.blackbox.events import Array, choose, scores
from dpsco.audit.blackbox.two_sample import audit, shown
from dpsco.reference.privacy.gaussian import solve_delta
from dpsco.reference.rounding import upward

CONFIDENCE, LEVEL = 0.95, 0.05
Generator = np.random.Generator
Auditor = Callable[[Array, Array, float, Generator], float]


@dataclass(frozen=True)
class Exact:
    """A mechanism that is (epsilon, delta)-DP and no better: at every smaller epsilon it needs a larger delta."""

    says: str
    epsilon: float
    delta: float
    draw: Callable[[Generator, int, int], Array]
    """(rng, which data set, runs) -> outputs in rows."""


def _response(rng: Generator, which: int, runs: int) -> Array:
    told = rng.random(runs) < 1 / (1 + math.exp(-1))
    return np.where(told, which, 1 - which).astype(np.float64)[:, None]


def _leaking(rng: Generator, which: int, runs: int) -> Array:
    """With chance 0.1 the data set is told outright, by an output that the other never gives."""
    return np.where(rng.random((runs, 1)) < 0.1, 2.0 + which, _response(rng, which, runs))


def exact() -> dict[str, Exact]:
    """The inputs of the false-alarm test."""
    return {
        "identical": Exact("identical distributions", 0.0, 0.0, lambda rng, _, n: rng.normal(size=(n, 1))),
        "identical-10": Exact("identical, 10 dimensions", 0.0, 0.0, lambda rng, _, n: rng.normal(size=(n, 10))),
        "randomised-response": Exact("randomised response", 1.0, 0.0, _response),
        "leaking-response": Exact("randomised response, delta = 0.1 told", 1.0, 0.1, _leaking),
        "laplace": Exact("Laplace", 1.0, 0.0, lambda rng, which, n: which + rng.laplace(size=(n, 1))),
        "gaussian": Exact(
            "Gaussian at its profile", 1.0, upward(solve_delta(1, 1)), lambda rng, which, n: which + rng.normal(size=(n, 1))
        ),
    }


def sound(zero: Array, one: Array, delta: float, rng: Generator) -> float:
    """The auditor as it is."""
    return audit(zero, one, delta, CONFIDENCE, rng).epsilon


def unsplit(zero: Array, one: Array, delta: float, rng: Generator) -> float:
    """The negative control: the outputs that chose the events count them."""
    chosen = choose(zero, one, list(scores(zero, one)), delta, LEVEL / 2)
    return shown(chosen, zero, one, delta, LEVEL / 2).epsilon


def swapped_minimum(zero: Array, one: Array, delta: float, rng: Generator) -> float:
    """Hoeffding's margin with log(min(2, 1/alpha)) for log(max(2, 1/alpha))."""

    def margin(runs: int) -> float:
        return math.sqrt(math.log(min(2, 4 / LEVEL)) / (2 * runs))

    return _with(lambda k, n: k / n - margin(n), lambda k, n: k / n + margin(n), zero, one, delta, rng)


def same_sign(zero: Array, one: Array, delta: float, rng: Generator) -> float:
    """A fudge factor of the same sign on both sides: the lower limit of both probabilities."""

    def low(k: int, n: int) -> float:
        return lower(k, n, LEVEL / 4)

    return _with(low, lambda k, n: max(low(k, n), 1 / n), zero, one, delta, rng)


def plugged_in(zero: Array, one: Array, delta: float, rng: Generator) -> float:
    """The estimate itself, with no margin at all."""
    return _with(lambda k, n: k / n, lambda k, n: max(k, 1) / n, zero, one, delta, rng)


def unfitted(zero: Array, one: Array, delta: float, rng: Generator) -> float:
    """The step that fits the scores is never taken: the first coordinate against 0. Valid, but blind."""
    fixed = choose(zero * 0 + rng.normal(size=zero.shape), one * 0 + rng.normal(size=one.shape), _first(), delta, LEVEL / 2)
    return shown(fixed, zero, one, delta, LEVEL / 2).epsilon


def _first() -> list[tuple[str, Callable[[Array], Array]]]:
    return [("coordinate 1", lambda x: x[:, 0])]


def _with(
    low: Callable[[int, int], float],
    high: Callable[[int, int], float],
    zero: Array,
    one: Array,
    delta: float,
    rng: Generator,
) -> float:
    """The auditor with other limits of the two probabilities."""
    best = -math.inf
    for counted in audit(zero, one, delta, CONFIDENCE, rng).counted:
        gain = low(*counted.more) - delta
        best = max(best, math.log(gain / high(*counted.less))) if gain > 0 else best
    return best


FAULTY: Final[dict[str, tuple[str, Auditor]]] = {
    "no-splitting": ("the outputs that chose an event count it (negative control)", unsplit),
    "swapped-minimum": ("log(min(2, 1/alpha)) in the margin", swapped_minimum),
    "same-sign": ("a fudge factor of the same sign on both sides", same_sign),
    "plugged-in": ("estimates without any margin", plugged_in),
}
"""Auditors with a fault that their false alarms show."""


def rounded_up(rng: Generator, broken: bool) -> bool:
    """Whether enclosure sees a lower limit that is rounded up at the fourth digit; random counts."""
    runs = int(rng.integers(10, 2000))
    count = int(rng.integers(1, runs + 1))
    p = lower(count, runs, LEVEL)
    if broken:
        p = min(1.0, float(_digits(str(p), 4, ROUND_CEILING)))
    return not at_least(count, runs, p) <= LEVEL


def careless_search(rng: Generator, broken: bool) -> bool:
    """Whether the calibration check sees a search that returns the end that failed; random claims."""
    from dpsco.audit.calibration.mechanisms import MECHANISMS
    from dpsco.audit.calibration.solver import holds

    mechanism = MECHANISMS["gaussian"]
    epsilon, delta = f"{10 ** rng.uniform(-2, 1.5):.6g}", f"{10 ** rng.uniform(-20, -1):.6g}"
    given: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "sensitivity": "1", "steps": 1}
    low, high = 1e-3, 1e6
    while high / low > 1 + 1e-9:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if holds(mechanism, {**given, "sigma": repr(middle)}) else (middle, high)
    return holds(mechanism, {**given, "sigma": repr(low if broken else high)}) is not True


def rounded_plan(rng: Generator, broken: bool) -> bool:
    """Whether the plan checker sees an upper end of epsilon that was rounded down to four digits; random plans."""
    from dpsco.audit.plans.check import check, digest
    from dpsco.audit.plans.plan import canonical
    from dpsco.audit.plans.search import certificate

    answers = {
        "mechanism": "gaussian",
        "count": int(rng.integers(1, 20)),
        "sigma": f"{rng.uniform(2, 9):.3f}",
        "sensitivity": "1",
    }
    plan, target = canonical({"adjacency": "replace-one", "delta": "1e-6", "release": [answers]})
    made = certificate(plan, delta=target["delta"])
    if broken:
        claim = made["claims"]["epsilon_at"]
        claim = {**claim, "lower": "0", "upper": _digits(claim["upper"], 4, ROUND_FLOOR)}
        made = {**made, "claims": {**made["claims"], "epsilon_at": claim}}
        made["sha256"] = digest({key: value for key, value in made.items() if key != "sha256"})
    return check(made) is not None


def _digits(decimal: str, digits: int, rounding: str) -> str:
    return str(Context(prec=digits, rounding=rounding).plus(Decimal(decimal)))


ENCLOSED: Final[dict[str, tuple[str, str, Callable[[Generator, bool], bool]]]] = {
    "rounded-up": ("an upper rounding where a lower was needed", "enclosure", rounded_up),
    "careless-search": ("a search that returns the end that failed", "calibration", careless_search),
    "rounded-plan": ("the upper end of a plan's certificate rounded down", "plan", rounded_plan),
}
"""Accountants whose fault is seen without sampling: what it is, who sees it, and whether it does at random values."""
