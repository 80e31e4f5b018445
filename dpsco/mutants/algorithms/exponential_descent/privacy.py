"""Mutants of claims on exponential descent's privacy; falsity by losses convolved step by step, by supports, by exact runs."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.exponential_descent.utility import line, mean_half
from dpsco.mutants.privacy.composition.pure import convolved
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_descent.privacy import step_epsilon_at_n
from dpsco.spec.algorithms.exponential_descent.utility import least_regret, regret
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def run_exceeds(claim: Claim, epsilon: str, delta: str, T: int, odds: int = 1) -> bool | None:
    """True if T - 1 randomised responses at `odds` times the claim's step parameter need more than delta at epsilon, else None:
    one instance that holds shows nothing."""
    m = mp(60)
    values = {"epsilon": m.real(epsilon), "delta": m.real(delta), "T": m.real(T)}
    one = odds * apply(claim.formulas["step_epsilon"], m, values)
    return True if convolved(m, values["epsilon"], one, T - 1) > values["delta"] * m.real("1.000001") else None


def total_exceeds(claim: Claim, epsilon: str, T: int, odds: str = "1") -> bool | None:
    """True if T - 1 randomised responses need a delta above 0 at the claim's total, else None."""
    m = mp(60)
    total = apply(claim.formulas["total"], m, {"epsilon": m.real(epsilon), "T": m.real(T)})
    return True if convolved(m, total, m.real(odds) * m.real(epsilon), T - 1) > m.real("1e-40") else None


def tells(length: Callable[[int], int]) -> bool:
    """Whether gradients of norm 4 and 8 give c_hat = B_2/2 disjoint supports {-s/2, s/2}, in whole halves."""
    one, two = ({-length(norm), length(norm)} for norm in (4, 8))
    return one.isdisjoint(two)


def _steps(claim: Claim) -> Iterator[Mutant]:
    """Step lengths that take the gradient's norm."""
    norm = find("spo/alg-1").parameter("gradient_norm")

    def own(m: Numbers, eta: Real, gradient_norm: Real) -> Real:
        return eta * gradient_norm

    def clipped(m: Numbers, eta: Real, L: Real, gradient_norm: Real) -> Real:
        return eta * m.min(L, gradient_norm)

    for says, step, length in (
        ("the gradient's own length (the printed step)", own, lambda norm: norm),
        ("the gradient's length, clipped to L = 8", clipped, lambda norm: min(8, norm)),
    ):
        moved = with_formula(claim, "step", step)
        yield Mutant(says, replace(moved, parameters=(*moved.parameters, norm)), partial(tells, length))
    half = scaled(claim, "step", 1, 2)
    yield Mutant("half the public step (still true)", half, lambda: False)


def _sure(m: Numbers, one: Real) -> Real:
    return m.exp(2 * one) / (m.exp(2 * one) + 1)


def _doubled(claim: Claim) -> Claim:
    """Odds of e^(2 epsilon_0) in one draw; one step's parameter is called epsilon where the claim has no total beside it."""
    if "total" in claim.formulas:
        sure = with_formula(claim, "favoured", lambda m, epsilon: _sure(m, epsilon))
        return with_formula(sure, "unfavoured", lambda m, epsilon: 1 - _sure(m, epsilon))
    sure = with_formula(claim, "favoured", lambda m, epsilon_0: _sure(m, epsilon_0))
    return with_formula(sure, "unfavoured", lambda m, epsilon_0: 1 - _sure(m, epsilon_0))


def of_run() -> Iterator[Mutant]:
    claim = find("spo/thm-3-amended")

    def of(says: str, formula: Callable[..., Real], false: Callable[[Claim], bool | None]) -> Mutant:
        moved = with_formula(claim, "step_epsilon", formula)
        return Mutant(says, moved, partial(false, moved))

    def root(m: Numbers, epsilon: Real, delta: Real) -> Real:
        b = 2 * m.log(1 / delta)
        return m.sqrt(b + 2 * epsilon) - m.sqrt(b)

    def few(m: Numbers, epsilon: Real, delta: Real, T: Real) -> Real:
        return root(m, epsilon, delta) / m.sqrt(T / 2)

    def never(m: Numbers, epsilon: Real, delta: Real, T: Real) -> Real:
        return root(m, epsilon, delta) / m.sqrt(m.real(3))

    def slow(m: Numbers, epsilon: Real, delta: Real, T: Real) -> Real:
        return root(m, epsilon, delta) / (3 * T) ** m.frac(2, 5)

    def other(m: Numbers, epsilon: Real, delta: Real, T: Real) -> Real:
        b = 2 * m.log(1 / delta)
        return (m.sqrt(b + 2 * epsilon) + m.sqrt(b)) / m.sqrt(3 * T)

    def basic(m: Numbers, epsilon: Real, delta: Real, T: Real) -> Real:
        return 2 * epsilon / T

    yield of("T/2 for 3T", few, lambda moved: run_exceeds(moved, "5", "1e-40", 200))
    yield of("3 for 3T: no division by the number of steps", never, lambda moved: run_exceeds(moved, "1", "0.1", 100))
    yield of("power 0.4 for the root of 3T", slow, lambda moved: run_exceeds(moved, "5", "1e-40", 400))
    yield of("the other root", other, lambda moved: run_exceeds(moved, "1", "0.1", 10))
    yield of("2 epsilon/T", basic, lambda moved: run_exceeds(moved, "1", "1e-6", 10))
    doubled = _doubled(claim)
    yield Mutant("2 epsilon_0 in the odds", doubled, partial(run_exceeds, doubled, "5", "1e-40", 400, 2))
    tight = scaled(claim, "step_epsilon", 3, 2)
    # (3/2)^2 < 3: less than sqrt(3) times the parameter, which Hoeffding's bound still admits
    yield Mutant("3/2 of the parameter (still true)", tight, lambda: False)
    yield from _steps(claim)


def of_total() -> Iterator[Mutant]:
    claim = find("spo/sec-4-final-amended")

    def of(says: str, formula: Callable[..., Real], epsilon: str, T: int) -> Mutant:
        moved = with_formula(claim, "total", formula)
        return Mutant(says, moved, partial(total_exceeds, moved, epsilon, T))

    yield of("epsilon (the printed total)", lambda m, epsilon: epsilon, "1", 3)
    yield of("(T - 2) epsilon", lambda m, epsilon, T: (T - 2) * epsilon, "1", 10)
    yield of("0.9 (T - 1) epsilon", lambda m, epsilon, T: m.frac(9, 10) * (T - 1) * epsilon, "1", 2)
    yield of("sqrt(T - 1) epsilon", lambda m, epsilon, T: m.sqrt(T - 1) * epsilon, "1", 3)
    doubled = _doubled(claim)
    yield Mutant("2 epsilon in the odds", doubled, partial(total_exceeds, doubled, "1", 2, "2"))
    yield Mutant("T epsilon (still true)", with_formula(claim, "total", lambda m, epsilon, T: T * epsilon), lambda: False)
    yield from _steps(claim)


def stays_near_zero(claim: Claim, n: int, d: int, epsilon: str, delta: str) -> bool | None:
    """True if the risk of one record (2, 1) on [-1, 1], B* = 1, exceeds what is claimed, else None.

    In n^2 - 1 steps the mean moves by at most 4 eta c_d tanh(epsilon_0/2) each, c_d by quadrature over the angle.
    """
    m = mp(30)
    at = {**line(Fraction(2), n, n * n, 1, m.real(epsilon)), "delta": m.real(delta), "d": m.real(d)}
    one = apply(claim.formulas["step_epsilon_at_n"], m, at)
    moved = 4 * apply(claim.formulas["step_length"], m, at) * m.tanh(one / 2) * (mean_half(d) if d > 1 else 1) * (n * n - 1) / 2
    return True if 4 * (1 - moved) > apply(claim.formulas["regret_as_private"], m, at) * m.real("1.000001") else None


def of_private_risk() -> Iterator[Mutant]:
    claim = find("spo/thm-3-and-4-amended")

    def at_total(m: Numbers, n: Real, epsilon: Real, d: Real, L: Real, B_B: Real, B_w: Real, B_x: Real) -> Real:
        return least_regret(m, n=n, epsilon=epsilon, d=d, L=L, B_B=B_B, B_w=B_w, B_x=B_x)

    def printed(m: Numbers, n: Real, epsilon: Real, delta: Real, L: Real, B_B: Real, B_w: Real) -> Real:
        return regret(m, n=n, epsilon=step_epsilon_at_n(m, epsilon=epsilon, delta=delta, n=n), L=L, B_B=B_B, B_w=B_w)

    def on_the_line(m: Numbers, n: Real, epsilon: Real, delta: Real, L: Real, B_B: Real, B_w: Real, B_x: Real) -> Real:
        return least_regret(
            m, n=n, epsilon=step_epsilon_at_n(m, epsilon=epsilon, delta=delta, n=n), d=m.real(1), L=L, B_B=B_B, B_w=B_w, B_x=B_x
        )

    for says, formula, d, epsilon, delta in (
        ("the bound at the total epsilon", at_total, 1, "1", "1e-6"),
        ("the printed bound at epsilon_0", printed, 1, "1", "1e-6"),
        ("no dimension", on_the_line, 10**6, "100", "0.999"),
    ):
        moved = with_formula(claim, "regret_as_private", formula)
        yield Mutant(says, moved, partial(stays_near_zero, moved, 100, d, epsilon, delta))
    faint = scaled(claim, "step_epsilon_at_n", 1, 1000)
    yield Mutant("a thousandth of the parameter", faint, partial(stays_near_zero, faint, 100, 1, "100", "0.999"))
    yield Mutant("twice the bound (still true)", scaled(claim, "regret_as_private", 2, 1), lambda: False)
