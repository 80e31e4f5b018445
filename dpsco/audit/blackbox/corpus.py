"""The corpus: broken mechanisms, each beside the sound one that it was made from, and mechanisms that keep a claim exactly.

Every row is data: the claim, two neighbouring data sets, the algorithm and its public numbers, broken and sound. An algorithm
asks a mechanism for its answers (`dpsco.spec.mechanism`), so that it can be replayed; where the fault is in the noise itself,
below what can be asked, it draws by itself and cannot be.
"""

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Final

import numpy as np

from dpsco.audit.replay.oracles import Recording
from dpsco.spec.claim import Adjacency
from dpsco.spec.mechanism import Algorithm, Ask, Data, Mechanism, Query, Record, Released

Generator = np.random.Generator
Draw = Callable[[Generator, float, int], Any]
"""(rng, scale, size) -> noise of the scale that was asked for."""
REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_REMOVE
DELTA = "0.001"


@dataclass(frozen=True)
class Mutant:
    """A broken mechanism and its sound twin."""

    says: str
    epsilon: str
    pair: tuple[Data, Data]
    """Neighbours."""
    broken: Mapping[str, Any]
    """Public numbers; `algorithm` and `draw` where they differ."""
    sound: Mapping[str, Any]
    algorithm: Algorithm
    delta: str = "0"
    adjacency: Adjacency = REPLACE
    replayed: bool = True
    """Whether all of its noise is asked for."""
    calibration: Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]] | None = None
    """From public numbers to what `dpsco audit` is asked: the mechanism, and the noise as it is really added."""

    def run(self, broken: bool) -> tuple[Algorithm, Mapping[str, Any]]:
        """The algorithm and its public numbers."""
        public = dict(self.broken if broken else self.sound)
        algorithm: Algorithm = public.pop("algorithm", self.algorithm)
        return algorithm, public

    def outputs(self, broken: bool, data: Data, runs: int, rng: Generator) -> list[Released]:
        """Independent runs."""
        algorithm, public = self.run(broken)
        return [algorithm(data, {**public, "rng": rng}, Recording(rng)) for _ in range(runs)]


def clipped(record: Record, norm: float) -> Record:
    """Projected on [-norm, norm], coordinate by coordinate; what is no number is 0."""
    return tuple(max(-norm, min(norm, x)) if math.isfinite(x) else 0.0 for x in record)


def total(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """A noisy sum of clipped records."""
    value = tuple(map(math.fsum, zip(*(clipped(r, public["clip"]) for r in data), strict=True)))
    return {"sum": ask(Query("sum", public["mechanism"], value, public["scale"], public["sensitivity"]))}


def mean(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """A noisy mean of numbers, its scale from the number of records; `late` clips the mean instead of the records."""
    n, c = len(data), public["clip"]
    late = public.get("late", False)
    kept = [clipped(r, 1e300 if late else c)[0] / n for r in data]
    value = clipped((math.fsum(kept),), c)
    sensitivity = public["factor"] * c / n
    return {"mean": ask(Query("mean", Mechanism.LAPLACE, value, sensitivity / public["epsilon"], sensitivity))}


def batch(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """A noisy sum; `told` hands out how many records it was made of."""
    found = dict(total(data, public, ask))
    return {**found, "batch": len(data)} if public["told"] else found


def step(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """One noisy gradient step on the squared loss; `warm` starts at the solution, `taken` says whether the step is taken."""
    n, c = len(data), public["clip"]
    start = math.fsum(clipped(r, c)[0] for r in data) / n if public["warm"] else 0.0
    gradient = math.fsum(clipped((start - clipped(r, c)[0],), c)[0] for r in data) / n
    sensitivity = 2 * c / n
    (answer,) = ask(Query("gradient", Mechanism.LAPLACE, (gradient,), sensitivity / public["epsilon"], sensitivity))
    return {"theta": start - answer if public["taken"] else start}


def own_noise(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """A sum with noise drawn by `draw`, which is given the data's checksum too."""
    value = math.fsum(clipped(r, public["clip"])[0] for r in data)
    return {"sum": value + public["draw"](public["rng"], public["scale"], zlib.crc32(repr(data).encode()))}


def two_steps(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """The sum and its opposite, each with Gaussian noise of its own; `reused` adds the first one's noise twice."""
    value = math.fsum(clipped(r, public["clip"])[0] for r in data)
    first, second = public["scale"] * public["rng"].standard_normal(2)
    return {"first": value + first, "second": -value + (first if public["reused"] else second)}


def sampled(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """A sum over records that each take part with probability `rate`."""
    among = public["rng"].random(len(data)) < public["rate"]
    value = math.fsum(clipped(r, public["clip"])[0] for r, here in zip(data, among, strict=True) if here)
    return {"sum": value + public["rng"].laplace(0, public["scale"])}


@cache
def sigma(sensitivity: str, steps: str = "1", epsilon: str = "1") -> float:
    """The least certified sigma at (epsilon, 0.001)."""
    from dpsco.audit.calibration.mechanisms import MECHANISMS
    from dpsco.audit.calibration.solver import solve

    given = {"epsilon": epsilon, "delta": DELTA, "sensitivity": sensitivity, "steps": int(steps)}
    return float(solve(MECHANISMS["gaussian"], given, "sigma").value or "nan")


def noise(name: str, field: str) -> Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]:
    """What to ask of `dpsco audit name` about a sum: the noise's scale, and the sensitivity that the adjacency really has."""
    return lambda public: (name, {field: _exactly(public["scale"]), "sensitivity": public["true"], "steps": 1})


def _exactly(double: float) -> str:
    """All digits: the shortest decimal that is read back as the double may lie below it."""
    return str(Decimal(double))


def _normal(rng: Generator, scale: float, _: int) -> Any:
    return rng.normal(0, scale)


def _laplace(rng: Generator, scale: float, _: int) -> Any:
    return rng.laplace(0, scale)


ONES: Final[Data] = ((1.0,),) * 3
LAPLACE: Final = {"mechanism": Mechanism.LAPLACE, "clip": 1.0, "scale": 2.0, "sensitivity": 2.0, "true": "2"}
REPLACED: Final[tuple[Data, Data]] = ((*ONES, (1.0,)), (*ONES, (-1.0,)))
ADDED: Final[tuple[Data, Data]] = (ONES, (*ONES, (1.0,)))
NINE: Final[tuple[Data, Data]] = (((1.0,) * 9,), ((-1.0,) * 9,))


@cache
def corpus() -> dict[str, Mutant]:
    """All broken mechanisms, by name."""
    gauss = {"mechanism": Mechanism.GAUSSIAN, "clip": 1.0, "true": "2"}
    right, half = sigma("2"), sigma("1")
    numbers = {"clip": 1.0, "epsilon": 1.0, "factor": 2.0}
    own = {"clip": 1.0, "scale": 2.0, "draw": _laplace}
    nine = {**LAPLACE, "clip": 1.0, "scale": 18.0, "sensitivity": 18.0, "true": "18"}
    tight, whole = sigma("0.2"), sigma("2", "2")
    rated = {"clip": 1.0, "scale": 1.0, "rate": 0.1}
    descent = {"clip": 1.0, "epsilon": 1.0, "warm": False, "taken": True}
    return {
        "scale-as-location": Mutant(
            "the Laplace scale where numpy expects the location",
            "0.25",
            REPLACED,
            algorithm=own_noise,
            replayed=False,
            sound={**own, "scale": 8.0},
            broken={**own, "scale": 8.0, "draw": lambda rng, scale, _: rng.laplace(scale)},
        ),
        "step-not-taken": Mutant(
            "a private step from a start that is not, never taken",
            "1",
            REPLACED,
            algorithm=step,
            sound=descent,
            broken={**descent, "warm": True, "taken": False},
        ),
        "one-byte-seed": Mutant(
            "noise seeded from one byte",
            "1",
            REPLACED,
            algorithm=own_noise,
            replayed=False,
            sound=own,
            broken={**own, "draw": lambda rng, scale, _: np.random.default_rng(rng.integers(256)).laplace(0, scale)},
        ),
        "bound-used-twice": Mutant(
            "upper - upper for upper - lower: sensitivity 0",
            "1",
            REPLACED,
            algorithm=total,
            sound=LAPLACE,
            broken={**LAPLACE, "scale": 0.0, "sensitivity": 0.0},
        ),
        "variance-as-deviation": Mutant(
            "the variance where the standard deviation is expected",
            "1",
            REPLACED,
            delta=DELTA,
            algorithm=own_noise,
            replayed=False,
            calibration=noise("gaussian", "sigma"),
            sound={"clip": 0.1, "scale": tight, "draw": _normal, "true": "0.2"},
            broken={"clip": 0.1, "scale": tight**2, "draw": _normal, "true": "0.2"},
        ),
        "other-mechanisms-proof": Mutant(
            "Laplace noise calibrated to the l2-sensitivity, as the proof for Gaussian noise has it",
            "1",
            NINE,
            algorithm=total,
            calibration=noise("laplace", "scale"),
            sound=nine,
            broken={**nine, "scale": 6.0, "sensitivity": 6.0},
        ),
        "batch-size": Mutant(
            "the size of the batch is handed out, records added or removed",
            "1",
            ADDED,
            adjacency=ADD,
            algorithm=batch,
            sound={**LAPLACE, "scale": 1.0, "sensitivity": 1.0, "told": False},
            broken={**LAPLACE, "scale": 1.0, "sensitivity": 1.0, "told": True},
        ),
        "seed-from-data": Mutant(
            "noise seeded from the data",
            "1",
            REPLACED,
            algorithm=own_noise,
            replayed=False,
            sound=own,
            broken={**own, "draw": lambda rng, scale, checksum: np.random.default_rng(checksum).laplace(0, scale)},
        ),
        "other-adjacency": Mutant(
            "noise for records added or removed, claimed for records replaced",
            "1",
            REPLACED,
            delta=DELTA,
            algorithm=total,
            calibration=noise("gaussian", "sigma"),
            sound={**gauss, "scale": right, "sensitivity": 2.0},
            broken={**gauss, "scale": half, "sensitivity": 1.0},
        ),
        "missing-factor-two": Mutant(
            "a mean over [-c, c] moves by 2c/n, not c/n",
            "1",
            REPLACED,
            algorithm=mean,
            sound=numbers,
            broken={**numbers, "factor": 1.0},
        ),
        "clip-after-mean": Mutant(
            "the mean is clipped, not the records",
            "1",
            (((0.0,),) * 4, ((0.0,),) * 3 + ((100.0,),)),
            algorithm=mean,
            sound=numbers,
            broken={**numbers, "late": True},
        ),
        "noise-reused": Mutant(
            "the same noise in both steps",
            "1",
            REPLACED,
            delta=DELTA,
            algorithm=two_steps,
            replayed=False,
            sound={"clip": 1.0, "scale": whole, "reused": False},
            broken={"clip": 1.0, "scale": whole, "reused": True},
        ),
        "sampling-only-claimed": Mutant(
            "amplified by sampling in the proof, every record used in the code",
            "0.16",  # above ln(1 + (e - 1)/10) = 0.1586
            ADDED,
            adjacency=ADD,
            algorithm=sampled,
            replayed=False,
            sound=rated,
            broken={**rated, "rate": 1.0},
        ),
        "one-share-of-two": Mutant(
            "two answers, each with the noise that one needs",
            "1",
            REPLACED,
            delta=DELTA,
            algorithm=two_steps,
            replayed=False,
            calibration=lambda public: ("gaussian", {"sigma": _exactly(public["scale"]), "sensitivity": "2", "steps": 2}),
            sound={"clip": 1.0, "scale": whole, "reused": False},
            broken={"clip": 1.0, "scale": right, "reused": False},
        ),
    }
