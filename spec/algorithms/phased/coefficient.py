"""The regularisation coefficient of phased empirical risk minimisation, phase by phase."""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, naturals
from dpsco.spec.expressions import log, sqrt, symbols
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import DELTA, EPSILON, ETA, L, N

delta, epsilon, eta, i, n = symbols("delta epsilon eta i n")

PHASE = Parameter("i", "number of the phase", naturals)


batch_size = n / 2**i
phase_step = eta / 4**i
phase_noise = 4 * L * phase_step / epsilon * sqrt(log(1 / delta))
coefficient = 1 / (batch_size * phase_step)
coefficient_simplified = 2 ** (3 * i) / (n * eta)


claims = [
    Claim(
        id="quantile/app-C-coefficient",
        title="regularisation in the phases of Phased-ERM",
        kind=Kind.IDENTITY,
        source=QUANTILE.at("Appendix C"),
        says="Phase i of Phased-ERM uses n_i = 2^{-i} n records and eta_i = 4^{-i} eta, and minimises the average loss plus "
        "|theta - (previous estimate + xi)|^2/(n_i eta_i), xi ~ N(0, sigma^2 I), sigma = 4 L (eta_i/epsilon) "
        "sqrt(ln(1/delta)). Its coefficient 1/(n_i eta_i) is 2^{3i}/(n eta), growing exponentially in i.",
        parameters=(N, PHASE, ETA, L, EPSILON, DELTA),
        formulas={
            "batch_size": batch_size,
            "phase_step": phase_step,
            "phase_noise": phase_noise,
            "coefficient": coefficient,
            "coefficient_simplified": coefficient_simplified,
        },
        asserts=(Relation("coefficient", "=", "coefficient_simplified"),),
        note="Phases and estimators are indexed by i and by t in one display; the noise uses eta_i where the noise added "
        "after the last phase would carry eta_{i-1}. n_i is not rounded. The paper blames the growing coefficient for the "
        "method's poor showing; that is a conjecture there and not claimed here.",
    ),
]
