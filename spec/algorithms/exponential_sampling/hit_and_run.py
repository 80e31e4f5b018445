"""Hit-and-run and coordinate walks on a box whose conditional draws are exact, for losses that are quadratic or linear.

Every step keeps the density; how near a finite run is to it is not known without a mixing bound, so a run of these walks
certifies nothing: a distance enters (epsilon, delta) only where it is proved.
"""

from random import Random

from dpsco.spec.contract import ULPS, Inputs, between, contract

Vector = list[float]


def any_target(random: Random) -> Inputs:
    """A positive semidefinite Q of some rank and temperature, a slope, the box [-1, 1]^d or less, a start inside."""
    d, rank = random.randint(1, 4), random.randint(0, 4)
    size = 10 ** random.uniform(-3, 2)
    rows = [[size * random.gauss(0, 1) for _ in range(d)] for _ in range(rank)]
    Q = [[sum(row[i] * row[j] for row in rows) for j in range(d)] for i in range(d)]
    high = [random.uniform(0.1, 1) for _ in range(d)]
    return {
        "Q": Q,
        "c": [random.choice((0.0, 1.0)) * size * random.gauss(0, 3) for _ in range(d)],
        "low": [-1.0] * d,
        "high": high,
        "start": [random.uniform(-1, h) for h in high],
    }


def any_sweeps(random: Random) -> Inputs:
    """A target and up to two sweeps."""
    target = any_target(random)
    d, sweeps = len(target["start"]), random.randint(1, 2)  # type: ignore[arg-type]
    return {**target, "uniforms": [[random.random() for _ in range(d)] for _ in range(sweeps)]}


def any_run(random: Random) -> Inputs:
    """A target, up to four directions, a coordinate among them."""
    target = any_target(random)
    d, steps = len(target["start"]), random.randint(1, 4)  # type: ignore[arg-type]
    directions = [[random.gauss(0, 1) for _ in range(d)] for _ in range(steps)]
    directions[0] = [1.0, *[0.0] * (d - 1)]
    return {**target, "directions": directions, "uniforms": [random.random() for _ in range(steps)]}


@contract(metric=ULPS, range=between(lambda m, low: m.min(*low), lambda m, high: m.max(*high)), generate=any_sweeps, floor=1.0)
def coordinate_walk(Q: object, c: object, low: Vector, high: Vector, start: Vector, uniforms: object) -> object:
    """Sweeps over the coordinates, each drawn from its conditional law given the others.

    density proportional to exp(-(x'Qx/2 + c'x)) on the box; coordinate j gets the point of its line with conditional
    distribution function uniforms[s][j]

    Domain   Q: d x d, symmetric, positive semidefinite; c, low < high, start inside: d (decision; exponents in nats);
             uniforms: S x d in (0, 1)
    Returns  S x d: the state after each sweep (decision). The density is kept exactly; no distance to it is proved
    Raises   ValueError for shapes that do not fit, a box without inside, a start outside, uniforms outside (0, 1)
    Source   the Gibbs sampler; (4) and (5) of bilevel with k Phi_Z + k mu |x|^2/2 quadratic
    """


@contract(metric=ULPS, range=between(lambda m, low: m.min(*low), lambda m, high: m.max(*high)), generate=any_run, floor=1.0)
def hit_and_run(Q: object, c: object, low: Vector, high: Vector, start: Vector, directions: object, uniforms: Vector) -> object:
    """Steps along given directions, each to a point drawn from the density on the chord.

    density proportional to exp(-(x'Qx/2 + c'x)) on the box; x + t v, t with conditional distribution function uniforms[s]

    Domain   as `coordinate_walk`; directions: T x d, none zero; uniforms: T in (0, 1)
    Returns  T x d: the state after each step (decision). The density is kept exactly where directions do not depend on the
             state; no distance to it is proved
    Raises   ValueError as `coordinate_walk`, and for a zero direction
    Source   Smith 1984; Lovasz 1999
    """
