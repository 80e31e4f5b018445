"""Draw n records with replacement from n, then run a private algorithm: how many drawn records change, and the privacy left."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import exp, log, sqrt, symbols
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import DELTA, EPSILON, GAMMA, N

delta, epsilon, gamma, z = symbols("delta epsilon gamma z")

EXCESS = Parameter("z", "by how much the number of changed records exceeds its mean 1", positive)


def tail(m: Numbers, n: Real, z: Real) -> Real:
    """Pr[Binomial(n, 1/n) >= z + 1]."""
    return m.sum(lambda k: m.binomial(n, k) * (1 / n) ** k * (1 - 1 / n) ** (n - k), m.ceil(z + 1), n)


tail_bound = exp(-(z**2) / 3)
tail_bound_enough = exp(-(z**2) / (2 + z))
"""The bound of the amendment: Chernoff's, for every z."""

changes = 3 * sqrt(log(1 / gamma)) + 1
"""u: more changed records than this have probability at most gamma."""


def tail_at_changes(m: Numbers, n: Real, gamma: Real) -> Real:
    return tail(m, n, changes(m, gamma=gamma) - 1)


epsilon_after = changes * epsilon
delta_after = changes * delta * exp(changes * epsilon) + gamma
enough_changes = sqrt(2 * log(1 / gamma)) + log(1 / gamma) / 3 + 1
"""The u of the amendment: Bernstein's quantile, linear in ln(1/gamma) as the Poisson tail asks."""


def tail_at_enough(m: Numbers, n: Real, gamma: Real) -> Real:
    return tail(m, n, enough_changes(m, gamma=gamma) - 1)


epsilon_after_enough = enough_changes * epsilon
delta_after_enough = enough_changes * delta * exp(enough_changes * epsilon) + gamma


claims = [
    Claim(
        id="quantile/thm-3.7-binomial",
        title="number of resampled records that change",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 2"),
        says="The number Delta of drawn records that differ between two neighbouring sources is binomial with n trials of "
        "probability 1/n, and Pr[Delta >= z + 1] <= exp(-z^2/3) for every real z > 0.",
        parameters=(N, EXCESS),
        formulas={"tail": tail, "tail_bound": tail_bound},
        asserts=(Relation("tail", "<=", "tail_bound", step=True),),
        over=("every pair of neighbouring sources of n records",),
        note="The multiplicative Chernoff bound with mean 1 gives this for z <= 1 only; beyond it is exp(-z^2/(2 + z)). "
        "Beyond z = 4 it is false: n = 100, z = 5: tail 5.3e-4, bound 2.4e-4.",
    ),
    Claim(
        id="quantile/thm-3.7-binomial-amended",
        amends="quantile/thm-3.7-binomial",
        kind=Kind.BOUND,
        source=QUANTILE.at("Appendix A.6, step 2"),
        says="The same with exp(-z^2/(2 + z)), the multiplicative Chernoff bound for every real z > 0.",
        parameters=(N, EXCESS),
        formulas={"tail": tail, "tail_bound": tail_bound_enough},
        asserts=(Relation("tail", "<=", "tail_bound"),),
        over=("every pair of neighbouring sources of n records",),
    ),
    Claim(
        id="quantile/thm-3.7-resampling",
        title="privacy after resampling",
        kind=Kind.PRIVACY,
        source=QUANTILE.at("Appendix A.6, step 2, displays (12) to (14)"),
        says="Let A be (epsilon, delta)-DP on data sets of n records. B draws n records from its n records, uniformly with "
        "replacement, and runs A on them. For every gamma in (0, 1), with u = 3 sqrt(ln(1/gamma)) + 1, at least u drawn "
        "records change with probability at most gamma, and B is (u epsilon, u delta e^{u epsilon} + gamma)-DP.",
        uses=("quantile/thm-3.7-binomial",),
        parameters=(N, EPSILON, DELTA.within(nonnegative), GAMMA),
        formulas={
            "changes": changes,
            "tail_at_changes": tail_at_changes,
            "epsilon_after": epsilon_after,
            "delta_after": delta_after,
        },
        asserts=(
            Relation("tail_at_changes", "<=", "gamma", step=True),
            Relation("the answer of B", "is", "(epsilon_after, delta_after)-DP", step=True),
        ),
        over=("every (epsilon, delta)-DP algorithm A", "every two neighbouring sources"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the answer of A on the resampled records",
        note="The inequality on the number of changes is false for tiny gamma (n = 1000: 1.18e-23 against gamma = 1e-23), true "
        "for gamma >= 1e-18. The privacy of B does not hang on it alone: averaged over the number of draws, group privacy "
        "gives 2 sinh(epsilon) in the place of u epsilon, so that B is as private as printed for every n, gamma and delta "
        "where 2 sinh(epsilon) <= u epsilon. Where epsilon is large and delta negligible (about gamma e^(-u epsilon)) a "
        "counting algorithm A leaves no less than the tail. The case Delta = u is counted on both sides.",
    ),
    Claim(
        id="quantile/thm-3.7-resampling-amended",
        amends="quantile/thm-3.7-resampling",
        kind=Kind.PRIVACY,
        source=QUANTILE.at("Appendix A.6, step 2, displays (12) to (14)"),
        says="The same with u = sqrt(2 ln(1/gamma)) + ln(1/gamma)/3 + 1: for every n, gamma in (0, 1), epsilon and delta, at "
        "least u drawn records change with probability at most gamma, and B is (u epsilon, u delta e^{u epsilon} + gamma)-DP. "
        "(This u is smaller than the printed one for gamma > 1e-9.)",
        parameters=(N, EPSILON, DELTA.within(nonnegative), GAMMA),
        formulas={
            "changes": enough_changes,
            "tail_at_changes": tail_at_enough,
            "epsilon_after": epsilon_after_enough,
            "delta_after": delta_after_enough,
        },
        asserts=(
            Relation("tail_at_changes", "<=", "gamma"),
            Relation("the answer of B", "is", "(epsilon_after, delta_after)-DP"),
        ),
        over=("every (epsilon, delta)-DP algorithm A", "every two neighbouring sources"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the answer of A on the resampled records",
    ),
]
