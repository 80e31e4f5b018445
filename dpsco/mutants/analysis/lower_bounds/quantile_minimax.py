"""Mutants of the lower bound of private quantile regression.

A rate is shown false by numbers: the risk of the subset algorithm, or of the answer 0, over the moved rate itself, along a
sequence of instances that meet the moved claim's conditions in plain high precision; an inequality by one exact instance.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from dpsco.arguments.comparing import admits
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.newsvendor_minimax import delta_at_most as small_delta
from dpsco.spec.analysis.lower_bounds.newsvendor_minimax import private_term_at_most_one
from dpsco.spec.analysis.lower_bounds.quantile_minimax import (
    decision_in_box,
    delta_at_most,
    dimension_at_most,
    half_width,
    minimiser_norm,
    sign_error,
)
from dpsco.spec.claim import Claim
from dpsco.spec.losses.quantile.summaries import OPTIMUM_IN_BALL, OPTIMUM_NORM
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Instances = Callable[[Numbers, Real], Mapping[str, Real]]
Risk = Callable[[Numbers, Mapping[str, Real]], Real]
DIGITS = 120
FAR = (10**60, 10**120, 10**240)


def answer_zero(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Over w B B_x."""
    return m.real(1)


def subset(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Over w B B_x: one pass over floor(delta n) records."""
    return 1 / m.sqrt(m.floor(v["delta"] * v["n"]))


def vanishes(claim: Claim, name: str, risk: Callable[[Numbers, Mapping[str, Real]], Real], along: Instances) -> bool:
    """Whether risk over the claim's rate falls by far more than any constant on instances that the claim admits."""
    m = mp(DIGITS)
    found = []
    for N in FAR:
        v = along(m, m.real(N))
        if not admits(claim, m, v):
            return False
        found.append(risk(m, v) / apply(claim.formulas[name], m, v))
    steps = list(pairwise(found))
    return bool(found[-1] < m.real("1e-4")) and all(bool(b < a / 100) for a, b in steps)


def at_norm_one(along: Instances) -> Instances:
    """The same instances, theta* on the boundary of the unit ball."""
    return lambda m, N: {"B": m.real(1), "optimum_norm": m.real(1), **along(m, N)}


@at_norm_one
def on_its_edge(m: Numbers, N: Real) -> Mapping[str, Real]:
    """d = n epsilon, delta = epsilon."""
    return {"n": N**2, "d": N, "epsilon": 1 / N, "delta": 1 / N}


@at_norm_one
def wide(m: Numbers, N: Real) -> Mapping[str, Real]:
    """d grows alone."""
    return {"n": m.real(8), "d": N, "epsilon": m.real(1), "delta": m.real(1)}


@at_norm_one
def alone(m: Numbers, N: Real) -> Mapping[str, Real]:
    """epsilon falls alone."""
    return {"n": m.real(8), "d": m.real(2), "epsilon": 1 / N, "delta": 1 / N}


@at_norm_one
def many(m: Numbers, N: Real) -> Mapping[str, Real]:
    """n epsilon = d, delta fixed."""
    return {"n": N, "d": m.real(2), "epsilon": 2 / N, "delta": m.frac(1, 10)}


def norm_differs(claim: Claim, B: int = 3, d: int = 4) -> bool:
    """Whether the length of the vector of d entries half_width, added up, is another number than minimiser_norm."""
    m = mp(DIGITS)
    v = {"B": m.real(B), "d": m.real(d)}
    half, norm = (apply(claim.formulas[name], m, v) for name in ("half_width", "minimiser_norm"))
    return bool(abs(sum(half * half for _ in range(d)) - norm * norm) > m.real("1e-9"))


def features_leave(claim: Claim, d: int = 4) -> bool:
    """Whether d entries of the printed size make a vector longer than B_x = 1."""
    m = mp(DIGITS)
    entry = apply(claim.formulas["feature_entry"], m, {"B_x": m.real(1), "d": m.real(d)})
    return bool(sum(entry * entry for _ in range(d)) > 1 + m.real("1e-9"))


def of_printed() -> Iterator[Mutant]:
    """A bound on theta* makes the printed theorem false; moved powers of an empty statement leave it true."""
    claim = find("quantile/thm-3.7")
    ball = replace(claim, parameters=(*claim.parameters, OPTIMUM_NORM), preconditions=(OPTIMUM_IN_BALL,))
    amended = {p.test: p for p in find("quantile/thm-3.7-amended").preconditions}
    moves: tuple[tuple[str, tuple[Callable[..., object], ...], Risk, Instances], ...] = (
        ("theta* in the ball", (), answer_zero, alone),
        ("theta* in the ball, d <= n epsilon", (dimension_at_most,), subset, many),
        ("theta* in the ball, delta <= epsilon", (delta_at_most,), answer_zero, wide),
    )
    for says, tests, risk, along in moves:
        moved = replace(ball, preconditions=(OPTIMUM_IN_BALL, *(amended[test] for test in tests)))
        yield Mutant(says, moved, partial(vanishes, moved, "rate", risk, along))
    inside = with_formula(claim, "minimiser_norm", half_width)
    yield Mutant("the minimiser's norm is B_theta", inside, partial(norm_differs, inside))
    apart = scaled(claim, "half_width", 2, 1)
    yield Mutant("twice the half-width", apart, partial(norm_differs, apart))
    long = scaled(claim, "feature_entry", 2, 1)
    yield Mutant("features of norm 2 B_x", long, partial(features_leave, long))
    yield Mutant("ten times the rate (still true: empty)", scaled(claim, "rate", 10, 1), lambda: False)


def of_linear() -> Iterator[Mutant]:
    """Answers and comparator in the ball: the moves of the newsvendor's lower bound."""
    claim = find("quantile/thm-3.7-amended-private")

    def edge(m: Numbers, N: Real) -> Mapping[str, Real]:
        return {"n": N**2, "d": N**2, "epsilon": 1 / N, "delta": 1 / N**3}

    def rate(d_power: tuple[int, int], e_power: tuple[int, int]) -> Callable[..., Real]:
        return lambda m, n, d, epsilon: m.max(1 / m.sqrt(n), d ** m.frac(*d_power) / (n * epsilon ** m.frac(*e_power)))

    for says, formula in (("d^(3/5) for sqrt(d)", rate((3, 5), (1, 1))), ("epsilon^(11/10)", rate((1, 2), (11, 10)))):
        moved = with_formula(claim, "rate", formula)
        yield Mutant(says, moved, partial(vanishes, moved, "rate", answer_zero, edge))
    any_d = without(claim, private_term_at_most_one)
    far: Instances = lambda m, N: {"n": m.real(8), "d": N, "epsilon": m.real(1), "delta": 1 / N}  # noqa: E731
    yield Mutant("every dimension", any_d, partial(vanishes, any_d, "rate", answer_zero, far))
    any_delta = without(claim, small_delta)
    along: Instances = lambda m, N: {"n": N, "d": 1, "epsilon": 1 / N, "delta": m.frac(1, 10)}  # noqa: E731
    yield Mutant("every delta", any_delta, partial(vanishes, any_delta, "rate", subset, along))
    yield Mutant("half the rate (still true)", scaled(claim, "rate", 1, 2), lambda: False)


def of_minimax() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.7-amended")
    tenth = "0.1"

    def rate(first: str, n: str, d: str, epsilon: str) -> Callable[..., Real]:
        def moved(m: Numbers, n_: Real, d_: Real, epsilon_: Real) -> Real:
            private = d_ ** m.frac(*_quotient(d)) / (n_ ** m.frac(*_quotient(n)) * epsilon_ ** m.frac(*_quotient(epsilon)))
            return m.max(1 / n_ ** m.frac(*_quotient(first)), private)

        def rate_(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
            return moved(m, n, d, epsilon)

        return rate_

    moves: tuple[tuple[str, tuple[str, str, str, str], Instances], ...] = (
        (
            "n^(-2/5) for n^(-1/2)",
            ("2/5", "1", "1/2", "1"),
            at_norm_one(lambda m, N: {"n": N, "d": 1, "epsilon": 1, "delta": m.real(tenth)}),
        ),
        ("d^(3/5) for sqrt(d)", ("1/2", "1", "3/5", "1"), on_its_edge),
        ("epsilon^(11/10)", ("1/2", "1", "1/2", "11/10"), on_its_edge),
        ("n^(9/10) in the second term", ("1/2", "9/10", "1/2", "1"), on_its_edge),
    )
    for says, exponents, along in moves:
        moved = with_formula(claim, "rate", rate(*exponents))
        yield Mutant(says, moved, partial(vanishes, moved, "rate", subset, along))
    any_d = without(claim, dimension_at_most)
    yield Mutant("every dimension", any_d, partial(vanishes, any_d, "rate", answer_zero, wide))
    any_delta = without(claim, delta_at_most)
    yield Mutant("every delta", any_delta, partial(vanishes, any_delta, "rate", subset, many))
    outside = with_formula(with_formula(claim, "half_width", half_width), "minimiser_norm", minimiser_norm)
    long = scaled(claim, "feature_entry", 2, 1)
    yield Mutant("features of norm 2 B_x", long, partial(features_leave, long))
    yield Mutant("the printed construction, outside the ball", outside, partial(leaves_ball, outside))
    yield Mutant("half the rate (still true)", scaled(claim, "rate", 1, 2), lambda: False)


def leaves_ball(claim: Claim, d: int = 4) -> bool:
    """Whether d entries half_width make a vector longer than B = 1."""
    m = mp(DIGITS)
    half = apply(claim.formulas["half_width"], m, {"B": m.real(1), "d": m.real(d)})
    return bool(sum(half * half for _ in range(d)) > 1 + m.real("1e-9"))


def _quotient(text: str) -> tuple[int, int]:
    top, _, bottom = text.partition("/")
    return int(top), int(bottom or 1)


def without(claim: Claim, test: Callable[..., object]) -> Claim:
    """The claim without one precondition."""
    return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))


def wrong_at(claim: Claim, lower: str, r: str, decision: str, upper: str | None = None) -> bool:
    """One record, d = 1, x = 1, B = 2, label 2: the risk, or the formula `upper`, certainly below the formula `lower`."""
    m = mp(DIGITS)
    v = {"r": m.real(r), "B": m.real(2), "mean_features": [m.real(1)], "decision": [m.real(decision)]}
    u = 2 - m.real(decision)
    risk = v["r"] * u if u > 0 else (v["r"] - 1) * u
    high = risk if upper is None else apply(claim.formulas[upper], m, v)
    return bool(high < apply(claim.formulas[lower], m, v) * (1 - m.real("1e-30")))


def of_error() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.7-error")

    def larger(m: Numbers, r: Real, B: Real, mean_features: Real, decision: Real) -> Real:
        return m.max(r, 1 - r) * B * sign_error(m, mean_features, decision)

    def larger_residual(m: Numbers, r: Real, B: Real, mean_features: Real, decision: Real) -> Real:
        return claim.formulas["absolute_residual"](m, r, B, mean_features, decision) * m.max(r, 1 - r) / m.min(r, 1 - r)

    twice = scaled(claim, "risk_lower_bound", 2, 1)
    yield Mutant("2 B_theta", twice, partial(wrong_at, twice, "risk_lower_bound", "0.5", "-0.001", "absolute_residual"))
    most = with_formula(claim, "risk_lower_bound", larger)
    yield Mutant("max for min", most, partial(wrong_at, most, "risk_lower_bound", "0.1", "-0.001", "absolute_residual"))
    residual = with_formula(claim, "absolute_residual", larger_residual)
    yield Mutant("max for min in the residual", residual, partial(wrong_at, residual, "absolute_residual", "0.1", "1"))
    more = scaled(claim, "absolute_residual", 101, 100)
    yield Mutant("1.01 times the residual", more, partial(wrong_at, more, "absolute_residual", "0.5", "1"))
    everywhere = without(claim, decision_in_box)
    yield Mutant(
        "answers outside the box",
        everywhere,
        partial(wrong_at, everywhere, "risk_lower_bound", "0.5", "3", "absolute_residual"),
    )
    yield Mutant("half the bound (still true)", scaled(claim, "risk_lower_bound", 1, 2), lambda: False)


def corner_outside(claim: Claim, d: int) -> bool:
    """Whether the right side exceeds w B B_x by packing all 2^d sign vectors: one record, epsilon = 1e-9, B = 1.

    Averaged over v, theta'v has mean at most (e^epsilon - 1) d B, for a law that does not depend on v gives 0.
    """
    m = mp(DIGITS)
    corner = apply(claim.formulas["minimiser_norm"], m, {"B": m.real(1), "d": m.real(d)})
    return bool(corner - m.expm1(m.real("1e-9")) * m.sqrt(m.real(d)) > 1 + m.real("1e-6"))


def misses_labels(claim: Claim) -> bool:
    """Whether no corner of the box fits one record with x = (1, 1)/sqrt(2), B = 2: the label is half-width times sqrt(2)."""
    m = mp(DIGITS)
    v = {"B": m.real(2), "d": m.real(2)}
    box, labels = (apply(claim.formulas[name], m, v) for name in ("half_width", "label_half_width"))
    best = min(
        abs((labels - s * box) / m.sqrt(m.real(2)) + (labels - t * box) / m.sqrt(m.real(2))) for s in (-1, 1) for t in (-1, 1)
    )
    return bool(box < labels) and bool(best > m.real("1e-9"))


def of_enlarged() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.7-comparator")
    moves: tuple[tuple[str, str, Callable[..., Real]], ...] = (
        ("half the box", "half_width", lambda m, B: B / 2),
        ("the box in the ball", "half_width", lambda m, B, d: B / m.sqrt(d)),
        ("labels of twice the half-width", "label_half_width", lambda m, B: 2 * B),
        ("labels of 1.01 times the half-width", "label_half_width", lambda m, B: B * m.frac(101, 100)),
    )
    for says, name, formula in moves:
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(misses_labels, moved))
    yield Mutant("twice the box (still true)", scaled(claim, "half_width", 2, 1), lambda: False)


def of_comparator() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.7-comparator-amended")
    moves: tuple[tuple[str, Callable[..., Real], int], ...] = (
        ("the printed half-width B_theta", minimiser_norm, 2),
        ("half-width B_theta/d^(2/5)", lambda m, B, d: B * d ** m.frac(1, 10), 9),
        ("twice the half-width", lambda m, B, d: 2 * B, 1),
        ("1.01 times the half-width", lambda m, B, d: B * m.frac(101, 100), 4),
    )
    for says, corner, d in moves:
        moved = with_formula(claim, "minimiser_norm", corner)
        yield Mutant(says, moved, partial(corner_outside, moved, d))
    yield Mutant("half the half-width (still true)", scaled(claim, "minimiser_norm", 1, 2), lambda: False)
