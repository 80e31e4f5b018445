"""Private bilevel descent in doubles: for any problem with a lower solver that proves its accuracy, and its parameters.

What is released is one of the iterates, drawn uniformly; the noise is an argument, or drawn by the caller from a source that
is fit for release.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpsco.fast.doubles import DOUBLES
from dpsco.fast.kernel import bind
from dpsco.fast.losses.bilevel.hypergradient import response
from dpsco.fast.losses.bilevel.problem import UP, Problem, hypergradient, solve, vector
from dpsco.fast.losses.bilevel.quadratic import Records
from dpsco.spec.algorithms.bilevel_descent import algorithm as spec
from dpsco.spec.algorithms.bilevel_descent import calibrated
from dpsco.spec.algorithms.bilevel_descent.utility import step_length

Array = Any
MOST_STEPS = 10**9


@dataclass(frozen=True)
class Plan:
    """The parameters of a run that is (epsilon, delta)-DP, fixed without the data.

    steps T, sigma of the noise (loss/decision, rounded up), alpha of the lower solver (rounded down), step length eta, and a
    bound on E |grad Phi_Z| at one of x_0, ..., x_{T-1}.
    """

    steps: int
    sigma: float
    alpha: float
    eta: float
    bound: float


def plan(problem: Problem, epsilon: float, delta: float, gap_bound: float) -> Plan:
    """Calibrated parameters: bilevel/thm-4.2-amended.

    Domain   epsilon > 0, 0 < delta < 1, gap_bound > 0: at least Phi_Z(x_0) - inf Phi_Z, known without the data
    Returns  see `Plan`
    Raises   ValueError for parameters outside, for constants that hold on a ball of x only, for a problem with K, C or
             beta_Phi zero, for more than 10^9 steps
    Source   bilevel, Theorem 4.2, with the changes of its amendment
    """
    for name, value, top in (("epsilon", epsilon, math.inf), ("delta", delta, 1.0), ("gap_bound", gap_bound, math.inf)):
        if not 0 < value < top:
            raise ValueError(f"{name}={value!r}: must lie between 0 and {top!r}")
    if problem.x_radius < math.inf:
        raise ValueError(f"problem.x_radius={problem.x_radius!r}: must be inf, for a run that stops at its edge shows the data")
    c = problem.constants
    for name, value in (("K", c.K), ("C", c.C), ("beta_Phi", c.beta_Phi)):
        if not 0 < value < math.inf:
            raise ValueError(f"constants give {name}={value!r}: must be positive, or there is nothing to descend")
    given = {"n": problem.records, "d_x": problem.d_x, "epsilon": epsilon, "delta": delta, "K": c.K}
    given |= {"gap_bound": gap_bound, "beta_Phi": c.beta_Phi}
    steps = calibrated.calibrated_steps(DOUBLES, **given)
    if not steps <= MOST_STEPS:
        raise ValueError(f"gap_bound={gap_bound!r} asks for {steps!r} steps: at most {MOST_STEPS} are taken")
    steps = max(int(steps), 1)
    return Plan(
        steps=steps,
        sigma=spec.calibrated_noise(DOUBLES, n=problem.records, epsilon=epsilon, delta=delta, K=c.K, T=steps) * UP,
        alpha=calibrated.calibrated_inner_error(DOUBLES, **given, C=c.C) / UP,
        eta=step_length(DOUBLES, beta_Phi=c.beta_Phi) / UP,
        bound=calibrated.calibrated_bound(DOUBLES, **given) * UP,
    )


def rows(name: str, value: Any, size: int) -> Array:
    """T x size finite doubles, T from 0 on; ValueError with the argument's name otherwise."""
    found = np.asarray(value, dtype=np.float64)
    found = found.reshape(0, size) if found.shape == (0,) else found
    if found.ndim != 2 or found.shape[1] != size or not np.all(np.isfinite(found)):
        raise ValueError(f"{name} has shape {found.shape}: must be T x {size}, with finite entries")
    return found


def descend(problem: Problem, x_0: Any, start: Any, normals: Any, eta: float, alpha: float, sigma: float) -> Array:
    """x_0, ..., x_T of Algorithm 1; each lower solution is proved to be within alpha and starts at the one before.

    y_{t+1}: |y_{t+1} - y_Z(x_t)| <= alpha,  x_{t+1} = x_t - eta (barF_Z(x_t, y_{t+1}) + sigma normals_t)

    Domain   x_0: d_x, start: d_y in the problem's ball, normals: T x d_x standard normal numbers, eta, alpha > 0, sigma >= 0
             (loss/decision)
    Returns  (T + 1) x d_x numbers (decision)
    Raises   ValueError for arguments outside, where alpha is not reached (never an answer without it), and where an iterate
             leaves the ball in which the problem's constants hold
    Source   bilevel, Algorithm 1
    """
    noise = rows("normals", normals, problem.d_x)
    for name, value, least in (("eta", eta, 0.0), ("alpha", alpha, 0.0), ("sigma", sigma, -1.0)):
        if not (least < value < math.inf and value >= 0):
            raise ValueError(f"{name}={value!r}: must be finite and {'positive' if least == 0 else 'at least 0'}")
    path = np.empty((len(noise) + 1, problem.d_x))
    path[0] = vector("x_0", x_0, problem.d_x, problem.x_radius)
    y = vector("start", start, problem.d_y, problem.radius)
    for t, normal in enumerate(noise):
        y, _ = solve(problem, path[t], y, alpha)  # 3
        path[t + 1] = path[t] - eta * (hypergradient(problem, path[t], y) + sigma * normal)  # 4
    return path


def released(path: Array, index: int) -> Array:
    """The output among x_0, ..., x_{T-1}, `index` drawn uniformly from 0, ..., T - 1; x_0 alone where no step is taken."""
    last = max(len(path) - 2, 0)
    if not 0 <= index <= last:
        raise ValueError(f"index={index!r}: must be one of 0, ..., {last}")
    return path[index].copy()


def iterates(
    x_0: Any,
    a: Any,
    b: Any,
    B: Any,
    C: Any,
    H: Any,
    P: Any,
    q: Any,
    eta: float,
    sigma: float,
    normals: Any,
    errors: Any,
) -> Array:
    records = Records(a, b, B, C, H, P, q)
    d_x, d_y = records.a.shape[1], records.b.shape[1]
    noise, off = rows("normals", normals, d_x), rows("errors", errors, d_y)
    if len(noise) != len(off):
        raise ValueError(f"normals has {len(noise)} rows, errors {len(off)}: one of each for a step")
    a, b, B, C, H, P, q = records.mean()
    path = np.empty((len(noise) + 1, d_x))
    path[0] = vector("x_0", x_0, d_x, math.inf)
    for t in range(len(noise)):
        x = path[t]
        y = response(H, P @ x + q) + off[t]  # 3
        query = a + B @ y + P.T @ response(H, b + B.T @ x + C @ y)
        path[t + 1] = x - eta * (query + sigma * noise[t])  # 4
    return path


bind(iterates, spec.iterates)
