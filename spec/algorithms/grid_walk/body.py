"""The grid walk on a convex body inside a cube: the exponent is extended to the cube, and penalised outside the body."""

from random import Random

from dpsco.spec.algorithms.grid_walk.extension import any_polytope
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract


def any_walk(random: Random) -> Inputs:
    """A polytope or a ball in the cube [-1, 1]^d, f affine or the larger of two, few steps, errors on half of the problems."""
    d, cells = random.choice(((1, 3), (1, 8), (2, 3)))
    steps, ball, size = random.choice((1, 4, 12)), random.choice((True, False)), random.choice((0.0, 0.5))
    sides = {"rows": [], "bounds": []} if ball else any_polytope(random, d)
    slopes = [[random.gauss(0, 1) for _ in range(d)] for _ in range(random.choice((1, 2)))]
    intercepts, penalty = [random.gauss(0, 0.3) for _ in slopes], random.choice((0.5, 2.0, 8.0))
    lipschitz = 1.1 * max(sum(a * a for a in row) ** 0.5 for row in slopes)
    return {
        "slopes": slopes,
        "intercepts": intercepts,
        **sides,
        "radius": random.uniform(0.5, 1) if ball else float("inf"),
        "lipschitz": lipschitz,
        "penalty": penalty,
        "errors": [random.uniform(-size, size) for _ in range(cells**d)],
        "alpha": random.choice((0.3, 5.0)),
        "least": min(intercepts) - 2 * lipschitz * d**0.5,
        "low": -1.0,
        "side": 2.0,
        "cells": cells,
        "start": random.randrange(cells**d),
        "uniforms": [[random.random() for _ in range(d + 1 + 3 * steps)] for _ in range(8)],
    }


@contract(metric=SUM_SCALED, range=FINITE, generate=any_walk)
def sample(
    slopes: object,
    intercepts: object,
    rows: object,
    bounds: object,
    radius: float,
    lipschitz: float,
    penalty: float,
    errors: object,
    alpha: float,
    least: float,
    low: float,
    side: float,
    cells: int,
    start: int,
    uniforms: object,
) -> object:
    """The grid walk's output for given uniform numbers, the exponent extended and penalised.

    F = e^{-fbar - psibar}, fbar the Lipschitz extension of f(theta) = max_k (<slopes_k, theta> + intercepts_k) from the
    polytope {<rows_i, y> <= bounds_i}, psibar = penalty max(0, psi - 1), psi the gauge of that polytope cut by the ball

    Domain   slopes, intercepts, rows, bounds, radius, lipschitz as in `extension` (no rows: fbar = f); penalty >= 0 (nat); the
             rest as `walk.sample`, with alpha and least those of the whole exponent on the cube, fbar + psibar
    Returns  number of the attempt whose point is kept (0: none was, and zeros follow), then the d coordinates (decision). A
             point outside of the body is not refused here
    Raises   ValueError as in `extension` (fast only)
    Source   bilevel, Theorem B.14, proof, steps 1 to 5, with Section B.3.1
    """
