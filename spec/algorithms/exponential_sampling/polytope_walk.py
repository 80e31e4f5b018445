"""Walks on a polytope {x: Ax <= b} whose conditional draws are exact, for losses that are linear or constant.

Every step keeps the density; how near a finite run is to it is not known without a mixing bound, so a run of these walks
certifies nothing: a distance enters (epsilon, delta) only where it is proved.
"""

from random import Random

from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract

Vector = list[float]


def any_body(random: Random) -> Inputs:
    """A cube cut by up to five half-spaces, the origin inside; uniform on half of the bodies; a start inside."""
    d, cuts = random.randint(1, 4), random.randint(0, 5)
    sides = [[sign * float(i == j) for j in range(d)] for i in range(d) for sign in (1.0, -1.0)]
    rows = [[random.gauss(0, 1) for _ in range(d)] for _ in range(cuts)]
    bounds = [random.uniform(0.2, 2) for _ in range(cuts)]
    heavy, size = random.choice((0.0, 1.0)), 10 ** random.uniform(-2, 2)
    return {
        "A": sides + rows,
        "b": [1.0] * (2 * d) + bounds,
        "c": [heavy * size * random.gauss(0, 1) for _ in range(d)],
        "start": [random.choice((0.0, 0.05)) / d * random.uniform(-1, 1) for _ in range(d)],
    }


def any_coordinates(random: Random) -> Inputs:
    """A body and up to two rows of up to six coordinates, any order."""
    body = any_body(random)
    d, rows, steps = len(body["start"]), random.randint(1, 2), random.randint(1, 6)  # type: ignore[arg-type]
    return {
        **body,
        "coordinates": [[random.randrange(d) for _ in range(steps)] for _ in range(rows)],
        "uniforms": [[random.random() for _ in range(steps)] for _ in range(rows)],
    }


def any_directions(random: Random) -> Inputs:
    """A body and up to five directions, a coordinate among them."""
    body = any_body(random)
    d, steps = len(body["start"]), random.randint(1, 5)  # type: ignore[arg-type]
    directions = [[random.gauss(0, 1) for _ in range(d)] for _ in range(steps)]
    directions[0] = [-1.0, *[0.0] * (d - 1)]
    return {**body, "directions": directions, "uniforms": [random.random() for _ in range(steps)]}


@contract(metric=SUM_SCALED, range=FINITE, generate=any_coordinates)
def along_coordinates(A: object, b: Vector, c: Vector, start: Vector, coordinates: object, uniforms: object) -> object:
    """Steps along given coordinates, each to a point drawn from the density on the chord.

    density proportional to exp(-c'x) on {Ax <= b}; x + t e_j with conditional distribution function uniforms[s][i]

    Domain   A: m x d, b: m; c: d (nat/decision), zeros for the uniform law; start inside: d (decision); coordinates: S x w
             whole numbers in [0, d), uniforms: S x w in (0, 1)
    Returns  S x d: the state after each row of w steps (decision). The density is kept exactly where coordinates do not depend
             on the state; no distance to it is proved. Errors are measured against what roundings of the walk's terms are
             worth: a step nearly along a wall that it starts beside has few digits
    Raises   ValueError for shapes that do not fit, a start outside, a chord without end, uniforms outside (0, 1)
    Source   coordinate hit-and-run, Smith 1984; (4) of bilevel with k Phi_Z linear
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=any_directions)
def along_directions(A: object, b: Vector, c: Vector, start: Vector, directions: object, uniforms: Vector) -> object:
    """Steps along given directions, each to a point drawn from the density on the chord.

    density proportional to exp(-c'x) on {Ax <= b}; x + t v, t with conditional distribution function uniforms[s]

    Domain   as `along_coordinates`; directions: T x d, none zero; uniforms: T in (0, 1)
    Returns  T x d: the state after each step (decision), as there
    Raises   ValueError as `along_coordinates`, and for a zero direction
    Source   Smith 1984; Lovasz 1999
    """
