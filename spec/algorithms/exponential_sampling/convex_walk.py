"""Hit-and-run for a convex loss on a convex body: on each chord an exact draw, by adaptive rejection from tangents.

Every step keeps the density; how near a finite run is to it is not known without a mixing bound, so a run of this walk
certifies nothing: a distance enters (epsilon, delta) only where it is proved.
"""

import math
from random import Random

from dpsco.spec.contract import SUM_SCALED, Inputs, ball, contract
from dpsco.spec.expressions import symbols

C, L_fy, inner_error, k, length = symbols("C L_fy inner_error k length")

Vector = list[float]
PAIRS = 30
"""Of uniform numbers for each step, in random inputs: many more than the proposals that are needed."""


tangent_slack = k * inner_error * (2 * L_fy + C * length)
"""How far (nats) tangents of k Phi must be lowered to stay below what is computed of it on a chord of that length, where
values are off by L_fy inner_error at most and slopes by C inner_error."""


def any_loss(random: Random) -> Inputs:
    """Up to four softplus terms, cold or hot, on a cut box, a ball or both; a start inside, one to three steps."""
    d, terms, steps = random.randint(1, 3), random.randint(1, 4), random.randint(1, 3)
    sides = [[sign * float(i == j) for j in range(d)] for i in range(d) for sign in (1.0, -1.0)]
    ball = random.choice((math.inf, random.uniform(0.3, 1.5)))
    directions = [[random.gauss(0, 1) for _ in range(d)] for _ in range(steps)]
    directions[0] = [1.0, *[0.0] * (d - 1)]
    return {
        "rows": [[random.gauss(0, 3) for _ in range(d)] for _ in range(terms)],
        "offsets": [random.gauss(0, 1) for _ in range(terms)],
        "weights": [random.uniform(0, 1) for _ in range(terms)],
        "k": 10 ** random.uniform(-1, 2),
        "mu": random.choice((0.0, 0.5)),
        "A": sides,
        "b": [random.uniform(0.3, 1) for _ in sides],
        "radius": ball,
        "start": [random.uniform(-0.1, 0.1) for _ in range(d)],
        "directions": directions,
        "uniforms": [[[random.random(), random.random()] for _ in range(PAIRS)] for _ in range(steps)],
    }


@contract(metric=SUM_SCALED, range=ball(lambda m, radius: radius), generate=any_loss)
def walk(
    rows: object,
    offsets: Vector,
    weights: Vector,
    k: float,
    mu: float,
    A: object,
    b: Vector,
    radius: float,
    start: Vector,
    directions: object,
    uniforms: object,
) -> object:
    """Steps along given directions, each to a point drawn from the density on the chord by adaptive rejection.

    density proportional to exp(-k (Phi(x) + mu |x|^2/2)), Phi(x) = sum_i weights_i log(1 + e^{<rows_i, x> + offsets_i}), on
    {Ax <= b, |x|_2 <= radius}. On a chord: tangents at its ends and at the state; a pair (u, w) proposes the point with
    share u of the law of exp(-hull), the hull of the tangents, and keeps it where w < exp(hull - exponent); if not, its tangent
    joins the hull and the next pair is used

    Domain   rows: r x d, offsets, weights >= 0: r; k > 0, mu >= 0; A: m x d, b: m, radius > 0 or inf, together bounded along
             every direction; start inside (decision); directions: T x d, none zero; uniforms: T x R x 2 in (0, 1)
    Returns  T x d: the state after each step (decision). The density is kept exactly where directions do not depend on the
             state; no distance to it is proved. Errors are measured as in `polytope_walk`, with the exponents' terms
    Raises   ValueError for shapes that do not fit, a start outside, a chord without end, R pairs that are not enough
    Source   Gilks and Wild 1992 for the draw; Smith 1984; (4) and (5) of bilevel with Phi_Z convex
    """
