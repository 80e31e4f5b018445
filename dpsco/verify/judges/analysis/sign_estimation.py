"""Proof about the sample complexity of private signs."""

from collections.abc import Mapping

from dpsco.spec.analysis.lower_bounds.sign_estimation import constant_answer
from dpsco.spec.expressions import E, Json, log, sqrt, symbol
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import by, chain, combine, number, refuted_order


def trivial_accuracy(claim: Statement) -> Json:
    """At alpha = sqrt(d) B_x one record is enough, while the printed bound grows with 1/epsilon'. The rest is not judged."""
    constant = symbol("C")
    path = claim.moved(alpha=sqrt(E(2)), epsilon_resampled=1 / (2 * constant))
    order = claim.asserts[0]
    left, right = (side.where(path) for side in (order.left, order.right))
    alpha, epsilon, delta, d, bound = right.args
    one = by(constant_answer, alpha=alpha, epsilon=epsilon, delta=delta, d=d, B_x=bound)
    half = number(log(E(2)) / 2 < 1)
    small = combine(constant * left < 1, (1, half))
    return assembled(claim, refuted_order(claim, constant, path, chain(small, one)), None, None)


JUDGES: Mapping[str, Judge] = {"quantile/thm-3.7-sample": trivial_accuracy}
