"""The Gaussian mechanism, and printed noise scales for it.

A query of l2-sensitivity `sensitivity`, answered with N(0, sigma^2 I), has the privacy profile of N(0, 1) against N(mu, 1)
with mu = sensitivity / sigma; answered `steps` times, adaptively or not, that of mu = sqrt(steps) * sensitivity / sigma.
"""

from fractions import Fraction

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import POSITIVE_PROBABILITY, ULPS, Inputs, contract
from dpsco.spec.domain import Parameter, open_unit, positive
from dpsco.spec.expressions import E, Expr, Phi, equal, exp, log, sqrt, symbols
from dpsco.spec.lemmas import Lemma, Status, lemma
from dpsco.spec.papers import BILEVEL, SPO
from dpsco.spec.parameters import DELTA, EPSILON, MU, SENSITIVITY
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.profile import NEIGHBOURS, GaussianNoise, LeastDelta
from dpsco.spec.statement import Statement, Symbol, statement

c, delta, epsilon, sensitivity, z = symbols("c delta epsilon sensitivity z")

FAR: tuple[Inputs, ...] = ({"epsilon": 1e154, "mu": 2.0**-1022}, {"epsilon": 1e8, "mu": 2.0**-1022})
"""Where the two tails agree to hundreds of digits."""


@contract(metric=ULPS, range=POSITIVE_PROBABILITY, inputs=(EPSILON, MU), hard=FAR)
def profile(epsilon: float, mu: float) -> float:
    """Least delta for which N(0, 1) against N(mu, 1), and so the composed Gaussian mechanism, is (epsilon, delta)-DP.

    delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)

    Domain   epsilon >= 0 (nats), mu > 0
    Returns  delta, a probability
    Source   Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary 1
    """


sigma_dwork_roth = c * sensitivity / epsilon
"""The least sigma that the theorem allows for its constant c."""

c_exceeds_threshold = c**2 > 2 * log(E("5/4") / delta)
sigma_two_over_delta = sensitivity * sqrt(2 * log(2 / delta)) / epsilon

_b = sqrt(2 * log(2 / delta))
sigma_two_over_delta_amended = sensitivity * (_b + sqrt(_b**2 + 2 * epsilon)) / (2 * epsilon)


claims = [
    Claim(
        id="spo/thm-2",
        title="Gaussian mechanism",
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
        title="Gaussian mechanism",
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

any_sigma = symbols("sigma")[0]

tail = lemma(
    "gaussian tail",
    Phi(-z) <= exp(-(z**2) / 2) / 2,
    z >= 0,
    status=Status.KERNEL,
    text="A standard normal variable exceeds z >= 0 with probability at most e^(-z^2/2)/2.",
)


def _tight_pair(neighbours: str) -> Lemma:
    mu = sensitivity / any_sigma
    return lemma(
        f"gaussian tight pair, {neighbours}",
        equal(
            LeastDelta(GaussianNoise(any_sigma, sensitivity, neighbours=neighbours), epsilon),
            Phi(mu / 2 - epsilon / mu) - exp(epsilon) * Phi(-(mu / 2) - epsilon / mu),
        ),
        epsilon >= 0,
        any_sigma > 0,
        sensitivity > 0,
        status=Status.CITED,
        text="A Gaussian output perturbation mechanism for a query of global l2-sensitivity Delta is (epsilon, delta)-DP if "
        "and only if Phi(Delta/(2 sigma) - epsilon sigma/Delta) - e^epsilon Phi(-Delta/(2 sigma) - epsilon sigma/Delta) is at "
        "most delta.",
        reference="Balle and Wang 2018, Improving the Gaussian mechanism for differential privacy, Theorem 8",
    )


tight_pair = {neighbours: _tight_pair(neighbours) for neighbours in NEIGHBOURS}

lemmas = [tail, *tight_pair.values()]

SYMBOLS = (
    Symbol("epsilon", "privacy parameter epsilon", unit="nat"),
    Symbol("delta", "privacy parameter delta"),
    Symbol("sensitivity", "l2-sensitivity of the query", unit="sensitivity"),
)


def _one_answer(id: str, title: str, sigma: Expr, amends: str | None = None) -> Statement:
    mechanism = GaussianNoise(sigma, sensitivity, neighbours=Adjacency.REPLACE_ONE)
    return statement(
        id,
        title,
        LeastDelta(mechanism, epsilon) <= delta,
        source=str(BILEVEL.at("Definition A.2", "Lemma A.3")),
        symbols=SYMBOLS,
        domain={
            epsilon > 0: {"epsilon": 0},
            delta > 0: {"delta": 0},
            delta < 1: {"delta": 1},
            sensitivity > 0: {"sensitivity": 0},
        },
        inside={"epsilon": 1, "delta": "1e-6", "sensitivity": 1},
        amends=amends,
    )


_c = symbols("c")[0]

statements = [
    statement(
        "spo/thm-2",
        "Noise of standard deviation at least c Delta_2/epsilon, c^2 > 2 ln(1.25/delta), makes one answer (epsilon, delta)-DP",
        LeastDelta(GaussianNoise(any_sigma, sensitivity, neighbours=Adjacency.ADD_REMOVE), epsilon) <= delta,
        source=str(SPO.at("Definition 3", "Theorem 2")),
        symbols=(
            *SYMBOLS[:2],
            Symbol("sensitivity", "Delta_2: largest l2 distance of the answers on x and y, |x - y|_1 = 1", unit="sensitivity"),
            Symbol("c", "constant of the theorem"),
            Symbol("sigma", "standard deviation of the noise, per coordinate", unit="sensitivity"),
        ),
        domain={
            epsilon > 0: {"epsilon": 0},
            epsilon < 1: {"epsilon": 1},
            delta > 0: {"delta": 0},
            delta < 1: {"delta": 1},
            sensitivity > 0: {"sensitivity": 0},
            _c > 0: {"c": 0},
            _c**2 > 2 * log(Fraction(5, 4) / delta): {"c": "3.7"},
            any_sigma >= _c * sensitivity / epsilon: {"sigma": "7.5"},
        },
        inside={"epsilon": "1/2", "delta": "1e-3", "sensitivity": 1, "c": "3.8", "sigma": 8},
        note="|x - y|_1 = 1 on histograms is one record more or less; the paper's Definitions 1 and 6 replace one.",
    ),
    _one_answer(
        "bilevel/lem-A.3",
        "Noise of variance 2 Delta^2 ln(2/delta)/epsilon^2 makes one answer (epsilon, delta)-DP",
        sensitivity * _b / epsilon,
    ),
    _one_answer(
        "bilevel/lem-A.3-amended",
        "Noise of scale Delta (b + sqrt(b^2 + 2 epsilon))/(2 epsilon), b = sqrt(2 ln(2/delta)), makes one answer private",
        sensitivity * (_b + sqrt(_b**2 + 2 * epsilon)) / (2 * epsilon),
        amends="bilevel/lem-A.3",
    ),
]
