"""Uniform stability and the gap between population and empirical loss."""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import symbols
from dpsco.spec.papers import LP
from dpsco.spec.parameters import N
from dpsco.spec.predicate import Predicate

alpha, largest_change = symbols("alpha largest_change")


gap_bound = alpha
is_uniformly_stable = largest_change <= alpha


claims = [
    Claim(
        id="lp/lem-8",
        title="generalisation gap of uniformly stable algorithms",
        kind=Kind.BOUND,
        unproved=True,
        source=LP.at("Lemma 8"),
        says="If A is alpha-uniformly stable for the loss l, that is |E l(A(D), z) - E l(A(D'), z)| <= alpha for every z and "
        "all D, D' that differ in one record, and D holds n independent draws of P, then the expectation over D and A of the "
        "population loss of A(D) minus its empirical loss on D is at most alpha.",
        parameters=(
            N,
            Parameter("alpha", "uniform stability", nonnegative, "loss"),
            Parameter(
                "largest_change", "supremum over neighbours and z of |E l(A(D), z) - E l(A(D'), z)|", nonnegative, "loss"
            ),
        ),
        formulas={"bound": gap_bound},
        asserts=(Relation("E[population loss of A(D) - empirical loss of A(D) on D]", "<=", "bound"),),
        preconditions=(
            Predicate(
                "A is alpha-uniformly stable",
                is_uniformly_stable,
                accepts={"largest_change": "0.1", "alpha": "0.2"},
                rejects={"largest_change": "0.2", "alpha": "0.1"},
            ),
        ),
        over=("distributions P", "losses with finite expectations", "randomised algorithms A: X^n -> C"),
        note="Stability is defined in Lemma 7 with the expectation over A inside the absolute value; that suffices. D and D' "
        "differ by replacing one record: under add-remove adjacency the argument changes n.",
    ),
]
