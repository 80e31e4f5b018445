"""Judge of regular spaces and of the potentials that their smooth norms give."""

from collections.abc import Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.analysis.geometry.regular_sums import large_sums
from dpsco.arguments.analysis.geometry.strong_convexity import meant_index, strongly_convex
from dpsco.arguments.analysis.regular_spaces import regular
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import grid
from dpsco.mutants.analysis.geometry import regularity as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Severity, Verdict

SAME = Relation("kappa", "=", "kappa_through_dual_exponent")
REGULAR = Relation("(R^d, l_{p/(p-1)})", "is", "kappa-regular")
BELOW = Relation("left", "<=", "right")
CONVEX = Relation("Phi", "is", "1-strongly convex with respect to |.|_p")
MENDED = "With kappa = min(1/(p-1), 2 e ln d), d >= 2, it holds; on the line every norm is 1-regular."
POTENTIAL = (
    "With kappa = min(1/(p-1), 2 e ln d), kappa_+ = r/(r-1), r = min(p/(p-1), max(2, 2 ln d)), d >= 2, it holds; as printed "
    "Phi keeps a positive modulus where kappa_+ <= 2."
)
AXES = {"p": ("1.001", "1.25", "1.5", "1.75", "1.999"), "d": ("1", "2", "3", "9", "1000000")}


def same_constant(claim: Claim) -> Iterator[Finding]:
    """Both forms of kappa, as expressions branch by branch."""
    names = ("kappa", "kappa_through_dual_exponent")
    tried = grid(claim, AXES)
    m = arb()
    for at in tried:
        one, other = (apply(claim.formulas[n], m, {name: m.real(v) for name, v in at.items()}) for n in names)
        if m.eq(one, other) is False:
            yield refuted(
                "both forms of kappa",
                other,
                one,
                at,
                method="both sides enclosed",
                severity=Severity.MISPRINT,
                survives="p/(p-1) - 1 = 1/(p-1).",
            )
            return
    branches = [
        {sympy.cancel(branch) for branch in sympy.Min.make_args(expression(claim.formulas[n]))}  # make_args: one or several
        for n in names
    ]
    if branches[0] == branches[1]:
        yield certified("both forms of kappa", "computer algebra: both minima have the same branches", coverage=tried.coverage)
    else:
        yield Finding(scope="both forms of kappa", verdict=Verdict.OPEN, reason="the branches are not seen to be the same")


def is_regular(claim: Claim) -> Iterator[Finding]:
    """The constant of regularity: sums against it, the smooth norm l_r for it."""
    kappa = claim.formulas["kappa"]
    scope = "regularity of l_{p/(p-1)}^d, p in (1, 2)"
    yield from large_sums(claim, kappa, severity=Severity.CONSTANT, survives=MENDED, asserts=())
    yield from regular(claim, kappa, scope, severity=Severity.CONSTANT, survives=MENDED, asserts=())


def convex_potential(claim: Claim) -> Iterator[Finding]:
    """Strong convexity, which is its midpoint inequality: both assertions at once."""
    decided = tuple(relation for relation in claim.asserts if relation in (BELOW, CONVEX))
    for finding in strongly_convex(claim, POTENTIAL):
        yield replace(finding, asserts=decided)
    if claim.amends is None:
        yield from meant_index(claim)


regular_space = reading({SAME: same_constant, REGULAR: is_regular})

JUDGES = {
    "lp/regular": regular_space,
    "lp/regular-amended": regular_space,
    "lp/phi": convex_potential,
    "lp/phi-amended": convex_potential,
}

MUTANTS = {"lp/regular-amended": mutants.of_regular, "lp/phi-amended": mutants.of_potential}
