"""The Moreau envelope of a convex piecewise linear loss with any number of pieces.

c(x) = s_0 x + sum over i of (s_i - s_(i-1)) max(x - b_i, 0): slope s_0 left of the first knot b_1, s_i right of knot b_i. The
check loss has the knot 0 and the slopes r - 1 and r; newsvendors with emergency orders or salvage in tiers have more.
"""

from itertools import pairwise
from random import Random

from dpsco.spec.contract import FINITE, SUM_SCALED, ULPS, Inputs, between, contract
from dpsco.spec.parameters import H, U

Vector = list[float]
LOSSES: tuple[tuple[Vector, Vector], ...] = (
    ([0.0], [-0.3, 0.7]),
    ([0.0], [-0.5, 0.5]),
    ([-1.0, 0.0, 2.0], [-2.0, -0.5, 0.25, 3.0]),
    ([1e6, 1e6 + 1e-6], [-1e-9, 0.0, 1e9]),
    ([-1.0, 1.0], [0.0, 0.0, 0.0]),
    ([], [0.7]),
)
HARD: tuple[Inputs, ...] = tuple(
    {"u": u, "h": h, "knots": knots, "slopes": slopes}
    for knots, slopes in LOSSES
    for h in (1.0, 1e-6, 1e6)
    for u in (0.0, -5.0, 1e9, *(b + h * s for b in knots for s in slopes[:2]))
)


def any_loss(random: Random) -> Inputs:
    """Up to five knots, slopes that rise, and a point at an end of a piece of the envelope or anywhere."""
    count, scale, h = random.randint(0, 5), 10 ** random.uniform(-4, 4), 10 ** random.uniform(-6, 6)
    knots = sorted({random.gauss(0, scale) for _ in range(count)})
    slopes = sorted(random.gauss(0, 10 ** random.uniform(-3, 3)) for _ in range(len(knots) + 1))
    ends = [b + h * random.choice(pair) for b, pair in zip(knots, pairwise(slopes), strict=True)]
    return {"u": random.choice([*ends, random.gauss(0, 3 * scale)]), "h": h, "knots": knots, "slopes": slopes}


def checked(knots: Vector, slopes: Vector) -> None:
    """ValueError unless the knots rise strictly and there is one slope more, none falling."""
    if len(slopes) != len(knots) + 1:
        raise ValueError(f"slopes has one entry more than knots, got {len(slopes)} and {len(knots)}")
    if any(not a < b for a, b in pairwise(knots)):
        raise ValueError(f"knots rise strictly, got {list(knots)}")
    if any(not a <= b for a, b in pairwise(slopes)):
        raise ValueError(f"slopes do not fall (the loss is convex), got {list(slopes)}")


@contract(metric=SUM_SCALED, range=FINITE, inputs=(U, H), generate=any_loss, hard=HARD)
def value(u: float, h: float, knots: Vector, slopes: Vector) -> float:
    """The envelope of a convex piecewise linear loss.

    inf over x of c(x) + (u - x)^2 / (2 h)

    Domain   h > 0; knots rising strictly, maybe none; slopes one more than knots, none falling
    Returns  in the unit of the loss; terms, with x the minimiser on a piece of slope s: s x, s (u - x), (u - x)^2 / (2 h), and
             (s_i - s_(i-1)) b_i for the knots left of it
    Raises   ValueError where knots or slopes are not so
    Source   newsvendor, (EC.41)
    """


@contract(
    metric=ULPS,
    range=between(lambda m, slopes: slopes[0], lambda m, slopes: slopes[-1]),
    inputs=(U, H),
    generate=any_loss,
    hard=HARD,
)
def derivative(u: float, h: float, knots: Vector, slopes: Vector) -> float:
    """The envelope's derivative (u - x) / h at the minimiser x: a slope of the loss there.

    Domain   as for `value`
    Returns  between the first and the last slope; exact on the pieces that belong to a slope, elsewhere (u - b) / h for a knot
    Raises   ValueError where knots or slopes are not so
    Source   newsvendor, Lemma EC.4, part 1; (EC.41)
    """
