"""Mutants of gradient perturbation's risk; falsity by runs of the algorithm on equal records, where noise and draws are out.

Without noise and on equal records both forms of the descent make the same path, which is followed step by step; the kernel is
half uniform on [-1, 1] and half on [-b, b], so that b = 1 is the uniform kernel and a large b has kappa_1 K_bar near b/16.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.dp_sgd.stability import FAR, gradient
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

R, B_X = 0.75, 4.0
QUIET = {"epsilon": "1", "delta": "0.9999999999999", "sigma": "1e-9", "d": "1"}
"""So little noise that it moves no mean by more than a millionth."""


def shown(false: Callable[..., bool], *given: object, **named: object) -> Callable[[], bool | None]:
    """True where a run or an evaluation contradicts the mutant; else nothing is known of it."""
    return lambda: True if false(*given, **named) else None


def moments(b: float) -> dict[str, str]:
    """kappa_1 and K_bar of the kernel."""
    return {"kappa_1": repr((1 + b) / 4), "K_bar": repr((1 + 1 / b) / 4)}


def below(t: float, b: float) -> float:
    """The kernel's distribution function."""
    return sum(max(0.0, min(1.0, (t / width + 1) / 2)) for width in (1.0, b)) / 2


def excess(y: float, x: float, level: float, eta: float, T: int, h: float, b: float) -> float:
    """The check loss of the average of T iterates on one record, whose least loss is 0."""
    theta = total = 0.0
    for _ in range(T):
        total += theta
        theta -= eta * (below((theta * x - y) / h, b) - level) * x
    u = y - x * total / T
    return level * u if u >= 0 else (level - 1) * u


def value(claim: Claim, name: str, numbers: Mapping[str, object]) -> float:
    """The claim's formula at numbers given as decimals or doubles."""
    m = mp(60)
    return float(apply(claim.formulas[name], m, {key: m.real(number) for key, number in numbers.items()}))


def constants(B: float, b: float, x: float = B_X, level: float = R) -> dict[str, object]:
    """What a bound may ask for, L under its own name and as r_bar B_x."""
    return {**QUIET, **moments(b), "B": B, "optimum_norm": B, "B_x": x, "r_bar": level, "L": level * x}


def risk_exceeds(claim: Claim, name: str, n: int, T: int, share: float, b: float = 1.0) -> bool:
    """At eta = 0.001 and theta* at `share` times what slope L crosses: a run's excess against the claimed bound."""
    eta = 0.001
    numbers: dict[str, object] = {**constants(share * R * B_X * T * eta, b), "eta": eta, "n": n, "T": T}
    h = value(claim, "bandwidth", numbers)
    true = excess(share * R * B_X * T * eta * B_X, B_X, R, eta, T, h, b)
    return true > value(claim, name, {**numbers, "h": h}) * (1 + 1e-6)


def risk_exceeds_at_end(
    claim: Claim, name: str, sigma: str, n: int, B: float = 2.0, b: float = 1.0, x: float = B_X, level: float = R
) -> bool:
    """The same at the printed step length, T = n^2."""
    numbers: dict[str, object] = {**constants(B, b, x, level), "n": n, "T": n * n}
    noise = value(claim, sigma, numbers) ** (0.5 if sigma == "variance" else 1)
    numbers = {**numbers, "sigma": noise}
    numbers["eta"] = eta = value(claim, "step_length", numbers)
    true = excess(B * x, x, level, eta, n * n, value(claim, "bandwidth", numbers), b)
    return true > value(claim, name, numbers) * (1 + 1e-5)


def parts_further(claim: Claim, t: int) -> bool:
    """Whether full steps on two far records and on a neighbour part by more than claimed, in fractions."""
    n, x, r, eta, h = 2, Fraction(4), Fraction(3, 4), Fraction(1, 5), Fraction(1)
    a = b = Fraction(0)
    for _ in range(t - 1):
        step = [gradient((x, FAR), theta, h, r) for theta in (a, b)]
        turned = gradient((-x, FAR), b, h, r)
        a, b = a - eta * step[0], b - eta * (step[1] + turned) / n
    numbers = {"n": n, "t": t, "B_x": 4, "r_bar": "0.75", "eta": "0.2"}
    return float(abs(a - b)) > value(claim, "distance", numbers) * (1 + 1e-9)


def gap_is_larger(claim: Claim, T: int) -> bool:
    """Two records with random signs, far out: the exact mean over the four data sets of population minus empirical risk."""
    n, x, r, eta = 2, Fraction(4), Fraction(3, 4), Fraction(1, 5)
    gap = Fraction(0)
    for signs in product((-1, 1), repeat=n):
        mean = sum(signs) * x / n
        average = sum(eta * r * mean * t for t in range(T)) / T  # slope r wherever the iterates go
        gap += r * mean * average / 2**n  # population r (y - 0), empirical r (y - mean average)
    numbers = {"n": n, "T": T, "B_x": 4, "r_bar": "0.75", "eta": "0.2"}
    return float(gap) > value(claim, "generalisation", numbers) * (1 + 1e-9)


def has_a_lower_value(claim: Claim, raw: str, factor: float) -> bool:
    """Whether the bound is lower at `factor` times the printed step length than there."""
    numbers: dict[str, object] = {**constants(2.0, 1.0), "sigma": "3", "n": 7, "T": 49}
    eta = value(claim, "step_length", numbers)
    at, beside = (value(claim, raw, {**numbers, "eta": step}) for step in (eta, factor * eta))
    return beside < at * (1 - 1e-9)


def link_breaks(claim: Claim, left: Callable[[dict[str, object]], float], right: str) -> bool:
    """Whether a link of the chain is false at one of a few instances, in plain evaluation."""
    cases = [{**constants(2.0, 1.0), **QUIET, "delta": delta, "n": n} for n in (1, 2, 100) for delta in ("1e-6", "0.999")]
    return any(left(case) > value(claim, right, case) * (1 + 1e-9) for case in cases)


def chosen_exceeds(claim: Claim, sigma: str) -> bool:
    """Whether the displayed sum at the claim's own step length, T = n^2, noise and bandwidth is above the first display."""
    numbers: dict[str, object] = {**constants(2.0, 1.0), "epsilon": "0.1", "delta": "1e-6", "n": 7, "T": 49}
    numbers["sigma"] = value(claim, sigma, numbers)
    numbers["eta"] = value(claim, "step_length", numbers)
    numbers["h"] = value(claim, "bandwidth", numbers)
    return value(claim, "bound_raw", numbers) > value(claim, "bound_first", numbers) * (1 + 1e-6)


def shared(claim: Claim, steps: int) -> Iterator[Mutant]:
    """Mutants of what both theorems of the newsvendor claim."""
    for name, numerator, T, share in (("empirical", 9, 1000, 1.0), ("bound_raw", 6, 1000, 1.0)):
        less = scaled(claim, name, numerator, 10)
        yield Mutant(f"0.{numerator} of {name}", less, shown(risk_exceeds, less, name, 10**12, T, share))
    less = scaled(claim, "generalisation", 4, 10)
    yield Mutant("0.4 of the generalisation gap", less, shown(gap_is_larger, less, 50))
    longer = scaled(claim, "step_length", 2, 1)
    yield Mutant("twice the step length", longer, shown(has_a_lower_value, longer, "bound_raw", 0.5))
    less = scaled(claim, "bound_second", 1, 2)
    first = partial(value, claim, "bound_first")
    yield Mutant("half of the second display", less, shown(link_breaks, less, first, "bound_second"))
    sigma = "sigma_at_square" if "sigma_at_square" in claim.formulas else "sigma_implied"
    louder = scaled(claim, sigma, 2, 1)
    yield Mutant("twice the noise", louder, shown(chosen_exceeds, louder, sigma))
    more = scaled(claim, "bound_first", 2, 1)
    yield Mutant("twice the first display", more, shown(link_breaks, more, partial(value, more, "bound_first"), "bound_second"))
    less = scaled(claim, "bound", 1, 5)
    yield Mutant("a fifth of the bound", less, shown(risk_exceeds_at_end, less, "bound", sigma, 1))
    every = replace(claim, preconditions=claim.preconditions[1:])
    yield Mutant("no condition on n", every, shown(risk_exceeds_at_end, every, "bound", sigma, steps, b=1e7))


def of_risk() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-4-amended")
    less = scaled(claim, "distance", 7, 10)
    yield Mutant("0.7 of the distance", less, shown(parts_further, less, 8))
    yield from shared(claim, 100)
    more = scaled(claim, "bound", 2, 1)
    yield Mutant("twice the bound (still true)", more, lambda: False)


def of_sample() -> Iterator[Mutant]:
    claim = find("newsvendor/sec-EC.2.1-n-amended")

    def fails(moved: Claim, r_bar: str, b: float) -> bool:
        least = value(moved, "least_sample", {"r_bar": r_bar, **moments(b)})
        return least > 2 and (1 + b) / 4 * (1 + 1 / b) / 4 <= 1.75

    more = scaled(claim, "least_sample", 2, 1)
    yield Mutant("twice the least sample", more, shown(fails, more, "0.5", 25.0))

    def cubed(m: Numbers, r_bar: Real, kappa_1: Real, K_bar: Real) -> Real:
        return (1 + kappa_1 * K_bar / r_bar**3) / 4

    steeper = with_formula(claim, "least_sample", cubed)
    yield Mutant("r_bar^3 for r_bar^2", steeper, shown(fails, steeper, "0.5", 25.0))

    def third(m: Numbers, r_bar: Real, kappa_1: Real, K_bar: Real) -> Real:
        return (1 + kappa_1 * K_bar / r_bar**2) / 3

    larger = with_formula(claim, "least_sample", third)
    yield Mutant("3 for 4", larger, shown(fails, larger, "0.5", 25.0))
    every = replace(claim, preconditions=())
    yield Mutant(
        "every kernel", every, lambda: True if value(every, "least_sample", {"r_bar": "0.9", **moments(1000.0)}) > 2 else None
    )

    def less(m: Numbers, r_bar: Real, kappa_1: Real, K_bar: Real) -> Real:
        return (1 + kappa_1 * K_bar / r_bar) / 4

    yield Mutant("r_bar for r_bar^2 (still true)", with_formula(claim, "least_sample", less), lambda: False)
