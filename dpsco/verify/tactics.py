"""Pieces of proofs that many claims share: what follows from what about the least delta of a kind of mechanisms.

Not trusted, as all that finds proofs: each makes a step of `proof` that the kernel checks.
"""

from dpsco.spec.expressions import Condition, E, Expr, Number, equal, exp, log, maximum, symbol
from dpsco.spec.privacy.profile import falls, null_events, processing, quotients
from dpsco.verify.proof import Shown, Step, apply, by, chain, combine, fact, have, rewrite, ring, step


def at_larger(least: Step, larger: Number, order: Shown | None = None) -> Step:
    """From LeastDelta(m, a) <= x the same at a larger epsilon; `order` shows a <= larger."""
    mechanism, epsilon = least.shows.left.args
    ordered = epsilon <= E(larger) if order is None else order
    return chain(by(falls, None, ordered, mechanism=mechanism, epsilon=epsilon, larger=larger), least)


def processed(least: Step) -> Step:
    """From LeastDelta(m, a) <= x the same for every function of the output."""
    mechanism, epsilon = least.shows.left.args
    return chain(by(processing, mechanism=mechanism, epsilon=epsilon), least)


def null_events_at(least: Step) -> Step:
    """From LeastDelta(m, a) <= x: at infinity it is at most x too."""
    mechanism, epsilon = least.shows.left.args
    return chain(by(null_events, mechanism=mechanism, epsilon=epsilon), least)


def pure(quotient: Step, epsilon: Expr, enough: Shown) -> Step:
    """LeastDelta(m, epsilon) <= 0, from q <= LeastQuotient(m) and `enough`, which shows 1 <= e^epsilon q."""
    least = quotient.shows.right
    over = exp(epsilon) * least
    grown = combine(exp(epsilon) * quotient.shows.left <= over, (exp(epsilon), quotient))
    worst = by(quotients, mechanism=least.args[0], epsilon=epsilon)
    nothing = have([chain(enough, grown)], equal(maximum(0, 1 - over), 0))
    return chain(worst, nothing)


def at_most_one(slack: Expr) -> Step:
    """slack <= 1 from the fact that its negative logarithm is not negative."""
    grown = chain(equal(1, exp(0)), apply(exp, fact(E(0) <= log(1 / slack))), ring(exp(log(1 / slack)), 1 / slack))
    return combine(slack <= 1, (slack, grown))


def weakened(known: Step, shown: Condition) -> Step:
    """a <= c from a <= b and b <= c, by sign."""
    return chain(known, step(known.shows.right <= shown.right))


def rewritten(whole: Expr, known: Step) -> Step:
    """The expression = the same with the right side of an equation wherever it has the left one."""
    hole = symbol("hole")
    return rewrite(_put(whole, known.shows.left, hole), hole, known)


def _put(whole: Expr, part: Expr, other: Expr) -> Expr:
    return other if whole == part else Expr(whole.op, (_put(arg, part, other) for arg in whole.args), whole.value)
