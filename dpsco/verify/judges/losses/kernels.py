"""Proofs about the tails of smoothing kernels."""

from collections.abc import Mapping

from dpsco.spec.expressions import Condition, E, Expr, Json, absolute, equal, exp, log, pi, sqrt, symbol
from dpsco.spec.statement import Statement
from dpsco.verify.judges import Judge
from dpsco.verify.objects import assembled
from dpsco.verify.proof import Step, apply, chain, combine, fact, number, proved, refuted_order, ring, sign, slope, split

S = symbol("s")


def negative_side(claim: Statement) -> Json:
    """Beyond every threshold there is v < 0, where the printed 1/v^3 is negative, and a density is not."""
    constant, only = symbol("C"), claim.asserts[0]
    path = {"v": -(constant + 1)}
    beyond = sign(constant * only.right < only.left.where(path))
    return assembled(claim, refuted_order(claim, constant, path, beyond))


def cubed(size: Expr, logarithm: Step) -> Step:
    """From 3 log(size) <= y: exp(-y) <= 1/size^3."""
    y = logarithm.shows.right
    powers = apply(exp, combine(-y <= -3 * log(size), (1, logarithm)))
    return chain(powers, ring(powers.shows.right, 1 / size**3))


def by_sign(argument: Expr, shown: Condition, below: Step) -> Step:
    """shown.left <= below.left for positive and for negative arguments, each by expansion; then below."""

    def case(known: Step) -> Step:
        return chain(known, below)

    same = ring(shown.left, below.shows.left)
    return split(argument > 0, case(same), case(same))


def normal(argument: Expr, shown: Condition) -> Step:
    """x^2/2 + log(2 pi)/2 - 3 log x is least at x = sqrt(3), and positive there."""
    size = absolute(argument)
    low, high, turn = 3 * log(S), S**2 / 2 + log(2 * pi) / 2, sqrt(E(3))
    start = number(low.where({"s": turn}) < high.where({"s": turn}))
    weight = (S + turn) / S
    rises = combine(low.derivative("s") <= high.derivative("s"), (weight, fact(turn < S)))
    falls = combine(high.derivative("s") <= low.derivative("s"), (weight, fact(turn > S)))
    up = slope(low <= high, S, turn, size, rises, start, fact(turn <= size))
    down = slope(low <= high, S, turn, size, falls, start, fact(size < turn))
    return by_sign(argument, shown, cubed(size, split(size >= turn, up, down)))


def logistic(argument: Expr, shown: Condition) -> Step:
    """The density is at most e^-|v|, and |v| - 3 log |v| increases from 5."""
    size = absolute(argument)
    start = number(3 * log(E(5)) < 5)
    rises = combine((3 * log(S)).derivative("s") <= S.derivative("s"), (1 / S, fact(S > 5)), (2 / S, E(0) <= 1))
    power = cubed(size, slope(3 * log(S) <= S, S, 5, size, rises, start, E(5) <= size))
    e = exp(-size)
    whole = combine(e / (1 + e) ** 2 <= e, (e / (1 + e) ** 2, E(0) <= 2 * e + e**2))
    return by_sign(argument, shown, chain(whole, equal(e, power.shows.left), power))


def cubes(claim: Statement) -> Json:
    """By logarithms; the kernels of bounded support vanish beyond 1."""
    gaussian, far, *bounded = (Condition(one.left, "<=", one.right) for one in claim.asserts)
    vanish = [chain(ring(one.left, 0), E(0) <= one.right) for one in bounded]
    return assembled(claim, *map(proved, (normal(symbol("v"), gaussian), logistic(symbol("far"), far), *vanish)))


JUDGES: Mapping[str, Judge] = {"quantile/cond-2": negative_side, "quantile/cond-2-amended": cubes}
