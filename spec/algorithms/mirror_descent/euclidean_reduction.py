"""Heavy-tailed private optimization in l_p^d, p >= 2, by running a Euclidean algorithm and comparing norms."""

from dpsco.spec.algorithms.mirror_descent.truncated import DIAMETER, LOSSES
from dpsco.spec.algorithms.mirror_descent.truncated_utility import BOUNDED_MOMENT, LARGEST_MOMENT, LOST, MOMENT
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Interval, Parameter, nonnegative, open_unit, positive
from dpsco.spec.expressions import E, sqrt, symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import DELTA, EPSILON, D, N, P
from dpsco.spec.predicate import Predicate

M, R_, d, epsilon, euclidean_diameter = symbols("M R_ d epsilon euclidean_diameter")
largest_population_gradient, n, p = symbols("largest_population_gradient n p")


_noise = sqrt(euclidean_diameter) * d ** E("5/4") / sqrt(n * epsilon)
euclidean_rate = euclidean_diameter * d / sqrt(n) + _noise
"""What is cited for the l2 norm."""

euclidean_diameter_bound = d ** (E("1/2") - 1 / p) * M
large_p_rate = d ** (E("3/2") - 1 / p) / sqrt(n) + d ** (E("3/2") - 1 / (2 * p)) / sqrt(n * epsilon)
population_gradient_is_bounded = largest_population_gradient <= R_


claims = [
    Claim(
        id="lp/thm-15",
        title="excess risk in l_p for p at least 2",
        kind=Kind.RATE,
        source=LP.at("Theorem 15", "section 10.2", "Assumption 5", "display (29)"),
        says="In l_p^d with 2 <= p <= inf, under Assumption 4, Algorithm 1 of Kamath et al. 2022 is (epsilon, delta)-DP for "
        "all 0 < epsilon, delta < 1; if moreover the loss is nonnegative, the population gradient has |.|_* at most some R = "
        "O(1) on C and vanishes at the optimum, its output has expected excess population risk O(d^{3/2 - 1/p} / sqrt(n) + "
        "d^{3/2 - 1/(2p)} / sqrt(n epsilon)). Proof: their bound O(M_2 d / sqrt(n) + sqrt(M_2) d^{5/4} / sqrt(n epsilon)) "
        "for the l2 diameter M_2, with M_2 <= d^{1/2 - 1/p} M; E|grad l - grad of the population loss|_*^2 <= sigma^2 "
        "implies the second moment bound coordinate by coordinate, |population gradient|_* <= R the same in l2.",
        parameters=(
            D,
            P.within(Interval("2", "inf", low_open=False, high_open=False)),
            N,
            EPSILON.within(open_unit),
            DELTA,
            DIAMETER,
            Parameter("euclidean_diameter", "M_2: l2 diameter of C", positive, "decision"),
            Parameter("R_", "R: bound on the population gradient", positive, "loss/decision"),
            Parameter("largest_population_gradient", "largest |population gradient|_* on C", nonnegative, "loss/decision"),
            MOMENT,
            LARGEST_MOMENT,
        ),
        formulas={
            "rate": large_p_rate,
            "euclidean_rate": euclidean_rate,
            "euclidean_diameter_bound": euclidean_diameter_bound,
        },
        asserts=(
            Relation("E[population loss of w] - population loss of theta*", "<=O", "rate"),
            Relation("euclidean_diameter", "<=", "euclidean_diameter_bound"),
            Relation("euclidean_rate at euclidean_diameter_bound", "<=O", "rate"),
            Relation("E<grad l - grad of the population loss, e_j>^2, every j", "<=", "sigma^2"),
            Relation("|grad of the population loss|_2", "<=", "R_"),
            Relation("w", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(
            BOUNDED_MOMENT,
            Predicate(
                "|grad of the population loss|_* <= R on C",
                population_gradient_is_bounded,
                accepts={"largest_population_gradient": "1", "R_": "1"},
                rejects={"largest_population_gradient": "2", "R_": "1"},
            ),
        ),
        provenance=Provenance.REPAIRED,
        over=("distributions of the records", LOSSES, "nonnegative losses whose population gradient vanishes at the optimum"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the output w of the cited algorithm",
        note="Mended: both sides of the implication on sigma^2 are printed with |.|_2; the first is |.|_*. M, sigma and R are "
        "hidden as constants; with them the first term is M d^{3/2 - 1/p}/sqrt(n), the second "
        "sqrt(M) .... "
        + LOST
        + "The cited theorem (its logarithms, smoothness and moment conditions) is not checkable from here; no ln(1/delta) "
        "appears. A remark of the proof about Lipschitz losses has no use under Assumption 4.",
    ),
]
