"""Randomised response between two regions: uniform on the favoured one with probability e^epsilon / (e^epsilon + 1).

The regions that matter are the half-spheres on either side of a vector, which turn the scheme into a random direction.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import PROBABILITY, ULPS, contract
from dpsco.spec.domain import Integers, Interval, Parameter, nonnegative
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import EPSILON, ETA, D, L

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


def favoured(m: Numbers, epsilon: Real) -> Real:
    """Probability of the favoured region."""
    return m.exp(epsilon) / (m.exp(epsilon) + 1)


def unfavoured(m: Numbers, epsilon: Real) -> Real:
    """Probability of the other region."""
    return 1 / (m.exp(epsilon) + 1)


def likelihood_ratio(m: Numbers, epsilon: Real) -> Real:
    """Favoured over unfavoured probability; the paper equates it with e^epsilon."""
    return favoured(m, epsilon) / unfavoured(m, epsilon)


def allowed_ratio(m: Numbers, epsilon: Real) -> Real:
    return m.exp(epsilon)


def advantage(m: Numbers, epsilon: Real) -> Real:
    """Favoured minus unfavoured probability, tanh(epsilon/2)."""
    return (m.exp(epsilon) - 1) / (m.exp(epsilon) + 1)


def mean_factor(m: Numbers, epsilon: Real) -> Real:
    return m.frac(1, 2) * advantage(m, epsilon)


def mean_factor_by_halves(m: Numbers, epsilon: Real) -> Real:
    """The line before: each half-sphere is taken to have the mean v/2 or -v/2."""
    return m.frac(1, 2) * favoured(m, epsilon) - m.frac(1, 2) * unfavoured(m, epsilon)


def half_sphere_factor(m: Numbers, epsilon: Real, d: Real) -> Real:
    """The same with the mean of a half-sphere of R^d, Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), for 1/2."""
    return m.gamma(d / 2) / (m.sqrt(m.pi) * m.gamma((d + 1) / 2)) * advantage(m, epsilon)


def data_step(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
    """Distance from B_t to B_{t+1}."""
    return eta * gradient_norm


def public_step(m: Numbers, eta: Real, L: Real) -> Real:
    """The same without the data: the largest that it could be."""
    return eta * L


claims = [
    Claim(
        id="spo/sec-2.1",
        kind=Kind.PRIVACY,
        source=SPO.at("Section 2.1, display after Theorem 1", "Algorithm 1"),
        says="With a utility that takes only the values 0 and 1, the mechanism draws from the uniform distribution on a "
        "region P1 with probability e^epsilon/(e^epsilon + 1) and from that on a disjoint region P2 with probability "
        "1/(e^epsilon + 1); the regions depend on the data. As Algorithm 1 uses it, with P1 and P2 the two half-spheres of "
        "unit vectors on the side of the gradient and opposite to it, one draw is epsilon-DP.",
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
        kind=Kind.PRIVACY,
        source=SPO.at("Lemma 2", "Appendix A"),
        says="One iteration of exponential descent is epsilon-DP: on neighbouring data sets the probabilities that the "
        "decision w_t equals W have a quotient of at most e^epsilon, because w_t is determined by the direction G_t and the "
        "two probabilities of a direction are e^epsilon/(e^epsilon + 1) and 1/(e^epsilon + 1).",
        parameters=(EPSILON, D.means("dimension of B = vec(Bhat), that is p d"), ETA, GRADIENT_NORM),
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
