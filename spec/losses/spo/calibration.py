"""Calibration: SPO+ against the SPO loss, pointwise and in expectation at the prediction E[c|x].

Conditional on the features x, the cost c has mean E[c|x]; the best prediction is that mean. Conditions on the law of c given x
and on S are numbers: an essential supremum, a gap that has to vanish.
"""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, Vectors, nonnegative, reals
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.spo.loss import COST, PREDICTION, W_HAT, W_MAX, W_STAR, spo, spo_plus
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import SPO
from dpsco.spec.predicate import Predicate

decision_gap, face_diameter, largest_excess = symbols("decision_gap face_diameter largest_excess")
least_cost, least_gap, mirror_regret = symbols("least_cost least_gap mirror_regret")

MEAN = Parameter("c_mean", "E[c|x]", Vectors("d"), "cost")
W_MEAN = Parameter("w_mean", "w*(E[c|x])", Vectors("d"), "decision")
LARGEST_EXCESS = Parameter("largest_excess", "essential supremum of max over j of (c - 2 E[c|x])_j", reals, "cost")
LEAST_COST = Parameter("least_cost", "essential infimum of min over j of c_j", reals, "cost")
FACE = Parameter("face_diameter", "essential supremum over x of the diameter of W*(E[c|x])", nonnegative, "decision")
LEAST = Parameter("w_least", "vector of the least values of each coordinate over S", Vectors("d"), "decision")
LEAST_GAP = Parameter("least_gap", "least sum of coordinates over S, minus the sum of w_least", nonnegative, "decision")
DECISION_GAP = Parameter("decision_gap", "essential supremum of |w*(c) - w*(E[c|x])|", nonnegative, "decision")
MIRROR_REGRET = Parameter(
    "mirror_regret",
    "essential supremum of what w*(E[c|x]) costs above the least when the cost is 2 E[c|x] - c",
    nonnegative,
    "loss",
)


below_twice_mean = largest_excess <= 0
costs_nonnegative = least_cost >= 0
singleton = face_diameter <= 0
has_least = least_gap <= 0
same_decision = decision_gap <= 0
mirrored = mirror_regret <= 0


BELOW_TWICE_MEAN = Predicate(
    "c <= 2 E[c|x] almost surely, by coordinate",
    below_twice_mean,
    accepts={"largest_excess": "-0.5"},
    rejects={"largest_excess": "0.5"},
)
NONNEGATIVE = Predicate("c >= 0 almost surely", costs_nonnegative, accepts={"least_cost": "0"}, rejects={"least_cost": "-1"})
SINGLETON = Predicate(
    "W*(E[c|x]) is a singleton almost surely",
    singleton,
    accepts={"face_diameter": "0"},
    rejects={"face_diameter": "1"},
)
HAS_LEAST = Predicate(
    "S contains the vector of its least coordinates",
    has_least,
    accepts={"least_gap": "0"},
    rejects={"least_gap": "1"},
)
SAME_DECISION = Predicate(
    "w*(c) = w*(E[c|x]) almost surely",
    same_decision,
    accepts={"decision_gap": "0"},
    rejects={"decision_gap": "1"},
)
MIRRORED = Predicate(
    "w*(E[c|x]) is also best for 2 E[c|x] - c, almost surely",
    mirrored,
    accepts={"mirror_regret": "0"},
    rejects={"mirror_regret": "1"},
)


def support_term(m: Numbers, c: Real, c_mean: Real, w_max: Real) -> Real:
    """Under the left expectation; w_max maximises it over S."""
    return m.dot(c, w_max) - 2 * m.dot(c_mean, w_max)


def mean_term(m: Numbers, c_mean: Real, w_mean: Real) -> Real:
    """Under the middle expectation; w_mean maximises it over S."""
    return m.dot(c_mean, w_mean) - 2 * m.dot(c_mean, w_mean)


def negated_term(m: Numbers, c_mean: Real, w_mean: Real) -> Real:
    """Under the right expectation; w_mean maximises it over S."""
    return -m.dot(c_mean, w_mean)


def least_term(m: Numbers, c: Real, c_mean: Real, w_least: Real) -> Real:
    """The proof's rewriting of the maximum, with the coordinatewise minimum of S."""
    return m.dot([a - 2 * b for a, b in zip(c, c_mean, strict=True)], w_least)


def cross_term(m: Numbers, c_mean: Real, mean_decision: Real) -> Real:
    return 2 * m.dot(c_mean, mean_decision)


def cross_term_at_mean(m: Numbers, c_mean: Real, w_mean: Real) -> Real:
    return 2 * m.dot(c_mean, w_mean)


def spo_plus_at_mean(m: Numbers, c: Real, c_mean: Real, w_max: Real, w_star: Real) -> Real:
    return spo_plus(m, c, c_mean, w_max, w_star)


def spo_at_mean(m: Numbers, c: Real, w_mean: Real, w_star: Real) -> Real:
    return spo(m, c, w_mean, w_star)


claims = [
    Claim(
        id="spo/lem-4",
        title="SPO+ loss above the SPO loss",
        kind=Kind.BOUND,
        source=SPO.at("Lemma 4", "Section 3.1, remark after Definition 5"),
        says="For every realised cost c and every prediction c_hat the SPO+ loss is at least the SPO loss.",
        uses=("spo/def-5", "spo/eq-2"),
        parameters=(COST, PREDICTION, W_MAX, W_HAT, W_STAR),
        formulas={"spo_plus": spo_plus, "spo": spo},
        asserts=(Relation("spo_plus", ">=", "spo"),),
        over=("every nonempty compact S", "every choice of the oracle w*(c) in W*(c)"),
        note="w_max maximises c'w - 2 c_hat'w over S. The proof tests the maximum at w_hat and uses z*(c_hat) <= c_hat'w*(c).",
    ),
    Claim(
        id="spo/lem-5",
        title="expected support function at the mean cost",
        kind=Kind.IDENTITY,
        source=SPO.at("Lemma 5", "Appendix G"),
        says="If c <= 2 E[c|x] coordinatewise almost surely, then the expectation over (c, x) of max over w in S of (c - 2 "
        "E[c|x])'w equals that over x of max over w in S of (E[c|x] - 2 E[c|x])'w, which is max over w in S of -E[c|x]'w. The "
        "proof says that the left maximum is (c - 2 E[c|x])' min over S of w.",
        parameters=(
            COST,
            MEAN,
            W_MAX,
            W_MEAN,
            LEAST,
            LARGEST_EXCESS,
        ),
        formulas={
            "support_term": support_term,
            "mean_term": mean_term,
            "negated_term": negated_term,
            "least_term": least_term,
        },
        asserts=(
            Relation("E[support_term]", "=", "E[mean_term]"),
            Relation("E[mean_term]", "=", "E[negated_term]"),
            Relation("support_term", "=", "least_term", step=True),
        ),
        preconditions=(BELOW_TWICE_MEAN,),
        over=("every nonempty compact convex S", "every law of (c, x) with that bound"),
        note="True where S contains its coordinatewise least vector (a box); in general only E[support_term] >= E[mean_term] "
        "holds, by Jensen. Unit disc, E c = (1, 1), c = (2, 0) or (0, 2) with probability 1/2: 2 against sqrt(2).",
    ),
    Claim(
        id="spo/lem-5-amended",
        amends="spo/lem-5",
        kind=Kind.IDENTITY,
        source=SPO.at("Lemma 5", "Appendix G"),
        says="If S contains the vector of its least coordinates (a box does) and c <= 2 E[c|x] coordinatewise almost surely, "
        "then the two expectations of Lemma 5 are equal, and the left maximum is (c - 2 E[c|x])' times that vector.",
        parameters=(COST, MEAN, W_MAX, W_MEAN, LEAST, LARGEST_EXCESS, LEAST_GAP),
        formulas={
            "support_term": support_term,
            "mean_term": mean_term,
            "negated_term": negated_term,
            "least_term": least_term,
        },
        asserts=(
            Relation("E[support_term]", "=", "E[mean_term]"),
            Relation("E[mean_term]", "=", "E[negated_term]"),
            Relation("support_term", "=", "least_term"),
        ),
        preconditions=(BELOW_TWICE_MEAN, HAS_LEAST),
        over=("every nonempty compact convex S", "every law of (c, x) with that bound"),
        note="In general E[support_term] >= E[mean_term], by Jensen, with equality exactly where w*(E[c|x]) attains the left "
        "maximum almost surely.",
    ),
    Claim(
        id="spo/app-g-vector",
        title="mean decision and decision at the mean cost",
        kind=Kind.BOUND,
        source=SPO.at("Appendix G, proof of Theorem 9, second term"),
        says="Under Theorem 9's conditions E[w*(c)|x] <= w*(E[c|x]), coordinatewise, and hence E[2 E[c|x]'w*(c)] <= E[2 "
        "E[c|x]'w*(E[c|x])].",
        parameters=(
            MEAN,
            W_MEAN,
            Parameter("mean_decision", "E[w*(c)|x]", Vectors("d"), "decision"),
            FACE,
            LARGEST_EXCESS,
            LEAST_COST,
        ),
        symbols={"least_cost": r"\operatorname{ess\,inf} \min_j c_j"},
        formulas={"cross_term": cross_term, "cross_term_at_mean": cross_term_at_mean},
        asserts=(
            Relation("E[w*(c)|x]", "<=", "w*(E[c|x])", step=True),
            Relation("cross_term", "<=", "cross_term_at_mean", step=True),
        ),
        preconditions=(SINGLETON, BELOW_TWICE_MEAN, NONNEGATIVE),
        over=("every nonempty compact convex S", "every law of c given x"),
        note="Argues as if arg min were the linear functional it minimises. False: w*(E[c|x]) minimises E[c|x]'w, so the "
        "second inequality always holds in the opposite direction, with equality only if w*(c) is optimal for the mean almost "
        "surely. Unit disc, c = (2, 0) or (0, 2): E[w*(c)] = -(1/2, 1/2), w*(E c) = -(1, 1)/sqrt(2); -2 against -2 sqrt(2).",
    ),
    Claim(
        id="spo/app-g-vector-amended",
        amends="spo/app-g-vector",
        kind=Kind.BOUND,
        source=SPO.at("Appendix G, proof of Theorem 9, second term"),
        says="E[2 E[c|x]'w*(c)] >= E[2 E[c|x]'w*(E[c|x])], without conditions: the opposite of what is printed. Between the "
        "vectors E[w*(c)|x] and w*(E[c|x]) there is no order.",
        parameters=(MEAN, W_MEAN, Parameter("mean_decision", "E[w*(c)|x]", Vectors("d"), "decision")),
        formulas={"cross_term": cross_term, "cross_term_at_mean": cross_term_at_mean},
        asserts=(Relation("cross_term", ">=", "cross_term_at_mean"),),
        over=("every nonempty compact convex S", "every law of c given x with a mean"),
    ),
    Claim(
        id="spo/thm-9",
        title="SPO and SPO+ risks at the mean cost",
        kind=Kind.IDENTITY,
        source=SPO.at("Theorem 9", "Appendix G"),
        says="If W*(E[c|x]) is a singleton almost surely and 0 <= c <= 2 E[c|x] coordinatewise almost surely, then at the "
        "prediction E[c|x] the expected SPO+ loss equals the expected SPO loss.",
        uses=("spo/app-g-vector", "spo/lem-4", "spo/lem-5"),
        parameters=(COST, MEAN, W_MAX, W_STAR, W_MEAN, FACE, LARGEST_EXCESS, LEAST_COST),
        symbols={"least_cost": r"\operatorname{ess\,inf} \min_j c_j"},
        formulas={"spo_plus_at_mean": spo_plus_at_mean, "spo_at_mean": spo_at_mean},
        asserts=(Relation("E[spo_plus_at_mean]", "=", "E[spo_at_mean]"),),
        preconditions=(SINGLETON, BELOW_TWICE_MEAN, NONNEGATIVE),
        over=("every nonempty compact convex S", "every law of (c, x) with these bounds"),
        note="w_max maximises (c - 2 E[c|x])'w. Rests on Lemma 5 and on the inequality between E[w*(c)|x] and w*(E[c|x]), "
        "both false. Unit disc, c = (2, 0) or (0, 2) with probability 1/2: 2 against 2 - sqrt(2). Where S has a least vector, "
        "c >= 0 makes that vector optimal for every c and both risks are 0.",
    ),
    Claim(
        id="spo/thm-9-amended",
        amends="spo/thm-9",
        kind=Kind.IDENTITY,
        source=SPO.at("Theorem 9", "Appendix G"),
        says="If W*(E[c|x]) is a singleton, w*(c) = w*(E[c|x]) and this decision is also best for 2 E[c|x] - c, all almost "
        "surely, then at the prediction E[c|x] the expected SPO+ loss equals the expected SPO loss; c may have any sign.",
        parameters=(COST, MEAN, W_MAX, W_STAR, W_MEAN, FACE, DECISION_GAP, MIRROR_REGRET),
        formulas={"spo_plus_at_mean": spo_plus_at_mean, "spo_at_mean": spo_at_mean},
        asserts=(Relation("E[spo_plus_at_mean]", "=", "E[spo_at_mean]"),),
        preconditions=(SINGLETON, SAME_DECISION, MIRRORED),
        over=("every nonempty compact convex S", "every law of (c, x) with a mean and these properties"),
        note="The conditions are also necessary: SPO+ minus SPO is the regret of w*(E[c|x]) for 2 E[c|x] - c plus twice that "
        "of w*(c) for E[c|x], neither of them negative. So the two risks agree only where both are 0. Gained: any sign of c, "
        "no bound c <= 2 E[c|x], and where equality holds exactly; what it asserts is 0 = 0. Where the law of c charges "
        "every ball of R^d no S but a point meets the condition w*(c) = w*(E[c|x]).",
    ),
]
