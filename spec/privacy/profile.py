"""What (epsilon, delta)-DP means, and that processing an output keeps it."""

from fractions import Fraction

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Choice, Parameter, closed_unit
from dpsco.spec.expressions import symbols
from dpsco.spec.nouns import Noun
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import DELTA, EPSILON

PROBABILITY = Parameter("probability", "probability of the event under the neighbouring data set", closed_unit)

EVENT = Parameter("event", "what the inequality is asked of: single outputs or sets of outputs", Choice(("point",)))
SETS = EVENT.within(Choice(("set",)))
PROCESSING = Parameter("processing", "what the function that is applied to the output may use", Choice(("the output",)))


def allowed_probability(m: Numbers, epsilon: Real, delta: Real, probability: Real) -> Real:
    """The largest probability that an event may have, given its probability under a neighbour."""
    return m.exp(epsilon) * probability + delta


epsilon, sigma, sensitivity = symbols("epsilon sigma sensitivity")

MECHANISM = "mechanism"
NEIGHBOURS = tuple(str(adjacency) for adjacency in Adjacency)

LeastDelta = Noun(
    "LeastDelta",
    (("mechanism", MECHANISM), ("epsilon", "real")),
    "The least delta for which every mechanism of this kind is (epsilon, delta)-DP: the supremum, over the mechanisms, over "
    "pairs of neighbouring data sets D and D' in both orders and over measurable sets S of outputs, of P(M(D) in S) - "
    "e^epsilon P(M(D') in S).",
    domain=(epsilon >= 0,),
    low=Fraction(0),
    high=Fraction(1),
)

GaussianNoise = Noun(
    "GaussianNoise",
    (("sigma", "real"), ("sensitivity", "real")),
    "All mechanisms that answer one query, with values in R^k for some k and of this l2-sensitivity, attained, over these "
    "neighbours, and add noise with the law N(0, sigma^2 I); the noisy answer is released and nothing else.",
    tags={"neighbours": NEIGHBOURS},
    sort=MECHANISM,
    domain=(sigma > 0, sensitivity > 0),
)

nouns = [LeastDelta, GaussianNoise]

claims = [
    Claim(
        id="spo/def-6",
        kind=Kind.DEFINITION,
        source=SPO.at("Definition 6", "Definition 1"),
        says="A randomised algorithm A with decisions in S is called (epsilon, delta)-DP if for all data sets of n pairs (c, "
        "x) that differ in one pair and for every single w in S: P[A(D1) = w] <= e^epsilon P[A(D2) = w] + delta. Definition 1 "
        "asks the same inequality of every set of outputs instead of every point, and calls the case delta = 0 epsilon-DP.",
        parameters=(EPSILON, DELTA.within(closed_unit), PROBABILITY, EVENT),
        formulas={"allowed_probability": allowed_probability},
        asserts=(
            Relation("P[A(D1) = w]", "<=", "allowed_probability at P[A(D2) = w]"),
            Relation("Definition 6", "=>", "Definition 1, which it is said to restate"),
        ),
        over=("every pair of data sets that differ in one record", "every point w of S"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the decision w",
        note="No ranges of epsilon and delta are printed. Definition 6 is offered as Definition 1 restated, but is weaker: an "
        "output with an atomless law has P[A(D) = w] = 0 for every w and so meets it with epsilon = delta = 0, even if the "
        "laws of neighbours are mutually singular; for atoms with delta > 0 it grants delta per point. Judge privacy by "
        "Definition 1. The two agree for discrete outputs with delta = 0.",
    ),
    Claim(
        id="spo/def-6-amended",
        amends="spo/def-6",
        kind=Kind.DEFINITION,
        source=SPO.at("Definition 6", "Definition 1"),
        says="A randomised algorithm A with decisions in S is called (epsilon, delta)-DP if for all data sets of n pairs (c, "
        "x) that differ in one pair and for every measurable set W of decisions: P[A(D1) in W] <= e^epsilon P[A(D2) in W] + "
        "delta.",
        parameters=(EPSILON, DELTA.within(closed_unit), PROBABILITY, SETS),
        formulas={"allowed_probability": allowed_probability},
        asserts=(
            Relation("P[A(D1) in W]", "<=", "allowed_probability at P[A(D2) in W]"),
            Relation("Definition 6", "=>", "Definition 1, which it is said to restate"),
        ),
        over=("every pair of data sets that differ in one record", "every measurable set W of S"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the decision w",
    ),
    Claim(
        id="spo/sec-2.3",
        kind=Kind.PRIVACY,
        source=SPO.at("Section 2.3"),
        says="If M is (epsilon, delta)-DP and f is a function that does not depend on the data, then f applied to M's output "
        "is (epsilon, delta)-DP: the event f(M(D)) in S' is the event that M(D) lies in the preimage of S'.",
        parameters=(EPSILON, DELTA.within(closed_unit), PROBABILITY, SETS, PROCESSING),
        formulas={"allowed_probability": allowed_probability},
        asserts=(Relation("f(M(D))", "is", "(epsilon, delta)-DP"),),
        over=("every (epsilon, delta)-DP mechanism M", "every measurable f that is free of the data", "every event S'"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="f(M(D)) instead of M(D)",
        note="True for the sets of Definition 1 and measurable f; for a random f condition on its randomness. It fails for "
        "the points of Definition 6 when delta > 0 or outputs are atomless, since f may merge many points into one. The paper "
        "later applies f that is not free of the data (step length, w*(c) inside the gradient).",
    ),
]
