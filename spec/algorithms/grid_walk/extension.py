"""A convex body put into a cube: the gauge penalty outside it, and a Lipschitz extension of a function on it.

C = {y: <rows_i, y> <= bounds_i for all i, |y|_2 <= radius}, bounds > 0 and radius > 0, so the origin is inside.
"""

import math
from random import Random

from dpsco.spec.contract import FINITE, NONNEGATIVE, SUM_SCALED, Inputs, contract


def any_polytope(random: Random, d: int) -> Inputs:
    """A box or a simplex-like body, cut once or twice, the origin inside."""
    size = 10 ** random.uniform(-1, 1)
    sides = [[sign * float(i == j) for j in range(d)] for i in range(d) for sign in (1.0, -1.0)]
    cuts = [[random.gauss(0, 1) for _ in range(d)] for _ in range(random.randint(0, 2))]
    bounds = [size * random.uniform(0.2, 1) for _ in sides + cuts]
    return {"rows": sides + cuts, "bounds": bounds}


def any_point(random: Random) -> Inputs:
    """A body, with a ball or without, and a point inside, outside or at the centre."""
    d = random.randint(1, 4)
    far = random.choice((0.0, 0.3, 3.0))
    return {
        **any_polytope(random, d),
        "radius": random.choice((math.inf, 10 ** random.uniform(-1, 1))),
        "theta": [far * random.gauss(0, 1) for _ in range(d)],
    }


def any_penalty(random: Random) -> Inputs:
    """The same, with a weight."""
    return {**any_point(random), "alpha": 10 ** random.uniform(-2, 3)}


def any_extension(random: Random) -> Inputs:
    """A maximum of up to three affine functions on a polytope, its constant met or not; a point inside or outside."""
    d = random.randint(1, 3)
    slopes = [[random.gauss(0, 1) for _ in range(d)] for _ in range(random.randint(1, 3))]
    steepest = max(math.hypot(*row) for row in slopes)
    far = random.choice((0.1, 1.0, 10.0))
    return {
        "slopes": slopes,
        "intercepts": [random.gauss(0, 0.3) for _ in slopes],
        **any_polytope(random, d),
        "lipschitz": steepest * random.choice((1 + 1e-9, 1.1, 3.0)),
        "theta": [far * random.gauss(0, 1) for _ in range(d)],
    }


@contract(metric=SUM_SCALED, range=NONNEGATIVE, generate=any_point)
def gauge(rows: object, bounds: object, radius: float, theta: object) -> float:
    """The Minkowski functional of C.

    psi(theta) = inf{r > 0: theta in r C} = max(0, max_i <rows_i, theta>/bounds_i, |theta|_2/radius)

    Domain   rows: m x d, bounds: m, positive; radius > 0, inf for a polytope; theta: d (decision)
    Returns  a number >= 0, at most 1 in C and nowhere else; psi(s theta) = s psi(theta) for s >= 0
    Raises   ValueError for other shapes and values (fast only)
    Source   bilevel, Theorem B.14, proof, step 3
    """


@contract(metric=SUM_SCALED, range=NONNEGATIVE, generate=any_penalty)
def gauge_penalty(rows: object, bounds: object, radius: float, theta: object, alpha: float) -> float:
    """What is added to the exponent outside of C.

    alpha max(0, psi(theta) - 1)

    Domain   as `gauge`; alpha >= 0 (nat)
    Returns  nats, 0 in C; convex; its Lipschitz constant is alpha over the radius of a ball around the origin inside C
    Raises   ValueError as `gauge`
    Source   bilevel, Theorem B.14, proof, step 3
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_extension)
def lipschitz_extension(
    slopes: object, intercepts: object, rows: object, bounds: object, lipschitz: float, theta: object
) -> float:
    """The extension of a function on a polytope to the whole space.

    min{f(y) + lipschitz |theta - y|_2: <rows_i, y> <= bounds_i}, f(y) = max_k (<slopes_k, y> + intercepts_k)

    Domain   slopes: K x d, none longer than `lipschitz` (nat/decision), intercepts: K (nat); rows, bounds as `gauge`, m = 0 for
             the whole space; theta: d (decision)
    Returns  nats: f(theta) inside; convex, with the Lipschitz constant `lipschitz` everywhere
    Raises   ValueError for other shapes and values (fast only), and where the minimum is not reached in doubles
    Source   bilevel, Theorem B.14, proof, step 2
    """
