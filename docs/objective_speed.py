"""Prints what objective perturbation and DP-SGD cost on one core, beside what the machine itself can do.

    OPENBLAS_NUM_THREADS=1 python docs/objective_speed.py > docs/objective_speed.md

Medians of seven, of processor time. Nothing is asserted: other work on the machine slows memory and caches down, so the ratios
to one pass over the data say more than the milliseconds.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import simulate
from dpsco.fast.algorithms.objective_perturbation.algorithm import solve
from dpsco.fast.kernel import kernel
from dpsco.quantile_regression import fit

RECORDS, D, LAMBDA, TOLERANCE = 100_000, 50, 1e-3, 1e-6
CASES = [
    ("logistic", 0.1, 0.9),
    ("logistic", 0.5, 0.5),
    ("gaussian", 0.1, 0.9),
    ("uniform", 0.1, 0.9),
    ("epanechnikov", 0.1, 0.9),
    ("epanechnikov", 0.01, 0.5),
]
STEPS = 500_000


def milliseconds(call: Callable[[], object]) -> float:
    """Median of seven, after one that compiles and warms up."""
    call()
    spent = []
    for _ in range(7):
        start = process_time()
        call()
        spent.append(1000 * (process_time() - start))
    return median(spent)


def data(d: int = D, records: int = RECORDS) -> tuple[np.ndarray, np.ndarray]:
    """Rows of norm about 1, errors of Student's law with 3 degrees of freedom."""
    random = np.random.default_rng(1)
    X = random.standard_normal((records, d))
    X /= d**0.5  # in place: a child's peak is to be that of the call alone
    return X, X.sum(axis=1) + random.standard_t(3, size=records)


def peak(what: str) -> float:
    """Mebibytes that a child's resident memory grows by during one call, after everything small was compiled."""
    done = subprocess.run([sys.executable, __file__, what], capture_output=True, text=True, check=True)
    return float(done.stdout)


def child(what: str) -> None:
    """The growth of the peak of this process, printed."""
    small, small_y = data(records=3000)
    X, y = data()
    calls = {
        "solver": lambda X, y: solve("logistic", X, y, np.zeros(D), 0.1, 0.9, LAMBDA, TOLERANCE),
        "release": lambda X, y: fit(X, y, quantile=0.9, epsilon=1.0, delta=1e-6, feature_bound=2.0),
        "release-projected": lambda X, y: fit(X, y, quantile=0.9, epsilon=1.0, delta=1e-6, feature_bound=1.0),
    }
    calls[what](small, small_y)
    Path("/proc/self/clear_refs").write_text("5")  # Linux: the peak starts anew from what is resident now
    before = resident("VmRSS")
    calls[what](X, y)
    print(resident("VmHWM") - before)


def resident(name: str) -> float:
    """A line of this process's memory status, in mebibytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith(name))


@kernel()
def numbers(count: int, generator: Any) -> float:
    """So many normal numbers of the generator, as the walk draws them."""
    total = 0.0
    for _ in range(count):
        total += generator.standard_normal()
    return total


def main() -> None:
    """Four tables in Markdown."""
    X, y = data()
    b, ones = np.random.default_rng(2).standard_normal(D) * 10, np.ones(D)
    one = milliseconds(lambda: X @ ones)
    print("# Objective perturbation and DP-SGD on one core\n")
    print(*(__doc__ or "").strip().split("\n\n")[1:], sep="\n\n", end="\n\n")
    print(f"{RECORDS:,} rows of {D} numbers, {X.nbytes / 2**20:.0f} MiB; lambda = {LAMBDA}, gradient norm to {TOLERANCE}.\n")
    print("| the machine | ms | passes |\n|---|---|---|")
    for name, call in (("X theta", lambda: X @ ones), ("sum of X", X.sum), ("X'X, half of it", lambda: X.T @ X)):
        print(f"| {name} | {(spent := milliseconds(call)):.1f} | {spent / one:.1f} |", flush=True)
    print("\n| solver | ms | passes | gradient norm |\n|---|---|---|---|")
    for name, h, r in CASES:
        spent = milliseconds(lambda k=name, h=h, r=r: solve(k, X, y, b, h, r, LAMBDA, TOLERANCE))  # type: ignore[misc]
        reached = solve(name, X, y, b, h, r, LAMBDA, TOLERANCE)[1]
        print(f"| {name}, h = {h}, r = {r} | {spent:.1f} | {spent / one:.1f} | {reached:.0e} |", flush=True)
    print("\n| release, calibration and noise included | ms | passes |\n|---|---|---|")
    for bound in (2.0, 1.0):
        public = {"quantile": 0.9, "epsilon": 1.0, "delta": 1e-6, "feature_bound": bound}
        shorter = 100 * float((np.linalg.norm(X, axis=1) > bound).mean())
        spent = milliseconds(lambda p=public: fit(X, y, **p))  # type: ignore[misc]
        print(
            f"| feature_bound = {bound}, {shorter:.0f} % of the rows projected | {spent:.0f} | {spent / one:.0f} |", flush=True
        )
    print("\n| memory beyond the data | MiB |\n|---|---|")
    for what in ("solver", "release", "release-projected"):
        print(f"| {what} | {peak(what):.0f} |", flush=True)
    print("\n| DP-SGD, n = 5000, logistic, seeded noise | s for 25 million steps | of it noise |\n|---|---|---|")
    for d in (3, 51):
        rows, outcomes = data(d, 5000)
        random = np.random.Generator(np.random.PCG64(1))
        steps = milliseconds(lambda: simulate("logistic", rows, outcomes, STEPS, 1e-3, 0.1, 0.5, 1.0, random))  # noqa: B023
        noise = milliseconds(lambda: numbers(STEPS * d, random))  # noqa: B023
        scale = 25_000_000 / STEPS / 1000
        print(f"| d = {d} | {steps * scale:.1f} | {100 * noise / steps:.0f} % |", flush=True)


if __name__ == "__main__":
    child(sys.argv[1]) if len(sys.argv) > 1 else main()
