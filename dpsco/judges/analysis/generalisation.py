"""Judge of the identity between the generalisation gap and the change of the loss that one replaced record makes."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product

from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.chains import follows
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis import generalisation as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

SYMMETRIC = "every symmetric algorithm, its randomness averaged"
SURVIVES = "The identity of the two differences for symmetric algorithms; without symmetry it holds in the mean over i."
FRESH = Lemma(
    "a fresh record",
    "d_i' is independent of D, of the algorithm's randomness, and has the law P: E loss(A(D), d_i') is the mean of the "
    "population risk of A(D), for every integrable loss.",
)
EXCHANGED = Lemma(
    "exchange of the replaced record",
    "The n + 1 records are independent with one law, so renaming d_i and d_i' turns E loss(A(D), d_i) into E loss(A(D'), "
    "d_i'). A symmetric algorithm has one law whatever the order, so E loss(A(D), d_j) is the same for every j, and their "
    "mean, the empirical risk, is that of index i.",
    (Adjacency.REPLACE_ONE,),
)
FACTS: Mapping[str, Callable[..., Real]] = {
    "population risk = loss at the fresh record": lambda m, population_risk, fresh_loss: population_risk - fresh_loss,
    "empirical risk = loss of the replaced run": lambda m, empirical_risk, replaced_loss: empirical_risk - replaced_loss,
}
FLIPS = 2
"""Records are 0 or 1 with equal chance."""


def mean_of(data: tuple[int, ...], m: Numbers) -> Real:
    """A symmetric algorithm: the mean of the records."""
    return m.real(sum(data)) / len(data)


def last_of(data: tuple[int, ...], m: Numbers) -> Real:
    """An algorithm that is not symmetric: the last record."""
    return m.real(data[-1])


def expectations(m: Numbers, n: int, algorithm: Callable[[tuple[int, ...], Numbers], Real], scale: int = 1) -> dict[str, Real]:
    """The four means at index i = 1 by enumeration, with the loss scale (theta - d)^2."""
    totals = dict.fromkeys(("population_risk", "empirical_risk", "fresh_loss", "replaced_loss"), m.real(0))
    for *records, fresh in product(range(FLIPS), repeat=n + 1):
        data = tuple(records)
        here, there = algorithm(data, m), algorithm((fresh, *data[1:]), m)
        totals["population_risk"] += sum((scale * (here - d) ** 2 for d in range(FLIPS)), m.real(0)) / FLIPS
        totals["empirical_risk"] += sum((scale * (here - d) ** 2 for d in data), m.real(0)) / n
        totals["fresh_loss"] += scale * (here - fresh) ** 2
        totals["replaced_loss"] += scale * (there - fresh) ** 2
    return {"n": m.real(n), **{name: total / FLIPS ** (n + 1) for name, total in totals.items()}}


def identity(sign: str, claim: Claim) -> Iterator[Finding]:
    """Both sides for enumerated algorithms, then from the two facts."""
    m, scope = arb(), "gap against the change at a replaced record, every law, loss, index and n"
    symmetric = SYMMETRIC in claim.over
    cases = [(mean_of, n, scale) for n in (1, 2, 3, 5) for scale in (1, -3)]
    cases += [] if symmetric else [(last_of, 2, 1)]
    for algorithm, n, scale in cases:
        values = expectations(m, n, algorithm, scale)
        left, right = (apply(claim.formulas[name], m, values) for name in ("gap", "replacement_change"))
        if {"=": m.eq, "<=": m.le, ">=": m.ge}[sign](left, right) is False:
            yield refuted(
                scope,
                right,
                left,
                {"n": str(n), "i": "1"},
                method=f"records 0 or 1, squared loss times {scale}, {(algorithm.__doc__ or '').strip()} All data sets counted",
                severity=Severity.CONCLUSION,
                survives=SURVIVES,
                adjacency=claim.adjacency,
            )
            return
    proof = follows(claim.formulas["gap"], sign, claim.formulas["replacement_change"], {}, FACTS, claim.parameters)
    holds = proof is not None and symmetric
    yield Finding(
        scope=scope,
        verdict=Verdict.CERTIFIED if holds else Verdict.OPEN,
        rung=Rung.EXACT if holds else None,
        method=f"the difference of the sides is {proof}" if holds else "",
        coverage=(f"{len(cases)} algorithms and laws enumerated",),
        adjacency=claim.adjacency,
        lemmas=(FRESH, EXCHANGED),
        reason=None if holds else "neither follows from the two facts nor fails for the algorithms tried",
    )


READ: Table = {Relation("gap", sign, "replacement_change"): partial(identity, sign) for sign in ("=", "<=", ">=")}

JUDGES = {"spo/lem-7": partial(by_assertion, table=READ)}

MUTANTS = {"spo/lem-7": mutants.of_identity}
