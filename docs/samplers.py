"""Write docs/samplers.md: how fast the samplers of the exponential mechanisms are, how they look, and what is certified.

    python docs/samplers.py > docs/samplers.md

Times are processor times of one thread, the best of five calls in a warm process, noise drawn before (numpy's Philox, seed 0);
they exclude the drawing of the noise. Targets are exp(-(x'Qx/2 + c'x)) on [-1, 1]^d with Q = k (A A'/d + I), A standard normal.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpsco.arguments.formula import apply
from dpsco.auditing.mechanisms import BILEVEL_EXPONENTIAL, BILEVEL_REGULARISED
from dpsco.auditing.solver import besides, solve
from dpsco.fast.algorithms.exponential_sampling import diagnostics, hit_and_run, mechanism
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling import calibrated

HEAD = """# Samplers of the exponential mechanisms

Written by `python docs/samplers.py`. Draws are exact in one dimension for piecewise linear losses only (inverse distribution
function): in real arithmetic their law is the density, and no error of sampling enters (epsilon, delta). What is timed here
returns a double made of one uniform double, whose law is not the density in its last bits: for experiments, not for release
(`dpsco choose` draws in whole numbers). Walks keep the density, in real arithmetic too, but how near a finite run is to it is
proved only by a mixing bound that was really run (the amended Theorem 3.8 counts the steps of the grid walk). **Effective
sample sizes and split R-hat certify nothing**: `dpsco audit bilevel-exponential` and `bilevel-regularised` take a proved
distance (`--distance`, 0 for an exact draw), never a diagnostic.

## Speed and diagnostics

| walk | d | k | ns a step | steps | least effective size | largest split R-hat |
|---|---|---|---|---|---|---|
"""
BUDGETS = """
## What certified temperatures cost

Problems with L_fx = L_fy = L_gy = mu_g = D_x = D_y = 1, d_x = 10 (for (5) also beta_fxy = beta_fyy = beta_gxy = beta_gyy = 1,
C_gxy = C_gyy = 0, at delta = 1e-6 and mu of the amended Theorem 3.3 for n, epsilon), exact draws, epsilon = 1. *k certified*:
the largest inverse temperature that is proved to be (epsilon, delta)-DP.

| mechanism | n | k certified | excess risk bound | k amended | k printed ((5): constant 1) |
|---|---|---|---|---|---|
"""
STEPS = 40_000


def best(call: Callable[[], Any], count: int) -> float:
    """Nanoseconds a step of the best of five calls."""
    call()
    times = []
    for _ in range(5):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times) / count * 1e9


def walks(d: int, k: float) -> None:
    """One row for each walk."""
    random = np.random.Generator(np.random.Philox(0))
    A = random.normal(size=(d, d))
    Q, c = k * (A @ A.T / d + np.eye(d)), k * random.normal(size=d) / 2
    low, high = -np.ones(d), np.ones(d)
    starts = random.uniform(-1, 1, size=(4, d))
    sweeps, directions = random.random((STEPS // d, d)), random.normal(size=(STEPS, d))
    chances = random.random(STEPS)

    def coordinate(start: Any) -> Any:
        return hit_and_run.coordinate_walk(Q, c, low, high, start, sweeps)

    def dense(start: Any) -> Any:
        return hit_and_run.hit_and_run(Q, c, low, high, start, directions, chances)

    for name, run, count in (("coordinates", coordinate, sweeps.size), ("dense directions", dense, STEPS)):
        nanoseconds = best(lambda run=run: run(starts[0]), count)
        paths = []
        for start in starts:
            sweeps[:], directions[:], chances[:] = (
                random.random(sweeps.shape),
                random.normal(size=directions.shape),
                random.random(STEPS),
            )
            paths.append(run(start))
        size = min(diagnostics.effective_size(path[:, j]) for path in paths for j in range(d))
        hat = max(diagnostics.split_r_hat([path[:, j] for path in paths]) for j in range(d))
        print(f"| {name} | {d} | {k:g} | {nanoseconds:.0f} | {count} | {size:.0f} | {hat:.3f} |")


def draws() -> None:
    """Exact draws in one dimension, ten pieces."""
    random = np.random.Generator(np.random.Philox(0))
    knots, heights = np.linspace(-1, 1, 11), random.uniform(0, 20, 11)
    chances = random.random(STEPS)

    def all_of_them() -> None:
        for u in chances:
            mechanism.drawn(knots, heights, u)

    print(f"| exact draw, ten pieces | 1 | 20 | {best(all_of_them, STEPS):.0f} | {STEPS} | exact | exact |")


def amended_regularisation(given: dict[str, Any]) -> str:
    """mu of the amended Theorem 3.3, to six digits."""
    m = mp(30)
    v = {name.replace("-", "_"): m.real(value) for name, value in given.items()}
    return f"{float(apply(calibrated.regularisation, m, {**v, 'G': apply(calibrated.difference_slope, m, v)})):.6g}"


def budgets() -> None:
    """Certified, amended and printed temperatures."""
    base = {"epsilon": "1", "L-fx": "1", "L-fy": "1", "L-gy": "1", "mu-g": "1", "D-x": "1", "d-x": 10, "distance": "0"}
    smooth = {**dict.fromkeys(("beta-fxy", "beta-fyy", "beta-gxy", "beta-gyy"), "1"), "C-gxy": "0", "C-gyy": "0"}
    for n in (100, 10_000, 1_000_000):
        pure = {**base, "delta": "0", "n": n, "D-y": "1", "inner-error": "0"}
        regular = {**base, **smooth, "delta": "1e-6", "n": n}
        regular["mu"] = amended_regularisation(regular)
        for title, row, given in (("(4)", BILEVEL_EXPONENTIAL, pure), ("(5)", BILEVEL_REGULARISED, regular)):
            k = solve(row, given, "k").value
            found = {name: float(ends[1]) for name, ends in besides(row, {**given, "k": k}).items()}
            words = ("amended", "printed, constant 1" if title == "(5)" else "printed")
            amended, printed = (next(v for name, v in found.items() if name.startswith("k of") and w in name) for w in words)
            risk = found["excess risk, convex"]
            print(f"| {title} | {n} | {float(k or 'nan'):.4g} | {risk:.4g} | {amended:.4g} | {printed:.4g} |")


def main() -> None:
    """All of the page."""
    print(HEAD, end="")
    for d in (2, 20):
        for k in (1.0, 30.0, 1000.0):
            walks(d, k)
    draws()
    print(BUDGETS, end="")
    budgets()
    print("\nThe k that (4) prints does not grow with n; that of (5) is not private on every problem (Theorem 3.3 is refuted).")


if __name__ == "__main__":
    main()
