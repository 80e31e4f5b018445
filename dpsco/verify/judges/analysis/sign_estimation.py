"""Proof about the sample complexity of private signs."""

from collections.abc import Iterable, Mapping

from dpsco.spec.analysis.lower_bounds.sign_estimation import constant_answer, constant_error
from dpsco.spec.expressions import E, Expr, Json, equal, exp, log, sqrt, symbol
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import apply, by, chain, combine, number, refuted_order, ring, sign


def without_conditions(claim: Statement) -> Json:
    """An answer without data is as good as any at alpha = sqrt(d) B_x, and its error is bounded, while both printed bounds grow
    with 1/epsilon; the last one loses u, which grows as gamma falls.
    """
    constant = symbol("C")
    samples, error, passage = claim.asserts
    u = 3 * sqrt(log(E(2))) + 1
    at = claim.moved(alpha=sqrt(E(2)), epsilon=1 / (2 * constant * u))
    one = by(constant_answer, **_named("alpha epsilon delta d B_x", samples.right.where(at).args))
    left = constant * samples.left.where(at)
    few = chain(ring(left, log(E(2)) / 2), number(log(E(2)) / 2 < 1), one)

    at_error = claim.moved(epsilon=1 / (20 * constant * u))
    worst = by(constant_error, **_named("n epsilon delta d B_x", error.left.where(at_error).args))
    right = error.right.where(at_error)
    scaled = combine(constant * worst.shows.left <= constant * worst.shows.right, (constant, worst))
    large = chain(scaled, combine(scaled.shows.right < right, (constant * sqrt(E(2)) / log(E(2)), number(log(E(2)) < 2))))

    at_gamma = claim.moved(gamma=exp(-(constant**2)))
    lost = sign(constant * passage.left.where(at_gamma) < passage.right.where(at_gamma))
    below = chain(apply(exp, -(constant**2) < E(0)), equal(exp(0), 1))
    inside = [below if condition == (symbol("gamma") < 1) else None for condition in claim.domain]
    return assembled(
        claim,
        refuted_order(claim, constant, at, few),
        refuted_order(claim, constant, at_error, large),
        refuted_order(claim, constant, at_gamma, lost, domain=inside),
    )


def _named(names: str, values: Iterable[Expr]) -> dict[str, Expr]:
    return dict(zip(names.split(), values, strict=True))


JUDGES: Mapping[str, Judge] = {"quantile/thm-3.7-sample": without_conditions}
