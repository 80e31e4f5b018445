"""Prints what truncation does to private mirror descent when gradients have just two moments.

    OPENBLAS_NUM_THREADS=1 python docs/scripts/heavy_tails.py > docs/heavy_tails.md

Algorithm 7 of the l_p paper (batches, gradients beyond a level set to zero) on the check loss at 1/2 smoothed by the logistic
kernel, over a ball in l_1.5^10, features and errors of Student's law with 2.1 degrees of freedom, noise of lp/thm-14-amended
at epsilon = 1, delta = 1e-6. The features have no bound, so no beta is common to the records' losses: only the population's is
smooth, and the page is outside the theorem's conditions there (the privacy does not rest on them). An excess, of the check
loss itself on 200,000 fresh records, is a mean over seeds with its standard error, the share set to zero a mean; gamma is
chosen on other seeds, a best gamma at an end of the grid is refused; sigma_1 is computed.
"""

import math
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from dpsco.fast.algorithms.mirror_descent.truncated_descent import run
from dpsco.fast.analysis.geometry.regularity import potential_of
from dpsco.fast.privacy.generalised_gaussian import noise
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.truncated_utility import batch_noise_scale

P, D, RECORDS, STEPS, H, R, DEGREES = 1.5, 10, 65_536, 64, 0.2, 0.5, 2.1
EPSILON, DELTA = "1", "0.000001"
SEEDS = (101, 102, 103, 104, 105, 106, 107, 108, 109, 110)
CHOOSING = (201, 202, 203, 204, 205, 206)
"""Seeds on which gamma is chosen, none of them in the means."""
TARGET = np.linspace(0.5, -0.5, D)
RADIUS = 3.0
"""Of the constraint set, a ball of the potential's norm."""
GAMMAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
LEVELS = (0.5, 1.0, 3.0, 10.0, 30.0, math.inf)


def sample(random: np.random.Generator, records: int) -> tuple[np.ndarray, np.ndarray]:
    X = random.standard_t(DEGREES, (records, D))
    return X, X @ TARGET + random.standard_t(DEGREES, records)


def scale(level: float, kappa: float) -> float:
    """sigma_1 for the whole threshold `level` = beta M + lambda, rounded up."""
    m = mp(30)
    names = {"kappa": kappa, "beta": level / 2, "M": 1, "lambda_": level / 2, "n": RECORDS, "T": STEPS}
    values = {name: m.real(x) for name, x in names.items()}
    variance = batch_noise_scale(m, delta=m.real(DELTA), epsilon=m.real(EPSILON), **values)
    return math.nextafter(float(m.sqrt(variance)), math.inf)


def drawn(random: np.random.Generator, r: float, sigma: float) -> np.ndarray:
    """A noise vector for each batch, from seeded numbers: for experiments, not private."""
    rows = []
    for _ in range(STEPS):
        signs, weights = random.choice([-1.0, 1.0], D), random.gamma(1 / r, 1.0, D)
        rows.append(noise(signs, weights, math.sqrt(random.chisquare(D)), r, sigma))
    return np.array(rows)


def excess(seed: int, level: float, gamma: float, private: bool) -> tuple[float, float]:
    """Check loss beyond that of the truth on a fresh sample, and the share of gradients set to zero."""
    random = np.random.Generator(np.random.Philox(seed))
    X, y = sample(random, RECORDS)
    kappa, index = potential_of(P, D)
    smooth, dual = index / (index - 1), P / (P - 1)
    rows = drawn(random, smooth, scale(level, kappa)) if private else np.zeros((STEPS, D))
    weights = np.full(STEPS, gamma)
    w, dropped = run("logistic", X, y, None, rows, level, weights, kappa, index, dual, RADIUS, H, R)
    fresh, outcomes = sample(np.random.Generator(np.random.Philox(seed + 10_000)), 200_000)

    def check(theta: np.ndarray) -> np.ndarray:
        u = outcomes - fresh @ theta
        return np.maximum(R * u, (R - 1) * u)

    return float(np.mean(check(w) - check(TARGET))), dropped / RECORDS


def best(level: float, private: bool) -> tuple[str, float]:
    """The excess and gamma as cells of a row, and the share set to zero; refused where the best gamma is an end of the grid."""
    gamma = min(GAMMAS, key=lambda g: np.mean([excess(seed, level, g, private)[0] for seed in CHOOSING]))
    found = np.array([excess(seed, level, gamma, private) for seed in SEEDS])
    share = found[:, 1].mean()
    if gamma in (GAMMAS[0], GAMMAS[-1]):
        return f"none: the best gamma is an end of the grid | ({gamma:g})", share
    return f"{found[:, 0].mean():.4f} +- {found[:, 0].std(ddof=1) / math.sqrt(len(SEEDS)):.4f} | {gamma:g}", share


def resting() -> tuple[float, float]:
    """Mean and standard error of the excess of w = 0, which is where an infinite gamma stays."""
    found = [excess(seed, 1.0, 1e12, private=False)[0] for seed in SEEDS]
    return float(np.mean(found)), float(np.std(found, ddof=1)) / math.sqrt(len(SEEDS))


def main() -> None:
    kappa, _ = potential_of(P, D)
    rows, private = [], {}
    for level in LEVELS:
        cells, share = best(level, private=False)
        plain = f"{level:g} | {100 * share:.2f} % | {cells}"
        if math.isinf(level):
            rows.append(f"| {plain} | no scale is enough | - | - |")
            continue
        private[level] = best(level, private=True)[0]
        rows.append(f"| {plain} | {private[level]} | {scale(level, kappa):.4f} |")
    mean, error = resting()
    inside = [level for level, cells in private.items() if not cells.startswith("none")]
    level = min(inside, key=lambda level: float(private[level].split()[0]))
    excess = private[level].partition(" |")[0]
    print("# Truncation under heavy tails\n")
    print(f"Truncation makes privacy possible under heavy tails: at level {level:g} the private excess is {excess}, without")
    print(f"learning it is {mean:.4f}, and without a level no noise is enough.\n")
    assert __doc__
    print("\n".join(__doc__.splitlines()[2:]))
    seeds, choosing, gammas = (", ".join(f"{x:g}" for x in each) for each in (SEEDS, CHOOSING, GAMMAS))
    size = f"{RECORDS:,} records, {STEPS} batches, d = {D}, p = {P}"
    print(f"\n{size}, logistic kernel, h = {H}, r = {R}, ball |w|_{P} <= {RADIUS:g}.")
    print(f"Seeds of the means: {seeds}.")
    print(f"gamma is the best of {gammas} on seeds {choosing} (not chosen privately).\n")
    print("| level | set to zero | excess, no noise | gamma | excess, epsilon = 1 | gamma | sigma_1 |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    print(f"\nTo stay at w = 0 has an excess of {mean:.4f} +- {error:.4f}: a row near it has learned nothing.")
    print("Without a level the sensitivity of a batch's mean is that of the largest gradient, which nothing bounds.")


if __name__ == "__main__":
    main()
