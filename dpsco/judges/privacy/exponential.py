"""Judge of the exponential mechanism: is its privacy loss within what is printed, for every range and utility?

The printed probabilities are read off as weights e^{c u} over their sum; the loss of such a mechanism is at most twice c times
the utility's largest change, and two outputs, one of them a favourite, come as near to that as one likes.
"""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.instances.privacy import EPSILONS
from dpsco.mutants.privacy import exponential as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

CHANGES = ("0", "0.15", "0.3", "0.6", "3.5", "7", "14")
SENSITIVITIES = ("0", "0.3", "7")
FAVOUR = 200
"""How much larger, in nats, the favourite's weight is: the other output then changes by almost the whole bound."""

WEIGHTS = Lemma(
    "loss of a normalised weight",
    "Let p(r) = e^{c u(r)} / sum e^{c u(r')} over a finite range and let u change by at most D. The numerator changes by a "
    "factor within e^{-cD} and e^{cD}, every term of the sum and so the sum as well: p(r) changes by a factor of at most "
    "e^{2cD}.",
)
TWO_OUTPUTS = Lemma(
    "two outputs, one of them a favourite",
    "On the utilities (0, M) and (D, M - D) the first output has the probabilities 1/(1 + e^{cM}) and 1/(1 + e^{cM - 2cD}); "
    "their quotient tends to e^{2cD} as M grows.",
)


def within_printed_loss(claim: Claim) -> Iterator[Finding]:
    """The printed loss against the largest one, over every instance that meets the preconditions."""
    tried = grid(claim, {"epsilon": EPSILONS, "Delta_u": SENSITIVITIES, "largest_utility_change": CHANGES})
    common: dict[str, Any] = {
        "scope": "a draw with the printed probabilities, every finite range, every utility",
        "adjacency": claim.adjacency,
        "release": "the drawn output",
        "coverage": tried.coverage,
    }
    for instance in tried:
        found = _exceeds(claim, instance)
        if found is not None:
            printed, true, at = found
            yield refuted(
                **common,
                claimed=printed,
                computed=true,
                at=at,
                method="log of the quotient of the printed probabilities of one of two outputs, enclosed",
                severity=Severity.CONSTANT,
                survives="The loss is twice the factor of the utility times the utility's largest change.",
                lemmas=(TWO_OUTPUTS,),
            )
            return
    factor = _factor(claim)
    change = _largest_change(claim)
    s = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "Delta_u")}
    slack = None
    if factor is not None and change is not None:
        slack = sympy.simplify(apply(claim.formulas["privacy_loss"], symbolic(), s) - 2 * factor * change)
    if slack is not None and slack.is_nonnegative:
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"computer algebra: weights e^({factor} u) over their sum; printed loss less 2 {factor} {change}: {slack}",
            lemmas=(WEIGHTS, TWO_OUTPUTS),
        )
        return
    yield Finding(
        **common, verdict=Verdict.OPEN, reason=f"no violation at {len(tried)} instances, and the weights are not read off"
    )


def _exceeds(claim: Claim, instance: Instance) -> tuple[Real, Real, Instance] | None:
    """Printed and attained loss where the second is certainly larger."""
    m = arb(1024)
    values = {name: m.real(value) for name, value in instance.items()}
    change = values["largest_utility_change"]
    favourite = m.real(str(FAVOUR)) / values["epsilon"] + 2 * change
    before, after = (m.real(0), favourite), (change, favourite - change)
    first, second = (
        claim.formulas["probability"](m, epsilon=values["epsilon"], utility=u[0], utilities=list(u)) for u in (before, after)
    )
    true, printed = m.abs(m.log(second / first)), apply(claim.formulas["privacy_loss"], m, values)
    if m.gt(true, printed) is not True:
        return None
    at = {
        **instance,
        "utilities": f"(0, {favourite.str(6, radius=False)}) and (D, M - D), D = {instance['largest_utility_change']}",
    }
    return printed, true, at


def _factor(claim: Claim) -> Any:
    """c, if the printed probabilities on ranges of one to four outputs are e^{c u} over the sum of these; None otherwise."""
    epsilon = sympy.Symbol("epsilon", positive=True)
    found: Any = None
    for size in range(1, 5):
        u = sympy.symbols(f"u_1:{size + 1}", real=True)
        p = [claim.formulas["probability"](symbolic(), epsilon=epsilon, utility=x, utilities=list(u)) for x in u]
        if size == 1:
            if sympy.simplify(p[0] - 1) != 0:
                return None
            continue
        c = sympy.simplify(sympy.diff(sympy.expand_log(sympy.log(sympy.simplify(p[0] / p[1])), force=True), u[0]))
        total = sum(sympy.exp(c * x) for x in u)
        exact = all(sympy.simplify(q * total - sympy.exp(c * x)) == 0 for q, x in zip(p, u, strict=True))
        if c.free_symbols & set(u) or not exact or (found is not None and sympy.simplify(found - c) != 0):
            return None
        found = c
    return found


def _largest_change(claim: Claim) -> Any:
    """The largest change of the utility that the preconditions admit, None if they bound it by nothing."""
    for predicate in claim.preconditions:
        relation = predicate(symbolic(), {name: sympy.Symbol(name, positive=True) for name in predicate.names})
        if isinstance(relation, sympy.LessThan) and relation.lhs == sympy.Symbol("largest_utility_change", positive=True):
            return relation.rhs
    return None


READ = {Relation("a draw with probability", "is", "privacy_loss-DP"): within_printed_loss}

JUDGES = {"spo/thm-1": reading(READ)}

MUTANTS = {"spo/thm-1": mutants.of_loss}
