"""Judge of the newsvendor cost as a scaled quantile loss: on cells of the residual, for all positive costs."""

from collections.abc import Callable, Iterator

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.cells import UndecidedError, cells, sign, weakest
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, proved
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.envelope_cells import Q
from dpsco.arguments.losses.smoothed_loss import two_sided
from dpsco.mutants.losses import newsvendor as mutants
from dpsco.spec.claim import Claim
from dpsco.spec.domain import positive, reals
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

Formula = Callable[..., Real]
EXPECTED = Lemma(
    "expected excess",
    "C(y - theta'x) - C(y - theta*'x) is c_u + c_o times the same difference of check losses, record by record; so are the "
    "expectations, for every distribution for which one of the two exists, and with them the excess over the infimum: a "
    "positive factor goes through expectation and infimum.",
)
USUAL = {"c_u": positive, "c_o": positive, "u": reals}
METHOD = "on the cells u > 0, u = 0 and u < 0, for all positive costs, by the signs of coefficients"
SHORTAGES: list[Instance] = [
    {"u": u, "c_u": c_u, "c_o": c_o}
    for u in ("0", "1", "-1", "0.125", "-40")
    for c_u, c_o in (("1", "1"), ("3", "0.25"), ("0.0625", "8"), ("1000000", "1"))
]


def on_cells(left: Formula, right: Formula, claim: Claim) -> str | None:
    """The sign between two formulas of u, c_u and c_o over all of them; None where it is not decided."""
    if any(USUAL.get(p.name) != p.domain for p in claim.parameters):
        return None
    c_u, c_o = sympy.symbols("c_u c_o", positive=True)
    places = [{"u": u, "c_u": c_u, "c_o": c_o} for u in (Q, -Q, sympy.Integer(0))]
    try:
        return weakest(sign(apply(left, cells(), p) - apply(right, cells(), p)) for p in places)
    except UndecidedError:
        return None


def own_level(m: Numbers, c_u: Real, c_o: Real) -> Real:
    """The level r with r : 1 - r = c_u : c_o."""
    return 1 / (1 + c_o / c_u)


def own_cost(m: Numbers, u: Real, c_u: Real, c_o: Real) -> Real:
    """c_u u+ + c_o (-u)+ without a maximum."""
    return ((c_u + c_o) * m.abs(u) + (c_u - c_o) * u) / 2


def scaled(claim: Claim, relation: str) -> Iterator[Finding]:
    """The cost against the scaled loss; and what both are, with the level that is printed."""
    cost, loss, level = (claim.formulas[name] for name in ("cost", "scaled_quantile_loss", "level"))
    tried = admitted(claim, SHORTAGES)

    def at_level(m: Numbers, u: Real, c_u: Real, c_o: Real) -> Real:
        return (c_u + c_o) * two_sided(m, u, level(m, c_u=c_u, c_o=c_o))

    def side(scope: str, left: Formula, between: str, right: Formula) -> Finding:
        return compared(
            scope,
            left,
            between,
            right,
            known=on_cells(left, right, claim),
            instances=tried,
            method=METHOD,
            severity=Severity.CONSTANT,
            survives="c_u u+ + c_o (-u)+ = (c_u + c_o) c(u) with the check loss c of level c_u / (c_u + c_o).",
        )

    yield side("the cost against the scaled quantile loss", cost, relation, loss)
    yield side("the printed cost is c_u u+ + c_o (-u)+", own_cost, "=", cost)
    yield side("the printed level is the critical ratio", own_level, "=", level)
    yield side("the scaled loss is c_u + c_o times the check loss of the printed level", at_level, "=", loss)
    whole = on_cells(cost, loss, claim) == on_cells(own_level, level, claim) == "="
    yield proved("excess expected cost, every distribution", whole, "written lemma", lemmas=(EXPECTED,))


JUDGES = {
    "quantile/sec-4.2": reading(every_sign("cost", "scaled_quantile_loss", scaled)),
}
MUTANTS = {"quantile/sec-4.2": mutants.of_cost}
