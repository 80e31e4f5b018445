"""The generalised Gaussian mechanism: noise whose density falls with the square of a smooth norm.

In a kappa-regular space (E, |.|_*) with smooth norm |.|_+, the noise GG(sigma^2) has density proportional to
exp(-|z|_+^2 / (2 sigma^2)); then |z|_+^2 / sigma^2 is chi-squared with d degrees of freedom.
"""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.contract import ULPS, Inputs, between, contract
from dpsco.spec.domain import Interval, Parameter, positive
from dpsco.spec.expressions import log, symbol, symbols
from dpsco.spec.lemmas import Lemma, Status, lemma
from dpsco.spec.nouns import INTEGER, Noun
from dpsco.spec.papers import LP
from dpsco.spec.parameters import DELTA, EPSILON, SENSITIVITY, D
from dpsco.spec.privacy.profile import MECHANISM, NEIGHBOURS, Concentrated, LeastDelta
from dpsco.spec.statement import Statement, Symbol, statement

d, delta, epsilon, kappa, sensitivity = symbols("d delta epsilon kappa sensitivity")
sigma_squared = symbol("sigma_squared")

KAPPA = Parameter("kappa", "regularity constant of the dual space", Interval("1", "inf", low_open=False))

HARD: tuple[Inputs, ...] = tuple(
    {"signs": [1.0] * len(weights), "weights": list(weights), "radius": radius, "index": index, "sigma": sigma}
    for weights in ((1.0,), (1.0, 1.0), (1e-30, 1.0, 2.0), (0.0, 3.0), (1e-100, 1e-100), (1e100, 0.5, 1e-100))
    for radius, index, sigma in ((1.0, 2.0, 1.0), (0.0, 3.0, 1.0), (1e-3, 7 / 3, 1e3), (40.0, 27.6, 0.3), (1.0, 1.0, 1e100))
)


def _draws(random: Random) -> Inputs:
    """A dimension, an index on both sides of 2, the weights and the radius of that law."""
    d, index = random.choice((1, 2, 3, 4, 9, 20)), random.choice((1.0, 2.0, 2.5, 7 / 3, 4.0, 27.6, random.uniform(1, 40)))
    return {
        "signs": [random.choice((-1.0, 1.0)) for _ in range(d)],
        "weights": [random.gammavariate(1 / index, 1.0) + 1e-300 for _ in range(d)],
        "radius": random.gammavariate(d / 2, 2.0) ** 0.5,
        "index": index,
        "sigma": 10 ** random.uniform(-6, 6),
    }


@contract(
    metric=ULPS,
    range=between(lambda m, radius, sigma: -sigma * radius, lambda m, radius, sigma: sigma * radius),
    inputs=(),
    generate=_draws,
    hard=HARD,
)
def noise(signs: Sequence[float], weights: Sequence[float], radius: float, index: float, sigma: float) -> Sequence[float]:
    """Generalised Gaussian noise of the l_index norm, density proportional to exp(-|z|^2 / (2 sigma^2)), from its draws.

    z_j = sigma radius signs_j (weights_j / sum of weights)^{1/index}

    Domain   signs, weights (d,): signs +1 or -1 with equal chances, weights >= 0 from Gamma(1/index), not all 0; radius >= 0
             from the law of chi with d degrees of freedom; all independent; index >= 1, sigma > 0
    Returns  d numbers, in the unit of sigma; the l_index norm is sigma radius
    Raises   ValueError for other shapes, signs or values (fast only)
    Source   polar coordinates; Schechtman and Zinn 1990 for the cone measure
    """


variance_rate = kappa * sensitivity**2 * log(1 / delta) / epsilon**2
second_moment = d * sigma_squared
variance_amended = kappa * sensitivity**2 * (2 * log(1 / delta) + epsilon) / epsilon**2


PARAMETERS = (
    KAPPA,
    SENSITIVITY.means("s: largest |.|_*-distance of the answers on neighbours"),
    EPSILON,
    DELTA,
    D.means("dimension of the answer"),
    Parameter("sigma_squared", "sigma^2, the scale of the noise density", positive, "sensitivity^2"),
)

claims = [
    Claim(
        id="lp/gen-gaussian",
        title="generalised Gaussian mechanism",
        kind=Kind.PRIVACY,
        unproved=True,
        source=LP.at("proof of Theorem 6", "proof of Theorem 9", "Algorithm 7", "display of g^2 before Lemma 19"),
        says="Let the dual space (R^d, |.|_*) be kappa-regular with smooth norm |.|_+. A query whose values on neighbouring "
        "data sets differ by at most s in |.|_*, answered with noise GG(sigma^2) of density proportional to exp(-|z|_+^2 / "
        "(2 sigma^2)), is (epsilon, delta)-DP for sigma^2 = O(kappa s^2 ln(1/delta) / epsilon^2). The noise has E|Z|_*^2 <= "
        "d sigma^2.",
        parameters=PARAMETERS,
        symbols={"sensitivity": r"s", "variance": r"\sigma^2"},
        formulas={"variance_rate": variance_rate, "second_moment": second_moment},
        asserts=(
            Relation("noise GG(sigma^2) with sigma^2 of order variance_rate", "is", "(epsilon, delta)-DP"),
            Relation("E|Z|_*^2", "<=", "second_moment"),
        ),
        over=("norms whose dual is kappa-regular", "queries of |.|_*-sensitivity s"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the noisy answer",
        provenance=Provenance.REBUILT,
        note="The main text's statement is not at hand. The variance is read off the proof of Theorem 9 (sigma^2 = O(kappa "
        "(beta M + lambda)^2 ln(1/delta_0) / epsilon_0^2) at sensitivity 2 (beta M + lambda)) and off Algorithm 7; the "
        "density is the usual one of this mechanism; the second moment is what the bounds on g^2 use (it needs |.|_* <= "
        "|.|_+, which regularity gives). No range of epsilon and delta is printed with it; Theorem 14 uses 0 < epsilon, "
        "delta < 1. Without a range it is false for every hidden constant C at the ends, already for d = kappa = 1, where "
        "it is the Gaussian mechanism with mu = epsilon / sqrt(C ln(1/delta)): as epsilon grows at fixed delta, privacy "
        "needs mu <= about sqrt(2 epsilon); as delta -> 1 at fixed epsilon, ln(1/delta) -> 0 sends mu to infinity like "
        "(1-delta)^{-1/2}, privacy allows sqrt(8 ln(1/(1-delta))). Elsewhere in the proof of Theorem 9 sigma carries kappa "
        "where this statement gives sqrt(kappa).",
    ),
    Claim(
        id="lp/gen-gaussian-amended",
        amends="lp/gen-gaussian",
        kind=Kind.PRIVACY,
        source=LP.at("proof of Theorem 6", "proof of Theorem 9", "Algorithm 7", "display of g^2 before Lemma 19"),
        says="Let the dual space (R^d, |.|_*) be kappa-regular with smooth norm |.|_+. A query whose values on neighbouring "
        "data sets differ by at most s in |.|_*, answered with noise GG(variance), variance = kappa s^2 (2 ln(1/delta) + "
        "epsilon) / epsilon^2, is (epsilon, delta)-DP for every epsilon > 0 and every delta in (0, 1). GG(sigma^2) has "
        "E|Z|_*^2 <= d sigma^2.",
        parameters=PARAMETERS,
        formulas={"variance": variance_amended, "second_moment": second_moment},
        asserts=(
            Relation("noise GG(variance)", "is", "(epsilon, delta)-DP"),
            Relation("E|Z|_*^2", "<=", "second_moment"),
        ),
        over=("norms whose dual is kappa-regular", "queries of |.|_*-sensitivity s"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the noisy answer",
        note="ln(1/delta) becomes 2 ln(1/delta) + epsilon, the constant is written out: the printed order where epsilon <= "
        "ln(1/delta), 1/epsilon beyond.",
    ),
]

_variance = symbol("variance")

RegularNoise = Noun(
    "RegularNoise",
    (("variance", "real"), ("sensitivity", "real"), ("kappa", "real"), ("d", INTEGER)),
    "All mechanisms that answer one query with values in R^d and add noise of density proportional to exp(-|z|_+^2 / (2 "
    "variance)), where |.|_* is a norm of R^d that is kappa-regular with the smooth norm |.|_+ (some s <= kappa for which "
    "|.|_+^2/2 is s-smooth in |.|_+, and |.|_*^2 <= |.|_+^2 <= (kappa/s) |.|_*^2), and the answers on neighbours differ by "
    "at most `sensitivity` in |.|_*; the noisy answer is released and nothing else.",
    tags={"neighbours": NEIGHBOURS},
    sort=MECHANISM,
    domain=(_variance > 0, sensitivity > 0, kappa >= 1, d >= 1),
)
RegularSecondMoment = Noun(
    "RegularSecondMoment",
    (("variance", "real"), ("kappa", "real"), ("d", INTEGER)),
    "The supremum of E|Z|_*^2 over the norms of RegularNoise, Z being its noise.",
    domain=(_variance > 0, kappa >= 1, d >= 1),
    low=Fraction(0),
)
nouns = [RegularNoise, RegularSecondMoment]


def _renyi(neighbours: str) -> Lemma:
    kind = RegularNoise(_variance, sensitivity, kappa, d, neighbours=neighbours)
    return lemma(
        f"Renyi divergence of noise in a regular space, {neighbours}",
        LeastDelta(kind, epsilon)
        <= LeastDelta(Concentrated(kappa * sensitivity**2 / (2 * _variance), neighbours=neighbours), epsilon),
        _variance > 0,
        sensitivity > 0,
        kappa >= 1,
        d >= 1,
        epsilon >= 0,
        status=Status.PROSE,
        text="The noise makes an answer rho-zCDP with rho = kappa sensitivity^2/(2 variance).",
        proof="Let F = |.|_+^2/2 be s-smooth in |.|_+ and p the density of the noise, proportional to e^(-F/variance). Let v "
        "be the difference of two answers, alpha > 1, a = z - (alpha - 1) v and b = z + v; then z = a/alpha + (1 - 1/alpha) "
        "b. Smoothness at z, F(x) <= F(z) + <grad F(z), x - z> + s |x - z|_+^2/2 at x = a with weight 1/alpha and at x = b "
        "with weight 1 - 1/alpha, gives F(a)/alpha + (1 - 1/alpha) F(b) <= F(z) + s (alpha - 1) |v|_+^2/2, since ((alpha - "
        "1)^2/alpha + 1 - 1/alpha) = alpha - 1. Multiplying by -alpha/variance, p(z)^alpha p(z + v)^(1 - alpha) <= p(a) "
        "e^(alpha (alpha - 1) s |v|_+^2/(2 variance)). Integration over z, p(a) having the integral 1, shows that the Renyi "
        "divergence of order alpha is at most alpha s |v|_+^2/(2 variance) <= alpha kappa |v|_*^2/(2 variance) <= alpha rho. "
        "The same holds for -v. So each mechanism of the left kind is rho-zCDP, and the supremum on the left is over fewer "
        "mechanisms than that on the right.",
        integers="d",
    )


renyi = {neighbours: _renyi(neighbours) for neighbours in NEIGHBOURS}
radius = lemma(
    "second moment of noise in a regular space",
    RegularSecondMoment(_variance, kappa, d) <= d * _variance,
    _variance > 0,
    kappa >= 1,
    d >= 1,
    status=Status.PROSE,
    text="The mean square of the noise is at most d times its variance, in the dual norm.",
    proof="The set {|z|_+ <= r} has the volume r^d times that of {|z|_+ <= 1}, so |Z|_+ has a density proportional to r^(d - "
    "1) e^(-r^2/(2 variance)) for r > 0: |Z|_+^2/variance has the chi-squared law with d degrees of freedom, whose mean is "
    "d. And |z|_*^2 <= |z|_+^2.",
    integers="d",
)
lemmas = [*renyi.values(), radius]

_written_out = kappa * sensitivity**2 * (2 * log(1 / delta) + epsilon) / epsilon**2
_sigma_squared = symbols("sigma_squared")[0]
statements: list[Statement] = [
    statement(
        "lp/gen-gaussian-amended",
        "Noise GG(kappa s^2 (2 ln(1/delta) + epsilon)/epsilon^2) makes one answer (epsilon, delta)-DP; GG(sigma^2) has "
        "E|Z|_*^2 <= d sigma^2",
        LeastDelta(RegularNoise(_written_out, sensitivity, kappa, d, neighbours=Adjacency.REPLACE_ONE), epsilon) <= delta,
        RegularSecondMoment(_sigma_squared, kappa, d) <= d * _sigma_squared,
        source=str(LP.at("proof of Theorem 6", "proof of Theorem 9", "Algorithm 7", "display of g^2 before Lemma 19")),
        symbols=(
            Symbol("kappa", "regularity constant of the dual space"),
            Symbol("sensitivity", "s: largest |.|_*-distance of the answers on neighbours", unit="sensitivity"),
            Symbol("epsilon", "privacy parameter epsilon", unit="nat"),
            Symbol("delta", "privacy parameter delta"),
            Symbol("d", "dimension of the answer", INTEGER),
            Symbol("sigma_squared", "the scale of the noise density", unit="sensitivity^2"),
        ),
        domain={
            kappa >= 1: {"kappa": 0},
            sensitivity > 0: {"sensitivity": 0},
            epsilon > 0: {"epsilon": 0},
            delta > 0: {"delta": 0},
            delta < 1: {"delta": 1},
            d >= 1: {"d": 0},
            _sigma_squared > 0: {"sigma_squared": 0},
        },
        inside={"kappa": 2, "sensitivity": 1, "epsilon": 1, "delta": "1e-6", "d": 3, "sigma_squared": 1},
        amends="lp/gen-gaussian",
    ),
]
