"""Contracts of the smoothed quantile loss: inputs that they are tried on, random and hard ones, and where their values lie."""

from random import Random

from dpsco.spec.contract import Inputs, between
from dpsco.spec.expressions import maximum, symbols

r, u = symbols("r u")

KERNELS = ("gaussian", "logistic", "uniform", "epanechnikov")
EDGES: tuple[float, ...] = (0.0, -0.0, 5e-324, -5e-324, 1e-300, 0.5, -0.5, 1.0, -1.0, 0.9999999999999999, -0.9999999999999999)
EDGES += (
    1.0000000000000002,
    -1.0000000000000002,
    2.0,
    -2.0,
    8.3,
    -8.3,
    37.5,
    -37.5,
    40.0,
    -40.0,
    800.0,
    -800.0,
    1e5,
    -1e5,
    1e300,
    -1e300,
)


check_loss_at = maximum(r * u, (r - 1) * u)
"""The check loss, which the envelope and Horowitz's smoothing do not exceed."""


SLOPES = between(lambda m, r: r - 1, lambda m, r: r)
"""Those of the check loss, and between."""


def any_argument(random: Random) -> Inputs:
    """A kernel and a standardised residual: both signs, tiny to far out, some close to the ends of a compact support."""
    size = random.choice(
        (10 ** random.uniform(-20, 0), random.uniform(0, 2), random.uniform(0, 40), 10 ** random.uniform(1, 6))
    )
    near_one = 1 - 10 ** random.uniform(-16, -1)
    return {"kernel": random.choice(KERNELS), "v": random.choice((-1, 1)) * random.choice((size, size, near_one))}


arguments: tuple[Inputs, ...] = tuple({"kernel": kernel, "v": v} for kernel in KERNELS for v in EDGES)


def any_residual(random: Random) -> Inputs:
    """A kernel, a residual from tiny to far beyond the bandwidth or exactly at it, a bandwidth, a level."""
    h = 10 ** random.uniform(-12, 12)
    t = random.choice((0.0, 1.0, 40.0, 800.0, 10 ** random.uniform(-20, 5), random.uniform(0, 2), random.uniform(0, 40)))
    r = random.choice((random.uniform(0.01, 0.99), 10 ** random.uniform(-15, -1), 1 - 10 ** random.uniform(-15, -1)))
    return {"kernel": random.choice(KERNELS), "u": random.choice((-1, 1)) * t * h, "h": h, "r": r}


def any_scaled_residual(random: Random) -> Inputs:
    """As `any_residual`, without a level."""
    return {name: value for name, value in any_residual(random).items() if name != "r"}


RESIDUALS = tuple(
    (u, h)
    for h in (1.0, 0.7, 1e-300, 1e300)
    for t in (0.0, 5e-324, 1e-9, 0.9999999999999999, 1.0, 1.0000000000000002, 3.0, 8.3, 37.0, 40.0, 800.0, 1e5)
    for u in (t * h, -t * h)
)
RESIDUALS += ((1e300, 1e-300), (-1e300, 1e-300), (1e-310, 1e-300), (-1e-310, 1e-300), (5e-324, 1e300))
residuals: tuple[Inputs, ...] = tuple(
    {"kernel": kernel, "u": u, "h": h, "r": r}
    for kernel in KERNELS
    for u, h in RESIDUALS
    for r in (0.5, 1e-17, 0.9999999999999999)
)
scaled_residuals: tuple[Inputs, ...] = tuple({"kernel": kernel, "u": u, "h": h} for kernel in KERNELS for u, h in RESIDUALS)


def any_sample(random: Random) -> Inputs:
    """A few rows with residuals on the scale of the bandwidth, some far from it, and a decision."""
    n, d = random.choice((1, 2, 3, 7, 20)), random.choice((1, 2, 3, 5))
    scale, h = 10 ** random.uniform(-3, 3), 10 ** random.uniform(-3, 3)
    X = [[random.gauss(0, scale) for _ in range(d)] for _ in range(n)]
    theta = [random.gauss(0, 1) for _ in range(d)]
    y = [sum(a * b for a, b in zip(x, theta, strict=True)) + h * random.gauss(0, random.choice((0.1, 1, 10))) for x in X]
    r = random.choice((random.uniform(0.01, 0.99), 1e-9, 1 - 1e-9))
    return {"kernel": random.choice(KERNELS), "X": X, "y": y, "theta": theta, "h": h, "r": r}


def any_curved_sample(random: Random) -> Inputs:
    """As `any_sample`, without a level."""
    return {name: value for name, value in any_sample(random).items() if name != "r"}


SAMPLES: tuple[tuple[list[list[float]], list[float], list[float], float], ...] = (
    ([[1.0]], [1.0], [1.0], 1.0),
    ([[1.0]], [3.0], [1.0], 2.0),
    ([[0.0, 0.0]], [-2.0], [5.0, 1e300], 2.0),
    ([[1.0, 1e-8], [1.0, -1e-8]], [1.0, 1.0], [1.0, 1.0], 1e-8),
    ([[1.0, 2.0], [3.0, 4.0]], [5e-324, -5e-324], [1e8, -1e8], 1e-3),
    ([[1e16, 1.0, -1e16]], [0.5], [1.0, 1.0, 1.0], 1.0),
    ([[0.1, 0.2, 0.3]] * 5, [1e9, -1e9, 0.0, 1.0, -1.0], [1.0, 1.0, -1.0], 1.0),
)
samples: tuple[Inputs, ...] = tuple(
    {"kernel": kernel, "X": X, "y": y, "theta": theta, "h": h, "r": r}
    for kernel in KERNELS
    for X, y, theta, h in SAMPLES
    for r in (0.5, 1e-17)
)
curved_samples: tuple[Inputs, ...] = tuple(
    {name: value for name, value in sample.items() if name != "r"} for sample in samples if sample["r"] == 0.5
)
