"""Write docs/samplers.md: how fast the samplers of the exponential mechanisms are, how they look, and what is certified.

    python docs/scripts/samplers.py > docs/samplers.md

Times are processor times of one thread in a warm process, least and median of fifteen calls, noise drawn before (numpy's
Philox, seed 0). Quadratic targets are exp(-(x'Qx/2 + c'x)) on [-1, 1]^d with Q = k (A A'/d + I), A standard normal. The
polytope is a cube turned by a random rotation, 2 d dense rows, with the uniform law or one tilted by a normal c. The
convex loss is k times the mean of softplus terms along 2 d normal vectors, on the unit ball; its time is mostly Python.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpsco.arguments.formula import apply
from dpsco.audit.calibration.mechanisms import BILEVEL_EXPONENTIAL, BILEVEL_REGULARISED
from dpsco.audit.calibration.solver import besides, solve
from dpsco.fast.algorithms.exponential_sampling import convex_walk, diagnostics, hit_and_run, mechanism, polytope_walk
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling import calibrated

HEAD = """# Samplers of the exponential mechanisms

Draws are exact in one dimension for piecewise linear losses only (inverse
distribution function): in real arithmetic their law is the density, and no error of sampling enters (epsilon, delta). What is
timed here returns a double made of one uniform double, whose law is not the density in its last bits: for experiments, not
for release (`dpsco choose` draws in whole numbers). Walks keep the density, in real arithmetic too, but how near a finite run
is to it is proved only by a mixing bound that was really run (the amended Theorem 3.8 counts the steps of the grid walk).
**Effective sample sizes and split R-hat certify nothing**: `dpsco audit bilevel-exponential` and `bilevel-regularised` take a
proved distance (`--distance`, 0 for an exact draw), never a diagnostic.

Written by `python docs/scripts/samplers.py`.

## Speed and diagnostics

| walk | d | k | ns a step, least | median | steps | least effective size | largest split R-hat |
|---|---|---|---|---|---|---|---|
"""
NOISE = """
Drawing the noise costs {coordinate:.0f} ns a coordinate step and {dense:.0f} ns a dense step at d = 20 besides (Philox).

## What is covered

| target | set | draw on a chord | walk |
|---|---|---|---|
| quadratic or linear | box | inverse distribution function | `hit_and_run`: coordinates, any directions |
| linear or constant | polytope | inverse distribution function | `polytope_walk`: coordinates, any directions |
| convex with a gradient, bilevel problems | polytope, ball, both | adaptive rejection from tangents | `convex_walk` |
| max of affine, extended and penalised | polytope, ball, both, in a cube | cells and one rejection | `grid_walk.body` |

A loss that is not convex is refused where a tangent is seen above it; it may pass unseen elsewhere. `diagnostics.certified`
refuses every run of the first three.
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


def timed(call: Callable[[], Any], count: int, calls: int = 15) -> tuple[float, float]:
    """Nanoseconds a step, least and median of the calls."""
    call()
    times = []
    for _ in range(calls):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) / count * 1e9)
    return min(times), statistics.median(times)


def row(name: str, d: int, k: str, times: tuple[float, float], count: int, paths: list[Any]) -> None:
    """One row of the table, diagnostics from the paths of several starts."""
    size = min(diagnostics.effective_size(path[:, j]) for path in paths for j in range(d))
    hat = max(diagnostics.split_r_hat([path[:, j] for path in paths]) for j in range(d))
    print(f"| {name} | {d} | {k} | {times[0]:.0f} | {times[1]:.0f} | {count} | {size:.0f} | {hat:.3f} |")


def walks(d: int, k: float) -> None:
    """Quadratic targets on a box: one row for each walk."""
    random = np.random.Generator(np.random.Philox(0))
    A = random.normal(size=(d, d))
    Q, c = k * (A @ A.T / d + np.eye(d)), k * random.normal(size=d) / 2
    low, high = -np.ones(d), np.ones(d)
    starts = random.uniform(-1, 1, size=(4, d))

    def coordinate() -> Callable[[Any], Any]:
        noise = random.random((STEPS // d, d))
        return lambda start: hit_and_run.coordinate_walk(Q, c, low, high, start, noise)

    def dense() -> Callable[[Any], Any]:
        noise, chances = random.normal(size=(STEPS, d)), random.random(STEPS)
        return lambda start: hit_and_run.hit_and_run(Q, c, low, high, start, noise, chances)

    for name, drawn in (("coordinates, quadratic", coordinate), ("dense, quadratic", dense)):
        first = drawn()
        times = timed(lambda first=first: first(starts[0]), STEPS)
        row(name, d, f"{k:g}", times, STEPS, [drawn()(start) for start in starts])


def polytopes(d: int, tilt: float) -> None:
    """Uniform and tilted laws on a polytope with 2 d dense rows."""
    random = np.random.Generator(np.random.Philox(1))
    turned = np.linalg.qr(random.normal(size=(d, d)))[0]
    A, b, c = np.concatenate([turned, -turned]), np.ones(2 * d), tilt * random.normal(size=d)
    starts = [np.zeros(d), *(share * turned.sum(axis=0) for share in (0.9, -0.9, 0.5))]
    word = "tilted" if tilt else "uniform"

    def coordinate() -> Callable[[Any], Any]:
        chosen, noise = random.integers(0, d, (STEPS // d, d)), random.random((STEPS // d, d))
        return lambda start: polytope_walk.along_coordinates(A, b, c, start, chosen, noise)

    def dense() -> Callable[[Any], Any]:
        noise, chances = random.normal(size=(STEPS, d)), random.random(STEPS)
        return lambda start: polytope_walk.along_directions(A, b, c, start, noise, chances)

    for name, drawn in ((f"coordinates, {word}, polytope", coordinate), (f"dense, {word}, polytope", dense)):
        first = drawn()
        times = timed(lambda first=first: first(starts[0]), STEPS)
        row(name, d, "", times, STEPS, [drawn()(start) for start in starts])


def convex(d: int, k: float) -> None:
    """A convex loss on the unit ball."""
    random = np.random.Generator(np.random.Philox(2))
    rows, steps = random.normal(size=(2 * d, d)), STEPS // 100
    given = (rows, np.zeros(2 * d), np.full(2 * d, 1 / (2 * d)), k, 0.0, np.empty((0, d)), np.empty(0), 1.0)

    def drawn() -> Callable[[Any], Any]:
        noise, chances = random.normal(size=(steps, d)), random.random((steps, 40, 2))
        return lambda start: convex_walk.walk(*given, start, noise, chances)

    first = drawn()
    starts = [np.zeros(d), *(0.9 * axis for axis in np.eye(d)[:2]), -0.9 * np.eye(d)[0]]
    times = timed(lambda: first(starts[0]), steps, 3)
    row("dense, convex, ball", d, f"{k:g}", times, steps, [drawn()(start) for start in starts])


def noise() -> None:
    """What the drawing of the noise costs, and what is covered."""
    random, d = np.random.Generator(np.random.Philox(3)), 20
    coordinate, _ = timed(lambda: (random.integers(0, d, STEPS), random.random(STEPS)), STEPS)
    dense, _ = timed(lambda: (random.normal(size=(STEPS, d)), random.random(STEPS)), STEPS)
    print(NOISE.format(coordinate=coordinate, dense=dense), end="")


def draws() -> None:
    """Exact draws in one dimension, ten pieces."""
    random = np.random.Generator(np.random.Philox(0))
    knots, heights = np.linspace(-1, 1, 11), random.uniform(0, 20, 11)
    chances = random.random(STEPS)

    def all_of_them() -> None:
        for u in chances:
            mechanism.drawn(knots, heights, u)

    least, median = timed(all_of_them, STEPS)
    print(f"| exact draw, ten pieces | 1 | 20 | {least:.0f} | {median:.0f} | {STEPS} | exact | exact |")


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
        for tilt in (0.0, 1.0):
            polytopes(d, tilt)
    for d in (2, 5):
        convex(d, 30.0)
    draws()
    noise()
    print(BUDGETS, end="")
    budgets()
    print("\nThe k that (4) prints does not grow with n; that of (5) is not private on every problem (Theorem 3.3 is refuted).")


if __name__ == "__main__":
    main()
