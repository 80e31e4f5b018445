"""Noisy descent as the replay sees it, literally: DP-SGD, gradient perturbation, and Gaussian descent on the SPO+ loss.

Records are (x_1, ..., x_d, y), or (x_1, ..., x_p, c_1, ..., c_d). Each is made fit by itself, before anything else is done with
it: a row outside the ball of radius B_x is projected onto it, a record that holds no finite number becomes zero. So no data set
is refused, and one record moves a gradient by no more than the declared sensitivity.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

from dpsco.reference.algorithms.dp_sgd.algorithm import average, path, record_gradient
from dpsco.reference.algorithms.exponential_descent.algorithm import decide, predict
from dpsco.reference.algorithms.gradient_perturbation import gaussian_descent as decisions
from dpsco.reference.algorithms.gradient_perturbation.algorithm import projected
from dpsco.reference.losses.quantile.smoothing import gradient
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.dp_sgd.algorithm import steps
from dpsco.spec.losses.quantile.smoothing import lipschitz
from dpsco.spec.mechanism import Answer, Ask, Data, Mechanism, Query, Record, Released
from dpsco.spec.numbers import Numbers, Real

DIGITS: Final = 30
DECISIONS: Final = {
    "p": 2,
    "T": 4,
    "sigma": 1.5,
    "eta": 0.1,
    "mu": 1.0,
    "radius": 1.0,
    "shape": "ball",
    "feature": (0.3, -1.0),
    "bound": 5.0,
    "B_x": 1.0,
}
PUBLIC: Final = {"d": 2, "kernel": "logistic", "eta": 0.2, "h": 0.5, "r": 0.3, "sigma": 1.5, "B_x": 1.0, "B": 2.0}


def fit(m: Numbers, record: Record, d: int, B_x: Real) -> tuple[list[Real], Real]:
    """Features in the ball and the outcome; zero for a record that holds a value that is not finite."""
    if not all(math.isfinite(x) for x in record):
        return [m.real(0)] * d, m.real(0)
    return projected(m, [m.real(x) for x in record[:d]], B_x), m.real(record[d])


def dp_sgd(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """n^2 - 1 steps on records that a public draw picks; the transcript, the average and the last iterate are released."""
    m, n, d = mp(DIGITS), len(data), public["d"]
    eta, h, r, B_x = (m.real(public[name]) for name in ("eta", "h", "r", "B_x"))
    rows = [fit(m, record, d, B_x) for record in data]

    def noisy(t: int, theta: list[Real]) -> list[Real]:
        (drawn,) = ask(Query(f"draw {t + 1}", Mechanism.INDICES, (0.0,) * n, 1.0))
        x, y = rows[int(drawn)]
        return _answered(m, ask, f"gradient {t + 1}", record_gradient(m, public["kernel"], x, y, theta, h, r), 1, public)

    found = path(m, d, int(steps(m, n=n)), eta, noisy)
    return {"iterates": found, "average": average(m, found), "last iterate": found[-1]}


def gradient_perturbation(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """T - 1 steps on the whole data; the transcript, the average and its projection are released."""
    m, n, d = mp(DIGITS), len(data), public["d"]
    eta, h, r, B_x = (m.real(public[name]) for name in ("eta", "h", "r", "B_x"))
    rows = [fit(m, record, d, B_x) for record in data]
    X, y = [x for x, _ in rows], [outcome for _, outcome in rows]

    def noisy(t: int, theta: list[Real]) -> list[Real]:
        mean, _ = gradient(m, public["kernel"], X, y, theta, h, r)
        return _answered(m, ask, f"gradient {t + 1}", mean, n, public)

    found = path(m, d, public["T"] - 1, eta, noisy)
    mean = average(m, found)
    return {"iterates": found, "average": mean, "projected average": projected(m, mean, m.real(public["B"]))}


def gaussian_descent(data: Data, public: Mapping[str, Any], ask: Ask) -> Released:
    """T - 1 steps on the whole data; the transcript, the prediction and its decision are released."""
    m, n, p = mp(DIGITS), len(data), public["p"]
    eta, mu, radius, sigma = (m.real(public[name]) for name in ("eta", "mu", "radius", "sigma"))
    rows = [[m.real(x) for x in record] if all(map(math.isfinite, record)) else [m.real(0)] * len(record) for record in data]
    costs, features = [row[p:] for row in rows], [projected(m, row[:p], m.real(public["B_x"])) for row in rows]
    most = float(8 * radius * m.real(public["B_x"]) / n)  # a gradient is 2 |w* - w| |x| <= 4 radius B_x long

    def answer(t: int, g: list[Real]) -> list[Real]:
        query = Query(f"gradient {t + 1}", Mechanism.GAUSSIAN, tuple(float(x) for x in g), float(sigma), most, tight=True)
        return [m.real(x) for x in ask(query)]

    found = decisions.iterates(m, public["shape"], costs, features, eta, mu, radius, public["T"] - 1, answer)
    predicted, _ = predict(m, found, [m.real(x) for x in public["feature"]], m.real(public["bound"]))
    return {"iterates": found, "c_hat": predicted, "decision": decide(m, public["shape"], predicted, radius)}


def _answered(m: Numbers, ask: Ask, name: str, value: list[Real], n: int, public: Mapping[str, Any]) -> list[Real]:
    """The gradient with Gaussian noise; neighbours move it by at most 2L/n."""
    most = 2 * lipschitz(m, r=m.real(public["r"]), B_x=m.real(public["B_x"])) / n
    query = Query(name, Mechanism.GAUSSIAN, tuple(float(g) for g in value), public["sigma"], float(most), tight=True)
    answer: Answer = ask(query)
    return [m.real(g) for g in answer]
