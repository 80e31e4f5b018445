"""Advanced composition with the exact second term: several mechanisms of one budget, each chosen from the answers before it."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Interval, Parameter, nonnegative
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, T


def composed_epsilon(m: Numbers, epsilon: Real, delta_prime: Real, T: Real) -> Real:
    return m.sqrt(2 * T * m.log(1 / delta_prime)) * epsilon + T * epsilon * m.expm1(epsilon)


def composed_delta(m: Numbers, delta: Real, delta_prime: Real, T: Real) -> Real:
    return T * delta + delta_prime


claims = [
    Claim(
        id="bilevel/lem-A.4",
        kind=Kind.PRIVACY,
        unproved=True,
        source=BILEVEL.at("Lemma A.4"),
        says="T mechanisms, each (epsilon, delta)-DP for every value of the answers before it, are together (epsilon', T "
        "delta + delta')-DP with epsilon' = sqrt(2 T ln(1/delta')) epsilon + T epsilon (e^epsilon - 1).",
        parameters=(
            EPSILON.within(nonnegative).means("privacy parameter of each mechanism"),
            DELTA.within(Interval("0", "1", low_open=False)).means("delta of each mechanism"),
            Parameter("delta_prime", "slack of the composition", Interval("0", "1", low_open=False)),
            T.means("number of composed mechanisms"),
        ),
        formulas={"epsilon_prime": composed_epsilon, "total_delta": composed_delta},
        asserts=(Relation("the composition", "is", "(epsilon_prime, total_delta)-DP"),),
        over=("all mechanisms A_t: Z^n x X -> X that are (epsilon, delta)-DP in the data", "all T"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="all T answers; as printed only A_T, which reads A_{T-1}, and so on",
        note="delta' = 0 lies in the printed domain and makes epsilon' infinite (0 * infinity if epsilon = 0). Nothing keeps "
        "T delta + delta' below 1. The composition is printed with a data set X in place of Z at the innermost call.",
    ),
]
