"""Proofs about draws from half-spheres: their privacy, what follows from the direction, and their mean."""

from collections.abc import Mapping

from dpsco.spec.expressions import E, Expr, Json, equal, exp
from dpsco.spec.privacy.randomised_response import half_mean, mixed_mean, moved, odds, rotation
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import Answer, Step, by, chain, number, proved, refuted, ring
from dpsco.verify.tactics import processed, pure, rewritten


def direction(draw: Expr, epsilon: Expr) -> Step:
    """The direction is epsilon-DP, since (1 - share)/share = e^-epsilon."""
    share, d = draw.args
    quotient = by(odds[draw.value[1][0]], share=share, d=d)
    return pure(quotient, epsilon, equal(1, exp(epsilon) * quotient.shows.left))


def draws(claim: Statement) -> Json:
    """Identities by expansion; quantities of a draw, or of a function of it, by the quotients of its probabilities."""
    answers: list[Answer] = []
    for one in claim.asserts:
        if one.left.op != "noun":
            answers.append(proved(ring(one.left, one.right)))
        elif one.left.args[0].value[0] == "Processed":
            answers.append(proved(processed(direction(one.left.args[0].args[0], one.left.args[1]))))
        else:
            answers.append(proved(direction(*one.left.args)))
    return assembled(claim, *answers)


def iteration(claim: Statement) -> Json:
    """The quotient that is printed is right; the decision is not private at epsilon = 1, d = 1."""
    first, second = claim.asserts
    at = claim.moved(d=1)
    step, epsilon = second.left.where(at).args
    share, _, eta = step.args
    shown = by(moved[step.value[1][0]], share=share, eta=eta, epsilon=epsilon)
    return assembled(claim, proved(ring(first.left, first.right)), refuted(claim, at, chain(number(E(0) < share), shown)))


def mean(share: Expr, d: Expr) -> Step:
    """The mean of the mixture in closed form."""
    first, second = by(mixed_mean, share=share, d=d), by(half_mean, d=d)
    return chain(first, rewritten(first.shows.right, second))


def wrong_mean(claim: Statement) -> Json:
    """At d = 9, the dimension of the paper's experiment, the factor is below 0.28."""
    first, second = claim.asserts
    at = claim.moved()
    true = mean(*first.left.where(at).args)
    shown = chain(true, number(true.shows.right < first.right.where(at)))
    return assembled(claim, refuted(claim, at, shown), proved(ring(second.left, second.right)))


def right_mean(claim: Statement) -> Json:
    only = claim.asserts[0]
    share, d = only.left.args
    true = mean(share, d)
    return assembled(claim, proved(chain(by(rotation, share=share, d=d), true, equal(true.shows.right, only.right))))


JUDGES: Mapping[str, Judge] = {
    "spo/sec-2.1": draws,
    "spo/lem-2": iteration,
    "spo/lem-2-amended": draws,
    "spo/def-12": wrong_mean,
    "spo/def-12-amended": right_mean,
}
