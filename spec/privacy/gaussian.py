"""The Gaussian mechanism, and printed noise scales for it.

A query of l2-sensitivity `sensitivity`, answered with N(0, sigma^2 I), has the privacy profile of N(0, 1) against N(mu, 1)
with mu = sensitivity / sigma; answered `steps` times, adaptively or not, that of mu = sqrt(steps) * sensitivity / sigma.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import ULPS, contract
from dpsco.spec.domain import Parameter, open_unit, positive
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import BILEVEL, SPO
from dpsco.spec.parameters import DELTA, EPSILON, MU, SENSITIVITY
from dpsco.spec.predicate import Predicate


@contract(metric=ULPS, inputs=(EPSILON, MU))
def profile(epsilon: float, mu: float) -> float:
    """Least delta for which N(0, 1) against N(mu, 1), and so the composed Gaussian mechanism, is (epsilon, delta)-DP.

    delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)

    Domain   epsilon >= 0 (nats), mu > 0
    Returns  delta, a probability
    Source   Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary 1
    """


def sigma_dwork_roth(m: Numbers, c: Real, epsilon: Real, sensitivity: Real) -> Real:
    """The least sigma that the theorem allows for its constant c."""
    return c * sensitivity / epsilon


def c_exceeds_threshold(m: Numbers, c: Real, delta: Real) -> Truth:
    return m.gt(c**2, 2 * m.log(m.frac(5, 4) / delta))


def sigma_two_over_delta(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
    return sensitivity * m.sqrt(2 * m.log(2 / delta)) / epsilon


def sigma_two_over_delta_amended(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
    b = m.sqrt(2 * m.log(2 / delta))
    return sensitivity * (b + m.sqrt(b**2 + 2 * epsilon)) / (2 * epsilon)


claims = [
    Claim(
        id="spo/thm-2",
        kind=Kind.PRIVACY,
        unproved=True,
        source=SPO.at("Definition 3", "Theorem 2"),
        says="Noise of standard deviation at least c Delta_2 / epsilon makes one answer (epsilon, delta)-DP.",
        parameters=(
            EPSILON.within(open_unit),
            DELTA,
            SENSITIVITY.means("Delta_2: largest l2 distance of the answers on x and y with |x - y|_1 = 1"),
            Parameter("c", "constant of the theorem", positive),
        ),
        formulas={"sigma": sigma_dwork_roth},
        asserts=(Relation("N(0, sigma^2) noise", "is", "(epsilon, delta)-DP"),),
        preconditions=(
            Predicate(
                "c^2 > 2 ln(1.25/delta)",
                c_exceeds_threshold,
                accepts={"c": "3.8", "delta": "1e-3"},
                rejects={"c": "3.7", "delta": "1e-3"},
            ),
        ),
        over=("every query with values in R^k, every k",),
        adjacency=Adjacency.ADD_REMOVE,
        releases="the noisy answer",
        note="|x - y|_1 = 1 on histograms is one record more or less; the paper's Definition 1 and Definition 6 replace one.",
    ),
    Claim(
        id="bilevel/lem-A.3",
        kind=Kind.PRIVACY,
        unproved=True,
        source=BILEVEL.at("Definition A.2", "Lemma A.3"),
        says="Noise of variance 2 Delta^2 ln(2/delta) / epsilon^2 makes one answer (epsilon, delta)-DP, for every epsilon > 0.",
        parameters=(EPSILON, DELTA, SENSITIVITY),
        formulas={"sigma": sigma_two_over_delta},
        asserts=(Relation("N(0, sigma^2) noise", "is", "(epsilon, delta)-DP"),),
        over=("every query with values in R^k, every k",),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the noisy answer",
    ),
    Claim(
        id="bilevel/lem-A.3-amended",
        amends="bilevel/lem-A.3",
        kind=Kind.PRIVACY,
        source=BILEVEL.at("Definition A.2", "Lemma A.3"),
        says="With b = sqrt(2 ln(2/delta)), noise of scale Delta (b + sqrt(b^2 + 2 epsilon)) / (2 epsilon), which tends to the "
        "printed one as epsilon -> 0, makes one answer (epsilon, delta)-DP for every epsilon > 0.",
        parameters=(EPSILON, DELTA, SENSITIVITY),
        formulas={"sigma": sigma_two_over_delta_amended},
        asserts=(Relation("N(0, sigma^2) noise", "is", "(epsilon, delta)-DP"),),
        over=("every query with values in R^k, every k",),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the noisy answer",
    ),
]
