"""Search for neighbours whose perturbed minimisers lie far apart: all kernels, several dimensions, noise held fixed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from dpsco.spec.losses.kernels import KERNELS

STARTS = 4
STEPS = 60
N = 3
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Found:
    """Largest ratio of the distance to L/(n lambda), and where."""

    ratio: float
    at: Mapping[str, str]
    effort: str
    coverage: tuple[str, ...]


def _project(row: list[float]) -> list[float]:
    """Into the unit ball."""
    size = sum(x * x for x in row) ** 0.5
    return [x / size for x in row] if size > 1 else row


def ratio(kernel: str, d: int, r: float, point: list[float]) -> float:
    """|theta(D) - theta(D')| n lambda / L; `point`: features (put into the unit ball), outcomes, noise, log h, log lambda."""
    from dpsco.fast.algorithms.objective_perturbation.algorithm import solve

    rows = [_project(point[i * d : (i + 1) * d]) for i in range(N + 1)]
    y, b = point[(N + 1) * d : (N + 1) * (d + 1)], point[(N + 1) * (d + 1) : (N + 1) * (d + 1) + d]
    h, lambda_ = (10 ** max(-2.0, min(2.0, x)) for x in point[-2:])
    one, _ = solve(kernel, rows[:N], y[:N], b, h, r, lambda_, TOLERANCE)
    two, _ = solve(kernel, [*rows[1:N], rows[N]], [*y[1:N], y[N]], b, h, r, lambda_, TOLERANCE)
    moved = sum((s - t) ** 2 for s, t in zip(one, two, strict=True)) ** 0.5
    return float(moved * N * lambda_ / max(r, 1 - r))


@cache
def largest_move() -> Found:
    """Random starts, then random steps that are kept when they go up; the same seeds every time."""
    best, where, tried = 0.0, {}, 0
    for kernel in KERNELS:
        for start in range(STARTS):
            random = Random(f"{kernel} {start}")
            d, r = random.choice((1, 2, 3)), random.choice((0.1, 0.5, 0.9))
            size = (N + 1) * (d + 1) + d + 2
            point = [random.gauss(0, 3) for _ in range(size)]
            top, reach = ratio(kernel, d, r, point), 2.0
            for _ in range(STEPS):
                moved = [x + reach * random.gauss(0, 1) * (random.random() < 0.4) for x in point]
                new = ratio(kernel, d, r, moved)
                tried += 1
                if new > top:
                    top, point = new, moved
                else:
                    reach = max(0.05, reach * 0.97)
            if top > best:
                best, where = (
                    top,
                    {"kernel": kernel, "d": str(d), "n": str(N), "r": str(r), "distance n lambda/L": f"{top:.6f}"},
                )
    return Found(
        ratio=best,
        at=where,
        effort=f"search: {len(KERNELS) * STARTS} starts, {tried} pairs, largest {best:.4f} L/(n lambda)",
        coverage=tuple(f"searched: {kernel}, d in 1, 2, 3" for kernel in KERNELS),
    )
