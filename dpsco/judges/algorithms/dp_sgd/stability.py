"""Judge of DP-SGD's uniform stability: the iterates, their average, the loss at a test record."""

from collections.abc import Iterator, Mapping
from functools import partial

from dpsco.arguments.algorithms.descent.averaged_descent import DRAWN, NONEXPANSIVE, OPPOSITE, distance, distance_of_averages
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.dp_sgd import stability as mutants
from dpsco.spec.algorithms.dp_sgd.stability import step_is_nonexpansive
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

AXES = {
    "n": ("1", "2", "3", "1000", "1000000"),
    "T": ("1", "2", "4", "9", "1000000", "1000000000000"),
    "L": ("0.05", "7"),
    "eta": ("0.001", "3"),
    "beta": ("0.01", "0.5"),
}
TEST = Lemma("Lipschitz loss", "The check loss at a record with |x| <= B_x changes by at most L times the distance.")


def iterate(m: Numbers, v: Mapping[str, Real]) -> Real:
    return distance(m, v["L"], v["eta"], v["T"], v["n"])


def averages(m: Numbers, v: Mapping[str, Real]) -> Real:
    return distance_of_averages(m, v["L"], v["eta"], v["n"] ** 2, v["n"])


def loss(m: Numbers, v: Mapping[str, Real]) -> Real:
    return v["L"] * averages(m, v)


def against(scope: str, true: Value, name: str, lemmas: tuple[Lemma, ...], claim: Claim) -> Iterator[Finding]:
    """The claimed bound against the supremum, which is known."""
    claimed = named(claim, name)
    yield bounded(
        Side(
            scope=scope,
            claimed=claimed,
            reached=true,
            holds=nonnegative(claim, expressed(claim, claimed) - expressed(claim, true)),
            method="the bound less the supremum over data sets, which is known, has nonnegative coefficients",
            instances=grid(claim, AXES),
            severity=Severity.CONSTANT,
            survives="It holds with t - 1 in the place of t: 2 L eta (t - 1)/n, and L eta (n^2 - 1)/n for the averages.",
            lemmas=(NONEXPANSIVE, DRAWN, *lemmas),
            given=(step_is_nonexpansive,),
            family=(OPPOSITE,),
            remark="not tight: the supremum has t - 1 for t, n^2 - 1 for 1 + n^2",
        )
    )


READ: Table = {
    Relation("E|theta_t - theta_t'|", "<=", "distance_after"): partial(
        against, "iterates, every t, data set, kernel, noise and dimension", iterate, "distance_after", ()
    ),
    Relation("E|theta - theta'|", "<=", "distance_of_averages"): partial(
        against, "averages of the n^2 iterates", averages, "distance_of_averages", ()
    ),
    Relation("E[ell(theta; x, y) - ell(theta'; x, y)]", "<=", "stability"): partial(
        against, "check loss at a test record", loss, "stability", (TEST,)
    ),
}

JUDGES = {"quantile/lem-3.3": reading(READ)}

MUTANTS = {"quantile/lem-3.3": mutants.of_stability}
