"""Proof about noise whose density falls with the square of a smooth norm."""

from collections.abc import Mapping

from dpsco.spec.expressions import Json, log
from dpsco.spec.privacy.generalised_gaussian import radius, renyi
from dpsco.spec.privacy.profile import concentrated, enough_rho
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import by, chain, proved, ring
from dpsco.verify.tactics import at_larger


def written_out(claim: Statement) -> Json:
    """rho is epsilon^2/(4 l + 2 epsilon), l = ln(1/delta), which spends at most epsilon."""
    private, moment = claim.asserts
    kind, epsilon = private.left.args
    variance, sensitivity, kappa, d = kind.args
    neighbours, delta = kind.value[1][0], private.right
    into = by(renyi[neighbours], variance=variance, sensitivity=sensitivity, kappa=kappa, d=d, epsilon=epsilon)
    rho = into.shows.right.args[0].args[0]
    base = by(concentrated[neighbours], rho=rho, delta=delta)
    enough = by(enough_rho, epsilon=epsilon, l=log(1 / delta))
    spent = base.shows.left.args[1]
    order = chain(ring(spent, enough.shows.left), enough)
    second = by(radius, variance=moment.right.args[1], kappa=kappa, d=d)
    return assembled(claim, proved(chain(into, at_larger(base, epsilon, order))), proved(second))


JUDGES: Mapping[str, Judge] = {"lp/gen-gaussian-amended": written_out}
