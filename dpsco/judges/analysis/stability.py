"""Judge of the generalisation gap of uniformly stable algorithms: the gap is a mean of changes by one replaced record."""

from collections.abc import Iterator
from fractions import Fraction

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis import stability as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.stability import is_uniformly_stable
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Lemma, Severity

RENAMED = Lemma(
    "each record renamed with a fresh one",
    "z' drawn apart from D: E l(A(D), z') is the mean population loss. For each i the n + 1 draws are independent with one "
    "law, so E l(A(D), z_i) = E l(A(D_i), z'), D_i with z' in the place of z_i. The gap is the mean over i of E[l(A(D), z') - "
    "l(A(D_i), z')], each at most the largest change of an expectation over A at neighbours and a point: no symmetry is "
    "needed.",
)
ATTAINED = Lemma(
    "remembering the data",
    "Records uniform on N values, A(D) = D, l(D, z) = -alpha n (share of z in D): one replaced record changes it by alpha at "
    "most, attained. Population loss -alpha n/N, empirical loss -alpha n (mean over i of the share of z_i) = -alpha (1 + (n - "
    "1)/N): the gap is alpha (1 - 1/N).",
)
NAMES = Fraction(10**6)
SIZES = (1, 2, 10, 1000)
ALPHAS = ("0.001", "0.5", "1", "7")


def gap(claim: Claim) -> Iterator[Finding]:
    """The bound against gaps that come near alpha, and against alpha."""
    m, scope = arb(), "mean gap of every stable algorithm"
    stable = is_uniformly_stable in claim.tests
    for n in SIZES:
        for alpha in ALPHAS:
            change = m.real(alpha) * (1 if stable else 2)
            v = {"n": m.real(n), "alpha": m.real(alpha), "largest_change": change}
            said, true = apply(claim.formulas["bound"], m, v), change * (1 - 1 / m.real(NAMES))
            if m.gt(true, said) is True:
                yield refuted(
                    scope,
                    f"at most {ends(said)[1]}",
                    true,
                    {"n": str(n), "alpha": alpha, "largest_change": ends(change)[1], "N": str(NAMES)},
                    method="the gap of an algorithm that answers its data, exact",
                    severity=Severity.CONSTANT,
                    survives="The bound alpha, for alpha-uniformly stable algorithms.",
                    lemmas=(ATTAINED,),
                )
                return
    change, slack = sympy.symbols("largest_change slack", nonnegative=True)
    values = {"alpha": change + slack, "n": sympy.Symbol("n", positive=True), "largest_change": change}
    above = sympy.simplify(apply(claim.formulas["bound"], symbolic(), values) - change)
    yield proved(
        scope,
        above.is_nonnegative is True,
        f"exact: the bound is the largest change plus {above}, slack = alpha less that change",
        lemmas=(RENAMED,),
        given=(is_uniformly_stable,),
        coverage=(f"{len(SIZES) * len(ALPHAS)} exact gaps below it",),
    )


READ: Table = {Relation("E[population loss of A(D) - empirical loss of A(D) on D]", "<=", "bound"): gap}
JUDGES = {"lp/lem-8": reading(READ)}
MUTANTS = {"lp/lem-8": mutants.of_gap}
