"""Prints how long DP-SGD's 25 million steps take on one core: noise of PCG64 and by number.

Run it alone on a quiet machine; nothing is asserted. One run of a million steps compiles and warms up, 25 million are timed.
"""

from time import process_time

import numpy as np

from dpsco.fast.algorithms.dp_sgd.algorithm import simulate, simulate_numbered
from dpsco.spec.losses.kernels import KERNELS

RECORDS, STEPS = 5000, 25_000_000


def main() -> None:
    """One line for each dimension and kernel."""
    for d in (3, 51):
        random = np.random.Generator(np.random.PCG64(1))
        X = random.standard_normal((RECORDS, d)) / d**0.5
        y = X.sum(axis=1) + random.standard_normal(RECORDS)
        for kernel in KERNELS:
            for what, run, source in (("generator", simulate, random), ("by number", simulate_numbered, 1)):
                run(kernel, X, y, 1_000_000, 1e-3, 0.1, 0.5, 1.0, source)
                start = process_time()
                run(kernel, X, y, STEPS, 1e-3, 0.1, 0.5, 1.0, source)
                spent = process_time() - start
                print(f"d = {d:2}  {kernel:12}  {what}  {spent:6.2f} s of processor time for {STEPS:,} steps")


if __name__ == "__main__":
    main()
