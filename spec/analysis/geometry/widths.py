"""Gaussian widths of constraint sets, and the norms that a set C defines.

G_C = E sup over theta in C of <g, theta> with g ~ N(0, I_d); |v|_C = min{r >= 0: v in r C}; |v|_{C*} its dual.
"""

from collections.abc import Sequence
from random import Random

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.contract import FINITE, NONNEGATIVE, POSITIVE, SUM_SCALED, ULPS, Inputs, Range, contract
from dpsco.spec.domain import Interval, Parameter, nonnegative, positive
from dpsco.spec.expressions import exp, gamma, lgamma, log, pi, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import SIGMA, D, P
from dpsco.spec.predicate import Predicate

C_min, C_norm, G_C, d, euclidean_norm, inradius = symbols("C_min C_norm G_C d euclidean_norm inradius")
minkowski_norm, p, sigma = symbols("minkowski_norm p sigma")

WIDTH = Parameter("G_C", "Gaussian width of C: E sup over theta in C of <g, theta>", positive, "decision")
C_NORM = Parameter("C_norm", "|C|_2: largest l2 norm of a point of C", positive, "decision")
C_MIN = Parameter("C_min", "least l2 distance from the origin to the boundary of C", positive, "decision")
INRADIUS = Parameter("inradius", "largest radius of an l2 ball around the origin inside C", nonnegative, "decision")
MINKOWSKI_NORM = Parameter("minkowski_norm", "|x|_C", nonnegative)
EUCLIDEAN_NORM = Parameter("euclidean_norm", "|x|_2", nonnegative, "decision")


SLABS: Inputs = {"rows": [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], "offsets": [1.0, 1.0, 2.0, 2.0]}

NARROW: Inputs = {
    "rows": [[1.0, 1.0], [1.0, 1.0 + 2.0**-52], [-1.0, -1.0], [-1.0, -1.0 - 2.0**-52]],
    "offsets": [1.0, 2.0, 1.0, 2.0],
}
"""Nearly parallel faces: they span the plane, by one unit of a last place."""


def _normals(random: Random) -> Inputs:
    d, count = random.choice((1, 2, 3, 9)), random.choice((1, 2, 7, 40))
    return {
        name: [[random.gauss(0, size) for _ in range(d)] for _ in range(rows)]
        for name, size, rows in (("normals", 1, count), ("vertices", random.choice((1, 1e6)), random.choice((1, 2, 12))))
    }


def _faces(random: Random) -> Inputs:
    d = random.choice((1, 2, 3, 9))
    half = [[float(i == j) for j in range(d)] for i in range(d)]  # the rows span the space, however the others are chosen
    half += [[random.gauss(0, 1) for _ in range(d)] for _ in range(random.choice((0, d, d + 5)))]
    offsets = [10 ** random.uniform(-3, 3) for _ in half]
    return {"rows": [*half, *([-a for a in row] for row in half)], "offsets": offsets * 2}


def _points(random: Random) -> Inputs:
    body = _faces(random)
    rows = body["rows"]
    assert isinstance(rows, list)
    return {**body, "x": [random.gauss(0, 1) for _ in rows[0]]}


@contract(metric=ULPS, range=Range(lambda m, d: m.sqrt(d - m.frac(1, 2)), lambda m, d: m.sqrt(d)), inputs=(D,))
def ball_width(d: int) -> float:
    """Gaussian width of the unit l2 ball, the mean norm of a standard normal vector.

    sqrt(2) Gamma((d+1)/2) / Gamma(d/2)

    Domain   d >= 1 an integer
    Returns  a width, between sqrt(d - 1/2) and sqrt(d) for d >= 2
    Raises   ValueError for another d (fast only)
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=_normals, hard=({"normals": [[1.0, 0.0]], "vertices": [[0.0, 0.0]]},))
def sampled_width(normals: Sequence[Sequence[float]], vertices: Sequence[Sequence[float]]) -> float:
    """Mean support function of a polytope over given directions: its Gaussian width where these are normal draws.

    mean over g of max over vertices v of <g, v>

    Domain   normals (N, d) and vertices (K, d) finite, N, K, d >= 1
    Returns  in the unit of the vertices; off the width by at most |C|_2 sqrt(2 ln(2/b)/N) with probability 1 - b
    Raises   ValueError for other shapes or entries (fast only)
    Source   Gaussian concentration: the support function is |C|_2-Lipschitz
    """


@contract(
    metric=SUM_SCALED,
    range=NONNEGATIVE,
    generate=_points,
    hard=({**SLABS, "x": [0.0, 0.0]}, {**SLABS, "x": [3.0, -2.0]}, {**NARROW, "x": [1.0, -1.0]}),
)
def minkowski(rows: Sequence[Sequence[float]], offsets: Sequence[float], x: Sequence[float]) -> float:
    """Minkowski norm |x|_C of the polytope C = {<a, theta> <= b for each row a and its offset b}.

    largest <a, x> / b

    Domain   rows (K, d), offsets (K,) positive, with each (a, b) also (-a, b), the rows spanning R^d; x (d,)
    Returns  least r >= 0 with x in r C, no unit
    Raises   ValueError for other shapes or entries, and for C that is not symmetric, has no interior at the origin or is
             not bounded: |.|_C is no norm then (fast only)
    """


@contract(metric=ULPS, range=POSITIVE, generate=_faces, hard=(SLABS, NARROW))
def least_distance(rows: Sequence[Sequence[float]], offsets: Sequence[float]) -> float:
    """C_min, the least l2 distance from the origin to the boundary of C = {<a, theta> <= b for each row a}.

    least b / |a|_2

    Domain   as `minkowski`
    Returns  a length, the inradius around the origin
    Raises   as `minkowski`
    """


width_l2 = sqrt(2) * exp(lgamma((d + 1) / 2) - lgamma(d / 2))
"""Mean norm of a standard normal vector."""

width_linf = d * sqrt(2 / pi)
width_l1_bound = sqrt(2 * log(2 * d))
width_simplex_bound = sqrt(2 * log(d))

_q = p / (p - 1)
_moment = sqrt(2) ** _q * gamma((_q + 1) / 2) / sqrt(pi)
width_lp_bound = (d * _moment) ** (1 / _q)
"""Jensen: (d E|g|^q)^{1/q}, q the dual exponent."""

minkowski_lower_bound = euclidean_norm / C_norm
dual_norm_rate = sigma**2 * G_C**2
euclidean_lower_bound = minkowski_norm * C_min
ball_lies_inside = C_min <= inradius


WITH_ORIGIN = (
    "compact convex sets C that contain the origin",
    "vectors v",
    "for the width alone: the probability simplex, without the origin",
)

claims = [
    Claim(
        id="lp/gaussian-width",
        title="Gaussian widths",
        kind=Kind.IDENTITY,
        source=LP.at("Table 3", "proof of Lemma 6", "proof of Theorem 4"),
        says="The Gaussian width of C is G_C = E sup over theta in C of <g, theta>, g ~ N(0, I_d). For unit balls: l2, "
        "sqrt(2) Gamma((d+1)/2) / Gamma(d/2) <= sqrt(d); l_inf, d sqrt(2/pi); l_1, E max |g_j| <= sqrt(2 ln(2d)); l_p with 1 "
        "< p < inf and dual exponent q, E|g|_q <= d^{1/q} (E|g_1|^q)^{1/q}; the probability simplex, E max g_j <= sqrt(2 ln "
        "d). Further |v|_C >= |v|_2 / |C|_2 for every v, and E|G|_{C*}^2 = O(sigma^2 G_C^2) for G ~ N(0, sigma^2 I_d), where "
        "|G|_{C*} is the supremum of <G, theta> over C.",
        parameters=(D, P.within(Interval("1", "inf")), WIDTH, C_NORM, EUCLIDEAN_NORM, MINKOWSKI_NORM, SIGMA),
        formulas={
            "width_l2": width_l2,
            "width_linf": width_linf,
            "width_l1_bound": width_l1_bound,
            "width_simplex_bound": width_simplex_bound,
            "width_lp_bound": width_lp_bound,
            "minkowski_lower_bound": minkowski_lower_bound,
            "dual_norm_rate": dual_norm_rate,
        },
        asserts=(
            Relation("Gaussian width of the unit l2 ball", "=", "width_l2"),
            Relation("Gaussian width of the unit l_inf ball", "=", "width_linf"),
            Relation("Gaussian width of the unit l_1 ball", "<=", "width_l1_bound"),
            Relation("Gaussian width of the probability simplex", "<=", "width_simplex_bound"),
            Relation("Gaussian width of the unit l_p ball", "<=", "width_lp_bound"),
            Relation("minkowski_norm", ">=", "minkowski_lower_bound"),
            Relation("E|G|_{C*}^2", "<=O", "dual_norm_rate"),
        ),
        over=WITH_ORIGIN,
        provenance=Provenance.REBUILT,
        note="The paper's are the name of the width (Table 3), the comparison |v|_C >= |v|_2/|C|_2 and the second moment "
        "(proof of Theorem 4). The supplement prints no definition and no example: the widths of the l2, l_inf, l_1 and l_p "
        "balls and of the simplex are the standard ones, written out here from the definition. The Minkowski norm, finite as "
        "the proof needs it, puts the origin into C. The second moment is (G_C^2 + Var) sigma^2 with Var <= |C|_2^2: with "
        "constant 1 + pi/2 for symmetric C, 1 + 2 pi when C contains the origin; false without it (C = {c}: width 0, second "
        "moment sigma^2 |c|_2^2). For asymmetric C |.|_C and |.|_{C*} are no norms.",
    ),
    Claim(
        id="lp/lem-10",
        title="Minkowski norm against the l2 norm",
        kind=Kind.BOUND,
        source=LP.at("Lemma 10", "proof of Lemma 10"),
        says="For a symmetric convex body C with C_min the least l2 distance from the origin to its boundary, every x has "
        "|x|_2 >= |x|_C C_min.",
        parameters=(EUCLIDEAN_NORM, MINKOWSKI_NORM, C_MIN, INRADIUS),
        symbols={"inradius": r"\mathcal{C}_{\text{in}}"},
        formulas={"bound": euclidean_lower_bound},
        asserts=(Relation("euclidean_norm", ">=", "bound"),),
        preconditions=(
            Predicate(
                "the l2 ball of radius C_min around the origin lies in C",
                ball_lies_inside,
                accepts={"C_min": "1", "inradius": "1"},
                rejects={"C_min": "2", "inradius": "1"},
            ),
        ),
        over=("symmetric convex bodies C", "vectors x"),
        note="True for every convex body with the origin inside; C/C_min contains the unit ball. It turns 1-strong convexity "
        "in the l2 norm into C_min^2-strong convexity in |.|_C.",
    ),
]
