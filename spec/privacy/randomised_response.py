"""Randomised response between two regions: uniform on the favoured one with probability e^epsilon / (e^epsilon + 1).

The regions that matter are the half-spheres on either side of a vector, which turn the scheme into a random direction.
"""

from fractions import Fraction

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import PROBABILITY, ULPS, contract
from dpsco.spec.domain import Integers, Interval, Parameter, nonnegative
from dpsco.spec.expressions import E, equal, exp, gamma, pi, sqrt, symbols
from dpsco.spec.lemmas import Lemma, Status, lemma
from dpsco.spec.nouns import INTEGER, Noun
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import EPSILON, ETA, D, L
from dpsco.spec.privacy.profile import MECHANISM, NEIGHBOURS, LeastDelta, LeastQuotient, Processed
from dpsco.spec.statement import Statement, Symbol, statement

d, epsilon, eta, gradient_norm, share = symbols("d epsilon eta gradient_norm share")

EPSILON_0 = Parameter("epsilon_0", "pure privacy parameter of the mechanism", Interval("0"), "nat")
ANGLE = Parameter("angle", "angle between the two vectors", Interval("0", "3.141592653589793", False, False), "radian")
GRADIENT_NORM = Parameter("gradient_norm", "norm of the smoothed empirical risk's gradient at B_t", nonnegative, "loss/model")


@contract(metric=ULPS, range=PROBABILITY, inputs=(EPSILON.within(nonnegative), EPSILON_0))
def profile(epsilon: float, epsilon_0: float) -> float:
    """Least delta for which randomised response, and so every epsilon_0-DP mechanism, is (epsilon, delta)-DP.

    delta = max(0, e^epsilon_0 - e^epsilon) / (e^epsilon_0 + 1)

    Domain   epsilon >= 0, epsilon_0 > 0 (nats)
    Returns  delta, a probability
    Source   Kairouz, Oh and Viswanath 2015, Theorem 3.3 at k = 1
    """


@contract(metric=ULPS, range=PROBABILITY, inputs=(EPSILON.within(nonnegative), EPSILON_0, ANGLE))
def half_spheres(epsilon: float, epsilon_0: float, angle: float) -> float:
    """Least delta for the draw from half-spheres about two nonzero vectors at an angle, in every dimension.

    delta = (angle/pi) max(0, e^epsilon_0 - e^epsilon) / (e^epsilon_0 + 1)

    Domain   epsilon >= 0, epsilon_0 > 0 (nats), angle in [0, pi] (in dimension 1: 0 or pi)
    Returns  delta, a probability
    Source   proved here: the favoured half of the one lies in the other half of the other on a lune of share angle/(2 pi)
    """


favoured = exp(epsilon) / (exp(epsilon) + 1)
"""Probability of the favoured region."""

unfavoured = 1 / (exp(epsilon) + 1)
"""Probability of the other region."""

likelihood_ratio = favoured / unfavoured
"""Favoured over unfavoured probability; the paper equates it with e^epsilon."""

allowed_ratio = exp(epsilon)
advantage = (exp(epsilon) - 1) / (exp(epsilon) + 1)
"""Favoured minus unfavoured probability, tanh(epsilon/2)."""

mean_factor = E("1/2") * advantage
mean_factor_by_halves = E("1/2") * favoured - E("1/2") * unfavoured
"""The line before: each half-sphere is taken to have the mean v/2 or -v/2."""

half_sphere_factor = gamma(d / 2) / (sqrt(pi) * gamma((d + 1) / 2)) * advantage
"""The same with the mean of a half-sphere of R^d, Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), for 1/2."""

data_step = eta * gradient_norm
"""Distance from B_t to B_{t+1}."""

public_step = eta * L
"""The same without the data: the largest that it could be."""


claims = [
    Claim(
        id="spo/sec-2.1",
        title="draw between two regions",
        kind=Kind.PRIVACY,
        source=SPO.at("Section 2.1, display after Theorem 1", "Algorithm 1"),
        says="With a utility that takes only the values 0 and 1, the mechanism draws from the uniform distribution on a "
        "region P1 with probability e^epsilon/(e^epsilon + 1) and from that on a disjoint region P2 with probability "
        "1/(e^epsilon + 1); the regions depend on the data. As Algorithm 1 uses it, with P1 and P2 the two half-spheres of "
        "unit vectors on the side of the gradient and opposite to it, one draw is epsilon-DP.",
        uses=("spo/thm-1",),
        parameters=(EPSILON, D.means("dimension of the space that holds the sphere; p d for the vectorised matrix")),
        formulas={
            "favoured": favoured,
            "unfavoured": unfavoured,
            "likelihood_ratio": likelihood_ratio,
            "allowed_ratio": allowed_ratio,
        },
        asserts=(
            Relation("favoured + unfavoured", "=", "1"),
            Relation("likelihood_ratio", "<=", "allowed_ratio"),
            Relation("one draw between half-spheres", "is", "epsilon-DP"),
        ),
        over=("every pair of neighbouring data sets", "every pair of gradients they lead to, the zero vector included"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the drawn direction alone, without the step length",
        note="The section asks only that P1 and P2 be disjoint. The quotient of densities is e^epsilon vol(P2)/vol(P1) where "
        "a point changes from P1 to P2, and infinite where a point of one data set's regions lies in neither region of the "
        "other: for general disjoint regions the claim is false (equal volumes and a common union are needed). Half-spheres "
        "have both; a zero gradient makes both regions the whole sphere, density 1 against 2 e^epsilon/(e^epsilon + 1) or "
        "2/(e^epsilon + 1), still within e^epsilon. Theorem 1 with Delta_u = 1 would give only 2 epsilon.",
    ),
    Claim(
        id="spo/lem-2",
        title="privacy of one step of exponential descent",
        kind=Kind.PRIVACY,
        source=SPO.at("Lemma 2", "Appendix A"),
        says="One iteration of exponential descent is epsilon-DP: on neighbouring data sets the probabilities that the "
        "decision w_t equals W have a quotient of at most e^epsilon, because w_t is determined by the direction G_t and the "
        "two probabilities of a direction are e^epsilon/(e^epsilon + 1) and 1/(e^epsilon + 1).",
        uses=("spo/alg-1", "spo/sec-2.1", "spo/sec-3.1", "spo/sec-3.2-loss"),
        parameters=(EPSILON, D.means("dimension of B = vec(Bhat), that is p d"), ETA, GRADIENT_NORM),
        symbols={"gradient_norm": r"\|\nabla \hat{\mathcal{L}}_\mu(B_t)\|_2"},
        formulas={"likelihood_ratio": likelihood_ratio, "allowed_ratio": allowed_ratio, "step": data_step},
        asserts=(
            Relation("likelihood_ratio", "<=", "allowed_ratio"),
            Relation("one iteration of exponential descent", "is", "epsilon-DP"),
        ),
        over=("every pair of neighbouring data sets", "every current iterate B_t", "every convex S (the proof says convex)"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="w_t in the proof; the next iterate B_{t+1} given B_t is the other reading, needed for composition",
        note="Readings of what an iteration releases: (a) the direction G_t; (b) the iterate B_{t+1}; (c) the decision w*. "
        "Only (a) is covered by the quotient. (b) lies on the sphere of radius eta |gradient| about B_t, and the radius is not "
        "noised. (c) is free of the radius at B_1 = 0 while no gradient vanishes; a zero gradient leaves w*(0) with certainty. "
        "The proof compares point probabilities, which vanish for d >= 2, and its w_t is the maximiser inside the smoothed "
        "loss, a function of the record's cost c itself.",
    ),
    Claim(
        id="spo/lem-2-amended",
        amends="spo/lem-2",
        kind=Kind.PRIVACY,
        source=SPO.at("Lemma 2", "Algorithm 1"),
        says="One iteration of exponential descent with the public step length eta L in the place of eta |gradient| is "
        "epsilon-DP given B_t: for every measurable set, the probabilities of the direction G_t, of the iterate B_{t+1} = B_t "
        "- eta L G_t and of the decision w*(B_{t+1} x_{n+1}) on neighbouring data sets have a quotient of at most e^epsilon.",
        parameters=(EPSILON, D.means("dimension of B = vec(Bhat), that is p d"), ETA, L),
        formulas={"likelihood_ratio": likelihood_ratio, "allowed_ratio": allowed_ratio, "step": public_step},
        asserts=(
            Relation("likelihood_ratio", "<=", "allowed_ratio"),
            Relation("one iteration of exponential descent with a public step", "is", "epsilon-DP"),
        ),
        over=("every pair of neighbouring data sets", "every current iterate B_t", "every x_{n+1}, eta, L, fixed and public"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="G_t, B_{t+1} and w*(B_{t+1} x_{n+1}), given B_t",
    ),
    Claim(
        id="spo/def-12",
        title="mean of the random rotation",
        kind=Kind.IDENTITY,
        source=SPO.at("Definition 12", "Appendix C, step (c) of the proof of Theorem 4"),
        says="M_t is a random rotation of R^d, drawn independently of the vector it is applied to, such that for every v the "
        "vector M_t v is uniform on the half with <u, v> >= 0 with probability e^epsilon/(e^epsilon + 1) and uniform on the "
        "half with <u, v> < 0 otherwise (|u| = |v|). Its mean is E[M_t v] = (1/2) (e^epsilon - 1)/(e^epsilon + 1) v.",
        parameters=(EPSILON, D.means("dimension of the vector rotated; p d where it is the gradient in B")),
        formulas={"mean_factor": mean_factor, "mean_factor_by_halves": mean_factor_by_halves},
        asserts=(
            Relation("E[M_t v]", "=", "mean_factor * v", step=True),
            Relation("mean_factor_by_halves", "=", "mean_factor", step=True),
        ),
        over=("every vector v of R^d, d as in the parameters",),
        note="Definition 12 prints regions without a norm; a rotation keeps |v|, and g_t(x) = |x| G_t(x) in the proof. The "
        "mean of the uniform distribution on a half-sphere of R^d is c_d v with c_d = Gamma(d/2) / (sqrt(pi) Gamma((d + "
        "1)/2)): 1 at d = 1, 2/pi at d = 2, 1/2 at d = 3 only, and about 0.273 at d = 9 = p d of the experiment. That one law "
        "of M_t, free of v, serves all v at once is possible for d >= 2; in d = 1 the only rotation is the identity, which "
        "never gives -v.",
    ),
    Claim(
        id="spo/def-12-amended",
        amends="spo/def-12",
        kind=Kind.IDENTITY,
        source=SPO.at("Definition 12", "Appendix C, step (c) of the proof of Theorem 4"),
        says="For d >= 2 there is a random rotation M_t of R^d, drawn independently of the vector it is applied to, such that "
        "for every v != 0 the vector M_t v is uniform on the half with <u, v> >= 0 with probability e^epsilon/(e^epsilon + 1) "
        "and uniform on the half with <u, v> < 0 otherwise (|u| = |v|). Its mean is E[M_t v] = Gamma(d/2)/(sqrt(pi) Gamma((d + "
        "1)/2)) (e^epsilon - 1)/(e^epsilon + 1) v.",
        parameters=(EPSILON, D.within(Integers(2)).means("dimension of the vector rotated, p d for the gradient in B")),
        formulas={"mean_factor": half_sphere_factor},
        asserts=(Relation("E[M_t v]", "=", "mean_factor * v"),),
        over=("every vector v != 0 of R^d",),
    ),
]


HalfSphereDraw = Noun(
    "HalfSphereDraw",
    (("share", "real"), ("d", INTEGER)),
    "All mechanisms that compute a vector g of R^d from the data set and release a unit vector of R^d (d = 1: a sign): with "
    "probability `share` one that is uniform on the half-sphere {u: <u, g> >= 0}, else one that is uniform on the other half "
    "{u: <u, g> < 0}; where g = 0 both halves are the whole sphere. The released direction is all that is said.",
    tags={"neighbours": NEIGHBOURS},
    sort=MECHANISM,
    domain=(share >= Fraction(1, 2), share < 1, d >= 1),
)

DESCENT_RELEASES = ("the direction G_t", "the iterate B_{t+1}, given B_t", "the decision w*(B_{t+1} x_{n+1}), given B_t")

DescentStep = Noun(
    "DescentStep",
    (("share", "real"), ("d", INTEGER), ("eta", "real")),
    "All mechanisms that run one iteration of Algorithm 1 of the paper, B_{t+1} = B_t - eta |g| G_t, from an iterate B_t "
    "that is known, on the gradient g in R^d, d = dim vec(B), of the empirical smoothed loss at B_t, for some smoothing mu > "
    "0 and some convex set S of decisions: G_t is drawn as in HalfSphereDraw(share, d) about g.",
    tags={"neighbours": NEIGHBOURS, "released": DESCENT_RELEASES},
    sort=MECHANISM,
    domain=(share >= Fraction(1, 2), share < 1, d >= 1, eta > 0),
)

HalfSphereMean = Noun(
    "HalfSphereMean",
    (("d", INTEGER),),
    "The number c for which, for a unit vector v of R^d, a vector that is uniform on the half {u: <u, v> >= 0} of the unit "
    "sphere of R^d (d = 1: of {-1, 1}) has the mean c v.",
    domain=(d >= 1,),
    low=Fraction(0),
    high=Fraction(1),
)

TurnedMean = Noun(
    "TurnedMean",
    (("share", "real"), ("d", INTEGER)),
    "The number c with E[X] = c v, where v is a vector of R^d other than 0, and X is uniform on the half {u: |u| = |v|, <u, "
    "v> >= 0} with probability `share`, and uniform on the half {u: |u| = |v|, <u, v> < 0} otherwise. It is the same for all "
    "v.",
    domain=(share >= 0, share <= 1, d >= 1),
    low=Fraction(-1),
    high=Fraction(1),
)

RotationMean = Noun(
    "RotationMean",
    (("share", "real"), ("d", INTEGER)),
    "The number c with E[M v] = c v for every vector v of R^d other than 0, where M is a random rotation of R^d whose law is "
    "free of v and for which, for each such v, M v is uniform on the half {u: |u| = |v|, <u, v> >= 0} with probability "
    "`share` and uniform on the half {u: |u| = |v|, <u, v> < 0} otherwise. That it is defined says that such a law of M "
    "exists.",
    domain=(share >= Fraction(1, 2), share <= 1, d >= 2),
    low=Fraction(-1),
    high=Fraction(1),
)
nouns = [HalfSphereDraw, DescentStep, HalfSphereMean, TurnedMean, RotationMean]


def _odds(neighbours: str) -> Lemma:
    return lemma(
        f"quotients of a half-sphere draw, {neighbours}",
        (1 - share) / share <= LeastQuotient(HalfSphereDraw(share, d, neighbours=neighbours)),
        share >= Fraction(1, 2),
        share < 1,
        d >= 1,
        status=Status.PROSE,
        text="Between neighbours the probability of a set of directions falls to no less than (1 - share)/share times itself.",
        proof="Write f for the share and u = 1 - f; so 0 < u <= f < 1 and f + u = 1. Let g be the vector of one data set. "
        "Against the uniform law on the sphere (for d = 1, on {-1, 1}) the released direction has a density: if g is not 0, "
        "each half has probability 1/2 under the uniform law (the boundary <u, g> = 0 has none for d >= 2, and is empty for "
        "d = 1), so it is 2 f on the favoured half and 2 u on the other; if g = 0, it is f + u = 1 everywhere. On all data "
        "sets the density therefore takes its values in {2 u, 1, 2 f}, and 2 u <= 1 <= 2 f. At every direction the density q "
        "of a neighbour and the density p of the data set have q >= 2 u and p <= 2 f, so q >= (u/f) p. Integration over a "
        "set S gives P(M(D') in S) >= (u/f) P(M(D) in S).",
        integers="d",
    )


odds = {neighbours: _odds(neighbours) for neighbours in NEIGHBOURS}

half_mean = lemma(
    "mean of a half-sphere",
    equal(HalfSphereMean(d), gamma(d / 2) / (sqrt(pi) * gamma((d + 1) / 2))),
    d >= 1,
    status=Status.PROSE,
    text="The mean of the uniform law on a half-sphere of R^d is Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)) times its pole.",
    proof="Let X be uniform on the unit sphere of R^d and v a unit vector. Reflections that keep v keep the law of X on the "
    "half {<u, v> >= 0}, so its mean is c v with c = E[<X, v> | <X, v> >= 0] = E|<X, v>|, because <X, v> is symmetric. Let Z "
    "be standard normal in R^d. Then X has the law of Z/|Z|, which is independent of |Z|, so E|<Z, v>| = E|Z| E|<X, v>|. "
    "Here <Z, v> is standard normal with E|<Z, v>| = sqrt(2/pi), and |Z| has the chi law with d degrees of freedom, E|Z| = "
    "sqrt(2) Gamma((d + 1)/2)/Gamma(d/2). So c = sqrt(2/pi) Gamma(d/2)/(sqrt(2) Gamma((d + 1)/2)) = Gamma(d/2)/(sqrt(pi) "
    "Gamma((d + 1)/2)).",
    integers="d",
)
mixed_mean = lemma(
    "mean of a draw from two halves",
    equal(TurnedMean(share, d), (2 * share - 1) * HalfSphereMean(d)),
    share >= 0,
    share <= 1,
    d >= 1,
    status=Status.PROSE,
    text="The mean of the mixture is the share of the one half less that of the other, times the mean of a half-sphere.",
    proof="By scaling let |v| = 1. The halves {<u, v> >= 0} and {<u, v> < 0} of the sphere are images of each other under u "
    "-> -u but for the set <u, v> = 0, which has probability 0 for d >= 2 and is empty for d = 1. So a vector that is "
    "uniform on the second has the mean -c v, where c v is the mean on the first and c = HalfSphereMean(d). The mixture has "
    "the mean share c v - (1 - share) c v = (2 share - 1) c v.",
    integers="d",
)
rotation = lemma(
    "one law of a rotation for all vectors",
    equal(RotationMean(share, d), TurnedMean(share, d)),
    share >= Fraction(1, 2),
    share <= 1,
    d >= 2,
    status=Status.PROSE,
    text="For d >= 2 there is a random rotation, its law free of v, that sends every v to the mixture of the two halves "
    "about v.",
    proof="Let R turn by one angle with the cosine c in each of the k = floor(d/2) planes spanned by coordinates 1 and 2, 3 "
    "and 4, and so on, and keep the last coordinate if d is odd; let Q be uniform on the orthogonal group, independent of c, "
    "and M = Q R Q^T. M is a rotation. For orthogonal O the matrix O M O^T has the law of M, since O Q has the law of Q. Let "
    "|v| = 1 and t = <M v, v>. Taking O with O v = v shows that M v given t is uniform on {u: |u| = 1, <u, v> = t}; so only "
    "the law of t matters, and taking other O shows that it does not depend on v. The law wanted is that of <X, v>, X drawn "
    "from the mixture: with weight 2 (1 - share) uniform on the sphere, with weight 2 share - 1 >= 0 uniform on the half <u, "
    "v> >= 0. Let y = Q^T v, uniform on the sphere. d = 2 k: t = c (y_1^2 + ... + y_d^2) = c, so let c itself have the law "
    "wanted. d = 2 k + 1: t = c (1 - y_d^2) + y_d^2, so 1 - t = (1 - c) b with b = 1 - y_d^2, which has the law Beta(k, 1/2) "
    "and is independent of c. It is enough to find for each of the two parts of the mixture a law of 1 - c in [0, 2]. "
    "Uniform part: (1 - t)/2 has the law Beta(k, k). If b has the law Beta(k, 1/2), b' the law Beta(k + 1/2, k - 1/2), "
    "independent, then b b' has the law Beta(k, k) (the moments of Beta(p, q) are Gamma(p + m) Gamma(p + q)/(Gamma(p) "
    "Gamma(p + q + m)), and the product of the two cancels as it should); so take 1 - c = 2 b'. Half: x = 1 - t has on [0, "
    "1] a density proportional to x^(k - 1) (2 - x)^(k - 1). If 1 - c has the density h on [0, 1], then (1 - c) b has at x "
    "the density proportional to x^(k - 1) times the integral from x to 1 of h(y) y^(1/2 - k) (y - x)^(-1/2) dy. With G(y) = "
    "h(y) y^(1/2 - k) this is Abel's equation (2 - x)^(k - 1) = integral from x to 1 of G(y) (y - x)^(-1/2) dy, whose "
    "solution is proportional to (1 - y)^(-1/2) + (k - 1) times the integral from y to 1 of (2 - x)^(k - 2) (x - y)^(-1/2) "
    "dx, and this is not negative. So h >= 0, and it integrates to 1 because both sides are laws of total mass 1. Finally "
    "E[M v] is by definition the mean of the mixture, which is TurnedMean(share, d) v.",
    integers="d",
)


def _moved(neighbours: str) -> Lemma:
    released = DESCENT_RELEASES[2]
    return lemma(
        f"a decision that does not move, {neighbours}",
        share <= LeastDelta(DescentStep(share, 1, eta, neighbours=neighbours, released=released), epsilon),
        share >= Fraction(1, 2),
        share < 1,
        eta > 0,
        epsilon >= 0,
        status=Status.PROSE,
        text="In dimension 1 there are data sets on which the decision after one iteration is known, and neighbours on which "
        "it is another one with at least the favoured probability.",
        proof="Let S = [-1, 1], p = d = 1, n = 2, B_t = 0, |c| >= mu and x_{n+1} = 1. The decision for a cost c is w*(c) = "
        "-sign(c) for c != 0, and some fixed point w_0 of S for c = 0. At B = 0 the smoothed loss of a record (c, x) has the "
        "gradient 2 (w*(c) - sign(c)) x = -4 sign(c) x. On D = ((c, 1), (c, -1)) the gradients cancel, so the step has "
        "length 0, B_{t+1} = 0, and the decision is w_0 with certainty. On D' = ((c, 1), (c, 1)) the gradient is g = -4 "
        "sign(c), so B_{t+1} = -4 eta G_t, and the decision is w*(-4 eta G_t) = sign(G_t); the sign of g is favoured, with "
        "probability `share`, and the sign of c says which two it is. Choose c so that the favoured decision w_1 differs "
        "from w_0, as one of the two does. The event {w_1} has a probability of at least `share` on D' and 0 on D, so its "
        "term is at least share - e^epsilon 0.",
    )


moved = {Adjacency.REPLACE_ONE: _moved(Adjacency.REPLACE_ONE)}
lemmas = [*odds.values(), half_mean, mixed_mean, rotation, *moved.values()]

_favoured = exp(epsilon) / (exp(epsilon) + 1)
_other = 1 / (exp(epsilon) + 1)
_draw = HalfSphereDraw(_favoured, d, neighbours=Adjacency.REPLACE_ONE)
_advantage = (exp(epsilon) - 1) / (exp(epsilon) + 1)
_EPSILON = Symbol("epsilon", "privacy parameter epsilon", unit="nat")
_D = Symbol("d", "dimension of the space that holds the sphere; p d for the vectorised matrix", INTEGER)
_ETA = Symbol("eta", "step length", unit="decision^2/loss")
_RANGE = {epsilon > 0: {"epsilon": 0}, d >= 1: {"d": 0}}
_INSIDE = {"epsilon": 1, "d": 9}

statements: list[Statement] = [
    statement(
        "spo/sec-2.1",
        "One draw between half-spheres is epsilon-DP",
        equal(_favoured + _other, 1),
        _favoured / _other <= exp(epsilon),
        LeastDelta(_draw, epsilon) <= 0,
        source=str(SPO.at("Section 2.1, display after Theorem 1", "Algorithm 1")),
        symbols=(_EPSILON, _D),
        domain=_RANGE,
        inside=_INSIDE,
        note="For the half-spheres of Algorithm 1, gradients 0 included. For general disjoint regions, which the section "
        "does not exclude, the quotient of densities is e^epsilon vol(P2)/vol(P1) or infinite, and the draw is not "
        "epsilon-DP.",
    ),
    statement(
        "spo/lem-2",
        "One iteration of exponential descent is epsilon-DP",
        _favoured / _other <= exp(epsilon),
        LeastDelta(DescentStep(_favoured, d, eta, neighbours=Adjacency.REPLACE_ONE, released=DESCENT_RELEASES[2]), epsilon)
        <= 0,
        source=str(SPO.at("Lemma 2", "Appendix A")),
        symbols=(_EPSILON, _D, _ETA),
        domain={**_RANGE, eta > 0: {"eta": 0}},
        inside={**_INSIDE, "eta": 1},
        note="What is private is the direction (spo/sec-2.1). The proof's w_t is the decision.",
    ),
    statement(
        "spo/lem-2-amended",
        "One iteration of exponential descent with the public step length eta L is epsilon-DP given B_t",
        _favoured / _other <= exp(epsilon),
        LeastDelta(_draw, epsilon) <= 0,
        LeastDelta(Processed(_draw), epsilon) <= 0,
        source=str(SPO.at("Lemma 2", "Algorithm 1")),
        says="The direction G_t is epsilon-DP; the iterate B_{t+1} = B_t - eta L G_t given B_t, and the decision w*(B_{t+1} "
        "x_{n+1}), are functions of it that are free of the data, for all public eta, L, B_t and x_{n+1}: third assertion.",
        symbols=(_EPSILON, _D),
        domain=_RANGE,
        inside=_INSIDE,
        amends="spo/lem-2",
    ),
    statement(
        "spo/def-12",
        "A vector turned by the random rotation has the mean (1/2) (e^epsilon - 1)/(e^epsilon + 1) times itself",
        equal(TurnedMean(_favoured, d), _advantage / 2),
        equal(_favoured / 2 - _other / 2, _advantage / 2),
        source=str(SPO.at("Definition 12", "Appendix C, step (c) of the proof of Theorem 4")),
        symbols=(_EPSILON, _D),
        domain=_RANGE,
        inside=_INSIDE,
        note="It holds at d = 3 alone. At d = 1 there is no such rotation: the only one is the identity.",
    ),
    statement(
        "spo/def-12-amended",
        "For d >= 2 the rotation exists, and the mean is Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)) (e^epsilon - 1)/(e^epsilon + "
        "1) times the vector",
        equal(RotationMean(_favoured, d), gamma(d / 2) / (sqrt(pi) * gamma((d + 1) / 2)) * _advantage),
        source=str(SPO.at("Definition 12", "Appendix C, step (c) of the proof of Theorem 4")),
        symbols=(_EPSILON, _D),
        domain={epsilon > 0: {"epsilon": 0}, d >= 2: {"d": 1}},
        inside=_INSIDE,
        amends="spo/def-12",
    ),
]
