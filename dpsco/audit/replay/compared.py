"""The algorithms that the papers compare, as the replay sees them: literally, records made fit one by one.

Records are (x_1, ..., x_d, y) as in `descents` beside it, for output perturbation (y): rows outside the ball of radius B_x
are projected onto it, a record that holds no finite number becomes zero, outcomes are cut off at +-y_bar where that is said.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

from dpsco.audit.replay.descents import DIGITS, PUBLIC, fit
from dpsco.reference.algorithms import regularised_quantile as model
from dpsco.reference.algorithms.dp_sgd.algorithm import average
from dpsco.reference.algorithms.dp_sgd.minibatch import batch_gradient, path_in_ball
from dpsco.reference.algorithms.phased.sgd import phase
from dpsco.reference.algorithms.sample_average import empirical_quantile
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.phased.dp_sgd import phase_step
from dpsco.spec.algorithms.phased.sgd import lengths
from dpsco.spec.losses.quantile.smoothing import lipschitz
from dpsco.spec.mechanism import Answer, Ask, Data, Mechanism, Query, Released
from dpsco.spec.numbers import Numbers, Real

BATCHES: Final = {**PUBLIC, "loss": "check", "T": 3, "size": 2, "skip": 1}
PHASES: Final = {**PUBLIC, "loss": "moreau"}
MINIMISERS: Final = {**PUBLIC, "y_bar": 100.0, "tolerance": 1e-3}
DEMAND: Final = {"r": 0.3, "sigma": 2.0, "y_bar": 10.0}
ROUNDING: Final = 1e-9
"""Relative part of a sensitivity that is left to the solver's and the answers' rounding."""


def minibatch(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """Noisy steps on batches drawn with replacement, in the ball of radius B; all iterates and their average are released."""
    m, d, n = mp(DIGITS), public["d"], len(data)
    eta, h, r, B, B_x = (m.real(public[name]) for name in ("eta", "h", "r", "B", "B_x"))
    rows = [fit(m, record, d, B_x) for record in data]
    most = 2 * lipschitz(m, r=r, B_x=B_x)  # the batch may hold one record only

    def noisy(t: int, theta: list[Real]) -> list[Real]:
        drawn = [ask(Query(f"draw {i + 1} of {t + 1}", Mechanism.INDICES, (0.0,) * n, 1.0))[0] for i in range(public["size"])]
        mean = batch_gradient(m, public["loss"], [rows[int(i)] for i in drawn], theta, h, r)
        return _answered(m, ask, f"gradient {t + 1}", mean, public["sigma"], most)

    found = path_in_ball(m, d, public["T"], eta, B, noisy)
    return {"iterates": found, "average": average(m, found[public["skip"] :])}


def phased_sgd(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """One pass in phases, each phase's average with noise; a record is in one phase, whose steps do not expand."""
    m, d = mp(DIGITS), public["d"]
    eta, h, r, B_x = (m.real(public[name]) for name in ("eta", "h", "r", "B_x"))
    rows = [fit(m, record, d, B_x) for record in data]
    w, used = [m.real(0)] * d, 0
    released = []
    for i, length in enumerate(lengths(len(data)), start=1):
        step, fresh = phase_step(m, eta=eta, i=m.real(i)), rows[used : used + length]
        mean = phase(m, public["loss"], [x for x, _ in fresh], [y for _, y in fresh], w, step, h, r)
        most = 2 * lipschitz(m, r=r, B_x=B_x) * step  # a record that is drawn late in its phase moves the average by less
        w = _answered(m, ask, f"phase {i}", mean, float(public["sigma"] * step), most, tight=False)
        released.append(w)
        used += length
    return {"phases": released}


def phased_erm(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """One minimiser a phase with noise. Its objective is 2/(n_i eta_i)-strongly convex and one record moves its gradient by at
    most 2L/n_i, so that the minimiser moves by at most L eta_i."""
    m, d, y_bar = mp(DIGITS), public["d"], public["y_bar"]
    eta, r, B_x = (m.real(public[name]) for name in ("eta", "r", "B_x"))
    rows = [fit(m, record, d, B_x) for record in data]
    w, used = [m.real(0)] * d, 0
    released = []
    for i, length in enumerate(lengths(len(data)), start=1):
        step, fresh = phase_step(m, eta=eta, i=i), rows[used : used + length]
        outcomes = [m.max(-y_bar, m.min(y_bar, y)) for _, y in fresh]
        v, _ = model.solve(m, [x for x, _ in fresh], outcomes, w, r, 1 / (length * step), public["tolerance"])
        w = _answered(m, ask, f"phase {i}", v, float(public["sigma"] * step), lipschitz(m, r=r, B_x=B_x) * step)
        released.append(w)
        used += length
    return {"phases": released}


def output_perturbation(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """The empirical quantile of demands in [0, y_bar], with noise; one demand can move it by y_bar."""
    m, y_bar = mp(DIGITS), public["y_bar"]
    demands = [min(max(y, 0.0), y_bar) if math.isfinite(y) else 0.0 for (y,) in data]
    order = empirical_quantile(m, [m.real(y) for y in demands], m.real(public["r"]))
    return {"order": _answered(m, ask, "order", [order], public["sigma"], m.real(y_bar))}


def _answered(m: Numbers, ask: Ask, name: str, value: list[Real], sigma: float, most: Real, tight: bool = True) -> list[Real]:
    """The value with Gaussian noise; neighbours move it by at most `most`."""
    numbers = tuple(float(v) for v in value)
    said = Query(name, Mechanism.GAUSSIAN, numbers, sigma, float(most) * (1 + ROUNDING), tight=tight)
    answer: Answer = ask(said)
    return [m.real(v) for v in answer]
