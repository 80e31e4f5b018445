"""Excess risks: what the excess SPO+ risk of a prediction, against E[c|x], says about its excess SPO risk.

Conditions on the law of c given x and on S are numbers: a total variation, a radius, a distance that has to vanish.
"""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, closed_unit, nonnegative
from dpsco.spec.expressions import log, sqrt, symbols
from dpsco.spec.losses.spo.calibration import (
    BELOW_TWICE_MEAN,
    DECISION_GAP,
    FACE,
    LARGEST_EXCESS,
    LEAST_COST,
    NONNEGATIVE,
    SAME_DECISION,
    SINGLETON,
)
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import DELTA, EPSILON, RISK, D, N
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import advantage

asymmetry, d, delta, epsilon, inradius, misfit, n = symbols("asymmetry d delta epsilon inradius misfit n")
risk, singular_mass, spo_plus_risk = symbols("risk singular_mass spo_plus_risk")
spo_plus_risk_at_mean, spo_risk, spo_risk_at_mean = symbols("spo_plus_risk_at_mean spo_risk spo_risk_at_mean")

ASYMMETRY = Parameter("asymmetry", "total variation between the laws of c - E[c|x] and E[c|x] - c given x", closed_unit)
SINGULAR = Parameter("singular_mass", "mass of the part of the law of c given x that has no density", closed_unit)
INRADIUS = Parameter("inradius", "radius of the largest ball of R^d inside S", nonnegative, "decision")
MISFIT = Parameter("misfit", "essential supremum of |E[c|x] - B* x| for the best B*", nonnegative, "cost")
RISKS = (
    Parameter("spo_risk", "expected SPO loss of Bhat x", nonnegative, "loss"),
    Parameter("spo_risk_at_mean", "expected SPO loss of E[c|x]", nonnegative, "loss"),
    Parameter("spo_plus_risk", "expected SPO+ loss of Bhat x", nonnegative, "loss"),
    Parameter("spo_plus_risk_at_mean", "expected SPO+ loss of E[c|x]", nonnegative, "loss"),
)


symmetric = asymmetry <= 0
continuous = singular_mass <= 0
solid = inradius > 0
well_specified = misfit <= 0


SYMMETRIC = Predicate(
    "c given x is centrally symmetric about its mean, for all x",
    symmetric,
    accepts={"asymmetry": "0"},
    rejects={"asymmetry": "0.5"},
)
CONTINUOUS = Predicate(
    "c given x is continuously distributed on R^d, for all x",
    continuous,
    accepts={"singular_mass": "0"},
    rejects={"singular_mass": "1"},
)
SOLID = Predicate("the interior of S is nonempty", solid, accepts={"inradius": "1"}, rejects={"inradius": "0"})
WELL_SPECIFIED = Predicate("E[c|x] = B* x", well_specified, accepts={"misfit": "0"}, rejects={"misfit": "1"})


trained = spo_plus_risk - spo_plus_risk_at_mean <= risk


TRAINED = Predicate(
    "the excess SPO+ risk of the trained matrix is at most the bound",
    trained,
    accepts={"spo_plus_risk": "3", "spo_plus_risk_at_mean": "1", "risk": "2"},
    rejects={"spo_plus_risk": "4", "spo_plus_risk_at_mean": "1", "risk": "2"},
)


excess_spo = spo_risk - spo_risk_at_mean
excess_spo_plus = spo_plus_risk - spo_plus_risk_at_mean
rate_exponential = sqrt(1 / n) + advantage / n
rate_gaussian = sqrt(1 / n) + sqrt(d * log(1 / delta)) / n
"""As Section 6 prints it, without epsilon."""

bound = risk
"""What the excess SPO+ risk is known to be at most."""


claims = [
    Claim(
        id="spo/sec-6-conditions",
        title="minimisers of the SPO and SPO+ risks",
        kind=Kind.BOUND,
        unproved=True,
        source=SPO.at("Section 6, conditions 1 to 4 and the sentence before them"),
        says="If W*(E[c|x]) is a singleton almost surely, and for all x the law of c given x is centrally symmetric about its "
        "mean and continuous on all of R^d, and S has nonempty interior, then the prediction E[c|x] minimises the SPO risk "
        "and the SPO+ risk.",
        parameters=(*RISKS, FACE, ASYMMETRY, SINGULAR, INRADIUS),
        formulas={"excess_spo": excess_spo, "excess_spo_plus": excess_spo_plus},
        asserts=(Relation("excess_spo", ">=", "0"), Relation("excess_spo_plus", ">=", "0")),
        preconditions=(SINGLETON, SYMMETRIC, CONTINUOUS, SOLID),
        over=("every prediction, linear or not", "every law of (c, x) with these properties"),
        note="Cited. Continuous on all of R^d has two readings: without atoms or singular part (the predicate), or charging "
        "every ball. Corollary 1 adds 0 <= c <= 2 E[c|x], which bounds the support: with the second reading nothing satisfies "
        "both (vacuous). The special case c = Bx of Section 7 has a point mass and, on the sphere, an S without interior.",
    ),
    Claim(
        id="spo/cor-1",
        title="excess SPO+ risk above excess SPO risk",
        kind=Kind.BOUND,
        source=SPO.at("Corollary 1", "Appendix G"),
        says="Under conditions 1 to 4 of Section 6 and 0 <= c <= 2 E[c|x] almost surely, every matrix Bhat has an excess SPO+ "
        "risk, against the prediction E[c|x], at least as large as its excess SPO risk against that prediction.",
        uses=("spo/lem-4", "spo/sec-6-conditions", "spo/thm-9"),
        parameters=(*RISKS, FACE, ASYMMETRY, SINGULAR, INRADIUS, LARGEST_EXCESS, LEAST_COST),
        symbols={"least_cost": r"\operatorname{ess\,inf} \min_j c_j"},
        formulas={"excess_spo_plus": excess_spo_plus, "excess_spo": excess_spo},
        asserts=(Relation("excess_spo_plus", ">=", "excess_spo"),),
        preconditions=(SINGLETON, SYMMETRIC, CONTINUOUS, SOLID, BELOW_TWICE_MEAN, NONNEGATIVE),
        over=("every matrix Bhat", "every S and every law of (c, x) with these properties"),
        note="Subtracts Theorem 9's equality from Lemma 4's inequality, so it falls with Theorem 9: on a triangle, c uniform "
        "on [0, 2] x [0, 3] and Bhat = 0, the excess SPO risk is 3/2, the excess SPO+ risk 17/18. Where continuous means that "
        "every ball has positive probability no law meets the conditions.",
    ),
    Claim(
        id="spo/cor-1-amended",
        amends="spo/cor-1",
        kind=Kind.BOUND,
        source=SPO.at("Corollary 1", "Appendix G"),
        says="Under conditions 1 to 4 of Section 6, and if the decision for the mean is almost surely the one for the realised "
        "cost, w*(c) = w*(E[c|x]), every matrix Bhat has an excess SPO+ risk, against the prediction E[c|x], at least as large "
        "as its excess SPO risk.",
        parameters=(*RISKS, FACE, ASYMMETRY, SINGULAR, INRADIUS, DECISION_GAP),
        formulas={"excess_spo_plus": excess_spo_plus, "excess_spo": excess_spo},
        asserts=(Relation("excess_spo_plus", ">=", "excess_spo"),),
        preconditions=(SINGLETON, SYMMETRIC, CONTINUOUS, SOLID, SAME_DECISION),
        over=("every matrix Bhat", "every S and every law of (c, x) with these properties"),
        note="The condition is necessary: at Bhat = 0 both losses are the width of S, so the corollary there is Theorem 9. "
        "Without it the inequality holds with the SPO+ risk less the SPO risk of E[c|x] added on the left, by Lemma 4. For a "
        "box and c > 0 the condition is met. Gained: any sign of c, no bound c <= 2 E[c|x], and a true inequality; but one "
        "for costs whose uncertainty changes no decision. Where continuous on all of R^d means that every ball has positive "
        "probability it is vacuous, as Corollary 1 is: no law has one decision then, S having an interior.",
    ),
    Claim(
        id="spo/sec-6-rate",
        title="rate of the excess SPO risk",
        kind=Kind.RATE,
        source=SPO.at("Section 6, last display"),
        says="If moreover E[c|x] = B* x, the excess SPO risk of the trained matrix over B* is O(n^(-1/2) + h/n), with h = "
        "(e^epsilon - 1)/(e^epsilon + 1) for exponential descent and h = sqrt(d ln(1/delta)) for Gaussian descent.",
        uses=("spo/cor-1", "spo/thm-4", "spo/thm-7"),
        parameters=(
            *(N, D, EPSILON, DELTA),
            *RISKS[:2],
            *(FACE, ASYMMETRY, SINGULAR, INRADIUS, LARGEST_EXCESS, LEAST_COST, MISFIT),
        ),
        symbols={"least_cost": r"\operatorname{ess\,inf} \min_j c_j"},
        formulas={"rate_exponential": rate_exponential, "rate_gaussian": rate_gaussian, "excess_spo": excess_spo},
        asserts=(
            Relation("excess_spo of exponential descent", "<=O", "rate_exponential"),
            Relation("excess_spo of Gaussian descent", "<=O", "rate_gaussian"),
        ),
        preconditions=(SINGLETON, SYMMETRIC, CONTINUOUS, SOLID, BELOW_TWICE_MEAN, NONNEGATIVE, WELL_SPECIFIED),
        over=("every S and every law of (c, x) with these properties",),
        note="h lacks the 1/epsilon of Theorem 7 in the Gaussian case: bounded as epsilon -> 0, where the noise is infinite. "
        "The exponential rate improves as epsilon -> 0, which cannot be. Inherits Corollary 1 and the utility theorems. "
        "Hidden constants: L, B_B, B_w.",
    ),
    Claim(
        id="spo/sec-6-rate-amended",
        amends="spo/sec-6-rate",
        kind=Kind.RATE,
        source=SPO.at("Section 6, last display"),
        says="If E[c|x] = B* x and the conditions of the amended Corollary 1 hold, every bound on the excess SPO+ risk of the "
        "trained matrix over B*, for either algorithm and with its own dependence on epsilon, is one on its excess SPO risk.",
        parameters=(*RISKS, RISK, FACE, ASYMMETRY, SINGULAR, INRADIUS, DECISION_GAP, MISFIT),
        formulas={"excess_spo": excess_spo, "bound": bound},
        asserts=(Relation("excess_spo", "<=", "bound"),),
        preconditions=(SINGLETON, SYMMETRIC, CONTINUOUS, SOLID, SAME_DECISION, WELL_SPECIFIED, TRAINED),
        over=("every trained matrix", "every S and every law of (c, x) with these properties"),
        note="The bounds meant are the rates of spo/thm-4-amended, (q n)^(-1/2) + 1/(q n) with q falling like epsilon, and "
        "of spo/thm-7-amended, n^(-1/2) + sqrt(p d ln(1/delta))/(n epsilon): no rate that vanishes with n whatever epsilon "
        "can hold. Gained: the step from SPO+ to SPO, with each algorithm's own dependence on epsilon; the price is the "
        "amended Corollary 1's condition, vacuous with it where every ball has positive probability.",
    ),
]
