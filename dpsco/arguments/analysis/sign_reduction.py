"""From private maps of S(X) to private sign classifiers of X: what one replaced row of X does to S(X), and what it costs."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import sympy

from dpsco.arguments.analysis.sign_errors import nonnegative
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import quantity
from dpsco.instances.grid import grid
from dpsco.reference.analysis.lower_bounds.quantile_minimax import records_changed
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.group import growth
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung

ONE = (Adjacency.REPLACE_ONE,)
COUNTED = Lemma(
    "the products count the sign",
    "d = 1: all products x_i y_i have the sign of the mean row. B answers 1 with probability p_k if k of n products are "
    "positive, p_{k+1} the most that (epsilon', delta')-DP allows after p_k: private on all data. X with one positive row "
    "more than negative ones, and X with one of them turned: the n products are all positive on one, all negative on the "
    "other.",
    ONE,
)
ALL_RECORDS = Lemma(
    "at most all records",
    "Two data sets of n records differ in at most n, and group privacy at distance n is (n epsilon', delta' (e^(n epsilon') - "
    "1)/(e^epsilon' - 1))-DP; a larger budget is implied. Taking signs is postprocessing.",
    ONE,
)
CLASSIFIER = Lemma(
    "each B gives a C",
    "C(X) = sign(B(S(X))) has the error of B and the budget shown above: the infimum over C is no larger.",
    ONE,
)
BETTER = Lemma(
    "a B better than every C",
    "n = 3, d = 1, F = e^epsilon': p = (q, q F, 1 - q F, 1 - q), q = 1/(F + F^2), is a chain of (epsilon', 0)-DP steps, so "
    "its error is at most B_x q. Any C has, on the neighbours of means B_x/3 and -B_x/3, errors that add up to at least "
    "(B_x/3) 2 (1 - delta')/(1 + F), and one of them at least half of it.",
    ONE,
)
REDUCED = "Budget n epsilon' in the place of epsilon', and the lower bound by sign errors: the amendment."
TOLD = {"epsilon": ("2", "0.5", "5"), "delta": ("1e-30", "1e-6", "0.1")}
RECORDS = (3, 5, 9, 1)


def private_signs(names: tuple[str, str], claim: Claim) -> Iterator[Finding]:
    """Whether the sign of B(S(X)) keeps the budget: the worst chain, or group privacy over all n records."""
    scope = "sign of B(S(X)) as a map of X"
    bad = next(_told(names, claim), None)
    if bad is not None:
        at, needed, allowed = bad
        yield refuted(
            scope,
            allowed,
            needed,
            at,
            method="p_n - e^(budget) p_0 of a chain, enclosed, against the claimed delta",
            severity=PROOF_STEP,
            survives=REDUCED,
            adjacency=claim.adjacency,
            lemmas=(COUNTED,),
        )
        return
    yield _kept(names, claim, scope, (ALL_RECORDS,))


def _kept(names: tuple[str, str], claim: Claim, scope: str, lemmas: tuple[Lemma, ...]) -> Finding:
    m = symbolic()
    v = {name: sympy.Symbol(name, positive=True) for name in ("n", "epsilon", "delta")}
    budget, lost = (quantity(claim, name, m, v) for name in names)
    most = v["delta"] * (sympy.exp(v["n"] * v["epsilon"]) - 1) / (sympy.exp(v["epsilon"]) - 1)
    holds = nonnegative(sympy.expand(budget - v["n"] * v["epsilon"])) and sympy.simplify(lost / most) == 1
    return proved(scope, holds, "exact: the budget is that of group privacy at distance n", lemmas=lemmas)


def _told(names: tuple[str, str], claim: Claim) -> Iterator[tuple[dict[str, str], Real, Real]]:
    m = arb(320)
    for instance in grid(claim, TOLD):
        for n in RECORDS:
            v = {**{name: m.real(value) for name, value in instance.items()}, "n": m.real(n)}
            budget, lost = (quantity(claim, name, m, v) for name in names)
            factor = m.exp(v["epsilon"])
            for start in (1 / (factor + factor**2), factor ** (-n) / 2, m.real(0)):
                last = list(growth(start, factor, v["delta"], n))[-1]
                needed = last - m.exp(budget) * start
                if m.gt(needed, lost) is True:
                    yield {**instance, "n": str(n), "d": "1"}, needed, lost


def changed(most: Callable[[Claim, Numbers, int], Real], claim: Claim) -> Iterator[Finding]:
    """How many records of S differ for neighbours, counted on exact data of each size."""
    m, scope = arb(), "records of S that one row of X changes"
    for n in (1, 3, 9):  # odd, so that no sum is 0, whose sign the paper leaves open
        half = n // 2  # one row turns the sign of the sum, which is 1 before
        rows = ((1,),) * (n - half) + ((-1,),) * half
        turned = ((-1,), *rows[1:])
        count = records_changed(rows, turned, Fraction(1))
        if m.gt(m.real(count), most(claim, m, n)) is True:
            yield refuted(
                scope,
                f"at most {most(claim, m, n).str(5)}",
                str(count),
                {"n": str(n), "d": "1", "X": str(rows), "X'": str(turned)},
                method="both data sets in exact arithmetic",
                severity=PROOF_STEP,
                survives=REDUCED,
                rung=Rung.EXACT,
            )
            return
    n = sympy.Symbol("n", positive=True)
    holds = nonnegative(most(claim, symbolic(), n) - n)
    yield proved(scope, holds, "exact: all n records", lemmas=(ALL_RECORDS,))


def classifier(names: tuple[str, str], claim: Claim) -> Iterator[Finding]:
    """The least error over B against that over C with the named budget."""
    m, scope = arb(), "least error over B of S against that over C of X"
    for instance in grid(claim, TOLD):
        v = {**{name: m.real(value) for name, value in instance.items()}, "n": m.real(3)}
        factor = m.exp(v["epsilon"])
        budget, lost = (quantity(claim, name, m, v) for name in names)
        one, other = 1 / (factor + factor**2), (1 - lost) / (3 * (1 + m.exp(budget)))
        if m.lt(one, other) is True:
            yield refuted(
                scope,
                f"at least {ends(other)[0]}",
                ("0", ends(one)[1]),
                {**instance, "n": "3", "d": "1"},
                method="error of one B from above, of every C from below, both over B_x",
                severity=PROOF_STEP,
                survives=REDUCED,
                adjacency=claim.adjacency,
                lemmas=(BETTER,),
            )
            return
    yield _kept(names, claim, scope, (ALL_RECORDS, CLASSIFIER))
