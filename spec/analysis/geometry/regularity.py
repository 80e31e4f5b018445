"""Regular norms, which have an equivalent smooth norm, and the strongly convex potentials built on them.

In l_p^d, 1 < p < 2, the dual norm is l_q with q = p/(p-1); it is kappa-regular, |.|_+ is its smooth norm, and mirror
descent uses Phi = kappa/2 times the square of an l_{kappa_+} norm. Its gradient is the mirror map.
"""

from collections.abc import Sequence
from random import Random

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.contract import FINITE, NONNEGATIVE, SUM_SCALED, ULPS, Inputs, contract
from dpsco.spec.domain import Integers, Interval, Parameter, Vectors, positive
from dpsco.spec.expressions import log, maximum, minimum, symbols
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import LP
from dpsco.spec.parameters import D, P

d, kappa, p = symbols("d kappa p")

P_BELOW_TWO = P.within(Interval("1", "2"))
KAPPA = Parameter("kappa", "min(1/(p-1), 2 ln d), regularity constant of the dual space", Interval("1", "inf"))
KAPPA_PRINTED = KAPPA.means(
    "min(1/(p-1), 2 ln d), regularity constant of the dual space, for d >= 2 (at d = 1 it is 0, outside this range: no kappa_+)"
)
ALPHA = Parameter("alpha", "regularisation coefficient, weight of the potential Phi", positive, "loss/decision^2")


INDICES = (2.0, 1.5, 1.25, 4.0, 3.0, 1.05, 20.0, 7 / 3)
POINTS_TRIED: tuple[tuple[float, ...], ...] = (
    (0.0,),
    (-3.0,),
    (0.0, 0.0),
    (1.0, -1.0, 0.5),
    (1e-300, 2e-300),
    (1e150, -1e-150, 0.0),
)
HARD: tuple[Inputs, ...] = tuple(
    {"x": list(x), "index": index} for x in POINTS_TRIED for index in (*INDICES, 1.0, float("inf"))
)
HARD_MAPS: tuple[Inputs, ...] = tuple({"x": list(x), "kappa": 1.7, "index": index} for x in POINTS_TRIED for index in INDICES)
HARD_PAIRS: tuple[Inputs, ...] = tuple(
    {"x": x, "z": z, "kappa": 1.7, "index": index}
    for x, z in (([1.0, 0.0], [0.0, 1.0]), ([0.0, 0.0], [1.0, -2.0]), ([1.0, 2.0], [0.0, 0.0]), ([3.0, 1e-9], [3.0, 0.0]))
    for index in INDICES
)


def _vector(random: Random, d: int) -> list[float]:
    spread = random.choice((0, 1, 12))
    return [random.choice((-1, 1, 1)) * 10 ** random.uniform(-spread, spread) * random.choice((1, 1, 1, 0)) for _ in range(d)]


def _index(random: Random) -> float:
    return random.choice((2.0, random.uniform(1.02, 2), random.uniform(2, 30)))


def _norms(random: Random) -> Inputs:
    return {"x": _vector(random, random.choice((1, 2, 3, 9, 50))), "index": _index(random)}


def _maps(random: Random) -> Inputs:
    return {**_norms(random), "kappa": 10 ** random.uniform(-2, 2)}


def _pairs(random: Random) -> Inputs:
    d = random.choice((1, 2, 3, 9, 50))
    x = _vector(random, d)
    z = random.choice((_vector(random, d), [a * (1 + random.gauss(0, 1e-3)) for a in x]))
    return {"x": x, "z": z, "kappa": 10 ** random.uniform(-2, 2), "index": _index(random)}


@contract(metric=ULPS, range=NONNEGATIVE, generate=_norms, hard=HARD)
def norm(x: Sequence[float], index: float) -> float:
    """The l_index norm.

    (sum of |x_j|^index)^{1/index}, the largest |x_j| for index = inf

    Domain   x (d,) finite, d >= 1; 1 <= index <= inf
    Returns  in the unit of x
    Raises   ValueError for another index, for entries that are no finite numbers, for no entries (fast only)
    """


@contract(metric=ULPS, range=FINITE, generate=_maps, hard=HARD_MAPS)
def mirror(x: Sequence[float], kappa: float, index: float) -> Sequence[float]:
    """The mirror map, gradient of Phi = (kappa/2) |x|^2 in the l_index norm.

    kappa |x|^{2 - index} sign(x_j) |x_j|^{index - 1}, 0 at x = 0

    Domain   x (d,) finite; kappa > 0; 1 < index < inf
    Returns  d numbers, in the unit of kappa times that of x; kappa x for index = 2
    Raises   ValueError for other values (fast only)
    Source   differentiation; |mirror(x)| in the dual norm is kappa |x|
    """


@contract(metric=ULPS, range=FINITE, generate=_maps, hard=HARD_MAPS)
def inverse_mirror(x: Sequence[float], kappa: float, index: float) -> Sequence[float]:
    """The inverse of `mirror`, gradient of the conjugate Phi* = |x|^2 / (2 kappa) in the dual norm l_v.

    |x|_v^{2 - v} sign(x_j) |x_j|^{v - 1} / kappa, v = index/(index - 1), 0 at x = 0

    Domain   as `mirror`; x is a gradient
    Returns  d numbers, in the unit of x over that of kappa
    Raises   ValueError for other values (fast only)
    Source   Fenchel: the gradient of the conjugate inverts the gradient
    """


@contract(metric=SUM_SCALED, range=NONNEGATIVE, generate=_pairs, hard=HARD_PAIRS)
def bregman(x: Sequence[float], z: Sequence[float], kappa: float, index: float) -> float:
    """The Bregman divergence of Phi = (kappa/2) |x|^2 in the l_index norm.

    Phi(x) - Phi(z) - <mirror(z), x - z>

    Domain   x, z (d,) finite; kappa > 0; 1 < index < inf
    Returns  at least 0, in the unit of kappa times the square of that of x
    Raises   ValueError for other values (fast only)
    """


kappa_printed = minimum(1 / (p - 1), 2 * log(d))
kappa_through_dual_exponent = minimum(p / (p - 1) - 1, 2 * log(d))
kappa_algorithm_7 = minimum(1 / (p - 1), log(d))
kappa_plus = kappa / (kappa - 1)
smooth_index = minimum(p / (p - 1), maximum(2, 2 * log(d)))
"""Index r of the smooth norm l_r of l_{p/(p-1)}^d, d >= 2."""


def kappa_amended(m: Numbers, p: Real, d: Real) -> Real:
    return m.min(1 / (p - 1), 2 * m.e * m.log(d))


def kappa_through_dual_exponent_amended(m: Numbers, p: Real, d: Real) -> Real:
    return m.min(p / (p - 1) - 1, 2 * m.e * m.log(d))


kappa_plus_amended = smooth_index / (smooth_index - 1)


def potential(m: Numbers, kappa: Real, x: Real) -> Real:
    return kappa / 2 * m.norm(x, kappa_plus(m, kappa=kappa)) ** 2


def potential_at_midpoint(m: Numbers, kappa: Real, x: Real, y: Real) -> Real:
    return potential(m, kappa, [(a + b) / 2 for a, b in zip(x, y, strict=True)])


def midpoint_bound(m: Numbers, kappa: Real, p: Real, x: Real, y: Real) -> Real:
    """What 1-strong convexity in |.|_p allows at the midpoint."""
    gap = m.norm([a - b for a, b in zip(x, y, strict=True)], p) ** 2 / 8
    return (potential(m, kappa, x) + potential(m, kappa, y)) / 2 - gap


def potential_amended(m: Numbers, kappa: Real, p: Real, d: Real, x: Real) -> Real:
    return kappa / 2 * m.norm(x, kappa_plus_amended(m, p=p, d=d)) ** 2


def potential_at_midpoint_amended(m: Numbers, kappa: Real, p: Real, d: Real, x: Real, y: Real) -> Real:
    return potential_amended(m, kappa, p, d, [(a + b) / 2 for a, b in zip(x, y, strict=True)])


def midpoint_bound_amended(m: Numbers, kappa: Real, p: Real, d: Real, x: Real, y: Real) -> Real:
    gap = m.norm([a - b for a, b in zip(x, y, strict=True)], p) ** 2 / 8
    return (potential_amended(m, kappa, p, d, x) + potential_amended(m, kappa, p, d, y)) / 2 - gap


KAPPA_AMENDED = KAPPA.means("min(1/(p-1), 2 e ln d), regularity constant of the dual space")
POINTS = tuple(Parameter(name, meaning, Vectors("d"), "decision") for name, meaning in (("x", "a point"), ("y", "another")))
claims = [
    Claim(
        id="lp/regular",
        title="regularity of the dual space",
        kind=Kind.DEFINITION,
        source=LP.at("proof of Theorem 6", "proof of Theorem 7", "Algorithm 7", "Table 3"),
        says="For l_p^d with 1 < p < 2 the dual norm |.|_* is l_{p/(p-1)}, and (R^d, |.|_*) is kappa-regular with kappa = "
        "min(p/(p-1) - 1, 2 ln d) = min(1/(p-1), 2 ln d). A norm |.|_* is kappa-regular if there are 1 <= s <= kappa and a "
        "norm |.|_+ with |x|_*^2 <= |x|_+^2 <= (kappa/s) |x|_*^2 whose square is s-smooth, |x + y|_+^2 <= |x|_+^2 + <grad "
        "|x|_+^2, y> + s |y|_+^2; |.|_+ is called its smooth norm. Further kappa_+ = kappa / (kappa - 1).",
        parameters=(P_BELOW_TWO, D, KAPPA_PRINTED),
        formulas={
            "kappa": kappa_printed,
            "kappa_through_dual_exponent": kappa_through_dual_exponent,
            "kappa_algorithm_7": kappa_algorithm_7,
            "kappa_plus": kappa_plus,
        },
        asserts=(
            Relation("kappa", "=", "kappa_through_dual_exponent"),
            Relation("(R^d, l_{p/(p-1)})", "is", "kappa-regular"),
        ),
        over=("p in (1, 2)", "dimensions d"),
        provenance=Provenance.REBUILT,
        note="The definition of regularity is not in the supplement; the usual one is given. Algorithm 7 prints log d for 2 "
        "ln d. False as constants: regularity gives E|sum of independent centred terms|_*^2 <= kappa times the sum "
        "of E|.|_*^2, so by the central limit theorem for random signs kappa >= E max g_j^2 as p -> 1: at d = 1 kappa = 0 < "
        "1, at d = 2 kappa = 1.386 < 1 + 2/pi; and log d (Algorithm 7) is below E max g_j^2 ~ 2 ln d for large d. For kappa "
        "<= 1 (d = 1; ln d at d = 2) kappa_+ is no norm index.",
    ),
    Claim(
        id="lp/phi",
        title="strong convexity of the potential",
        kind=Kind.BOUND,
        source=LP.at("proof of Theorem 7", "Algorithm 7"),
        says="For every d and every p in (1, 2), with kappa = min(1/(p-1), 2 ln d) and kappa_+ = kappa / (kappa - 1), the "
        "potential Phi(x) = (kappa/2) |x|_{kappa_+}^2 is 1-strongly convex with respect to |.|_p: in particular Phi((x + "
        "y)/2) <= (Phi(x) + Phi(y))/2 - |x - y|_p^2 / 8.",
        uses=("lp/regular",),
        parameters=(P_BELOW_TWO, D, KAPPA_PRINTED, *POINTS),
        formulas={
            "kappa_of_p_and_d": kappa_printed,
            "kappa_plus": kappa_plus,
            "potential": potential,
            "left": potential_at_midpoint,
            "right": midpoint_bound,
        },
        asserts=(
            Relation("left", "<=", "right", step=True),
            Relation("Phi", "is", "1-strongly convex with respect to |.|_p", step=True),
        ),
        over=("points x, y of R^d",),
        note="No range of d is printed; at d = 1 kappa is 0 and there is no potential. Strong convexity for all pairs is "
        "equivalent to the midpoint inequality. False: kappa_+ would have to be (kappa + 1)/kappa, the dual "
        "exponent of kappa + 1 (for kappa = 1/(p-1) that is p); printed it is 1/(2-p) > p. For p > 3/2 kappa_+ exceeds 2 and "
        "the squared norm is flat to second order along a coordinate axis: p = 7/4, d = 2, kappa = 4/3, kappa_+ = 4, x, y = "
        "e_1 +- t e_2, t -> 0. For p < 3/2 the modulus may fall by the factor d^{2/p - 2/kappa_+}. Where kappa = 2 ln d, "
        "even the mended exponent gives strong convexity only up to a constant (e for l_1). With the log d of Algorithm 7, "
        "kappa < 1 at d = 2.",
    ),
    Claim(
        id="lp/regular-amended",
        amends="lp/regular",
        kind=Kind.DEFINITION,
        source=LP.at("proof of Theorem 6", "proof of Theorem 7", "Algorithm 7", "Table 3"),
        says="For d >= 2 and 1 < p < 2 the dual norm of l_p^d is l_{p/(p-1)}, and (R^d, l_{p/(p-1)}) is kappa-regular with "
        "kappa = min(1/(p-1), 2 e ln d); |.|_+ = l_r, r = min(p/(p-1), max(2, 2 ln d)), is a smooth norm. kappa_+ = r/(r-1).",
        parameters=(P_BELOW_TWO, D.within(Integers(2)), KAPPA_AMENDED),
        formulas={
            "kappa": kappa_amended,
            "kappa_through_dual_exponent": kappa_through_dual_exponent_amended,
            "kappa_plus": kappa_plus_amended,
        },
        asserts=(
            Relation("kappa", "=", "kappa_through_dual_exponent"),
            Relation("(R^d, l_{p/(p-1)})", "is", "kappa-regular"),
        ),
        over=("p in (1, 2)", "dimensions d"),
        note="2 ln d becomes 2 e ln d, d >= 2 is added. On the line every norm is 1-regular.",
    ),
    Claim(
        id="lp/phi-amended",
        amends="lp/phi",
        kind=Kind.BOUND,
        source=LP.at("proof of Theorem 7", "Algorithm 7"),
        says="For d >= 2 and p in (1, 2), with kappa = min(1/(p-1), 2 e ln d) and kappa_+ = r/(r-1), r = min(p/(p-1), max(2, "
        "2 ln d)), the potential Phi(x) = (kappa/2) |x|_{kappa_+}^2 is 1-strongly convex with respect to |.|_p: in "
        "particular Phi((x + y)/2) <= (Phi(x) + Phi(y))/2 - |x - y|_p^2 / 8.",
        parameters=(P_BELOW_TWO, D.within(Integers(2)), KAPPA_AMENDED, *POINTS),
        formulas={
            "kappa_of_p_and_d": kappa_amended,
            "kappa_plus": kappa_plus_amended,
            "potential": potential_amended,
            "left": potential_at_midpoint_amended,
            "right": midpoint_bound_amended,
        },
        asserts=(Relation("left", "<=", "right"), Relation("Phi", "is", "1-strongly convex with respect to |.|_p")),
        over=("points x, y of R^d",),
        note="kappa_+ is the dual exponent of the smooth norm's, not of kappa, and 2 ln d becomes 2 e ln d. With r = p/(p-1), "
        "that is kappa_+ = p, and kappa = 1/(p-1) it is the usual potential.",
    ),
]
