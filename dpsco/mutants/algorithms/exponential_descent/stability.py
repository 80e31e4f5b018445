"""Mutants of exponential descent's stability; falsity by quadrature over the angle of a direction, or by two runs in fractions.

The runs: S = [-1, 1], p = d = 1, x = 1/2, so that L = 2; n - 1 common records of cost 0 (or far out), one of cost s against -s.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_descent import stability as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.privacy.randomised_response import mean_factor
from dpsco.spec.register import find

FAR = Fraction(10**12)


def mean_over_angle(d: int, epsilon: str, value: Callable[[Real], Real]) -> Real:
    """E value(t), t the cosine between a vector and its turned copy in R^d, d >= 2, by quadrature over the angle."""
    m = mp(30)
    whole = m.mp.quad(lambda a: m.sin(a) ** (d - 2), [0, m.pi / 2])  # type: ignore[attr-defined]
    f = m.exp(m.real(epsilon)) / (1 + m.exp(m.real(epsilon)))
    both = m.mp.quad(  # type: ignore[attr-defined]
        lambda a: m.sin(a) ** (d - 2) * (f * value(m.cos(a)) + (1 - f) * value(-m.cos(a))), [0, m.pi / 2]
    )
    return both / whole


def step(eta: str, n: int, d: int, epsilon: str) -> dict[str, Real]:
    """|u| = |w| = <u, w> = mu = 1: a quadratic loss of Hessian I."""
    m = mp(30)
    ones = dict.fromkeys(("mu", "drift", "gradient_drift", "correlation"), m.real(1))
    return {**ones, "eta": m.real(eta), "n": m.real(n), "d": m.real(d), "epsilon": m.real(epsilon)}


def grows(eta: str, n: int, d: int, epsilon: str) -> bool | None:
    """True if the mean distance exceeds the distance before, else None."""
    m = mp(30)
    a = m.real(eta) * (n - 1) / n
    after = mean_over_angle(d, epsilon, lambda t: m.sqrt(1 + a**2 - 2 * a * t))
    return True if after > m.real("1.000001") else None


def square_differs(claim: Claim, eta: str, n: int, d: int, epsilon: str) -> bool | None:
    """True if the mean square is not the claimed one, else None."""
    m = mp(30)
    a = m.real(eta) * (n - 1) / n
    true = mean_over_angle(d, epsilon, lambda t: 1 + a**2 - 2 * a * t)
    claimed = apply(claim.formulas["squared_drift_after"], m, step(eta, n, d, epsilon))
    return True if m.abs(true - claimed) > m.real("1e-9") else None


def link_fails(claim: Claim, left: str, right: str, **more: str) -> bool | None:
    """True if left exceeds right at an instance that meets the claim's preconditions, else None."""
    m = mp(30)
    at = {**step("0.1", 1000, 3, "1"), **{name: m.real(value) for name, value in more.items()}}
    inside = all(predicate(m, at) is True for predicate in claim.preconditions)
    low, high = (apply(claim.formulas[name], m, at) for name in (left, right))
    return True if inside and low > high * m.real("1.000001") else None


def of_step() -> Iterator[Mutant]:
    claim = find("spo/lem-6-amended")
    moved = with_formula(claim, "squared_drift_after", find("spo/lem-6").formulas["squared_drift_after"])
    yield Mutant("the printed square", moved, partial(square_differs, moved, "0.3", 10, 3, "1"))

    def half(m: Numbers, drift: Real, eta: Real, n: Real, epsilon: Real, correlation: Real, gradient_drift: Real) -> Real:
        a = eta * (n - 1) / n
        return drift**2 - 2 * a * mean_factor(m, epsilon=epsilon) * correlation + a**2 * gradient_drift**2

    moved = with_formula(claim, "squared_drift_after", half)
    yield Mutant("the factor h/2 in every dimension", moved, partial(square_differs, moved, "0.3", 10, 9, "1"))

    def twice(m: Numbers, eta: Real, epsilon: Real, d: Real, mu: Real) -> Truth:
        return m.le(eta, 2 * spec.largest_rotated_step(m, epsilon=epsilon, d=d, mu=mu))

    old = next(p for p in claim.preconditions if p.test == spec.rotated_step_admitted)
    longer = Predicate("eta <= 4 q mu", twice, old.accepts, {**old.rejects, "eta": "2"})
    moved = replace(claim, preconditions=(longer, *(p for p in claim.preconditions if p is not old)))
    yield Mutant("steps up to 4 q mu", moved, partial(grows, "1.7", 1000, 3, "3"))
    moved = replace(claim, preconditions=(spec.ADMITTED_STEP, *(p for p in claim.preconditions if p is not old)))
    yield Mutant("the printed condition on steps", moved, partial(grows, "4", 1000, 3, "1"))
    moved = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != spec.cocoercive))
    rough = {"drift": "3", "gradient_drift": "10", "correlation": "30", "eta": "0.45"}
    yield Mutant(
        "no co-coercivity", moved, partial(link_fails, moved, "squared_drift_after", "squared_drift_cocoercive", **rough)
    )
    moved = scaled(claim, "squared_drift_cocoercive", 9, 10)
    yield Mutant(
        "0.9 of the bound by co-coercivity",
        moved,
        partial(link_fails, moved, "squared_drift_after", "squared_drift_cocoercive"),
    )
    moved = scaled(claim, "squared_drift_before", 1, 2)
    yield Mutant(
        "half of the square before",
        moved,
        partial(link_fails, moved, "squared_drift_cocoercive", "squared_drift_before"),
    )
    shorter = Predicate(
        "eta <= q mu",
        lambda m, eta, epsilon, d, mu: m.le(2 * eta, spec.largest_rotated_step(m, epsilon=epsilon, d=d, mu=mu)),
        {},
        {},
    )
    moved = replace(claim, preconditions=(shorter, *claim.preconditions))
    yield Mutant("shorter steps only (still true)", moved, lambda: False)


def gradient(c: Fraction, B: Fraction, mu: Fraction) -> Fraction:
    """Of the smoothed SPO+ loss at x = 1/2; w*(0) = 0."""
    w = max(Fraction(-1), min(Fraction(1), (c - B) / mu))
    best = (c < 0) - (c > 0)
    return (-2 * w + 2 * best) / 2


def two_runs(common: Fraction, n: int, T: int, odds: Fraction, eta: Fraction, mu: Fraction) -> tuple[Fraction, Fraction]:
    """Exact means over all signs: distance of the last iterates, and change of the plain loss at a far test record."""
    favoured = odds / (odds + 1)
    paths = [(Fraction(0), Fraction(0), Fraction(0), Fraction(1))]  # B, B', sum of differences so far, chance
    for _ in range(T - 1):
        after = []
        for one, other, apart, chance in paths:
            g, k = (((n - 1) * gradient(common, B, mu) + gradient(c, B, mu)) / n for B, c in ((one, FAR), (other, -FAR)))
            for sign, share in ((1, favoured), (-1, 1 - favoured)):
                a, b = one - sign * eta * g, other - sign * eta * k
                after.append((a, b, apart + a - b, chance * share))
        paths = after
    distance = sum((chance * abs(a - b) for a, b, _, chance in paths), Fraction(0))
    loss = sum((chance * 2 * abs(apart) / T for *_, apart, chance in paths), Fraction(0))  # the far loss has slope 2
    return distance, loss


def runs_exceed(claim: Claim, name: str, common: int, n: int, T: int, odds: str, eta: str, mu: str) -> bool | None:
    """True if the exact mean exceeds the claimed bound at an instance that meets the preconditions, else None."""
    m = mp(40)
    given = {"n": n, "T": T, "t": T, "d": 1, "L": 2, "B_w": 1, "B_x": "0.5", "eta": eta, "mu": mu}
    given |= {"largest_gradient_norm": 2, "largest_decision_norm": 1, "largest_feature_norm": "0.5"}
    at = {key: m.real(value) for key, value in given.items()} | {"epsilon": m.log(m.real(odds))}
    if not all(predicate(m, at) is True for predicate in claim.preconditions):
        return None
    distance, loss = two_runs(Fraction(common) * FAR, n, T, Fraction(odds), Fraction(eta), Fraction(mu))
    true = loss if name == "loss_stability" else distance
    return True if m.real(true) > apply(claim.formulas[name], m, at) * m.real("1.000001") else None


def of_runs() -> Iterator[Mutant]:
    claim = find("spo/thm-4-stability-amended")

    def root(m: Numbers, L: Real, eta: Real, t: Real, n: Real) -> Real:
        return 2 * L * eta * m.sqrt(t) / n

    def one_sided(m: Numbers, L: Real, eta: Real, t: Real, n: Real) -> Real:
        return L * eta * t / n

    def linear(m: Numbers, L: Real, eta: Real, T: Real, n: Real, mu: Real, B_w: Real) -> Real:
        return L * eta * (1 + T) / n + mu * B_w**2 / 2

    for says, name, formula in (
        ("the root of t", "iterate_drift", root),
        ("L for 2 L", "iterate_drift", one_sided),
        ("L for L^2", "loss_stability", linear),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(runs_exceed, moved, name, 1, 1, 9, "1e6", "0.1", "0.5"))
    moved = scaled(claim, "step_drift", 9, 10)
    yield Mutant("0.9 of a step", moved, partial(runs_exceed, moved, "step_drift", 1, 1, 2, "1e6", "0.1", "0.5"))
    old = next(p for p in claim.preconditions if p.test == spec.smooth_step_admitted)
    moved = replace(claim, preconditions=(spec.ADMITTED_STEP, *(p for p in claim.preconditions if p is not old)))
    yield Mutant(
        "the printed condition on steps",
        moved,
        partial(runs_exceed, moved, "iterate_drift", 0, 1000, 3, "1.05", "100", "1"),
    )

    def exact(m: Numbers, L: Real, eta: Real, t: Real, n: Real) -> Real:
        return 2 * L * eta * (t - 1) / n

    yield Mutant("t - 1 for t (still true)", with_formula(claim, "iterate_drift", exact), lambda: False)
