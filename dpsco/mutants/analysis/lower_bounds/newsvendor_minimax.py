"""Mutants of the lower bound of the private newsvendor: rates by numbers, data and chains by exact counts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.analysis.lower_bounds.quantile_minimax import (
    DIGITS,
    Instances,
    answer_zero,
    subset,
    vanishes,
    without,
)
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.newsvendor_minimax import (
    delta_at_most,
    private_term_at_most_one,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Powers = tuple[int, int]


def edge(m: Numbers, N: Real) -> Mapping[str, Real]:
    """sqrt(d) = n epsilon, epsilon falls."""
    return {"n": N**2, "d": N**2, "epsilon": 1 / N, "delta": 1 / N**3}


def many(m: Numbers, N: Real) -> Mapping[str, Real]:
    """d = 2, epsilon = 1."""
    return {"n": N, "d": m.real(2), "epsilon": m.real(1), "delta": m.frac(1, 2)}


def wide(m: Numbers, N: Real) -> Mapping[str, Real]:
    """d grows alone."""
    return {"n": m.real(8), "d": N, "epsilon": m.real(1), "delta": 1 / N}


def private(m: Numbers, N: Real) -> Mapping[str, Real]:
    """n epsilon = 2, delta = 1/2."""
    return {"n": N, "d": m.real(2), "epsilon": 2 / N, "delta": m.frac(1, 2)}


def private_rate(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
    return d ** m.frac(3, 5) / (n * epsilon)


def larger_maximum(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
    return m.max(1 / n ** m.frac(2, 5), m.sqrt(d) / (n * epsilon))


def of_minimax() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-7-amended")

    def rate(first: Powers, n_power: Powers, d_power: Powers, e_power: Powers) -> Callable[..., Real]:
        def moved(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
            own = d ** m.frac(*d_power) / (n ** m.frac(*n_power) * epsilon ** m.frac(*e_power))
            return 1 / n ** m.frac(*first) + own

        return moved

    half, one = (1, 2), (1, 1)
    moves: tuple[tuple[str, Callable[..., Real], Callable[..., Real], Instances], ...] = (
        ("n^(2/5) for sqrt(n)", rate((2, 5), one, half, one), subset, many),
        ("n^(9/10) in the second term", rate(half, (9, 10), half, one), answer_zero, edge),
        ("d^(3/5) for sqrt(d)", rate(half, one, (3, 5), one), answer_zero, edge),
        ("epsilon^(11/10)", rate(half, one, half, (11, 10)), answer_zero, edge),
    )
    for says, formula, risk, along in moves:
        moved = with_formula(claim, "rate", formula)
        yield Mutant(says, moved, partial(vanishes, moved, "rate", risk, along))
    for says, name, formula, risk, along in (
        ("the private rate without the logarithm and with d^(3/5)", "rate_private", private_rate, answer_zero, edge),
        ("n^(2/5) for sqrt(n) in the maximum", "rate_maximum", larger_maximum, subset, many),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(vanishes, moved, name, risk, along))
    any_d = without(claim, private_term_at_most_one)
    yield Mutant("every dimension", any_d, partial(vanishes, any_d, "rate", answer_zero, wide))
    any_delta = without(claim, delta_at_most)
    yield Mutant("every delta", any_delta, partial(vanishes, any_delta, "rate", subset, private))
    yield Mutant("half the rate (still true)", scaled(claim, "rate", 1, 2), lambda: False)


def least_loss_differs(claim: Claim, d: int, r: Fraction = Fraction(1, 2)) -> bool:
    """All rows equal, B = B_x = 1, d a square: the computed least losses of ball and box, and the printed ones, in exact terms.

    The best theta of the ball is along the row: theta'x = 1, the label h sqrt(d).
    """
    m = mp(DIGITS)
    v = {"r": m.real(r), "B": m.real(1), "B_x": m.real(1), "d": m.real(d)}
    h, ball, box = (apply(claim.formulas[name], m, v) for name in ("half_width", "least_loss_in_ball", "least_loss_in_box"))
    residual = h * m.sqrt(m.real(d)) - 1
    true = m.real(r) * residual if residual > 0 else m.real(0)
    return bool(abs(true - ball) > m.real("1e-9")) or bool(abs(ball - box) > m.real("1e-9"))


def box_is_worse(claim: Claim) -> bool:
    """n = 10^8, d = 4, epsilon = 1, r = 1/2, B = B_x = 1: answers in the box cannot reach y = <x, e_1> = 1, but the exponential
    mechanism over a net of the ball (width 10^-6, at most (3 10^6)^4 points) has small excess risk for every distribution.
    """
    m = mp(DIGITS)
    v = {"r": m.frac(1, 2), "B": m.real(1), "B_x": m.real(1), "d": m.real(4)}
    n, points = m.real(10**8), 4 * m.log(m.real(3 * 10**6))
    over_box = (1 - apply(claim.formulas["half_width_of_answers"], m, v)) / 2
    return bool(over_box > (2 / m.sqrt(n) + 4 * (1 + points) / n + m.real("1e-6")) / 2)


def of_comparator() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-7-comparator-amended")
    moves: tuple[tuple[str, str, Callable[..., Real]], ...] = (
        ("the printed labels, half-width B", "half_width", lambda m, B: B),
        ("half-width B/d^(2/5)", "half_width", lambda m, B, d: B / d ** m.frac(2, 5)),
        ("twice the half-width", "half_width", lambda m, B, d: 2 * B / m.sqrt(d)),
        ("least loss over the box r B B_x", "least_loss_in_box", lambda m, r, B, B_x: r * B * B_x),
    )
    for says, name, formula in moves:
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(least_loss_differs, moved, 9))
    more = with_formula(claim, "least_loss_in_ball", lambda m, r, B, B_x: r * B * B_x)
    yield Mutant("least loss over the ball r B B_x", more, partial(least_loss_differs, more, 9))
    for says, narrow in (
        ("the comparator's box for the answers", lambda m, B, d: B / m.sqrt(d)),
        ("answers in a box of half-width 9B/10", lambda m, B: m.frac(9, 10) * B),
    ):
        moved = with_formula(claim, "half_width_of_answers", narrow)
        yield Mutant(says, moved, partial(box_is_worse, moved))
    yield Mutant("half the half-width (still true)", scaled(claim, "half_width", 1, 2), lambda: False)


def told(claim: Claim) -> bool:
    """n = 5, d = 1, epsilon' = 3, delta' = 1e-30: q F^k with q = F^(-n)/2 on k positive products, a private chain.

    One row of three positive and two negative ones turned: all five products change their sign.
    """
    m, n = mp(DIGITS), 5
    v = {"n": m.real(n), "epsilon": m.real(3), "delta": m.real("1e-30")}
    factor = m.exp(v["epsilon"])
    chain = [factor ** (k - n) / 2 for k in range(n + 1)]
    pairs = pairwise(chain)
    private_chain = all(b <= a * factor * (1 + m.real("1e-90")) and 1 - a <= factor * (1 - b) for a, b in pairs)
    budget, lost = (apply(claim.formulas[name], m, v) for name in ("epsilon_of_signs", "delta_of_signs"))
    return private_chain and bool(chain[n] - m.exp(budget) * chain[0] > lost)


def turned(claim: Claim) -> bool:
    """n = 2, epsilon' = 1, delta' = 0.01: a bit told with chances p_0 = 0, p_{k+1} = e^epsilon' p_k + delta'."""
    m = mp(DIGITS)
    v = {"n": m.real(2), "epsilon": m.real(1), "delta": m.real("0.01")}
    chain = [m.real(0)]
    for _ in range(2):
        chain.append(m.exp(v["epsilon"]) * chain[-1] + v["delta"])
    budget, lost = (apply(claim.formulas[name], m, v) for name in ("epsilon_of_signs", "delta_of_signs"))
    return bool(chain[2] - m.exp(budget) * chain[0] > lost)


def products_changed(n: int) -> int:
    """How many of the n records of S change, counted by hand: the sum of X is 1 (n odd), one of its ones is turned."""
    x = [1] * ((n + 1) // 2) + [-1] * (n // 2)
    z = [-1, *x[1:]]
    return sum((a, a * (1 if sum(x) >= 0 else -1)) != (b, b * (1 if sum(z) >= 0 else -1)) for a, b in zip(x, z, strict=True))


def of_reduction() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-7-reduction-amended")
    budgets: tuple[tuple[str, Callable[..., Real]], ...] = (
        ("epsilon' for n epsilon'", lambda m, epsilon: epsilon),
        ("(n - 1) epsilon'", lambda m, n, epsilon: (n - 1) * epsilon),
        ("n/2 epsilon'", lambda m, n, epsilon: n * epsilon / 2),
    )
    for says, formula in budgets:
        moved = with_formula(claim, "epsilon_of_signs", formula)
        yield Mutant(says, moved, partial(told, moved))
    rare = scaled(claim, "delta_of_signs", 1, 2)
    yield Mutant("half of delta", rare, partial(turned, rare))
    fewer = with_formula(claim, "labels_changed", lambda m, n: n - m.frac(1, 2))
    yield Mutant("half a record fewer", fewer, lambda: products_changed(5) > 4.5)
    most = with_formula(claim, "risk_of_sign_error", lambda m, r, B: m.max(r, 1 - r) * B)
    yield Mutant("max for min", most, partial(risk_below, most, Fraction(1, 10)))
    larger = scaled(claim, "risk_of_sign_error", 101, 100)
    yield Mutant("1.01 times the factor", larger, partial(risk_below, larger, Fraction(1, 2)))
    printed = (Relation("sign of B(S(X)), as a map of X", "is", "(epsilon', delta')-DP"), *claim.asserts[1:])
    yield Mutant("the printed budget", replace(claim, asserts=printed), partial(told, find_printed(claim)))
    yield Mutant("half the factor (still true)", scaled(claim, "risk_of_sign_error", 1, 2), lambda: False)


def find_printed(claim: Claim) -> Claim:
    """The budget of the printed relation, under the amendment's names."""
    moved = with_formula(claim, "epsilon_of_signs", lambda m, epsilon: epsilon)
    return with_formula(moved, "delta_of_signs", lambda m, delta: delta)


def risk_below(claim: Claim, r: Fraction) -> bool:
    """One record x = 1, label B = 1, the answer -1/1000: risk r (1 + 1/1000) against the factor, the sign being wrong."""
    m = mp(DIGITS)
    risk = m.real(r) * (1 + m.frac(1, 1000))
    return bool(risk < apply(claim.formulas["risk_of_sign_error"], m, {"r": m.real(r), "B": m.real(1)}))
