"""Judge of the newsvendor's resampling step: the same arguments as the quantile paper's, with its own names."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from dpsco.arguments.analysis.draws_tail import Names as TailNames
from dpsco.arguments.analysis.draws_tail import bounded
from dpsco.arguments.analysis.resampling import Names
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import every_sign
from dpsco.judges.analysis.lower_bounds.resampling import resampled, tail_is_small
from dpsco.mutants.analysis.lower_bounds import group as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding

NAMES = Names("epsilon_resampled", "delta_resampled")


def drawn_at_most(claim: Claim) -> Iterator[Finding]:
    """The printed tail at the printed u against gamma: the quantile paper's assertion under other names."""
    tail, u = claim.formulas["draws_tail"], claim.formulas["draws_at_most"]

    def at_u(m: Numbers, n: Real, gamma: Real) -> Real:
        return tail(m, n, u(m, gamma=gamma) - 1)

    yield from tail_is_small(replace(claim, formulas={"changes": u, "tail_at_changes": at_u}))


READ: Table = {
    **every_sign("draws_tail", "draws_tail_bound", partial(bounded, TailNames("draws_tail", "draws_tail_bound"))),
    Relation("draws_tail at z = draws_at_most - 1", "<=", "gamma"): drawn_at_most,
    Relation("resampling, then A", "is", "(epsilon_resampled, delta_resampled)-DP"): partial(resampled, names=NAMES),
}

JUDGES = dict.fromkeys(
    (f"newsvendor/thm-7-{part}{kind}" for part in ("binomial", "group") for kind in ("", "-amended")), reading(READ)
)

MUTANTS = {
    "newsvendor/thm-7-binomial-amended": mutants.of_binomial,
    "newsvendor/thm-7-group-amended": mutants.of_group,
}
