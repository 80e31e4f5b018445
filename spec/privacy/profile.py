"""What (epsilon, delta)-DP means, and that processing an output keeps it."""

from collections.abc import Mapping
from fractions import Fraction

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Choice, Parameter, closed_unit
from dpsco.spec.expressions import Number, exp, log, maximum, sqrt, symbol, symbols
from dpsco.spec.lemmas import Status, lemma
from dpsco.spec.nouns import Noun
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import DELTA, EPSILON
from dpsco.spec.statement import Statement, Symbol, statement

delta, epsilon, larger, probability, sensitivity = symbols("delta epsilon larger probability sensitivity")
sigma = symbol("sigma")

PROBABILITY = Parameter("probability", "probability of the event under the neighbouring data set", closed_unit)

EVENT = Parameter("event", "what the inequality is asked of: single outputs or sets of outputs", Choice(("point",)))
SETS = EVENT.within(Choice(("set",)))
PROCESSING = Parameter("processing", "what the function that is applied to the output may use", Choice(("the output",)))


allowed_probability = exp(epsilon) * probability + delta
"""The largest probability that an event may have, given its probability under a neighbour."""


any_mechanism = symbol("mechanism")

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

Private = Noun(
    "Private",
    (("epsilon", "real"), ("delta", "real")),
    "All mechanisms M that are (epsilon, delta)-DP over these neighbours: P(M(D) in S) <= e^epsilon P(M(D') in S) + delta for "
    "all pairs of neighbouring data sets D and D', in both orders, and all measurable sets S of outputs.",
    tags={"neighbours": NEIGHBOURS},
    sort=MECHANISM,
    domain=(epsilon >= 0, delta >= 0),
)

Concentrated = Noun(
    "Concentrated",
    (("rho", "real"),),
    "All mechanisms M that are rho-zCDP over these neighbours: for all pairs of neighbouring data sets D and D', in both "
    "orders, and all alpha > 1, the Renyi divergence of order alpha of M(D) from M(D') is at most alpha rho.",
    tags={"neighbours": NEIGHBOURS},
    sort=MECHANISM,
    domain=(symbols("rho")[0] > 0,),
)

PointwisePrivate = Noun(
    "PointwisePrivate",
    (("epsilon", "real"), ("delta", "real")),
    "All mechanisms M with P(M(D) = w) <= e^epsilon P(M(D') = w) + delta for all pairs of neighbouring data sets D and D', in "
    "both orders, and every single output w; the range of the outputs is any measurable space whose points are measurable.",
    tags={"neighbours": NEIGHBOURS},
    sort=MECHANISM,
    domain=(epsilon >= 0, delta >= 0),
)

Processed = Noun(
    "Processed",
    (("mechanism", MECHANISM),),
    "All mechanisms that apply to the output of a mechanism of this kind a measurable map, random or not, that is free of the "
    "data and whose randomness is independent of the mechanism's; the image is released and nothing else.",
    sort=MECHANISM,
)

LeastPointDelta = Noun(
    "LeastPointDelta",
    (("mechanism", MECHANISM), ("epsilon", "real")),
    "The least delta >= 0 for which P(M(D) = w) <= e^epsilon P(M(D') = w) + delta for every mechanism M of this kind, all "
    "pairs of neighbouring data sets D and D', in both orders, and every single output w.",
    domain=(epsilon >= 0,),
    low=Fraction(0),
    high=Fraction(1),
)

LeastDeltaAtInfinity = Noun(
    "LeastDeltaAtInfinity",
    (("mechanism", MECHANISM),),
    "The least delta for which every mechanism of this kind is (infinity, delta)-DP: the supremum, over the mechanisms M, over "
    "pairs of neighbouring data sets D and D' in both orders and over measurable sets S of outputs with P(M(D') in S) = 0, of "
    "P(M(D) in S).",
    low=Fraction(0),
    high=Fraction(1),
)

LeastQuotient = Noun(
    "LeastQuotient",
    (("mechanism", MECHANISM),),
    "The infimum, over the mechanisms M of this kind, over pairs of neighbouring data sets D and D' in both orders and over "
    "measurable sets S of outputs with P(M(D) in S) > 0, of P(M(D') in S) / P(M(D) in S).",
    low=Fraction(0),
    high=Fraction(1),
)

nouns = [
    LeastDelta,
    GaussianNoise,
    Private,
    Concentrated,
    PointwisePrivate,
    Processed,
    LeastPointDelta,
    LeastDeltaAtInfinity,
    LeastQuotient,
]

falls = lemma(
    "least delta falls",
    LeastDelta(any_mechanism, larger) <= LeastDelta(any_mechanism, epsilon),
    epsilon >= 0,
    epsilon <= larger,
    status=Status.PROSE,
    text="A larger epsilon asks for no more delta.",
    proof="For fixed M, D, D' and S the number P(M(D) in S) - e^epsilon P(M(D') in S) does not increase with epsilon, because "
    "probabilities are not negative. A supremum of functions that do not increase does not increase.",
    mechanism=MECHANISM,
)

quotients = lemma(
    "least delta of bounded quotients",
    LeastDelta(any_mechanism, epsilon) <= maximum(0, 1 - exp(epsilon) * LeastQuotient(any_mechanism)),
    epsilon >= 0,
    status=Status.PROSE,
    text="If no probability falls below q times itself between neighbours, then delta = max(0, 1 - e^epsilon q) suffices.",
    proof="Let q be the least quotient, and let M, D, D' and S be given with p = P(M(D) in S) and p' = P(M(D') in S). If p = 0 "
    "then p - e^epsilon p' <= 0. If p > 0 then p' >= q p, so p - e^epsilon p' <= p (1 - e^epsilon q), which is at most 0 if 1 "
    "- e^epsilon q <= 0, and at most 1 - e^epsilon q else, since p <= 1. The supremum over M, D, D' and S is the least delta.",
    mechanism=MECHANISM,
)

null_events = lemma(
    "least delta at infinity",
    LeastDeltaAtInfinity(any_mechanism) <= LeastDelta(any_mechanism, epsilon),
    epsilon >= 0,
    status=Status.PROSE,
    text="What is (epsilon, delta)-DP for some epsilon is (infinity, delta)-DP.",
    proof="The supremum on the left is that on the right, restricted to sets S with P(M(D') in S) = 0, where the term "
    "e^epsilon P(M(D') in S) is 0. A supremum over fewer sets is not larger.",
    mechanism=MECHANISM,
)

processing = lemma(
    "post-processing",
    LeastDelta(Processed(any_mechanism), epsilon) <= LeastDelta(any_mechanism, epsilon),
    epsilon >= 0,
    status=Status.CITED,
    text="Let M be a randomised algorithm that is (epsilon, delta)-DP, and f an arbitrary randomised mapping of its outputs. "
    "Then f o M is (epsilon, delta)-DP. (Used with delta the least one of a kind of mechanisms.)",
    reference="Dwork and Roth 2014, The algorithmic foundations of differential privacy, Proposition 2.1",
    mechanism=MECHANISM,
)

definition = {
    neighbours: lemma(
        f"what (epsilon, delta)-DP says, {neighbours}",
        LeastDelta(Private(epsilon, delta, neighbours=neighbours), epsilon) <= delta,
        epsilon >= 0,
        delta >= 0,
        status=Status.PROSE,
        text="The least delta of the (epsilon, delta)-DP mechanisms at epsilon is at most delta.",
        proof="Let M be (epsilon, delta)-DP. For all neighbouring D and D' and all S the definition says P(M(D) in S) - "
        "e^epsilon P(M(D') in S) <= delta. The supremum over M, D, D' and S is therefore at most delta.",
    )
    for neighbours in NEIGHBOURS
}

point_definition = {
    neighbours: lemma(
        f"what the inequality for points says, {neighbours}",
        LeastPointDelta(PointwisePrivate(epsilon, delta, neighbours=neighbours), epsilon) <= delta,
        epsilon >= 0,
        delta >= 0,
        status=Status.PROSE,
        text="The least delta for points of the mechanisms that meet the inequality for points at delta is at most delta.",
        proof="Let M meet the inequality for all points. Then P(M(D) = w) - e^epsilon P(M(D') = w) <= delta for all "
        "neighbouring D and D' and all w, and delta >= 0. The least such number is at most delta.",
    )
    for neighbours in NEIGHBOURS
}

atomless = {
    neighbours: lemma(
        f"points see nothing of atomless laws, {neighbours}",
        LeastDelta(PointwisePrivate(epsilon, delta, neighbours=neighbours), larger) >= 1,
        epsilon >= 0,
        delta >= 0,
        larger >= 0,
        status=Status.PROSE,
        text="Among the mechanisms that meet the inequality for points there are some without any privacy.",
        proof="Let D and D' be two neighbouring data sets. Let M release a number uniform on [0, 1] for D, and one uniform "
        "on [2, 3] for every other data set. All of these laws have no atoms, so P(M(D) = w) = 0 for every w and every data "
        "set, and M meets the inequality for points, whatever epsilon >= 0 and delta >= 0. With S = [0, 1], P(M(D) in S) = 1 "
        "and P(M(D') in S) = 0, so P(M(D) in S) - e^larger P(M(D') in S) = 1.",
    )
    for neighbours in NEIGHBOURS
}

_rho = symbols("rho")[0]
concentrated = {
    neighbours: lemma(
        f"from rho-zCDP to (epsilon, delta)-DP, {neighbours}",
        LeastDelta(Concentrated(_rho, neighbours=neighbours), _rho + 2 * sqrt(_rho * log(1 / delta))) <= delta,
        _rho > 0,
        delta > 0,
        delta < 1,
        status=Status.CITED,
        text="If M provides rho-zCDP, then M is (rho + 2 sqrt(rho log(1/delta)), delta)-differentially private for any delta "
        "> 0. (Used for delta < 1, and with other ways to be neighbours: the proof is about the two laws of one pair of "
        "data sets.)",
        reference="Bun and Steinke 2016, Concentrated differential privacy: simplifications, extensions, and lower bounds, "
        "Proposition 1.3",
    )
    for neighbours in NEIGHBOURS
}

_tail = symbols("l")[0]
_share = epsilon**2 / (4 * _tail + 2 * epsilon)
enough_rho = lemma(
    "the rho of a budget",
    _share + 2 * sqrt(_share * _tail) <= epsilon,
    epsilon > 0,
    _tail > 0,
    status=Status.KERNEL,
    text="rho = epsilon^2/(4 l + 2 epsilon), l = log(1/delta), spends at most epsilon.",
)

lemmas = [
    enough_rho,
    *concentrated.values(),
    falls,
    quotients,
    null_events,
    processing,
    *definition.values(),
    *point_definition.values(),
    *atomless.values(),
]

claims = [
    Claim(
        id="spo/def-6",
        title="differential privacy of decisions",
        kind=Kind.DEFINITION,
        source=SPO.at("Definition 6", "Definition 1"),
        says="A randomised algorithm A with decisions in S is called (epsilon, delta)-DP if for all data sets of n pairs (c, "
        "x) that differ in one pair and for every single w in S: P[A(D1) = w] <= e^epsilon P[A(D2) = w] + delta. Definition 1 "
        "asks the same inequality of every set of outputs instead of every point, and calls the case delta = 0 epsilon-DP.",
        parameters=(EPSILON, DELTA.within(closed_unit), PROBABILITY, EVENT),
        symbols={"probability": r"\Pr[\mathcal{A}(D_2) \in S]"},
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
        title="post-processing",
        kind=Kind.PRIVACY,
        source=SPO.at("Section 2.3"),
        says="If M is (epsilon, delta)-DP and f is a function that does not depend on the data, then f applied to M's output "
        "is (epsilon, delta)-DP: the event f(M(D)) in S' is the event that M(D) lies in the preimage of S'.",
        parameters=(EPSILON, DELTA.within(closed_unit), PROBABILITY, SETS, PROCESSING),
        symbols={"probability": r"\Pr[\mathcal{M}(D') \in S]"},
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

_NEIGHBOURS = Adjacency.REPLACE_ONE
_SYMBOLS = (
    Symbol("epsilon", "privacy parameter epsilon", unit="nat"),
    Symbol("delta", "privacy parameter delta"),
)
_RANGES = {epsilon > 0: {"epsilon": 0}, delta >= 0: {"delta": -1}, delta <= 1: {"delta": 2}}
_INSIDE: Mapping[str, Number] = {"epsilon": 1, "delta": "1/4"}

statements: list[Statement] = [
    statement(
        "spo/def-6",
        "The inequality for single decisions restates (epsilon, delta)-DP",
        LeastPointDelta(PointwisePrivate(epsilon, delta, neighbours=_NEIGHBOURS), epsilon) <= delta,
        LeastDelta(PointwisePrivate(epsilon, delta, neighbours=_NEIGHBOURS), epsilon) <= delta,
        source=str(SPO.at("Definition 6", "Definition 1")),
        says="What Definition 6 asks of every single decision, Definition 1 asks of every set of them; the first is offered as "
        "the second restated, so that a mechanism that meets it would be (epsilon, delta)-DP.",
        symbols=_SYMBOLS,
        domain=_RANGES,
        inside=_INSIDE,
    ),
    statement(
        "spo/def-6-amended",
        "The inequality for every measurable set of decisions is (epsilon, delta)-DP",
        LeastDelta(Private(epsilon, delta, neighbours=_NEIGHBOURS), epsilon) <= delta,
        source=str(SPO.at("Definition 6", "Definition 1")),
        symbols=_SYMBOLS,
        domain=_RANGES,
        inside=_INSIDE,
        amends="spo/def-6",
    ),
    statement(
        "spo/sec-2.3",
        "A function that is free of the data, applied to a private output, is private",
        LeastDelta(Processed(Private(epsilon, delta, neighbours=_NEIGHBOURS)), epsilon) <= delta,
        source=str(SPO.at("Section 2.3")),
        symbols=_SYMBOLS,
        domain=_RANGES,
        inside=_INSIDE,
    ),
]
